/** Limits the memory for request bodies that this process uploads. */

import { BufferPool } from '../base/buffer-pool.ts';
import { ByteBudget } from '../base/byte-budget.ts';

/**
 * The usual size of a part. Each part is hashed before it is sent. After a lost connection, all unfinished parts must
 * be sent again.
 */
export const PART_BYTES = 8 * 1024 * 1024;

/** The maximum number of parts in memory. */
const MAX_PARTS = 8;

/** A pool of reusable buffers of `PART_BYTES`. */
export const PART_BUFFERS = new BufferPool(PART_BYTES, MAX_PARTS);

/** The memory budget that all stores and jobs share. */
export const BODY_MEMORY = new ByteBudget(MAX_PARTS * PART_BYTES);
