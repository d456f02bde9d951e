/**
 * Notifies a screen when jobs write below a bucket prefix, at a limited rate, so that the screen can reload its rows.
 */

import type { Clock } from '../../src/base/clock.ts';
import type { DaemonLink } from './daemon-link.ts';
import type { BucketPlace } from './place.ts';
import type { StatusStore } from './status-store.ts';

/**
 * The minimum interval between notifications. Reloading a thousand rows after every written object would be too
 * expensive.
 */
const AT_MOST_EVERY_MS = 2_000;

interface Sources {
  readonly link: DaemonLink;
  readonly status: StatusStore;
  readonly clock: Clock;
}

/** Calls `changed` after jobs have written below the prefix. Returns a function that stops the notifications. */
export function onJobWrites(
  { link, status, clock }: Sources,
  place: BucketPlace & { readonly prefix: () => string },
  changed: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const stop = link.listen(['activity'], ({ event }) => {
    if (cancel || event.type !== 'activity' || event.path === undefined) return;
    const job = status.job(event.job);
    if (!job || job.target !== place.target || job.bucket !== place.bucket) return;
    if (!`${job.prefix}${event.path}`.startsWith(place.prefix())) return;
    cancel = clock.after(AT_MOST_EVERY_MS, () => {
      cancel = undefined;
      changed();
    });
  });
  return () => {
    cancel?.();
    stop();
  };
}
