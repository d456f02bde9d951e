/**
 * Returns the error of a refused request as a value, so that tables of test cases can compare it.
 */

import { isStorageError } from '../../../src/object-store/storage-error.ts';
import type { StorageError } from '../../../src/object-store/storage-error.ts';

/**
 * Returns the StorageError that `run` throws, or undefined if `run` throws none. Rethrows other
 * errors.
 */
export function refusal(run: () => unknown): StorageError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (isStorageError(error)) return error;
    throw error;
  }
}
