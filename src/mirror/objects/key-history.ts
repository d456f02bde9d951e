/** Compares a job's keys at two times, by listing all their versions once. */

import type { ListedVersion } from '../../object-store/listing.ts';
import { isReserved } from './own-objects.ts';
import { askAhead } from '../../base/ask-ahead.ts';
import { keysOf, type ListingOptions, listingsOf } from './version-listing.ts';
import { KEYS_DATED_AT_ONCE, versionAt } from './version-times.ts';

export interface KeyAtTwoTimes {
  readonly key: string;
  /** The version that was current at the first time; absent if no object existed then. */
  readonly before?: ListedVersion;
  readonly after?: ListedVersion;
  /**
   * Whether the version at one of the two times is unknown. `before` or `after` may then be absent or an older version.
   */
  readonly isUndated: boolean;
}

export interface TwoTimes {
  /** The first of the two times, in milliseconds since 1970 by the service's clock. */
  readonly from: number;
  /** The second time; absent if it is the current time. */
  readonly to?: number;
}

/**
 * Yields the keys that had, or may have had, an object at either time, in key order. Excludes Holdfast's own objects.
 */
export async function* keysAtTwoTimes(
  options: Omit<ListingOptions, 'at'>,
  times: TwoTimes,
): AsyncGenerator<KeyAtTwoTimes, void> {
  const decided = askAhead(versionsByKey(options), KEYS_DATED_AT_ONCE, (newestFirst) =>
    atTwoTimes(newestFirst, options, times),
  );
  for await (const found of decided)
    if (found.isUndated || found.before !== undefined || found.after !== undefined) yield found;
}

/**
 * Compares a key's versions at two times. Relies on the order of the service's listing, because it also orders versions
 * with equal dates.
 */
async function atTwoTimes(
  newestFirst: readonly ListedVersion[],
  { times }: Omit<ListingOptions, 'at'>,
  { from, to = Number.POSITIVE_INFINITY }: TwoTimes,
): Promise<KeyAtTwoTimes> {
  const [before, after] = [
    await versionAt(newestFirst, from, times),
    await versionAt(newestFirst, to, times),
  ];
  return {
    key: newestFirst[0]?.key ?? '',
    isUndated: before.isUndated || after.isUndated,
    ...(before.version?.kind === 'version' && { before: before.version }),
    ...(after.version?.kind === 'version' && { after: after.version }),
  };
}

/** Yields for each key all its versions and delete markers, newest first. Excludes Holdfast's own objects. */
export async function* versionsByKey(
  options: Omit<ListingOptions, 'at'>,
): AsyncGenerator<readonly ListedVersion[], void> {
  for await (const versions of allByKey(options)) {
    const key = versions[0]?.key.slice(options.prefix.length);
    if (key !== undefined && !isReserved(key)) yield versions;
  }
}

/** Returns a file's versions and delete markers, newest first; an empty list if the path is not a file. */
export async function versionsOfFile(
  options: Omit<ListingOptions, 'at'> & { readonly path: string },
): Promise<readonly ListedVersion[]> {
  // In key order, the file's key precedes all keys below a folder with the same name.
  for await (const versions of versionsByKey(options))
    return versions[0]?.key === options.prefix + options.path ? versions : [];
  return [];
}

/**
 * Yields for each key all its versions and delete markers, newest first. Includes Holdfast's own objects below the
 * prefix.
 */
export async function* allByKey(
  options: Omit<ListingOptions, 'at'>,
): AsyncGenerator<readonly ListedVersion[], void> {
  for (const { prefix, only } of listingsOf(options))
    for await (const versions of keysOf({ ...options, prefix })) {
      if (only && versions[0]?.key !== prefix) break;
      yield versions;
    }
}
