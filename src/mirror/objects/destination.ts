/** Describes a job's destination (bucket and prefix), and reads its versions and the kind of its bucket. */

import { defined } from '../../base/defined.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { ObjectInfo, ObjectRef, Retention } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { explainDenial } from './lock-permission.ts';
import { decodeAttributes } from './object-metadata.ts';
import type { Provenance } from './provenance.ts';
import type { PartSizes } from '../../object-store/multipart-put.ts';
import type { BucketKind, Head } from '../model/types.ts';
import type { Clock } from '../../base/clock.ts';

export interface Destination {
  readonly store: MirrorStore;
  readonly bucket: string;
  /** Prefix of all the job's keys. It is empty or ends in `/`. */
  readonly prefix: string;
  /** Whether each upload is read back and compared with the sent content. */
  readonly verifiesUploads?: boolean;
  /** The sizes of multipart uploads; `DEFAULT_PART_SIZES` if absent. */
  readonly partSizes?: PartSizes;
  /** Throws `EntityTooLarge` if the destination's disk does not have enough free space for this many bytes. */
  readonly checkFreeSpace?: (bytes: number) => void;
  /** Recognises versions that the job uploaded; absent if the caller does not need to know. */
  readonly provenance?: Provenance;
}

/** A destination for a job's uploads. */
export interface JobDestination extends Destination {
  readonly provenance: Provenance;
}

/** A version with its parsed metadata. */
export interface ReadHead extends Head {
  /** Journal id of the put that created the version. */
  readonly journalId?: string;
  readonly retention?: Retention;
  readonly legalHold?: boolean;
  /**
   * Digest in the key of the object that stores the extended attributes; absent if they are in the metadata or the file
   * has none.
   */
  readonly xattrsElsewhere?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Reads whether a bucket has versioning and Object Lock. Suspended versioning counts as unversioned, because an
 * overwrite would lose data.
 */
export async function readBucketKind(
  { store, bucket }: Destination,
  signal: AbortSignal,
): Promise<BucketKind> {
  const versioning = await store.getVersioning({ bucket }, { signal }).catch((error: unknown) => {
    throw explainDenial(error, 'read the versioning of the bucket');
  });
  if (versioning !== 'Enabled') return 'unversioned';
  try {
    await store.getObjectLockConfiguration({ bucket }, { signal });
    return 'object-lock';
  } catch (error) {
    if (isStorageError(error, 'ObjectLockConfigurationNotFoundError', 'NotImplemented'))
      return 'versioned';
    throw explainDenial(error, 'read the lock configuration of the bucket');
  }
}

/** Reads a key's current version. The key is relative to the prefix. */
export async function readHead(
  destination: Destination,
  key: string,
  signal: AbortSignal,
): Promise<ReadHead | 'absent'> {
  return readVersion(destination, { key }, signal);
}

/** Reads one version of a key, or the current version if no version id is given. The key is relative to the prefix. */
export async function readVersion(
  destination: Destination,
  { key, versionId }: VersionName,
  signal: AbortSignal,
): Promise<ReadHead | 'absent'> {
  const { bucket, prefix } = destination;
  return headOf(destination, { bucket, key: prefix + key, ...defined({ versionId }) }, signal);
}

/** Identifies a version by its id, or the current version of a key. `key` is relative to the prefix. */
export interface VersionName {
  readonly key: string;
  readonly versionId?: string;
}

/** Number of versions that are searched after a put with an unknown outcome. */
const VERSIONS_TO_ASK = 5;

/** A request of this job, for which the resulting version is searched. */
export interface SentRequest {
  /** Key in the request, relative to the prefix. */
  readonly key: string;
  /** Journal id that the request wrote into the version's metadata. */
  readonly id: string;
  readonly entry?: { readonly copies?: unknown };
}

/**
 * Returns the version that a request created, if it is among the newest versions. A version with the same journal id
 * may lack a valid proof, because the service stored it wrongly or because another client copied the metadata. Such a
 * version is returned only if the caller compares the content.
 */
export async function findOwnVersion(
  destination: Destination,
  request: SentRequest,
  signal: AbortSignal,
): Promise<ReadHead | undefined> {
  const { key, id } = request;
  const head = await readHead(destination, key, signal);
  if (head !== 'absent' && head.journalId === id && head.isOwn === true) return head;
  const fullKey = destination.prefix + key;
  const page = await destination.store.listVersions(
    { bucket: destination.bucket, prefix: fullKey, maxKeys: VERSIONS_TO_ASK },
    { signal },
  );
  const named: ReadHead[] = [];
  for (const { kind, key: listed, versionId } of page.versions) {
    if (kind !== 'version' || listed !== fullKey) continue;
    const version = await headOf(
      destination,
      { bucket: destination.bucket, key: fullKey, versionId },
      signal,
    );
    if (version === 'absent' || version.journalId !== id) continue;
    if (version.isOwn === true) return version;
    named.push(version);
  }
  const isCompared = request.entry?.copies !== undefined || destination.verifiesUploads === true;
  return isCompared ? named.at(-1) : undefined;
}

async function headOf(
  destination: Destination,
  ref: ObjectRef,
  signal: AbortSignal,
): Promise<ReadHead | 'absent'> {
  try {
    const { info } = await destination.store.headObject(ref, { signal });
    return toHead(ref.key.slice(destination.prefix.length), info, destination);
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return 'absent';
    throw error;
  }
}

function toHead(key: string, info: ObjectInfo, { provenance }: Destination): ReadHead {
  const { kind, ...attributes } = decodeAttributes(info.metadata);
  const { sha256, journalId, uploadedAt, xattrsElsewhere } = attributes;
  const { etag, sizeBytes, versionId, retention, legalHold, lastModifiedAt } = info;
  const stored = { ...info, key, metadata: info.metadata ?? {} };
  const isOwn = provenance ? provenance.isOwn(stored) : journalId !== undefined;
  // Without a proof, another client may have copied or invented the upload time.
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
    metadata: info.metadata,
    sha256: provenance?.isOtherContent(stored) === true ? undefined : sha256,
  });
}

/** Aborts a multipart upload. Resolves when the upload no longer exists on the service. */
export async function dropUpload(
  { store, bucket, prefix }: Destination,
  { key, uploadId }: { readonly key: string; readonly uploadId: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    await store.abortUpload({ bucket, key: prefix + key, uploadId }, { signal });
  } catch (error) {
    if (!isStorageError(error, 'NoSuchBucket', 'NoSuchUpload')) throw error;
  }
}

/**
 * Returns the time of this machine or of the service, whichever is earlier, in milliseconds since 1970. Callers use it
 * to decide whether an object is old enough to be removed, so a clock that is fast cannot cause a removal. Returns
 * undefined if the service reports no time. Rejects with the store's errors.
 */
export async function safeNow(
  {
    destination: { store, bucket },
    clock,
  }: { readonly destination: Destination; readonly clock: Clock },
  signal: AbortSignal,
): Promise<number | undefined> {
  const theirs = await store.serviceTime({ bucket }, { signal });
  return theirs && Math.min(clock.now(), theirs.now);
}
