/** Names and values in two columns, for details. */

import { pad, widthOf, wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { plain } from './layout.ts';

const GAP = 2;
/** A longer name has a line of its own, so that it does not take the width of all values. */
const MOST_NAME = 18;

/**
 * Lines of at most `width` cells, if that is given: a long value takes several, without its colours. The texts are safe
 * to draw, and values may hold colours.
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
    const lines = widthOf(shown) <= room ? [shown] : wrap(plain(shown), room);
    const indented = lines.map(
      (line, row) => (row > 0 || isLong ? ' '.repeat(cells) : label) + line,
    );
    return isLong ? [look.paint('dim', name), ...indented] : indented;
  });
}
