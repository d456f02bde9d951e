/** The visible part of a long list. Pure functions. */

export interface Window {
  /** The row under the cursor. */
  readonly cursor: number;
  /** The first visible row. */
  readonly top: number;
}

/** Number of context rows above and below the cursor, where they exist. */
const CONTEXT = 2;

/** Returns the window after the cursor moved to row `cursor` of `count`, with `height` visible rows. */
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
