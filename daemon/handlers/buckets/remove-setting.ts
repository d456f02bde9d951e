/**
 * Removes a setting of a bucket. The store does not report whether the setting existed, so the setting is read first.
 */

import { isStorageError, type StorageErrorCode } from '../../../src/object-store/storage-error.ts';

/** How to read and remove one setting of a bucket. */
interface Setting {
  /** The error code of a read if the setting does not exist. */
  readonly absent: StorageErrorCode;
  readonly read: () => Promise<unknown>;
  readonly remove: () => Promise<void>;
}

/**
 * Removes the setting. `removed` is false if the setting did not exist. If the caller may not read the setting, it is
 * removed without this check.
 */
export async function removeSetting({ absent, read, remove }: Setting) {
  try {
    await read();
  } catch (error) {
    if (isStorageError(error, absent)) return { removed: false };
    if (!isStorageError(error, 'AccessDenied')) throw error;
  }
  await remove();
  return { removed: true };
}
