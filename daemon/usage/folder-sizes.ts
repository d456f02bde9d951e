/** Sums up the sizes and ages of the versions below each folder of a bucket. It has no side effects. */

import { DAY_MS } from '../../src/base/durations.ts';
import type { ListedVersion } from '../../src/object-store/listing.ts';

/** The limits of the age groups in milliseconds: a day, a week, 30 days, a year. The last group has no limit. */
export const AGES_MS: readonly number[] = [1, 7, 30, 365].map((days) => days * DAY_MS);

/** The totals of everything below a folder. */
export interface FolderSums {
  /** The number and size of the current versions that are objects. */
  objects: number;
  bytes: number;
  /** The number and size of the older versions. */
  olderVersions: number;
  olderBytes: number;
  deleteMarkers: number;
  /** The time of the newest version or delete marker, in milliseconds since 1970. */
  newestAt: number;
  /** The size of all versions, current and older, in each of the age groups. */
  bytesByAge: number[];
}

/** The maximum number of folders. They need about 5 MB of memory. */
const MAX_FOLDERS = 10_000;
/** The maximum depth. Deeper folders are counted as part of their parent at this depth. */
const MAX_DEPTH = 32;

/**
 * Sums up the versions of a bucket by folder. It keeps at most `maxFolders` folders. If there are more, it drops the
 * deepest level. The versions of dropped folders are still counted in their parent folders.
 */
export class FolderSizes {
  readonly #now: number;
  readonly #maxFolders: number;
  readonly #folders = new Map<string, FolderSums>();
  #maxDepth = MAX_DEPTH;
  /**
   * The folder of the last key, and the totals that its versions belong to. Listings are sorted, so most keys have the
   * same folder as the key before.
   */
  #lastFolder: string | undefined;
  #lastSums: readonly FolderSums[] = [];

  /** Creates empty totals. Ages are relative to `now`, in milliseconds since 1970. */
  constructor(now: number, maxFolders = MAX_FOLDERS) {
    this.#now = now;
    this.#maxFolders = maxFolders;
    this.#folders.set('', emptySums());
  }

  add(version: ListedVersion): void {
    const folder = version.key.slice(0, version.key.lastIndexOf('/') + 1);
    if (folder !== this.#lastFolder) {
      this.#lastSums = this.#sumsOf(folder);
      this.#lastFolder = folder;
    }
    const age = ageGroup(this.#now - version.lastModifiedAt);
    for (const sums of this.#lastSums) addTo(sums, version, age);
  }

  /**
   * Returns the totals of a folder. `prefix` is empty or ends in `/`. Returns undefined if the folder has no versions
   * or was dropped.
   */
  at(prefix: string): Readonly<FolderSums> | undefined {
    return this.#folders.get(prefix);
  }

  /** Returns the direct subfolders of a folder, the largest first. */
  in(prefix: string): (Readonly<FolderSums> & { readonly prefix: string })[] {
    const inside = [...this.#folders].filter(
      ([name]) =>
        name.length > prefix.length &&
        name.startsWith(prefix) &&
        name.indexOf('/', prefix.length) === name.length - 1,
    );
    return inside
      .map(([name, sums]) => Object.assign({ prefix: name }, sums))
      .toSorted((one, other) => totalBytes(other) - totalBytes(one));
  }

  /** Returns whether the subfolders of this folder were dropped, so that `in` cannot return them. */
  isDeepest(prefix: string): boolean {
    return depthOf(prefix) >= this.#maxDepth;
  }

  #sumsOf(folder: string): readonly FolderSums[] {
    const found: FolderSums[] = [];
    let end = 0;
    for (let depth = 0; depth <= this.#maxDepth; depth += 1) {
      const prefix = folder.slice(0, end);
      let sums = this.#folders.get(prefix);
      if (sums === undefined) this.#folders.set(prefix, (sums = emptySums()));
      found.push(sums);
      if (end === folder.length) break;
      end = folder.indexOf('/', end) + 1;
    }
    while (this.#folders.size > this.#maxFolders) this.#dropDeepest();
    return found;
  }

  #dropDeepest(): void {
    this.#maxDepth = Math.max(0, ...[...this.#folders.keys()].map(depthOf)) - 1;
    for (const prefix of this.#folders.keys())
      if (depthOf(prefix) > this.#maxDepth) this.#folders.delete(prefix);
  }
}

export function totalBytes({
  bytes,
  olderBytes,
}: Pick<FolderSums, 'bytes' | 'olderBytes'>): number {
  return bytes + olderBytes;
}

function emptySums(): FolderSums {
  return {
    objects: 0,
    bytes: 0,
    olderVersions: 0,
    olderBytes: 0,
    deleteMarkers: 0,
    newestAt: 0,
    bytesByAge: Array.from({ length: AGES_MS.length + 1 }, () => 0),
  };
}

function addTo(
  sums: FolderSums,
  { kind, isLatest, sizeBytes, lastModifiedAt }: ListedVersion,
  age: number,
): void {
  sums.newestAt = Math.max(sums.newestAt, lastModifiedAt);
  if (kind === 'delete-marker') {
    sums.deleteMarkers += 1;
    return;
  }
  if (isLatest) {
    sums.objects += 1;
    sums.bytes += sizeBytes;
  } else {
    sums.olderVersions += 1;
    sums.olderBytes += sizeBytes;
  }
  sums.bytesByAge[age] = (sums.bytesByAge[age] ?? 0) + sizeBytes;
}

function ageGroup(ageMs: number): number {
  const group = AGES_MS.findIndex((limit) => ageMs < limit);
  return group < 0 ? AGES_MS.length : group;
}

function depthOf(prefix: string): number {
  let depth = 0;
  for (let at = prefix.indexOf('/'); at >= 0; at = prefix.indexOf('/', at + 1)) depth += 1;
  return depth;
}
