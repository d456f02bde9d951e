/** Reads the locks of many versions, so that a question can show the effect before the action runs. */

import type { Ui } from '../ui/ui.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import type { LockState } from '../text/locks.ts';

/** The maximum number of versions whose locks the daemon returns for one request. */
export const LOCKS_AT_ONCE = 200;
/**
 * Limits the number of locks that are read, because each lock costs one request to the service. For all further
 * versions, the service checks the lock when the action runs.
 */
export const MOST_LOCKS_READ = 1_000;

/**
 * Returns the locks of the first MOST_LOCKS_READ versions, in the order of the versions. A lock is undefined if it
 * cannot be read.
 */
export function readLocks(
  ui: Ui,
  place: BucketPlace,
  versions: readonly { readonly key: string; readonly versionId?: string | undefined }[],
): Promise<readonly (LockState | undefined)[]> {
  return ui.work('reading locks', async ({ abort: { signal } }) => {
    const locks: (LockState | undefined)[] = [];
    const end = Math.min(versions.length, MOST_LOCKS_READ);
    for (let start = 0; start < end; start += LOCKS_AT_ONCE) {
      const objects = versions.slice(start, Math.min(end, start + LOCKS_AT_ONCE)).map(reference);
      const answer = await ui.call('versions.locks', { ...asked(place), objects }, { signal });
      locks.push(...answer.objects.map(({ code, ...lock }) => (code ? undefined : lock)));
    }
    return locks;
  });
}

function reference({
  key,
  versionId,
}: {
  readonly key: string;
  readonly versionId?: string | undefined;
}) {
  return versionId === undefined ? { key } : { key, versionId };
}
