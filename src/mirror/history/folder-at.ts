/** One folder of a job's tree as it was, for who walks through it: by pages, and without a look at all that is below. */

import { eachAtOnce } from '../../base/at-once.ts';
import { defined } from '../../base/defined.ts';
import type { ListedVersion } from '../../object-store/listing.ts';
import { isReserved } from '../restore/restore-targets.ts';
import type { ListingOptions } from '../restore/restore-listing.ts';
import type { VersionFacts } from './compare-times.ts';

type Place = Omit<ListingOptions, 'at'>;

export interface FolderEntry extends Partial<VersionFacts> {
  /** Below the job's folder; that of a folder ends in `/`, and it has no facts. */
  readonly path: string;
  /** A folder of so many versions that whether it had a file then was not looked at to the end. */
  readonly isUncertain?: true;
}

/** Where the next page begins. */
export interface FolderCursor {
  readonly keyMarker: string;
  readonly versionIdMarker?: string;
  /** Of the key of the marker it is known what it was: its older versions are on the next page. */
  readonly isDecided?: boolean;
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
const VERSIONS_LOOKED_AT = 1_000;

/** `path` names a folder; absent: the whole tree's. */
export async function folderAt(place: Place, { at, after, limit }: Page): Promise<FolderPage> {
  const { store, bucket, prefix, path, signal } = place;
  const folder = path === undefined ? prefix : `${prefix}${path}/`;
  const { isDecided = false, ...marker } = after ?? {};
  const listing = { bucket, prefix: folder, delimiter: '/', maxKeys: limit, ...marker };
  const { versions, commonPrefixes, next } = await store.listVersions(listing, defined({ signal }));
  const decided = newestBy(versions, at, isDecided ? after?.keyMarker : undefined);
  const isInside = (key: string) => key !== folder && !isReserved(key.slice(prefix.length));
  const entries = [
    ...decided.filter(({ key, kind }) => kind === 'version' && isInside(key)).map(entryOf(prefix)),
    ...(await foldersAt(place, commonPrefixes.filter(isInside), at)),
  ];
  if (!next) return { entries };
  const isKnown =
    decided.some(({ key }) => key === next.keyMarker) ||
    (isDecided && after?.keyMarker === next.keyMarker);
  return { entries, next: { ...next, isDecided: isKnown } };
}

function entryOf(prefix: string): (version: ListedVersion) => FolderEntry {
  return ({ key, sizeBytes, lastModifiedAt, versionId }) => ({
    path: key.slice(prefix.length),
    sizeBytes,
    lastModifiedAt,
    versionId,
  });
}

/** Those in which there was an object, or may have been one. */
async function foldersAt(
  { store, bucket, prefix, signal }: Place,
  folders: readonly string[],
  at: number,
): Promise<FolderEntry[]> {
  const found = new Map<string, FolderEntry>();
  await eachAtOnce(folders, LOOKS_AT_ONCE, async (folder) => {
    const listing = { bucket, prefix: folder, maxKeys: VERSIONS_LOOKED_AT };
    const { versions, next } = await store.listVersions(listing, defined({ signal }));
    const path = folder.slice(prefix.length);
    if (newestBy(versions, at).some(({ kind }) => kind === 'version')) found.set(folder, { path });
    else if (next) found.set(folder, { path, isUncertain: true });
  });
  return folders.flatMap((folder) => found.get(folder) ?? []);
}

/** Of each key the newest version or marker by then, but of the one that is decided. */
function newestBy(
  versions: readonly ListedVersion[],
  at: number,
  decided?: string,
): readonly ListedVersion[] {
  let known = decided;
  return versions.filter(({ key, lastModifiedAt }) => {
    if (key === known || lastModifiedAt > at) return false;
    known = key;
    return true;
  });
}
