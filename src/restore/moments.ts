/** The times at which something of a job's tree changed: the steps of who goes back in time. */

import { askAhead } from '../base/ask-ahead.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import { versionsByKey } from '../mirror/objects/key-history.ts';
import { datedVersions, KEYS_DATED_AT_ONCE } from '../mirror/objects/version-times.ts';

export interface Moment {
  /** The last change of a second; milliseconds since 1970 by the service's clock. */
  readonly at: number;
  readonly changes: number;
}

/** More are not looked at: nobody goes through so many steps. */
const MOST_VERSIONS = 50_000;

export interface Moments {
  readonly moments: readonly Moment[];
  readonly isComplete: boolean;
  /** Versions that are counted at the date that the service gives them, which it may have changed. */
  readonly undated: number;
}

/** The seconds in which something at the path or below changed: the newest `limit`, the newest first. */
export async function momentsOf(
  place: Omit<ListingOptions, 'at'>,
  limit: number,
): Promise<Moments> {
  let seconds = new Map<number, Moment>();
  let [looked, undated] = [0, 0];
  const newest = () => [...seconds].toSorted(([a], [b]) => b - a).slice(0, limit);
  const dated = askAhead(versionsByKey(place), KEYS_DATED_AT_ONCE, (newestFirst) =>
    datedVersions(newestFirst, place.times),
  );
  for await (const versions of dated) {
    for (const { lastModifiedAt, isUndated } of versions) {
      if (isUndated) undated += 1;
      const second = Math.floor(lastModifiedAt / 1000);
      const { at, changes } = seconds.get(second) ?? { at: 0, changes: 0 };
      seconds.set(second, { at: Math.max(at, lastModifiedAt), changes: changes + 1 });
    }
    looked += versions.length;
    if (looked >= MOST_VERSIONS) break;
    if (seconds.size > 4 * limit) seconds = new Map(newest());
  }
  const moments = newest().map(([, moment]) => moment);
  return { moments, isComplete: looked < MOST_VERSIONS, undated };
}
