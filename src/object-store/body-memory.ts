/** Limits the memory that this process uses for the bodies that it uploads. */

import { BufferPool } from '../base/buffer-pool.ts';
import { ByteBudget } from '../base/byte-budget.ts';

/** The usual size of a part. A part is hashed before it is sent, and a lost connection costs the parts in flight. */
export const PART_BYTES = 8 * 1024 * 1024;

/** The number of parts that are in memory at once. */
const MAX_PARTS = 8;

/** A pool of reusable buffers of `PART_BYTES`. */
export const PART_BUFFERS = new BufferPool(PART_BYTES, MAX_PARTS);

/** The memory budget of all stores and jobs together. */
export const BODY_MEMORY = new ByteBudget(MAX_PARTS * PART_BYTES);
