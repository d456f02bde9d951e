/** Finds the earlier name of a moved file: a key that got a delete marker when the file was added with the same bytes. */

import { MINUTE_MS } from '../base/durations.ts';
import { versionsByKey } from '../mirror/objects/key-history.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import type { ListedVersion } from '../object-store/listing.ts';

/** Maximum time between the copy to the new name and the delete marker of the old one. */
const APART_MS = 5 * MINUTE_MS;
/** Maximum number of versions to read. */
const MOST_VERSIONS = 50_000;

/** Returns the earlier path of a file, whose oldest version is `first`; undefined if none is found. */
export async function movedFrom(
  listing: Omit<ListingOptions, 'at' | 'path'>,
  first: ListedVersion,
): Promise<string | undefined> {
  if (first.sizeBytes === 0) return undefined;
  const { store, bucket, prefix, signal } = listing;
  const whole = { store, bucket, prefix, ...(signal && { signal }) };
  let count = 0;
  for await (const versions of versionsByKey(whole)) {
    count += versions.length;
    if (count > MOST_VERSIONS) return undefined;
    if (versions[0]?.key !== first.key && versions.some(isMove)) return pathOf(versions);
  }
  return undefined;

  function isMove(marker: ListedVersion, index: number, versions: readonly ListedVersion[]) {
    const before = versions[index + 1];
    const isNear = Math.abs(marker.lastModifiedAt - first.lastModifiedAt) <= APART_MS;
    if (marker.kind !== 'delete-marker' || !isNear || before?.kind !== 'version') return false;
    return before.etag === first.etag && before.sizeBytes === first.sizeBytes;
  }

  function pathOf(versions: readonly ListedVersion[]) {
    return versions[0]?.key.slice(prefix.length);
  }
}
