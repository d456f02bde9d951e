/** Opens the counters of the buckets' folder sizes and locks. */

import type { Clock } from '../../src/base/clock.ts';
import { BucketCounts } from './bucket-counts.ts';
import { FolderSizes } from './folder-sizes.ts';
import { LockCounts } from './lock-counts.ts';

/** The maximum number of buckets whose folder sizes are kept. 20 buckets need up to 100 MB of memory. */
const MAX_SIZED = 20;
/** The maximum number of buckets whose lock counts are kept. A bucket needs at most 20 kB per year of retention. */
const MAX_LOCKED = 1_000;

export interface Counts {
  readonly folders: BucketCounts<FolderSizes>;
  readonly locks: BucketCounts<LockCounts>;
  close(): Promise<void>;
}

export function openCounts(clock: Clock): Counts {
  const folders = new BucketCounts({
    clock,
    begin: (now) => new FolderSizes(now),
    maxBuckets: MAX_SIZED,
  });
  const locks = new BucketCounts({
    clock,
    begin: (now) => new LockCounts(now),
    maxBuckets: MAX_LOCKED,
    withLocks: true,
  });
  return {
    folders,
    locks,
    async close() {
      await Promise.all([folders.close(), locks.close()]);
    },
  };
}
