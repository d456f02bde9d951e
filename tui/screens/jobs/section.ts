/** A list on the screen of a job: transfers, queue, locks or rounds. Only the visible list loads data. */

import type { Copyable } from '../../ui/screen.ts';
import type { Movable } from '../../widgets/list-model.ts';
import type { Look } from '../../theme/look.ts';

export interface Section {
  /** Title that is safe to draw, with the number of rows if known. */
  readonly title: string;
  readonly list: Movable;
  show(): void;
  hide(): void;
  /** Path under the cursor, relative to the job's folder. */
  readonly path?: string | undefined;
  open?(): void;
  copyables(): readonly Copyable[];
  loadAll?(signal: AbortSignal): Promise<void>;
  /** Returns the width that its rows need; see `column-widths.ts`. */
  neededWidth(height: number, look: Look): number;
  draw(width: number, height: number, look: Look): readonly string[];
}
