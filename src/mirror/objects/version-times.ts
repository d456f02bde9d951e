/**
 * When the versions of a key were written. Some services (Ceph RGW) change the LastModified of a version when
 * its retention, legal hold, tags or ACL change. That moves the date forward only. So LastModified is the
 * latest possible time, and the upload time in the metadata is the real one. The order of the versions never
 * changes.
 */

import { MINUTE_MS } from '../../base/durations.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/** Absent if the service is known to keep the dates of versions. */
export interface VersionTimes {
  /**
   * The upload time of a version that this job uploaded, in milliseconds since 1970 by the service's clock;
   * undefined if unknown. Rejects as the store does.
   */
  readonly ownTime: (version: ListedVersion) => Promise<number | undefined>;
}

/** A version whose `lastModifiedAt` is the time at which it was written. */
export interface DatedVersion extends ListedVersion {
  /** The version may be older: the service may have changed its date, and the upload time is unknown. */
  readonly isUndated?: true;
}

export interface VersionAt {
  /** The newest version or delete marker at that time; absent if there was none. */
  readonly version?: ListedVersion;
  /** Whether a newer version with an unreliable date may have existed at that time. */
  readonly isUndated: boolean;
}

/**
 * The most that the clocks of machine and service may differ. An upload time that is later than LastModified
 * by more than this is ignored.
 */
const APART_MS = 15 * MINUTE_MS;
/**
 * Upload times are exact to some seconds, since services report whole seconds. An upload time earlier than
 * that of the replaced version is ignored: another client copied the metadata of an older version.
 */
const EXACT_MS = 5_000;

/** Enough to hide the latency of the service. */
export const KEYS_DATED_AT_ONCE = 32;

/**
 * Returns the version of a key at a time. `newestFirst`: all its versions and delete markers in the service's
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
  // From older to newer: once a version is later than the time, its successors need no request.
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

/** The time of the newest version that has one. */
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

/** The date of a delete marker never changes. */
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

/** The id of a version without versioning. Another client may replace it at any time. */
export const REPLACEABLE = 'null';
