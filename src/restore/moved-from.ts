/** Finds a file's moves, and its names before and after each move. */

import { type Move, movesAmong } from '../base/find-moves.ts';
import { versionsByKey } from '../mirror/objects/key-history.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import { type DatedVersion, datedVersions } from '../mirror/objects/version-times.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import { type Change, changesOf } from './file-changes.ts';

/** Maximum number of versions that are read. */
const MOST_VERSIONS = 50_000;

export interface MovedFrom {
  readonly path: string;
  /** The file's last version before the move. */
  readonly version: ListedVersion;
  /** Whether no file has the earlier name now. */
  readonly isGone: boolean;
}

interface FoundChange extends Change {
  /** All versions and delete markers of the changed file, newest first. */
  readonly versions: readonly DatedVersion[];
  /** Index of the version or delete marker that made the change. */
  readonly index: number;
}

type Listing = Omit<ListingOptions, 'at' | 'path'>;

/** Returns a file's earlier name; undefined if none is found. `first` is the file's oldest version. */
export async function movedFrom(
  listing: Listing,
  first: ListedVersion,
): Promise<MovedFrom | undefined> {
  const moves = await movesOf(listing, [first]);
  const from = moves.find(({ to }) => isMadeBy(to, first))?.from;
  const version = from?.versions[from.index + 1];
  return version && { path: from.path, version, isGone: from.index === 0 };
}

/**
 * Returns a moved file's current name; undefined if none is found, or if the file with that name now has different
 * content. `newestFirst` contains the file's versions.
 */
export async function movedTo(
  listing: Listing,
  newestFirst: readonly ListedVersion[],
): Promise<string | undefined> {
  const [marker, last] = newestFirst;
  if (marker?.kind !== 'delete-marker' || last?.kind !== 'version') return undefined;
  const moves = await movesOf(listing, [last]);
  const to = moves.find(({ from }) => isMadeBy(from, marker))?.to;
  const current = to?.versions[0];
  return current?.kind === 'version' && contentOf(current) === contentOf(last)
    ? to?.path
    : undefined;
}

/** A file's name on the other side of a move. One of the file's versions or delete markers belongs to that move. */
export interface OtherName {
  readonly movedFrom?: string;
  readonly movedTo?: string;
}

/** Returns a file's other names by the ids of its versions and delete markers. */
export async function otherNames(
  listing: Listing,
  versions: readonly ListedVersion[],
): Promise<ReadonlyMap<string, OtherName>> {
  const names = new Map<string, OtherName>();
  const add = ({ versions: all, index }: FoundChange, name: OtherName) => {
    const made = all[index];
    if (made && made.key === versions[0]?.key) names.set(made.versionId, name);
  };
  for (const { from, to } of await movesOf(listing, versions)) {
    add(from, { movedTo: to.path });
    add(to, { movedFrom: from.path });
  }
  return names;
}

/**
 * Returns the moves of files with the same content as one of these versions. Returns none if the job has too many
 * versions to read.
 */
async function movesOf(
  { store, bucket, prefix, times, signal }: Listing,
  versions: readonly ListedVersion[],
): Promise<readonly Move<FoundChange>[]> {
  const contents = new Set(versions.filter(hasBytes).map(contentOf));
  if (contents.size === 0) return [];
  const whole = { store, bucket, prefix, ...(signal && { signal }) };
  const changes: FoundChange[] = [];
  let count = 0;
  for await (const listed of versionsByKey(whole)) {
    count += listed.length;
    if (count > MOST_VERSIONS) return [];
    if (!listed.some((each) => contents.has(contentOf(each)))) continue;
    const dated = await datedVersions(listed, times);
    for (const { change, index } of changesOf(dated, { prefix }))
      if (contents.has(contentOf(change))) changes.push({ ...change, versions: dated, index });
  }
  return movesAmong(changes).moved;
}

function isMadeBy({ versions, index }: FoundChange, { key, versionId }: ListedVersion): boolean {
  const version = versions[index];
  return version?.key === key && version.versionId === versionId;
}

function hasBytes({ kind, sizeBytes }: ListedVersion): boolean {
  return kind === 'version' && sizeBytes > 0;
}

function contentOf({ etag, sizeBytes }: Pick<ListedVersion, 'etag' | 'sizeBytes'>): string {
  return `${etag} ${sizeBytes}`;
}
