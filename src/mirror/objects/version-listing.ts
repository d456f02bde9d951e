/** Lists objects in the bucket as a tree, with each key's current version or its newest version at a past time. */

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
   * Set if the version may not have been current at the requested time. Services date a multipart upload by its start,
   * so a recent one may have been completed later. The date of the next version may also be wrong.
   */
  readonly isUncertain?: true;
}

/**
 * A key for which the version at the requested time is unknown, because the service may have changed the date of a
 * newer version.
 */
export interface UndatedKey {
  readonly key: string;
  readonly isUndated: true;
}

/** Selects the objects in a bucket below a prefix. */
export interface Selection {
  readonly bucket: string;
  /** Prefix of the keys. It is empty or ends in `/`. */
  readonly prefix: string;
  /** Path of a folder or file below the prefix, without a trailing `/`; absent to select everything. */
  readonly path?: string;
}

export interface ListingOptions extends Selection {
  readonly store: ObjectReader & VersionReader;
  /** The requested time in milliseconds since 1970 by the service's clock; absent for the current time. */
  readonly at?: number;
  /** Whether the service dates a multipart upload by its end, so that versions never have a date that is too early. */
  readonly datesUploadsByEnd?: boolean;
  /** Reads the upload times of versions; absent if the service never changes version dates. */
  readonly times?: VersionTimes;
  /** Called with key ranges that a damaged store cannot list. If absent, the listing fails instead. */
  readonly onGap?: (gap: ListingGap) => void;
  readonly signal?: AbortSignal;
}

/** Maximum age of a multipart upload. Older uploads are aborted instead of resumed. */
export const LONGEST_UPLOAD_MS = 7 * DAY_MS;

/** Yields a tree's objects in key order. Omits keys whose newest version at that time is a delete marker. */
export async function* listTree(
  options: ListingOptions,
): AsyncGenerator<StoredObject | UndatedKey, void> {
  const list = options.at === undefined ? listHeads : listVersionsAt;
  for (const { prefix, only } of listingsOf(options)) {
    for await (const object of list({ ...options, prefix })) {
      // Of all keys with this prefix, the shortest is listed first.
      if (only && object.key !== prefix) break;
      yield object;
    }
  }
}

/**
 * Returns the listings that find a path. The path alone does not show whether it is a file (one key) or a folder (all
 * keys below it).
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
  // A service that changes version dates also changes the order of the dates, so their order is evidence only on other
  // services.
  const isUncertain = isEarly || (!times && isMisdated(newestFirst, at)) || undefined;
  return { key, versionId, sizeBytes, ...defined({ isUncertain }) };
}

/**
 * Returns whether a version newer than `at` has a later date than the version after it. Such a version may have existed
 * at `at`.
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

/** Yields for each key below the prefix all its versions and delete markers, newest first. */
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

/** Yields all versions below the prefix in key order. A key's versions are yielded newest first. */
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
