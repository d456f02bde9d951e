/**
 * Determines when a key's versions were written. Some services (Ceph RGW) change a version's LastModified to a later
 * time when its retention, legal hold, tags or ACL change. LastModified is therefore the latest possible time, and the
 * upload time in the metadata is the real time. The order of the versions never changes.
 */

import { MINUTE_MS } from '../../base/durations.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/** Provides the upload times of versions. Not used if the service is known to preserve version dates. */
export interface VersionTimes {
  /**
   * Returns a version's upload time if this job uploaded it, in milliseconds since 1970 by the service's clock;
   * otherwise undefined. Rejects with the store's errors.
   */
  readonly ownTime: (version: ListedVersion) => Promise<number | undefined>;
}

/** A version whose `lastModifiedAt` is the time when it was written. */
export interface DatedVersion extends ListedVersion {
  /**
   * Set if the version may be older than `lastModifiedAt`, because its upload time is unknown and the service may have
   * changed its date.
   */
  readonly isUndated?: true;
}

export interface VersionAt {
  /** The newest version or delete marker at the requested time; absent if the key had no version then. */
  readonly version?: ListedVersion;
  /** Whether a newer version with an unreliable date may already have existed at the requested time. */
  readonly isUndated: boolean;
}

/**
 * Maximum difference between the machine's and the service's clocks. An upload time is ignored if it is later than
 * LastModified by more than this.
 */
const APART_MS = 15 * MINUTE_MS;
/**
 * Tolerance for upload times, because services report whole seconds. An upload time is ignored if it is earlier than
 * the replaced version's upload time by more than this, because another client may have copied an older version's
 * metadata.
 */
const EXACT_MS = 5_000;

/** Number of keys whose versions are dated concurrently. It is large enough to hide the service's latency. */
export const KEYS_DATED_AT_ONCE = 32;

/**
 * Returns a key's version at a given time. `newestFirst` contains all its versions and delete markers in the service's
 * order.
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
  // Versions are examined from oldest to newest. After the first version later than `at`, all further versions are
  // later too and need no request.
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

/** Returns the upload time of the newest version with a known upload time. */
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

/** Returns all versions of a key with the times when they were written. */
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

/** Returns a version's upload time. The date of a delete marker never changes. */
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

/** The version id in a bucket without versioning. Another client may replace this version at any time. */
export const REPLACEABLE = 'null';
