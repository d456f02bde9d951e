/** Told when jobs write below a prefix of a bucket, so that what is shown of it is read again: seldom, however much they do. */

import type { Ui } from '../ui/ui.ts';
import type { BucketPlace } from './place.ts';

/** A listing of a thousand rows costs both sides more than a line of it is worth. */
const AT_MOST_EVERY_MS = 2_000;

/** Gives back how to stop listening. */
export function onJobWrites(
  ui: Ui,
  place: BucketPlace & { readonly prefix: () => string },
  changed: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const stop = ui.link.listen(['activity'], ({ event }) => {
    if (cancel || event.type !== 'activity' || event.path === undefined) return;
    const job = ui.status.job(event.job);
    if (!job || job.target !== place.target || job.bucket !== place.bucket) return;
    if (!`${job.prefix}${event.path}`.startsWith(place.prefix())) return;
    cancel = ui.clock.after(AT_MOST_EVERY_MS, () => {
      cancel = undefined;
      changed();
    });
  });
  return () => {
    cancel?.();
    stop();
  };
}
