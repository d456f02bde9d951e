/** One folder of a job's tree as it was, for who walks through it: by pages, and without a look at all that is below. */

import { eachAtOnce } from '../base/at-once.ts';
import { defined } from '../base/defined.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import { isReserved } from '../mirror/objects/own-objects.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import type { VersionFacts } from './compare-times.ts';
import { type VersionAt, versionAt, type VersionTimes } from '../mirror/objects/version-times.ts';

type Place = Omit<ListingOptions, 'at'>;

export interface FolderEntry extends Partial<VersionFacts> {
  /** Below the job's folder; that of a folder ends in `/`, and it has no facts. */
  readonly path: string;
  /**
   * Whether it existed then, or as which version, is not known: a folder has so many versions that not all were examined,
   * or the service may have changed the date of a newer version.
   */
  readonly isUncertain?: true;
}

/** Where the next page begins. Its entries do not include the marker's key. */
export interface FolderCursor {
  readonly keyMarker: string;
  readonly versionIdMarker?: string;
}

export interface FolderPage {
  /** First files, then folders, both in the order of keys. */
  readonly entries: readonly FolderEntry[];
  readonly next?: FolderCursor;
}

interface Page {
  /** Milliseconds since 1970 by the service's clock. */
  readonly at: number;
  readonly after?: FolderCursor;
  /** Versions and folders of the listing that are looked at. */
  readonly limit: number;
}

const LOOKS_AT_ONCE = 8;
/** Of a folder within it, one page. */
const VERSIONS_CHECKED = 1_000;
/** Of a folder within it: each may cost a request. */
const KEYS_CHECKED = 100;

/** `path` names a folder; absent: the whole tree's. */
export async function folderAt(place: Place, { at, after, limit }: Page): Promise<FolderPage> {
  const { store, bucket, prefix, path, signal, times } = place;
  const folder = path === undefined ? prefix : `${prefix}${path}/`;
  const listing = { bucket, prefix: folder, delimiter: '/', maxKeys: limit, ...after };
  const { versions, commonPrefixes, next } = await store.listVersions(listing, defined({ signal }));
  const isInside = (key: string) => key !== folder && !isReserved(key.slice(prefix.length));
  const files = [...byKey(versions)].filter(([key]) => isInside(key) && key !== after?.keyMarker);
  const entries = await Promise.all(
    files.map(async ([key, newest]) => {
      const isCut = key === next?.keyMarker;
      const newestFirst = isCut ? await withOlder(newest, place, at) : newest;
      const found = await versionAt(newestFirst, at, times);
      return entriesOf(key.slice(prefix.length), found);
    }),
  );
  const folders = await foldersAt(place, commonPrefixes.filter(isInside), at);
  return { entries: [...entries.flat(), ...folders], ...defined({ next }) };
}

function byKey(versions: readonly ListedVersion[]): Map<string, readonly ListedVersion[]> {
  return Map.groupBy(versions, ({ key }) => key);
}

/** One at most. */
function entriesOf(path: string, { version, isUndated }: VersionAt): readonly FolderEntry[] {
  const uncertain = isUndated ? ({ isUncertain: true } as const) : {};
  if (version?.kind !== 'version') return isUndated ? [{ path, ...uncertain }] : [];
  const { sizeBytes, lastModifiedAt, versionId } = version;
  return [{ path, sizeBytes, lastModifiedAt, versionId, ...uncertain }];
}

/** The versions of a key down to the first that existed by then for sure, where a page ends between them. */
async function withOlder(
  newest: readonly ListedVersion[],
  { store, bucket, signal }: Place,
  at: number,
): Promise<readonly ListedVersion[]> {
  const all = [...newest];
  let last = all.at(-1);
  while (last && last.lastModifiedAt > at) {
    const { key, versionId: versionIdMarker } = last;
    const asked = { bucket, prefix: key, keyMarker: key, versionIdMarker };
    const page = await store.listVersions(asked, defined({ signal }));
    const older = page.versions.filter((version) => version.key === key);
    all.push(...older);
    last = older.at(-1);
  }
  return all;
}

/** Those in which there was an object, or may have been one. */
async function foldersAt(
  { store, bucket, prefix, signal, times }: Place,
  folders: readonly string[],
  at: number,
): Promise<FolderEntry[]> {
  const found = new Map<string, FolderEntry>();
  await eachAtOnce(folders, LOOKS_AT_ONCE, async (folder) => {
    const listing = { bucket, prefix: folder, maxKeys: VERSIONS_CHECKED };
    const { versions, next } = await store.listVersions(listing, defined({ signal }));
    const path = folder.slice(prefix.length);
    const is = await hadObject([...byKey(versions).values()], at, times);
    if (is === 'yes') found.set(folder, { path });
    else if (is === 'unknown' || next) found.set(folder, { path, isUncertain: true });
  });
  return folders.flatMap((folder) => found.get(folder) ?? []);
}

/** What the dates of the service decide costs nothing. */
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
