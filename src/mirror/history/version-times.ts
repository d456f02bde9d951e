/**
 * When the versions of a key were written. Some services (Ceph RGW) change the LastModified of a version when its retention,
 * legal hold, tags or ACL change. That moves the date forward only: LastModified is then the latest time at which the version
 * may have been written, and the own time that each upload carries is the real one. The order of the versions never changes.
 */

import { MINUTE_MS } from '../../base/durations.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/** Absent where it is known that the service keeps the dates of versions. */
export interface VersionTimes {
  /**
   * The own time of a version that this job uploaded, in milliseconds since 1970 by the service's clock; undefined where it is
   * not known. Rejects as the store does.
   */
  readonly ownTime: (version: ListedVersion) => Promise<number | undefined>;
}

/** `lastModifiedAt` is when it was written. */
export interface DatedVersion extends ListedVersion {
  /** It may have been written earlier, too: the service may have changed its date, and its own time is not known. */
  readonly isUndated?: true;
}

export interface VersionAt {
  /** The newest version or delete marker by then. Absent where there was none. */
  readonly version?: ListedVersion;
  /** Whether a newer version, whose date is not reliable, may have existed by then. */
  readonly isUndated: boolean;
}

/** Clocks of the machine and of the service may differ by so much: an own time that is later than that is not believed. */
const APART_MS = 15 * MINUTE_MS;

/** Enough to hide the latency of the service. */
export const KEYS_DATED_AT_ONCE = 32;

/** What a key was at a time. `newestFirst`: all its versions and markers in the service's own order. */
export async function versionAt(
  newestFirst: readonly ListedVersion[],
  at: number,
  times: VersionTimes | undefined,
): Promise<VersionAt> {
  const index = newestFirst.findIndex(({ lastModifiedAt }) => lastModifiedAt <= at);
  const newer = index === -1 ? newestFirst : newestFirst.slice(0, index);
  let version = newestFirst[newer.length];
  let isUndated = false;
  // From older to newer: what came before a version that is later than the time does not need to be asked for.
  for (const candidate of times ? newer.toReversed() : []) {
    const own = await believedTime(candidate, times);
    if (own !== undefined && own > at) break;
    isUndated = own === undefined;
    if (own !== undefined) version = { ...candidate, lastModifiedAt: own };
  }
  return { isUndated, ...(version && { version }) };
}

/** All versions of a key with the times at which they were written. */
export async function datedVersions(
  newestFirst: readonly ListedVersion[],
  times: VersionTimes | undefined,
): Promise<readonly DatedVersion[]> {
  if (!times) return newestFirst;
  const own = await Promise.all(newestFirst.map((version) => believedTime(version, times)));
  const dated: DatedVersion[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  for (const [index, version] of [...newestFirst.entries()].toReversed()) {
    const time = own[index];
    dated.push(
      time === undefined ? { ...version, isUndated: true } : written(version, time, floor),
    );
    if (version.kind === 'delete-marker') floor = Math.max(floor, version.lastModifiedAt);
  }
  return dated.reverse();
}

/** `floor`: the date of a delete marker below it, which is not newer than the version. */
function written(version: ListedVersion, own: number, floor: number): DatedVersion {
  return { ...version, lastModifiedAt: Math.min(Math.max(own, floor), version.lastModifiedAt) };
}

/** A delete marker has nothing whose change would give it another date. */
async function believedTime(
  version: ListedVersion,
  times: VersionTimes | undefined,
): Promise<number | undefined> {
  const { kind, lastModifiedAt } = version;
  if (kind === 'delete-marker') return lastModifiedAt;
  const own = await times?.ownTime(version);
  if (own === undefined || own > lastModifiedAt + APART_MS) return undefined;
  return Math.min(own, lastModifiedAt);
}
