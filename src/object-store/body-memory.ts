/** How much of bodies on their way into stores this process keeps in memory at once. */

import { BufferPool } from '../base/buffer-pool.ts';
import { ByteBudget } from '../base/byte-budget.ts';

/** The usual part of a multipart upload: what is lost with a connection, and what is hashed before it is sent. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Buffers of PART_BYTES. */
export const PART_BUFFERS = new BufferPool(() => Buffer.allocUnsafeSlow(PART_BYTES));

/** Over all stores and jobs: eight parts of the usual size. */
export const BODY_MEMORY = new ByteBudget(8 * PART_BYTES);
