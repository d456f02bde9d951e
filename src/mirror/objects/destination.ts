/** The place in a bucket that a job owns, what kind of bucket it is, and how its heads are read. */

import { defined } from '../../base/defined.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { ObjectInfo, ObjectRef, Retention } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { decodeAttributes } from './object-metadata.ts';
import type { Provenance } from './provenance.ts';
import type { BucketKind, Head } from '../model/types.ts';

export interface Place {
  readonly store: MirrorStore;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** What is put is read back before it is believed. */
  readonly verifiesUploads?: boolean;
  /** Throws `EntityTooLarge` where so many bytes have no room on the disk they would go to. */
  readonly checkRoom?: (bytes: number) => void;
  /** Recognises versions of the job; absent where none is asked for. */
  readonly provenance?: Provenance;
}

/** As the job sees it that uploads there. */
export interface JobPlace extends Place {
  readonly provenance: Provenance;
}

/** A head with its metadata read. */
export interface ReadHead extends Head {
  /** Of the put of ours that made it. */
  readonly journalId?: string;
  readonly retention?: Retention;
  readonly legalHold?: boolean;
  /** Names the object that holds its extended attributes, where they have one of their own. */
  readonly xattrsElsewhere?: string;
}

/** `Suspended` counts as unversioned: an overwrite there loses bytes. */
export async function readBucketKind(
  { store, bucket }: Place,
  signal: AbortSignal,
): Promise<BucketKind> {
  if ((await store.getVersioning({ bucket }, { signal })) !== 'Enabled') return 'unversioned';
  try {
    await store.getObjectLockConfiguration({ bucket }, { signal });
    return 'object-lock';
  } catch (error) {
    if (isStorageError(error, 'ObjectLockConfigurationNotFoundError', 'NotImplemented'))
      return 'versioned';
    throw error;
  }
}

/** The current version of a key below the prefix. */
export async function readHead(
  place: Place,
  key: string,
  signal: AbortSignal,
): Promise<ReadHead | 'absent'> {
  return readVersion(place, { key }, signal);
}

/** One version of a key below the prefix; the current one where none is named. */
export async function readVersion(
  place: Place,
  { key, versionId }: VersionName,
  signal: AbortSignal,
): Promise<ReadHead | 'absent'> {
  const { bucket, prefix } = place;
  return headOf(place, { bucket, key: prefix + key, ...defined({ versionId }) }, signal);
}

/** `key` is below the prefix. */
export interface VersionName {
  readonly key: string;
  readonly versionId?: string;
}

/** How many versions back a put of ours is looked for when its outcome is not known. */
const VERSIONS_TO_ASK = 5;

/** A request of ours whose version is looked for. */
export interface SentRequest {
  /** Below the prefix. */
  readonly key: string;
  /** In the version's metadata. */
  readonly id: string;
  readonly entry?: { readonly copies?: unknown };
}

/**
 * The version that this request created, if it is the head or among the newest versions. One with our id that is not ours by
 * its proof is the service's failure only where the caller compares the bytes: otherwise another client copied the metadata.
 */
export async function findOwnVersion(
  place: Place,
  request: SentRequest,
  signal: AbortSignal,
): Promise<ReadHead | undefined> {
  const { key, id } = request;
  const head = await readHead(place, key, signal);
  if (head !== 'absent' && head.journalId === id && head.isOwn === true) return head;
  const fullKey = place.prefix + key;
  const page = await place.store.listVersions(
    { bucket: place.bucket, prefix: fullKey, maxKeys: VERSIONS_TO_ASK },
    { signal },
  );
  const named: ReadHead[] = [];
  for (const { kind, key: listed, versionId } of page.versions) {
    if (kind !== 'version' || listed !== fullKey) continue;
    const version = await headOf(place, { bucket: place.bucket, key: fullKey, versionId }, signal);
    if (version === 'absent' || version.journalId !== id) continue;
    if (version.isOwn === true) return version;
    named.push(version);
  }
  const isCompared = request.entry?.copies !== undefined || place.verifiesUploads === true;
  return isCompared ? named.at(-1) : undefined;
}

async function headOf(
  place: Place,
  ref: ObjectRef,
  signal: AbortSignal,
): Promise<ReadHead | 'absent'> {
  try {
    const { info } = await place.store.headObject(ref, { signal });
    return toHead(ref.key.slice(place.prefix.length), info, place);
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return 'absent';
    throw error;
  }
}

function toHead(key: string, info: ObjectInfo, { provenance }: Place): ReadHead {
  const { kind, ...attributes } = decodeAttributes(info.metadata);
  const { sha256, journalId, uploadedAt, xattrsElsewhere } = attributes;
  const { etag, sizeBytes, versionId, retention, legalHold, lastModifiedAt } = info;
  const stored = { ...info, key, metadata: info.metadata ?? {} };
  const isOwn = provenance ? provenance.isOwn(stored) : journalId !== undefined;
  // Another client may have copied or invented it.
  const ownTime = isOwn ? uploadedAt : undefined;
  return defined({
    etag,
    sizeBytes,
    versionId,
    retention,
    legalHold,
    lastModifiedAt,
    journalId,
    xattrsElsewhere,
    uploadedAt: ownTime,
    isOwn,
    isLink: kind === 'symlink' || undefined,
    sha256: provenance?.isOtherContent(stored) === true ? undefined : sha256,
  });
}

/** Resolves when the service no longer has the upload. */
export async function dropUpload(
  { store, bucket, prefix }: Place,
  { key, uploadId }: { readonly key: string; readonly uploadId: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    await store.abortUpload({ bucket, key: prefix + key, uploadId }, { signal });
  } catch (error) {
    if (!isStorageError(error, 'NoSuchBucket', 'NoSuchUpload')) throw error;
  }
}
