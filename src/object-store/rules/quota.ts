/** How much one bucket may hold (specification, "Limits"). */

import type { BucketUsage } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';

const MAX_SIZE_BYTES = 25 * 1024 ** 4;
const MAX_OBJECTS = 50_000_000;

/** `held` counts what is to be written in. Throws `QuotaExceeded`. */
export function checkQuota({ objects, sizeBytes }: BucketUsage): void {
  if (objects > MAX_OBJECTS) {
    throw quotaExceeded(`it would hold ${objects} objects, ${MAX_OBJECTS} are allowed`);
  }
  if (sizeBytes > MAX_SIZE_BYTES) {
    throw quotaExceeded(`it would hold ${sizeBytes} bytes, ${MAX_SIZE_BYTES} are allowed`);
  }
}

function quotaExceeded(reason: string): StorageError {
  return new StorageError('QuotaExceeded', `write to bucket: ${reason}; delete what is not needed`);
}
