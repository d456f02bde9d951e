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
/**
 * Nor is one that is earlier than what the version covers: another client has copied the metadata of an older version. Own
 * times are exact to some seconds, since services tell their time by the second.
 */
const EXACT_MS = 5_000;

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
  const older = newestFirst.slice(newer.length);
  let version = older[0];
  let isUndated = false;
  let floor: number | undefined;
  // From older to newer: what came after a version that is later than the time does not need to be asked for.
  for (const candidate of times ? newer.toReversed() : []) {
    let own = await ownTimeOf(candidate, times);
    if (own !== undefined && own > at) break;
    floor ??= await newestTime(older, times);
    if (own !== undefined && own < floor - EXACT_MS) own = undefined;
    isUndated = own === undefined;
    if (own === undefined) continue;
    floor = Math.max(floor, own);
    version = { ...candidate, lastModifiedAt: own };
  }
  return { isUndated, ...(version && { version }) };
}

/** Of the newest version that tells it. */
async function newestTime(
  newestFirst: readonly ListedVersion[],
  times: VersionTimes | undefined,
): Promise<number> {
  for (const version of newestFirst) {
    const own = await ownTimeOf(version, times);
    if (own !== undefined) return own;
  }
  return Number.NEGATIVE_INFINITY;
}

/** All versions of a key with the times at which they were written. */
export async function datedVersions(
  newestFirst: readonly ListedVersion[],
  times: VersionTimes | undefined,
): Promise<readonly DatedVersion[]> {
  if (!times) return newestFirst;
  const own = await Promise.all(newestFirst.map((version) => ownTimeOf(version, times)));
  const dated: DatedVersion[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  for (const [index, version] of [...newestFirst.entries()].toReversed()) {
    const time = own[index];
    if (time === undefined || time < floor - EXACT_MS) dated.push({ ...version, isUndated: true });
    else {
      floor = Math.max(floor, time);
      dated.push({ ...version, lastModifiedAt: Math.min(floor, version.lastModifiedAt) });
    }
  }
  return dated.reverse();
}

/** A delete marker has nothing whose change would give it another date. */
async function ownTimeOf(
  version: ListedVersion,
  times: VersionTimes | undefined,
): Promise<number | undefined> {
  const { kind, lastModifiedAt } = version;
  if (kind === 'delete-marker') return lastModifiedAt;
  const own = await times?.ownTime(version);
  if (own === undefined || own > lastModifiedAt + APART_MS) return undefined;
  return Math.min(own, lastModifiedAt);
}

/** Somebody may put another version under this id at any time. */
export const REPLACEABLE = 'null';
