/** How much of bodies on their way into stores this process keeps in memory at once. */

import { ByteBudget } from '../base/byte-budget.ts';

/** The usual part of a multipart upload: what is lost with a connection, and what is hashed before it is sent. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Over all stores and jobs: eight parts of the usual size. */
export const BODY_MEMORY = new ByteBudget(8 * PART_BYTES);
