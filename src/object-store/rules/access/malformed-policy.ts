/** Defines the error for an invalid bucket policy. After this error, the previous policy remains in effect. */

import { StorageError } from '../../storage-error.ts';

export function malformedPolicy(reason: string): StorageError {
  return new StorageError('MalformedPolicy', `put policy: ${reason}`);
}
