/** What a screen adds to the palette: `:bucket photos/2026`. */

import type { Ui } from './ui.ts';

export interface Phrase {
  readonly name: string;
  readonly usage: string;
  readonly title: string;
  readonly needsArgument?: boolean;
  /** What the argument could go on as. */
  readonly complete?: (ui: Ui, argument: string) => readonly string[];
  readonly run: (ui: Ui, argument: string) => void | Promise<void>;
}
