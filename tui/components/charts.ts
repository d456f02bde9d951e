/** A series and a share, drawn with the blocks of a terminal. */

import type { Look } from '../theme/look.ts';

/** One bar a value, the latest at the right; `top` is the value of a full bar. */
export function sparkline(
  values: readonly (number | undefined)[],
  width: number,
  look: Look,
  top = Math.max(0, ...values.map((value) => value ?? 0)),
): string {
  const { bars } = look.glyphs;
  const shown = values.slice(-width).map((value) => {
    if (value === undefined) return ' ';
    const step = top <= 0 ? 0 : Math.round((Math.min(value, top) / top) * (bars.length - 1));
    return bars[Math.max(0, step)] ?? ' ';
  });
  return ' '.repeat(Math.max(0, width - shown.length)) + shown.join('');
}

/** `██████░░░░` for a share of 0 to 1. */
export function bar(share: number, width: number, look: Look, full = look.glyphs.full): string {
  const cells = Math.round(Math.max(0, Math.min(1, share)) * width);
  return full.repeat(cells) + look.glyphs.empty.repeat(width - cells);
}
