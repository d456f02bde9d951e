/** Calculates which part of a long list is visible. All functions are pure. */

export interface Window {
  /** The index of the row under the cursor. */
  readonly cursor: number;
  /** The index of the first visible row. */
  readonly top: number;
}

/** The number of rows that remain visible above and below the cursor, where they exist. */
const CONTEXT = 2;

/**
 * Returns the window after the cursor has moved to row `cursor` of `count` rows. `height` is the number of visible
 * rows.
 */
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
