/** Reading that begins when there is a daemon, now or later, and again when it is back. */

import type { DaemonLink } from './daemon-link.ts';

/** Gives back how to end it. */
export function whenUp(link: DaemonLink, begin: () => void): () => void {
  const stop = link.onState(({ kind }) => {
    if (kind === 'up') begin();
  });
  if (link.isUp) begin();
  return stop;
}
