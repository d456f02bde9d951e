/** An overlay covers the screen and receives all keys: a question, a form, a menu, the help or the command palette. */

import type { Area } from './layout.ts';
import type { Changes } from '../data/changes.ts';
import type { Look } from '../theme/look.ts';

export interface Drawn {
  readonly title: string;
  /** The overlay's lines of at most `area.columns` cells. They may contain colours. */
  readonly lines: readonly string[];
  /** The index of the line under the cursor. */
  readonly selected?: number;
  /** The keys that the overlay shows in its lower border. */
  readonly keys?: string;
  /** The position of the overlay. `line` draws it as a prompt in place of the footer. */
  readonly at?: 'middle' | 'line';
}

export interface Overlay {
  /** Whether this is a form, which stays open with its values when the user says no to a question above it. */
  readonly isForm?: boolean;
  /** Receives the names of all keys while the overlay is on top. */
  onKey(key: string): void;
  onPaste?(text: string): void;
  /** Handles a click. `line` is the index of the clicked line, counted from 0. `word` is the clicked word, or empty. */
  onClick?(line: number, word: string): void;
  /** Called when the overlay closes, whatever the reason. */
  onClose?(): void;
  draw(area: Area, look: Look): Drawn;
}

/** The part of the dashboard that an overlay uses. */
export interface OverlayHost {
  readonly changes: Changes;
  closeOverlay(overlay: Overlay): void;
}
