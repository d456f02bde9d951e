/** One of the lists of a job's screen: what moves, what waits, locks, rounds. Only the visible one reads data. */

import type { Copyable } from '../../ui/screen.ts';
import type { Movable } from '../../widgets/list-model.ts';
import type { Look } from '../../theme/look.ts';

export interface Section {
  /** Safe to draw; with its count where that is known. */
  readonly title: string;
  readonly list: Movable;
  show(): void;
  hide(): void;
  /** The path under the cursor, below the job's folder. */
  readonly path?: string | undefined;
  open?(): void;
  copyables(): readonly Copyable[];
  loadAll?(signal: AbortSignal): Promise<void>;
  /** Cells that its rows need; see `column-widths.ts`. */
  neededWidth(height: number, look: Look): number;
  draw(width: number, height: number, look: Look): readonly string[];
}
