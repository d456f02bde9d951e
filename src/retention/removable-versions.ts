/**
 * Selects the versions of a key that are current at no point in time retained by the `keep` rule. Pure: the caller
 * checks whether they may be removed.
 */

import type { ListedVersion } from '../object-store/listing.ts';
import { REPLACEABLE, type DatedVersion } from '../mirror/objects/version-times.ts';
import { LONGEST_UPLOAD_MS } from '../mirror/objects/version-listing.ts';
import { hasKeptMoment, type Span } from './kept-moments.ts';
import type { KeepRule } from '../mirror/model/types.ts';

export interface RemovableVersions {
  /** Removable versions, newest first. */
  readonly versions: readonly ListedVersion[];
  /** Delete markers without a version below them. */
  readonly markers: readonly ListedVersion[];
  /** Versions that are kept only because the service's dates are not reliable. */
  readonly undated: readonly ListedVersion[];
}

/**
 * Selects the removable versions of one key. `newestFirst` has all its versions in the service's own order; `now` is
 * the service's time.
 */
export function removableVersions(
  newestFirst: readonly DatedVersion[],
  rule: KeepRule,
  now: number,
): RemovableVersions {
  const removable: DatedVersion[] = [];
  // `to` is the latest time at which the version was still current. Clocks may have been set back, so it is the
  // earliest start of all newer versions.
  let to = Number.POSITIVE_INFINITY;
  for (const version of newestFirst) {
    const isBeyondKeep = !hasKeptMoment(rule, now, currentSpan(version, to));
    if (isRemovable(version) && version.kind === 'version' && isBeyondKeep) removable.push(version);
    to = Math.min(to, latestStart(version));
  }
  const bottom = newestFirst.findLastIndex(({ kind }) => kind === 'version') + 1;
  const markers = newestFirst.slice(bottom).filter(({ versionId }) => versionId !== REPLACEABLE);
  const versions = removable.filter(({ isUndated }) => !isUndated);
  return { versions, markers, undated: removable.filter(({ isUndated }) => isUndated) };
}

/**
 * Returns the time range in which a version was current. If the version is dated later than its successor, one of the
 * dates is wrong, and all the time between them counts.
 */
function currentSpan({ lastModifiedAt: from }: ListedVersion, to: number): Span {
  return from <= to ? { from, to } : { from: to, to: from };
}

function isRemovable({ isLatest, versionId }: ListedVersion): boolean {
  return !isLatest && versionId !== REPLACEABLE;
}

/**
 * Returns the latest time at which a version became current. Services date a multipart upload by its start, so that can
 * be later than its date.
 */
function latestStart({ etag, lastModifiedAt }: ListedVersion): number {
  return etag.includes('-') ? lastModifiedAt + LONGEST_UPLOAD_MS : lastModifiedAt;
}
