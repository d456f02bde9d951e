/**
 * Explains requests about locks that a service denies to the access key. All commands, problems and warnings use these
 * texts.
 */

import { isStorageError, StorageError } from '../../object-store/storage-error.ts';

/** The permissions that each purpose requires. */
const REQUIRED = {
  'read the versioning of the bucket': 's3:GetBucketVersioning',
  'read the lock configuration of the bucket': 's3:GetBucketObjectLockConfiguration',
  'store locked objects': 's3:PutObject and s3:PutObjectRetention',
  'extend locks': 's3:GetObjectRetention and s3:PutObjectRetention',
  'set legal holds': 's3:PutObjectLegalHold',
} as const;

type LockPurpose = keyof typeof REQUIRED;

export function noPermissionText(purpose: LockPurpose): string {
  return `the access key has no permission to ${purpose} (${REQUIRED[purpose]})`;
}

/** Returns an error for the user if the service denied the request. Returns all other errors unchanged. */
export function explainDenial(error: unknown, purpose: LockPurpose): unknown {
  if (!isStorageError(error, 'AccessDenied')) return error;
  const { code, details } = error;
  return new StorageError(code, noPermissionText(purpose), { details, cause: error });
}
