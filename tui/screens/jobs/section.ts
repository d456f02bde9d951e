/** The interface of a tab on a job's screen, such as the transfers or the queue. Only the visible tab loads data. */

import type { Copyable } from '../../ui/screen.ts';
import type { Movable } from '../../widgets/list-model.ts';
import type { Look } from '../../theme/look.ts';
import type { Foot } from '../../widgets/panes.ts';

export interface Section {
  /** The tab's title with the number of rows, if known. It must be safe to draw. */
  readonly title: string;
  readonly list: Movable;
  show(): void;
  hide(): void;
  /** The path under the cursor, relative to the job's folder. */
  readonly path?: string | undefined;
  open?(): void;
  copyables(): readonly Copyable[];
  loadAll?(signal: AbortSignal): Promise<void>;
  /** Returns the texts in the lower border: the position in the list, and how many rows the list does not contain. */
  foot(look: Look): Foot;
  /** Returns the width in cells that the rows need. See `column-widths.ts`. */
  neededWidth(height: number, look: Look): number;
  draw(width: number, height: number, look: Look): readonly string[];
}
