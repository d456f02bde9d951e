/** What a screen adds to the palette: `:bucket photos/2026`. */

import type { Ui } from './ui.ts';

export interface Phrase {
  readonly name: string;
  readonly usage: string;
  readonly title: string;
  readonly needsArgument?: boolean;
  /** Starts to read what `complete` needs to know, if that is not known. */
  readonly prepare?: (ui: Ui, argument: string) => void;
  /** What the argument could go on as, of what is known. Sends no request. */
  readonly complete?: (ui: Ui, argument: string) => readonly string[];
  readonly run: (ui: Ui, argument: string) => void | Promise<void>;
}
