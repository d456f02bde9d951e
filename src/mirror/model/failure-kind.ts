/** The one function that decides what a failed request means for the mirror. */

import { isAbort } from '../../base/errors.ts';
import {
  isDamagedWhereStored,
  isStorageError,
  type StorageErrorCode,
} from '../../object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../../object-store/transport-error.ts';

export type FailureKind =
  | 'aborted'
  /** The head is not what was expected: look at it, and plan the key again. */
  | 'guard'
  /** It may or may not have been done, or could not be: wait, look at the head, and plan again. */
  | 'transient'
  /** The file is no longer what was hashed. */
  | 'file changed'
  /** No request of this job can succeed now: the whole job waits. */
  | 'service'
  /** This key is refused; others may do. */
  | 'refused'
  /** Not of the store: a defect, or our own disk. */
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

/** What answers is no storage service, or is not to be trusted: waiting alone mends neither. */
const PERMANENT: ReadonlySet<TransportErrorCode> = new Set(['BadResponse', 'TlsFailed']);

export function failureKind(error: unknown): FailureKind {
  if (isAbort(error)) return 'aborted';
  if (error instanceof FileChangedError) return 'file changed';
  if (error instanceof TransportError) return PERMANENT.has(error.code) ? 'service' : 'transient';
  // A damaged store that takes no writes fails every key, a page that cannot be read only some.
  if (isDamagedWhereStored(error))
    return isStorageError(error, 'ServiceUnavailable') ? 'service' : 'refused';
  return isStorageError(error) ? (KINDS[error.code] ?? 'refused') : 'unknown';
}

/** A copy that failed so often in ways that may pass is not waited for: the bytes are sent. */
export const COPY_ATTEMPTS = 2;

/** The service will not copy this, or not as it is now: who may write need not be allowed to copy. */
export function refusesCopy(error: unknown): boolean {
  return ['refused', 'guard'].includes(failureKind(error));
}

/** The file changed after it was hashed: what the stream gave so far is not what was promised. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
  readonly path: string;

  constructor(path: string) {
    super(`read ${path}: it changed while it was being read`);
    this.path = path;
  }
}
