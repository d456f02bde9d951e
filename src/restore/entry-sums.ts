/** Sums up the entries of a folder at a past time and now, by listing all versions below the folder once. */

import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import { type KeyAtTwoTimes, keysAtTwoTimes } from '../mirror/objects/key-history.ts';
import { differenceOf } from './compare-times.ts';

/** The number and size of the files of an entry. Objects that represent folders are not counted. */
interface Files {
  readonly files: number;
  readonly bytes: number;
}

const NO_FILES: Files = { files: 0, bytes: 0 };

/** An entry of a folder: a file, or a subfolder with everything below it. */
export interface EntrySums {
  /** Path below the job's folder. A folder's path ends in `/`. */
  readonly path: string;
  /** The files at the past time. */
  readonly before: Files;
  /** The files now. */
  readonly after: Files;
  /** Numbers of objects that were added, changed and removed since the past time. */
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Number of objects whose version at the past time is unknown. They make `before` inaccurate. */
  readonly uncertain: number;
}

/**
 * Yields the entries in key order. Omits files that did not change, because a listing of the folder already contains
 * their sizes.
 */
export async function* entrySums(
  options: Omit<ListingOptions, 'at'>,
  at: number,
): AsyncGenerator<EntrySums, void> {
  const start = options.path === undefined ? 0 : options.path.length + 1;
  let sums: EntrySums | undefined;
  for await (const found of keysAtTwoTimes(options, { from: at })) {
    const key = found.key.slice(options.prefix.length);
    const end = key.indexOf('/', start);
    const path = end < 0 ? key : key.slice(0, end + 1);
    // In key order, all keys below a subfolder follow each other.
    if (sums?.path !== path) {
      if (sums && isNews(sums)) yield sums;
      sums = {
        path,
        before: NO_FILES,
        after: NO_FILES,
        added: 0,
        changed: 0,
        removed: 0,
        uncertain: 0,
      };
    }
    sums = withKey(sums, found);
  }
  if (sums && isNews(sums)) yield sums;
}

function isNews({ path, added, changed, removed, uncertain }: EntrySums): boolean {
  return path.endsWith('/') || added + changed + removed + uncertain > 0;
}

function withKey(sums: EntrySums, found: KeyAtTwoTimes): EntrySums {
  const isFolder = found.key.endsWith('/');
  const is = differenceOf(found);
  // Another version with the same bytes is not a change of the file.
  const counted = is === undefined || is === 'attributes' ? {} : { [is]: sums[is] + 1 };
  return {
    ...sums,
    ...(!isFolder && {
      before: withFile(sums.before, found.before?.sizeBytes),
      after: withFile(sums.after, found.after?.sizeBytes),
    }),
    ...counted,
  };
}

function withFile({ files, bytes }: Files, sizeBytes: number | undefined): Files {
  return sizeBytes === undefined
    ? { files, bytes }
    : { files: files + 1, bytes: bytes + sizeBytes };
}
