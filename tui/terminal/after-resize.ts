/**
 * Draws the whole screen again once the size of the terminal stops changing. Frames for an earlier size may arrive after
 * the change, and a terminal that gets its old size back is not reported as resized: both leave parts of other frames.
 */

import type { Clock } from '../../src/base/clock.ts';

/** Longer than the time between two sizes while the user drags the edge of a window. */
const SETTLED_MS = 150;

/** Returns a function that ends it. */
export function redrawAfterResize(clock: Clock, redraw: () => void): () => void {
  let cancel: (() => void) | undefined;
  const onResize = () => {
    cancel?.();
    cancel = clock.after(SETTLED_MS, redraw);
  };
  process.on('SIGWINCH', onResize);
  return () => {
    cancel?.();
    process.off('SIGWINCH', onResize);
  };
}
