/** Which of a key's versions no kept moment shows. Pure: whether they may be removed is for others to say. */

import type { ListedVersion } from '../object-store/listing.ts';
import { REPLACEABLE, type DatedVersion } from '../mirror/objects/version-times.ts';
import { LONGEST_UPLOAD_MS } from '../mirror/objects/version-listing.ts';
import { hasKeptMoment, type Span } from './kept-moments.ts';
import type { KeepRule } from '../mirror/model/types.ts';

export interface RemovableVersions {
  /** Oldest last. */
  readonly versions: readonly ListedVersion[];
  /** Delete markers with nothing below them. */
  readonly markers: readonly ListedVersion[];
  /** That would be removed if the dates of the service were reliable: they are kept. */
  readonly undated: readonly ListedVersion[];
}

/** All versions of one key, newest first in the service's own order; `now` is the service's time. */
export function removableVersions(
  newestFirst: readonly DatedVersion[],
  rule: KeepRule,
  now: number,
): RemovableVersions {
  const beyond: DatedVersion[] = [];
  // Shown until then at the latest: clocks were set back, too, so it is the earliest of all that are newer.
  let to = Number.POSITIVE_INFINITY;
  for (const version of newestFirst) {
    const isGone = !hasKeptMoment(rule, now, shown(version, to));
    if (isRemovable(version) && version.kind === 'version' && isGone) beyond.push(version);
    to = Math.min(to, latestBeginning(version));
  }
  const bottom = newestFirst.findLastIndex(({ kind }) => kind === 'version') + 1;
  const markers = newestFirst.slice(bottom).filter(({ versionId }) => versionId !== REPLACEABLE);
  const versions = beyond.filter(({ isUndated }) => !isUndated);
  return { versions, markers, undated: beyond.filter(({ isUndated }) => isUndated) };
}

/** Of a version that is dated later than what covered it one of both dates is wrong: it counts for all the time between. */
function shown({ lastModifiedAt: from }: ListedVersion, to: number): Span {
  return from <= to ? { from, to } : { from: to, to: from };
}

function isRemovable({ isLatest, versionId }: ListedVersion): boolean {
  return !isLatest && versionId !== REPLACEABLE;
}

/** Services date what was sent in parts by its beginning. */
function latestBeginning({ etag, lastModifiedAt }: ListedVersion): number {
  return etag.includes('-') ? lastModifiedAt + LONGEST_UPLOAD_MS : lastModifiedAt;
}
