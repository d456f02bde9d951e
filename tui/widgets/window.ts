/** The part of a long list that is on the screen. Pure. */

export interface Window {
  /** The row under the cursor. */
  readonly cursor: number;
  /** The first row that is shown. */
  readonly top: number;
}

/** Rows of context kept above and below the cursor, where there are any. */
const CONTEXT = 2;

/** The window after the cursor went to row `cursor` of `count`, with `height` rows shown. */
export function moveTo(window: Window, cursor: number, count: number, height: number): Window {
  const target = clamp(cursor, 0, Math.max(0, count - 1));
  const context = Math.min(CONTEXT, Math.max(0, Math.floor((height - 1) / 2)));
  const lowest = target + context - height + 1;
  const highest = target - context;
  const top = clamp(
    clamp(window.top, lowest, Math.max(lowest, highest)),
    0,
    Math.max(0, count - height),
  );
  return { cursor: target, top };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
