/** Notifies a screen when jobs write below a prefix of a bucket, at a limited rate, so that it reads its rows again. */

import type { Clock } from '../../src/base/clock.ts';
import type { DaemonLink } from './daemon-link.ts';
import type { BucketPlace } from './place.ts';
import type { StatusStore } from './status-store.ts';

/** Limits the load: reading a listing of a thousand rows for each written object costs more than it is worth. */
const AT_MOST_EVERY_MS = 2_000;

interface Sources {
  readonly link: DaemonLink;
  readonly status: StatusStore;
  readonly clock: Clock;
}

/** Calls `changed` after jobs have written below the prefix. Returns a function that stops it. */
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
