/**
 * Selects the versions of a key that were not current at any point in time that the `keep` rule retains. A pure
 * function. The caller checks whether these versions may be removed.
 */

import type { ListedVersion } from '../object-store/listing.ts';
import { REPLACEABLE, type DatedVersion } from '../mirror/objects/version-times.ts';
import { LONGEST_UPLOAD_MS } from '../mirror/objects/version-listing.ts';
import { hasKeptMoment, type Span } from './kept-moments.ts';
import type { KeepRule } from '../mirror/model/types.ts';

export interface RemovableVersions {
  /** The removable versions, newest first. */
  readonly versions: readonly ListedVersion[];
  /** The delete markers that have no version below them. */
  readonly markers: readonly ListedVersion[];
  /** The versions that are kept only because the service's dates are not reliable. */
  readonly undated: readonly ListedVersion[];
}

/**
 * Selects the removable versions of a key. `newestFirst` contains all its versions in the service's order. `now` is the
 * service's time.
 */
export function removableVersions(
  newestFirst: readonly DatedVersion[],
  rule: KeepRule,
  now: number,
): RemovableVersions {
  const removable: DatedVersion[] = [];
  // `to` is when the version stopped being current: when the first of all newer versions was created, not only the
  // next one, because the clock may have been set back.
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
 * Returns the time range in which a version was current. If the version has a later date than its successor, one of the
 * dates is wrong. The range then covers all the time between the two dates.
 */
function currentSpan({ lastModifiedAt: from }: ListedVersion, to: number): Span {
  return from <= to ? { from, to } : { from: to, to: from };
}

function isRemovable({ isLatest, versionId }: ListedVersion): boolean {
  return !isLatest && versionId !== REPLACEABLE;
}

/**
 * Returns the latest time at which a version may have become current. For a multipart upload, this can be later than
 * its date, because services use the start of the upload as its date.
 */
function latestStart({ etag, lastModifiedAt }: ListedVersion): number {
  return etag.includes('-') ? lastModifiedAt + LONGEST_UPLOAD_MS : lastModifiedAt;
}
