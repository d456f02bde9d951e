/** The place in a bucket that a job owns, what kind of bucket it is, and how its heads are read. */

import { defined } from '../base/defined.ts';
import type {
  ObjectHead,
  ObjectRef,
  ObjectStore,
  Retention,
} from '../object-store/object-store.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { decodeAttributes } from './local/attributes.ts';
import type { BucketKind, Head } from './types.ts';

export interface Place {
  readonly store: ObjectStore;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** What is put is read back before it is believed. */
  readonly verifiesUploads?: boolean;
  /** Throws `EntityTooLarge` where so many bytes have no room on the disk they would go to. */
  readonly checkRoom?: (bytes: number) => void;
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

/** The version that the put with this journal id made, if it is the head or among the newest versions. */
export async function findOwnVersion(
  place: Place,
  key: string,
  journalId: string,
  signal: AbortSignal,
): Promise<ReadHead | undefined> {
  const head = await readHead(place, key, signal);
  if (head !== 'absent' && head.journalId === journalId) return head;
  const fullKey = place.prefix + key;
  const page = await place.store.listVersions(
    { bucket: place.bucket, prefix: fullKey, maxKeys: VERSIONS_TO_ASK },
    { signal },
  );
  for (const { kind, key: listed, versionId } of page.versions) {
    if (kind !== 'version' || listed !== fullKey) continue;
    const version = await headOf(place, { bucket: place.bucket, key: fullKey, versionId }, signal);
    if (version !== 'absent' && version.journalId === journalId) return version;
  }
  return undefined;
}

async function headOf(
  { store }: Place,
  ref: ObjectRef,
  signal: AbortSignal,
): Promise<ReadHead | 'absent'> {
  try {
    return toHead(await store.headObject(ref, { signal }));
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return 'absent';
    throw error;
  }
}

function toHead({ info }: ObjectHead): ReadHead {
  const { sha256, journalId, uploadedAt, xattrsElsewhere } = decodeAttributes(info.metadata);
  const { etag, sizeBytes, versionId, retention, legalHold } = info;
  const ours = { sha256, journalId, uploadedAt, xattrsElsewhere };
  return defined({ etag, sizeBytes, versionId, retention, legalHold, ...ours });
}
