/** Lists a file's versions with their writers and locks, and a folder's changes within a period. */

import { askAhead } from '../base/ask-ahead.ts';
import { defined } from '../base/defined.ts';
import { versionsByKey, versionsOfFile } from '../mirror/objects/key-history.ts';
import { decodeAttributes } from '../mirror/objects/object-metadata.ts';
import type { Described } from '../mirror/objects/provenance.ts';
import type { ListingOptions } from '../mirror/objects/version-listing.ts';
import {
  type DatedVersion,
  datedVersions,
  KEYS_DATED_AT_ONCE,
} from '../mirror/objects/version-times.ts';
import type { ObjectInfo } from '../object-store/object-store.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { type Change, changesOf } from './file-changes.ts';
import type { VersionFacts } from './compare-times.ts';
import { type OtherName, otherNames } from './moved-from.ts';

/**
 * Who wrote a version. `this-job`: its metadata contains a proof from this job. `other-computer`: another Holdfast
 * installation. `other-client`: a client that does not write Holdfast's metadata. `unknown`: the version is a delete
 * marker, its metadata cannot be read, or it is from Holdfast and the job's key cannot be read.
 */
export type Writer = 'this-job' | 'other-computer' | 'other-client' | 'unknown';

export interface FileVersion
  extends VersionFacts, OtherName, Pick<ObjectInfo, 'retention' | 'legalHold'> {
  /** Number of newer versions and delete markers. */
  readonly back: number;
  readonly kind: 'version' | 'delete-marker';
  /** ETag of the version; absent for a delete marker. */
  readonly etag?: string;
  /** SHA-256 of the content, if this job stored it in the metadata. */
  readonly sha256?: string;
  readonly isSymlink?: true;
  readonly isUndated?: true;
  readonly writer: Writer;
}

export interface FileListing extends Omit<ListingOptions, 'at'> {
  readonly path: string;
  /** Recognises this job's versions; absent if the job's key cannot be read. */
  readonly isProven?: (object: Described) => boolean;
}

const HEADS_AT_ONCE = 16;

/** Yields a file's versions and delete markers, newest first. Yields nothing if the file has none. */
export async function* fileVersions(listing: FileListing): AsyncGenerator<FileVersion, void> {
  const versions = await versionsOfFile(listing);
  const dated = await datedVersions(versions, listing.times);
  const names = await otherNames(listing, versions);
  yield* askAhead(dated.entries(), HEADS_AT_ONCE, async ([back, version]) => ({
    ...(await describe(version, back, listing)),
    ...names.get(version.versionId),
  }));
}

/**
 * Error codes for versions whose metadata cannot be read. `InvalidRequest` means that their customer key was not
 * supplied.
 */
const UNREADABLE = ['AccessDenied', 'InvalidRequest', 'NoSuchKey', 'NoSuchVersion'] as const;

async function describe(
  { kind, versionId, sizeBytes, lastModifiedAt, etag, isUndated }: DatedVersion,
  back: number,
  listing: FileListing,
): Promise<FileVersion> {
  const facts = { back, kind, versionId, sizeBytes, lastModifiedAt, ...defined({ isUndated }) };
  if (kind === 'delete-marker') return { ...facts, writer: 'unknown' };
  const info = await infoOf(versionId, listing);
  if (!info) return { ...facts, etag, writer: 'unknown' };
  const { retention, legalHold } = info;
  const writer = writerOf(info, listing);
  const { sha256, kind: type } = decodeAttributes(info.metadata);
  const isSymlink = type === 'symlink' ? (true as const) : undefined;
  const own = writer === 'this-job' ? sha256 : undefined;
  return { ...facts, etag, writer, ...defined({ retention, legalHold, isSymlink, sha256: own }) };
}

async function infoOf(
  versionId: string,
  { store, bucket, prefix, path, signal }: FileListing,
): Promise<ObjectInfo | undefined> {
  try {
    const reference = { bucket, key: prefix + path, versionId };
    return (await store.headObject(reference, defined({ signal }))).info;
  } catch (error) {
    if (isStorageError(error, ...UNREADABLE)) return undefined;
    throw error;
  }
}

function writerOf(
  { metadata = {}, sizeBytes }: ObjectInfo,
  { path, isProven }: FileListing,
): Writer {
  if (!Object.keys(metadata).some((name) => name.startsWith('holdfast-'))) return 'other-client';
  if (!isProven) return 'unknown';
  return isProven({ key: path, sizeBytes, metadata }) ? 'this-job' : 'other-computer';
}

export interface Period {
  /** Start and end of the period (both inclusive), in milliseconds since 1970 by the service's clock. */
  readonly from?: number;
  readonly to?: number;
}

/** Yields changes to files within a period, in key order. A key's newest change comes first. */
export async function* changesWithin(
  listing: Omit<ListingOptions, 'at'>,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Period,
): AsyncGenerator<Change, void> {
  const dated = askAhead(versionsByKey(listing), KEYS_DATED_AT_ONCE, (newestFirst) =>
    datedVersions(newestFirst, listing.times),
  );
  for await (const versions of dated)
    for (const { change } of changesOf(versions, listing))
      if (change.at >= from && change.at <= to) yield change;
}
