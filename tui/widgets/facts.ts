/** Draws names and values in two columns, for the details of an item. */

import { pad, widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { plain, wrapColoured } from './layout.ts';

const GAP = 2;
/** A name longer than this gets a separate line, so that it does not narrow the column of values. */
const MOST_NAME = 18;

/**
 * Returns the names and values as lines of at most `width` cells, if given. A long value is wrapped. The texts must be
 * safe to draw, and values may contain colours.
 */
export function facts(
  rows: readonly (readonly [name: string, value: string])[],
  look: Look,
  width?: number,
): string[] {
  const most = width === undefined ? Infinity : MOST_NAME;
  const names = rows.map(([name]) => widthOf(name)).filter((cells) => cells <= most);
  const cells = Math.max(0, ...names) + GAP;
  return rows.flatMap(([name, value]) => {
    const shown = plain(value) === '' ? look.glyphs.none : value;
    const label = look.paint('heading', pad(name, cells));
    const isLong = widthOf(name) > most;
    const room = (width ?? Infinity) - cells;
    const indented = wrapColoured(shown, room).map(
      (line, row) => (row > 0 || isLong ? ' '.repeat(cells) : label) + line,
    );
    return isLong ? [look.paint('dim', name), ...indented] : indented;
  });
}
