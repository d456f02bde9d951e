/** Lists one folder of a job's tree at a past time, in pages, without scanning all versions below the folder. */

import { eachAtOnce } from '../base/at-once.ts';
import { defined } from '../base/defined.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import { isReserved } from '../mirror/objects/own-objects.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import type { VersionFacts } from './compare-times.ts';
import { type VersionAt, versionAt, type VersionTimes } from '../mirror/objects/version-times.ts';

type TreeListing = Omit<ListingOptions, 'at'>;

export interface FolderEntry extends Partial<VersionFacts> {
  /** Path below the job's folder. A folder's path ends in `/`, and its size, date, version id and ETag are absent. */
  readonly path: string;
  readonly etag?: string;
  /**
   * Set if it is unknown whether the entry existed at that time, or which version of it. The folder may have too many
   * versions to examine, or the service may have changed the date of a newer version.
   */
  readonly isUncertain?: true;
}

/**
 * The position in the bucket's listing after which the next page begins. The next page contains no entry for
 * `keyMarker`.
 */
export interface FolderCursor {
  readonly keyMarker: string;
  readonly versionIdMarker?: string;
}

export interface FolderPage {
  /** The entries of one page: files first, then folders, both in key order. */
  readonly entries: readonly FolderEntry[];
  readonly next?: FolderCursor;
}

interface Page {
  /** The time for which the tree is listed, in milliseconds since 1970 by the service's clock. */
  readonly at: number;
  readonly after?: FolderCursor;
  /** Maximum number of versions and subfolders that are examined. */
  readonly limit: number;
}

const REQUESTS_AT_ONCE = 8;
/** Maximum number of versions that are examined per subfolder. It is one page of a listing. */
const VERSIONS_CHECKED = 1_000;
/** Maximum number of keys that are examined per subfolder, because each key may need a request. */
const KEYS_CHECKED = 100;

/** Lists one page of the folder `path` at a given time. If `path` is absent, lists the root. */
export async function folderAt(tree: TreeListing, { at, after, limit }: Page): Promise<FolderPage> {
  const { store, bucket, prefix, path, signal, times } = tree;
  const folder = path === undefined ? prefix : `${prefix}${path}/`;
  const listing = { bucket, prefix: folder, delimiter: '/', maxKeys: limit, ...after };
  const { versions, commonPrefixes, next } = await store.listVersions(listing, defined({ signal }));
  const isInside = (key: string) => key !== folder && !isReserved(key.slice(prefix.length));
  const files = [...byKey(versions)].filter(([key]) => isInside(key) && key !== after?.keyMarker);
  const entries = await Promise.all(
    files.map(async ([key, newest]) => {
      const isCut = key === next?.keyMarker;
      const newestFirst = isCut ? await withOlder(newest, tree, at) : newest;
      const found = await versionAt(newestFirst, at, times);
      return entriesOf(key.slice(prefix.length), found);
    }),
  );
  const folders = await foldersAt(tree, commonPrefixes.filter(isInside), at);
  return { entries: [...entries.flat(), ...folders], ...defined({ next }) };
}

function byKey(versions: readonly ListedVersion[]): Map<string, readonly ListedVersion[]> {
  return Map.groupBy(versions, ({ key }) => key);
}

/** Returns a list with the key's entry; an empty list if the key did not exist at that time. */
function entriesOf(path: string, { version, isUndated }: VersionAt): readonly FolderEntry[] {
  const uncertain = isUndated ? ({ isUncertain: true } as const) : {};
  if (version?.kind !== 'version') return isUndated ? [{ path, ...uncertain }] : [];
  const { sizeBytes, lastModifiedAt, versionId, etag } = version;
  return [{ path, sizeBytes, lastModifiedAt, versionId, etag, ...uncertain }];
}

/**
 * Returns all versions of a key whose versions continue on the next page, down to the first version that certainly
 * existed at that time.
 */
async function withOlder(
  newest: readonly ListedVersion[],
  { store, bucket, signal }: TreeListing,
  at: number,
): Promise<readonly ListedVersion[]> {
  const all = [...newest];
  let last = all.at(-1);
  while (last && last.lastModifiedAt > at) {
    const { key, versionId: versionIdMarker } = last;
    const request = { bucket, prefix: key, keyMarker: key, versionIdMarker };
    const page = await store.listVersions(request, defined({ signal }));
    const older = page.versions.filter((version) => version.key === key);
    all.push(...older);
    last = older.at(-1);
  }
  return all;
}

/** Returns the folders that contained an object at that time, or may have contained one. */
async function foldersAt(
  { store, bucket, prefix, signal, times }: TreeListing,
  folders: readonly string[],
  at: number,
): Promise<FolderEntry[]> {
  const found = new Map<string, FolderEntry>();
  await eachAtOnce(folders, REQUESTS_AT_ONCE, async (folder) => {
    const listing = { bucket, prefix: folder, maxKeys: VERSIONS_CHECKED };
    const { versions, next } = await store.listVersions(listing, defined({ signal }));
    const path = folder.slice(prefix.length);
    const is = await hadObject([...byKey(versions).values()], at, times);
    if (is === 'yes') found.set(folder, { path });
    else if (is === 'unknown' || next) found.set(folder, { path, isUncertain: true });
  });
  return folders.flatMap((folder) => found.get(folder) ?? []);
}

/**
 * Returns whether any of the keys had an object at a given time. Tries the service's dates first, because they need no
 * request.
 */
async function hadObject(
  keys: readonly (readonly ListedVersion[])[],
  at: number,
  times: VersionTimes | undefined,
): Promise<'yes' | 'no' | 'unknown'> {
  for (const newestFirst of keys)
    if ((await versionAt(newestFirst, at, undefined)).version?.kind === 'version') return 'yes';
  if (!times) return 'no';
  let is: 'no' | 'unknown' = keys.length > KEYS_CHECKED ? 'unknown' : 'no';
  for (const newestFirst of keys.slice(0, KEYS_CHECKED)) {
    const { version, isUndated } = await versionAt(newestFirst, at, times);
    if (version?.kind === 'version') return 'yes';
    if (isUndated) is = 'unknown';
  }
  return is;
}
