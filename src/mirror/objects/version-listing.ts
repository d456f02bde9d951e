/** Lists a tree in the bucket: the current version of each key, or the newest one at a past time. */

import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/durations.ts';
import type { ListedVersion, ListingGap } from '../../object-store/listing.ts';
import type { ObjectReader, VersionReader } from '../../object-store/object-store.ts';
import { KEYS_DATED_AT_ONCE, versionAt, type VersionTimes } from './version-times.ts';
import { askAhead } from '../../base/ask-ahead.ts';

export interface StoredObject {
  readonly key: string;
  /** Version id; absent for the current version. */
  readonly versionId?: string;
  readonly sizeBytes: number;
  /**
   * Set if the version may not have been current at the requested time. It is a recent multipart upload, which services
   * date by its start, or its successor has a wrong date.
   */
  readonly isUncertain?: true;
}

/**
 * A key whose version at the requested time is unknown, because the service may have changed the date of a newer
 * version.
 */
export interface UndatedKey {
  readonly key: string;
  readonly isUndated: true;
}

/** Selects a part of a bucket. */
export interface Selection {
  readonly bucket: string;
  /** Prefix of the keys. It is empty or ends in `/`. */
  readonly prefix: string;
  /** Path of a folder or of one file below the prefix, without a trailing `/`; absent for all. */
  readonly path?: string;
}

export interface ListingOptions extends Selection {
  readonly store: ObjectReader & VersionReader;
  /** The requested time in milliseconds since 1970 by the service's clock; absent for now. */
  readonly at?: number;
  /** Whether the service dates a multipart upload by its end, so that no version is dated too early. */
  readonly datesUploadsByEnd?: boolean;
  /** Reads upload times of versions; absent if the service never changes the dates of versions. */
  readonly times?: VersionTimes;
  /** Called with key ranges of a damaged store that cannot be listed. If absent, the listing fails. */
  readonly onGap?: (gap: ListingGap) => void;
  readonly signal?: AbortSignal;
}

/** Maximum age of a multipart upload. Older ones are not resumed, but aborted. */
export const LONGEST_UPLOAD_MS = 7 * DAY_MS;

/** Yields the objects of a tree in key order. Omits keys whose newest version at that time is a delete marker. */
export async function* listTree(
  options: ListingOptions,
): AsyncGenerator<StoredObject | UndatedKey, void> {
  const list = options.at === undefined ? listHeads : listVersionsAt;
  for (const { prefix, only } of listingsOf(options)) {
    for await (const object of list({ ...options, prefix })) {
      // Of all keys with this prefix, the shortest one is listed first.
      if (only && object.key !== prefix) break;
      yield object;
    }
  }
}

/**
 * Returns the listings that find a path. A file has one key, and a folder is all keys below it. A path alone can be
 * either.
 */
export function listingsOf({
  prefix,
  path,
}: Pick<Selection, 'prefix' | 'path'>): readonly { readonly prefix: string; only: boolean }[] {
  if (path === undefined) return [{ prefix, only: false }];
  return [
    { prefix: prefix + path, only: true },
    { prefix: `${prefix}${path}/`, only: false },
  ];
}

async function* listHeads(options: ListingOptions): AsyncGenerator<StoredObject, void> {
  const { store, bucket, prefix, onGap, signal } = options;
  const skipsDamage = onGap !== undefined;
  let continuationToken: string | undefined;
  do {
    const page = await store.listObjects(
      { bucket, prefix, skipsDamage, ...defined({ continuationToken }) },
      defined({ signal }),
    );
    for (const gap of page.gaps ?? []) onGap?.(gap);
    for (const { key, sizeBytes } of page.objects) yield { key, sizeBytes };
    continuationToken = page.nextToken;
  } while (continuationToken !== undefined);
}

async function* listVersionsAt(
  options: ListingOptions,
): AsyncGenerator<StoredObject | UndatedKey, void> {
  const { at = Number.POSITIVE_INFINITY, times } = options;
  const decided = askAhead(keysOf(options), KEYS_DATED_AT_ONCE, async (newestFirst) => ({
    newestFirst,
    ...(await versionAt(newestFirst, at, times)),
  }));
  for await (const { newestFirst, version, isUndated } of decided) {
    if (version?.kind === 'version') yield stored(version, newestFirst, options);
    const [newest] = newestFirst;
    if (isUndated && newest) yield { key: newest.key, isUndated };
  }
}

function stored(
  version: ListedVersion,
  newestFirst: readonly ListedVersion[],
  { at = Number.POSITIVE_INFINITY, datesUploadsByEnd, times }: ListingOptions,
): StoredObject {
  const { key, versionId, sizeBytes } = version;
  const isEarly = !datesUploadsByEnd && isPerhapsEarly(version, at);
  // A service that changes dates also changes their order, so the order proves nothing.
  const isUncertain = isEarly || (!times && isMisdated(newestFirst, at)) || undefined;
  return { key, versionId, sizeBytes, ...defined({ isUncertain }) };
}

/**
 * Returns whether a version that is newer than `at` has a later date than its successor. It may then have existed at
 * `at`.
 */
function isMisdated(newestFirst: readonly ListedVersion[], at: number): boolean {
  let earliestAt = Number.POSITIVE_INFINITY;
  for (const { lastModifiedAt } of newestFirst) {
    if (lastModifiedAt <= at) return false;
    if (lastModifiedAt > earliestAt) return true;
    earliestAt = lastModifiedAt;
  }
  return false;
}

/** Yields all versions and delete markers of each key below the prefix, newest first. */
export async function* keysOf(
  options: Omit<ListingOptions, 'at' | 'path'>,
): AsyncGenerator<readonly ListedVersion[], void> {
  let versions: ListedVersion[] = [];
  for await (const version of allVersions(options)) {
    if (versions[0] && versions[0].key !== version.key) {
      yield versions;
      versions = [];
    }
    versions.push(version);
  }
  if (versions.length > 0) yield versions;
}

/** Yields all versions below the prefix in key order, newest first for each key. */
export async function* allVersions(
  options: Omit<ListingOptions, 'at' | 'path'>,
): AsyncGenerator<ListedVersion, void> {
  const { store, bucket, prefix, onGap, signal } = options;
  const skipsDamage = onGap !== undefined;
  let next: { readonly keyMarker: string; readonly versionIdMarker?: string } | undefined;
  do {
    const request = { bucket, prefix, skipsDamage, ...next };
    const page = await store.listVersions(request, defined({ signal }));
    for (const gap of page.gaps ?? []) onGap?.(gap);
    yield* page.versions;
    next = page.next;
  } while (next !== undefined);
}

function isPerhapsEarly({ etag, lastModifiedAt }: ListedVersion, at: number): boolean {
  return etag.includes('-') && at - lastModifiedAt < LONGEST_UPLOAD_MS;
}
