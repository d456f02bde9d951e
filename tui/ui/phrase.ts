/** A palette command that takes an argument, such as `:bucket photos/2026`. */

import type { Ui } from './ui.ts';

export interface Phrase {
  readonly name: string;
  readonly usage: string;
  readonly title: string;
  readonly needsArgument?: boolean;
  /** Starts to read the names that `complete` needs, unless they are cached. */
  readonly prepare?: (ui: Ui, argument: string) => void;
  /** Returns possible completions of the argument from the cached names. Sends no request. */
  readonly complete?: (ui: Ui, argument: string) => readonly string[];
  readonly run: (ui: Ui, argument: string) => void | Promise<void>;
}
