/** Starts a read when the daemon is connected, and again after each reconnection. */

import type { DaemonLink } from './daemon-link.ts';

/**
 * Calls `begin` after each connection, and at once if the daemon is already connected. Returns a function that stops
 * the calls.
 */
export function whenUp(link: DaemonLink, begin: () => void): () => void {
  const stop = link.onState(({ kind }) => {
    if (kind === 'up') begin();
  });
  if (link.isUp) begin();
  return stop;
}
