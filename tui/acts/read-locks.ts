/** Reads the locks of many versions before a plan for them is shown. */

import type { Ui } from '../ui/ui.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import type { LockState } from '../text/locks.ts';

/** Most versions whose locks the daemon returns with one request. */
const AT_ONCE = 200;
/** Each lock costs one request to the service. The service checks the rest when the action runs. */
export const MOST_LOCKS_READ = 1_000;

/** Returns the locks in the order of the versions, at most MOST_LOCKS_READ. A lock that cannot be read is undefined. */
export function readLocks(
  ui: Ui,
  place: BucketPlace,
  versions: readonly { readonly key: string; readonly versionId?: string | undefined }[],
): Promise<readonly (LockState | undefined)[]> {
  return ui.work('reading locks', async ({ abort: { signal } }) => {
    const locks: (LockState | undefined)[] = [];
    const end = Math.min(versions.length, MOST_LOCKS_READ);
    for (let start = 0; start < end; start += AT_ONCE) {
      const objects = versions.slice(start, Math.min(end, start + AT_ONCE)).map(reference);
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
