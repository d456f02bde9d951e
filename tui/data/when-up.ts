/** Starts a read when the daemon is connected, and again after each reconnection. */

import type { DaemonLink } from './daemon-link.ts';

/** Calls `begin` on each connection, and immediately if it is up. Returns a function that stops it. */
export function whenUp(link: DaemonLink, begin: () => void): () => void {
  const stop = link.onState(({ kind }) => {
    if (kind === 'up') begin();
  });
  if (link.isUp) begin();
  return stop;
}
