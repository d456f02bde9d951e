/** What a rule threw, as a value that a table can hold. */

import { isStorageError } from '../../../src/object-store/storage-error.ts';
import type { StorageError } from '../../../src/object-store/storage-error.ts';

/** The StorageError that `run` throws; undefined when it throws none. Other errors pass. */
export function refusal(run: () => unknown): StorageError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (isStorageError(error)) return error;
    throw error;
  }
}
