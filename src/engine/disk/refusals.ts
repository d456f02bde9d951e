/** Creates errors that several operations throw, so that each has the same wording everywhere. */

import { errorCode, errorMessage } from '../../base/errors.ts';
import { damagedWhereStored, StorageError } from '../../object-store/storage-error.ts';
import { ROOM_FOR_OPENING } from './disk-space.ts';

/** The fields of a `StorageError` as plain data that can be sent between threads. */
export type Refusal = Pick<StorageError, 'code' | 'details' | 'message'>;

export function refusalOf({ code, message, details }: Refusal): Refusal {
  return { code, message, details };
}

export function noSuchBucket(bucket: string): StorageError {
  return new StorageError('NoSuchBucket', `bucket ${bucket} does not exist`, {
    details: { BucketName: bucket },
  });
}

/**
 * Returns the error for a request that only users may send, such as listing buckets. No ACL or policy can grant it to
 * anonymous callers.
 */
export function namelessDenied(action: string): StorageError {
  return new StorageError('AccessDenied', `${action}: anonymous access is not granted`);
}

export function noSuchKey(key: string): StorageError {
  return new StorageError('NoSuchKey', `object ${JSON.stringify(key)} does not exist`, {
    details: { Key: key },
  });
}

/**
 * Returns the error for a read of a key whose latest version is a delete marker. For the reader, the key does not
 * exist.
 */
export function underDeleteMarker(key: string, versionId: string): StorageError {
  return new StorageError(
    'NoSuchKey',
    `object ${JSON.stringify(key)} was deleted; older versions may exist`,
    { details: { Key: key, DeleteMarker: true, VersionId: versionId } },
  );
}

export function noSuchVersion(key: string, versionId: string): StorageError {
  return new StorageError(
    'NoSuchVersion',
    `version ${versionId} of ${JSON.stringify(key)} does not exist`,
    { details: { Key: key, VersionId: versionId } },
  );
}

/**
 * Returns the error for an operation on a delete marker, which has no content (decision 4). `verb` describes the
 * operation.
 */
export function ofDeleteMarker(
  verb: string,
  key: string,
  { versionId, lastModifiedAt }: { readonly versionId: string; readonly lastModifiedAt: number },
): StorageError {
  const LastModified = new Date(lastModifiedAt).toISOString();
  return new StorageError(
    'MethodNotAllowed',
    `${verb} version ${versionId} of ${JSON.stringify(key)}: it is a delete marker`,
    { details: { Key: key, DeleteMarker: true, VersionId: versionId, LastModified } },
  );
}

export function malformedVersionId(versionId: string): StorageError {
  return new StorageError(
    'InvalidArgument',
    `invalid version id ${JSON.stringify(versionId.slice(0, 80))}`,
    { details: { ArgumentName: 'versionId', ArgumentValue: versionId.slice(0, 80) } },
  );
}

export function noSuchUpload(uploadId: string): StorageError {
  return new StorageError(
    'NoSuchUpload',
    `upload ${uploadId.slice(0, 80)} does not exist, was aborted, or is completed`,
    { details: { UploadId: uploadId.slice(0, 80) } },
  );
}

/**
 * Returns whether SQLite could not extend the database or the index of its write-ahead log. If it cannot extend the
 * index, SQLite reports an I/O error.
 */
export function isFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE';
}

/** Returns whether a write to any file failed because the disk or a disk quota is full. */
export function isOutOfSpace(error: unknown): boolean {
  const code = errorCode(error);
  return isFull(error) || code === 'ENOSPC' || code === 'EDQUOT';
}

export function diskFull(cause?: unknown): StorageError {
  return new StorageError(
    'InsufficientStorage',
    'store body: the disk is full; nothing was stored',
    { cause },
  );
}

/**
 * Returns the error for a command that may use the reserved disk space, such as a delete, when that space is used up.
 */
export function reserveUsedUp(cause: unknown): StorageError {
  return new StorageError(
    'InsufficientStorage',
    `change store: the disk is full, and the space reserved for deletes is used up; free ${ROOM_FOR_OPENING / 1024 ** 2} MiB there`,
    { cause },
  );
}

export function storeBodyFailed(cause: unknown): StorageError {
  return new StorageError('InternalError', `store body: ${errorMessage(cause)}`, { cause });
}

/**
 * Returns the error for a body that the hash thread failed to hash. The body is not verified, so it must not be stored.
 */
export function hashingFailed(reason: string): StorageError {
  return new StorageError(
    'InternalError',
    `store body: the thread that calculates its SHA-256 failed (${reason})`,
  );
}

/**
 * Returns the error for all writes after the disk failed. The store must be reopened before it accepts writes again.
 */
export function storeFailed(reason: string): StorageError {
  return new StorageError(
    'ServiceUnavailable',
    `write to store: it refuses all writes, because its disk failed (${reason}); check the disk, then restart`,
  );
}

export function sha256Mismatch(stated: string, actual: string): StorageError {
  return new StorageError(
    'XAmzContentSHA256Mismatch',
    `store body: its SHA-256 is ${actual}, but the request states ${stated}`,
    { details: { ClientComputedContentSHA256: stated, S3ComputedContentSHA256: actual } },
  );
}

export function damagedBytes(action: string, reason: string, cause?: unknown): StorageError {
  return damagedWhereStored('InternalError', `${action}: ${reason}; the store is damaged`, {
    cause,
  });
}
