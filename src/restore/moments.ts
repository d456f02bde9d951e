/** Lists the times when a job's tree changed, so that users can step back in time. */

import { askAhead } from '../base/ask-ahead.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import { versionsByKey } from '../mirror/objects/key-history.ts';
import { datedVersions, KEYS_DATED_AT_ONCE } from '../mirror/objects/version-times.ts';

export interface Moment {
  /** Time of the last change in this second, in milliseconds since 1970 by the service's clock. */
  readonly at: number;
  readonly changes: number;
}

/** Maximum number of versions that are read, because no user steps through more changes. */
const MOST_VERSIONS = 50_000;

export interface Moments {
  readonly moments: readonly Moment[];
  readonly isComplete: boolean;
  /** Number of versions with a date that the service may have changed. They are listed under that date. */
  readonly undated: number;
}

/** Returns the newest `limit` seconds in which an object at or below the path changed, newest first. */
export async function momentsOf(
  listing: Omit<ListingOptions, 'at'>,
  limit: number,
): Promise<Moments> {
  let seconds = new Map<number, Moment>();
  let [versionCount, undated] = [0, 0];
  const newest = () => [...seconds].toSorted(([a], [b]) => b - a).slice(0, limit);
  const dated = askAhead(versionsByKey(listing), KEYS_DATED_AT_ONCE, (newestFirst) =>
    datedVersions(newestFirst, listing.times),
  );
  for await (const versions of dated) {
    for (const { lastModifiedAt, isUndated } of versions) {
      if (isUndated) undated += 1;
      const second = Math.floor(lastModifiedAt / 1000);
      const { at, changes } = seconds.get(second) ?? { at: 0, changes: 0 };
      seconds.set(second, { at: Math.max(at, lastModifiedAt), changes: changes + 1 });
    }
    versionCount += versions.length;
    if (versionCount >= MOST_VERSIONS) break;
    if (seconds.size > 4 * limit) seconds = new Map(newest());
  }
  const moments = newest().map(([, moment]) => moment);
  return { moments, isComplete: versionCount < MOST_VERSIONS, undated };
}
