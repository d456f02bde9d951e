/**
 * Redraws the whole screen after the terminal size stops changing. A frame for an earlier size may arrive late, and a
 * quick change back to the old size is not reported. Both leave parts of other frames on the screen.
 */

import type { Clock } from '../../src/base/clock.ts';

/**
 * The size counts as stable after this time, which is longer than the time between two changes while the user drags a
 * window edge.
 */
const SETTLED_MS = 150;

/** Starts to redraw after size changes. Returns a function that stops this. */
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
