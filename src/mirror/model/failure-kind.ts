/** Classifies failed requests by how the mirror reacts to them. */

import { isAbort } from '../../base/errors.ts';
import {
  isDamagedWhereStored,
  isStorageError,
  type StorageErrorCode,
} from '../../object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../../object-store/transport-error.ts';

export type FailureKind =
  | 'aborted'
  /**
   * A precondition failed because another version is current than expected. The mirror reads the current version and
   * plans the key again.
   */
  | 'guard'
  /**
   * The outcome is unknown, or the service is temporarily unavailable. The mirror waits, reads the current version, and
   * plans the key again.
   */
  | 'transient'
  /** The file changed after its hash was computed. */
  | 'file changed'
  /** The whole job waits, because none of its requests can succeed now. */
  | 'service'
  /** The service refuses this key; requests for other keys may succeed. */
  | 'refused'
  /** The error does not come from the store. It is a bug or an error of the local disk. */
  | 'unknown';

const KINDS: Partial<Record<StorageErrorCode, FailureKind>> = {
  PreconditionFailed: 'guard',
  NoSuchKey: 'guard',
  OperationAborted: 'guard',
  InternalError: 'transient',
  ServiceUnavailable: 'transient',
  SlowDown: 'transient',
  RequestTimeout: 'transient',
  NoSuchUpload: 'transient',
  BadDigest: 'file changed',
  XAmzContentSHA256Mismatch: 'file changed',
  IncompleteBody: 'file changed',
  NoSuchBucket: 'service',
  ExpiredToken: 'service',
  InvalidAccessKeyId: 'service',
  InvalidToken: 'service',
  SignatureDoesNotMatch: 'service',
  AuthorizationHeaderMalformed: 'service',
  RequestTimeTooSkewed: 'service',
  QuotaExceeded: 'service',
  InsufficientStorage: 'service',
};

/** Transport errors that a retry cannot fix: the server is not a storage service, or its certificate is not trusted. */
const PERMANENT: ReadonlySet<TransportErrorCode> = new Set(['BadResponse', 'TlsFailed']);

export function failureKind(error: unknown): FailureKind {
  if (isAbort(error)) return 'aborted';
  if (error instanceof FileChangedError) return 'file changed';
  if (error instanceof TransportError) return PERMANENT.has(error.code) ? 'service' : 'transient';
  // A damaged store that refuses writes fails for every key. An unreadable database page affects only some keys.
  if (isDamagedWhereStored(error))
    return isStorageError(error, 'ServiceUnavailable') ? 'service' : 'refused';
  return isStorageError(error) ? (KINDS[error.code] ?? 'refused') : 'unknown';
}

/** Number of transient failures after which the job uploads the content instead of copying it within the bucket. */
export const COPY_ATTEMPTS = 2;

/** Returns whether the service refused a copy. A client may have permission to write but not to copy. */
export function refusesCopy(error: unknown): boolean {
  return ['refused', 'guard'].includes(failureKind(error));
}

/** Thrown if a file changed after its hash was computed, because the bytes sent so far no longer match the digest. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
  readonly path: string;

  constructor(path: string) {
    super(`cannot use ${path}: it changed during the operation`);
    this.path = path;
  }
}
