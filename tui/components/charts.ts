/** Draws a series and a share with the characters of the terminal. */

import { barParts, sparkline as sparklineText } from '../../src/text/sparkline.ts';
import type { Look } from '../theme/look.ts';

/** Returns the latest values as bars, `width` cells wide, with the latest one at the right. The lowest bar is `least`. */
export function sparkline(
  values: readonly (number | undefined)[],
  width: number,
  { glyphs }: Look,
  least = 0,
): string {
  return sparklineText(values.slice(-width), { bars: glyphs.bars, least }).padStart(width);
}

/** Returns a bar for a share of 0 to 1: `██████░░░░`. */
export function bar(share: number, width: number, { glyphs }: Look, full = glyphs.full): string {
  return barParts(share, width, { full, empty: glyphs.empty }).join('');
}
