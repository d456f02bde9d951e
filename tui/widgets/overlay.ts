/** What lies over the screen and takes all keys: a question, a form, a menu, help, the palette. */

import type { Area } from './layout.ts';
import type { Changes } from '../data/changes.ts';
import type { Look } from '../theme/look.ts';

export interface Drawn {
  readonly title: string;
  /** Each at most `area.columns` cells wide; they may hold colours. */
  readonly lines: readonly string[];
  /** The line under the cursor. */
  readonly selected?: number;
  /** The keys that it takes, for its lower border. */
  readonly keys?: string;
  /** `line`: at the place of the footer, as a prompt. */
  readonly at?: 'middle' | 'line';
}

export interface Overlay {
  /** Names of keys; all of them come here while it is on top. */
  onKey(key: string): void;
  onPaste?(text: string): void;
  /** `line` counts those that it drew, from 0; `word` is the one that was clicked, or empty. */
  onClick?(line: number, word: string): void;
  /** It was taken away, by whatever way. */
  onClose?(): void;
  draw(area: Area, look: Look): Drawn;
}

/** What an overlay uses of the dashboard that it lies over. */
export interface OverlayHost {
  readonly changes: Changes;
  closeOverlay(overlay: Overlay): void;
}
