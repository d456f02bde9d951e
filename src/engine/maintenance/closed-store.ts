/** Checks a store that is not open in any process. Locks the store during the check and changes nothing. */

import { setImmediate } from 'node:timers/promises';

import { silentLogger } from '../../base/logger.ts';
import { BlobStore } from '../blobs/blob-store.ts';
import { realFiles } from '../disk/faults.ts';
import { layoutOf } from '../disk/layout.ts';
import { whyNotOpened } from '../disk/open-error.ts';
import { openForCheck } from '../schema/schema.ts';
import { lockStore, type StoreLock } from '../disk/store-lock.ts';
import { FileComparison } from './check-files.ts';
import { type CheckOptions, type CheckReport, checkStore } from './check-store.ts';

const ignore = (): undefined => undefined;

/**
 * Checks a closed store and returns its problems. Throws `OpenStoreError` if the store cannot be opened, with code
 * `OlderStore` if it has an older format.
 */
export async function checkClosedStore(dir: string, options: CheckOptions): Promise<CheckReport> {
  const layout = layoutOf(dir);
  let lock: StoreLock | undefined;
  try {
    lock = lockStore(layout);
    const database = openForCheck(layout);
    const blobs = new BlobStore({
      layout,
      files: realFiles,
      passPoint: ignore,
      logger: silentLogger,
      refusal: ignore,
      onFailure: ignore,
      onUnread: ignore,
    });
    const comparison = new FileComparison({ layout, files: realFiles, blobs, database });
    try {
      return await checkStore({ layout, database, blobs, comparison }, options, async () => {
        options.signal?.throwIfAborted();
        await setImmediate();
      });
    } finally {
      database.close();
    }
  } catch (error) {
    throw whyNotOpened(dir, error);
  } finally {
    lock?.release();
  }
}
