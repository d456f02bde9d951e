/**
 * Determines when the versions of a key were written. Some services (Ceph RGW) change the LastModified of a version to
 * a later time when its retention, legal hold, tags or ACL change. LastModified is therefore the latest possible time,
 * and the upload time in the metadata is the real one. The order of the versions never changes.
 */

import { MINUTE_MS } from '../../base/durations.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/** Provides the upload times of versions. Not used if the service is known to preserve the dates of versions. */
export interface VersionTimes {
  /**
   * Returns the upload time of a version that this job uploaded, in milliseconds since 1970 by the service's clock;
   * undefined if unknown. Rejects with the store's errors.
   */
  readonly ownTime: (version: ListedVersion) => Promise<number | undefined>;
}

/** A version whose `lastModifiedAt` is the time at which it was written. */
export interface DatedVersion extends ListedVersion {
  /**
   * Set if the version may be older than `lastModifiedAt`, because the service may have changed its date and its upload
   * time is unknown.
   */
  readonly isUndated?: true;
}

export interface VersionAt {
  /** The newest version or delete marker at that time; absent if there was none. */
  readonly version?: ListedVersion;
  /** Whether a newer version with an unreliable date may have existed at that time. */
  readonly isUndated: boolean;
}

/**
 * Maximum difference between the clocks of machine and service. An upload time that is later than LastModified by more
 * than this is ignored.
 */
const APART_MS = 15 * MINUTE_MS;
/**
 * Tolerance of upload times, since services report whole seconds. An upload time that is earlier than the replaced
 * version's by more is ignored, because another client may have copied the metadata of an older version.
 */
const EXACT_MS = 5_000;

/** Number of keys whose versions are dated at a time; enough to hide the latency of the service. */
export const KEYS_DATED_AT_ONCE = 32;

/**
 * Returns the version of a key at a time. `newestFirst` has all its versions and delete markers in the service's order.
 */
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
  // Versions are examined from older to newer: once a version is later than `at`, its successors need no request.
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

/** Returns the upload time of the newest version that has one. */
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

/** Returns all versions of a key with the times at which they were written. */
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

/** Returns the upload time of a version. The date of a delete marker never changes. */
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

/** Version id of a version without versioning. Another client may replace that version at any time. */
export const REPLACEABLE = 'null';
