/**
 * Finds the other name of a moved file: the old name got a delete marker when the new one was added with the same
 * bytes. An empty file never counts as moved.
 */

import { MINUTE_MS } from '../base/durations.ts';
import { versionsByKey } from '../mirror/objects/key-history.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import type { ListedVersion } from '../object-store/listing.ts';

/** Maximum time between the copy to the new name and the delete marker of the old one. */
const APART_MS = 5 * MINUTE_MS;
/** Maximum number of versions to read. */
const MOST_VERSIONS = 50_000;

export interface MovedFrom {
  readonly path: string;
  /** The last version before the move. */
  readonly version: ListedVersion;
  /** Whether the earlier name is still deleted. */
  readonly isGone: boolean;
}

type Listing = Omit<ListingOptions, 'at' | 'path'>;

/** Returns the earlier name of a file, whose oldest version is `first`; undefined if none is found. */
export async function movedFrom(
  listing: Listing,
  first: ListedVersion,
): Promise<MovedFrom | undefined> {
  return findOther(listing, first, (versions) => {
    const index = versions.findIndex(
      (each, at) => isMarker(each) && isNear(each, first) && isSame(versions[at + 1], first),
    );
    const version = versions[index + 1];
    return index === -1 || !version ? undefined : { version, isGone: index === 0 };
  });
}

/**
 * Returns the current name of a moved file, whose versions are `newestFirst`; undefined if none is found, or if the
 * file at that name has other bytes by now.
 */
export async function movedTo(
  listing: Listing,
  newestFirst: readonly ListedVersion[],
): Promise<string | undefined> {
  const [marker, last] = newestFirst;
  if (!marker || !isMarker(marker) || last?.kind !== 'version') return undefined;
  const found = await findOther(listing, last, (versions) => {
    const isThere = isSame(versions[0], last);
    const isMoved = versions.some((each) => isSame(each, last) && isNear(each, marker));
    return isThere && isMoved ? {} : undefined;
  });
  return found?.path;
}

/** Returns what `test` returns for the first other key for which it returns something. */
async function findOther<T extends object>(
  { store, bucket, prefix, signal }: Listing,
  { key, sizeBytes }: ListedVersion,
  test: (newestFirst: readonly ListedVersion[]) => T | undefined,
): Promise<(T & { readonly path: string }) | undefined> {
  if (sizeBytes === 0) return undefined;
  const whole = { store, bucket, prefix, ...(signal && { signal }) };
  let count = 0;
  for await (const versions of versionsByKey(whole)) {
    count += versions.length;
    if (count > MOST_VERSIONS) return undefined;
    const [newest] = versions;
    const found = newest && newest.key !== key ? test(versions) : undefined;
    if (newest && found) return { ...found, path: newest.key.slice(prefix.length) };
  }
  return undefined;
}

function isMarker({ kind }: ListedVersion): boolean {
  return kind === 'delete-marker';
}

function isNear(one: ListedVersion, other: ListedVersion): boolean {
  return Math.abs(one.lastModifiedAt - other.lastModifiedAt) <= APART_MS;
}

function isSame(one: ListedVersion | undefined, other: ListedVersion): boolean {
  return one?.kind === 'version' && one.etag === other.etag && one.sizeBytes === other.sizeBytes;
}
