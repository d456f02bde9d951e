/**
 * Redraws the whole screen after the size of the terminal stops changing. Frames for an earlier size may
 * arrive late, and a quick change back to the old size is not reported. Both leave parts of other frames.
 */

import type { Clock } from '../../src/base/clock.ts';

/** Longer than the time between two size changes while the user drags the edge of a window. */
const SETTLED_MS = 150;

/** Returns a function that stops the redraws. */
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
