/** How much of bodies on their way into stores this process keeps in memory at once. */

import { ByteBudget } from '../base/byte-budget.ts';

/** The usual part of a multipart upload: what is lost with a connection, and what is hashed before it is sent. */
export const PART_BYTES = 8 * 1024 * 1024;

/**
 * Buffers of PART_BYTES that are used again. If each part had a new one, the collector would have to free gigabytes,
 * which costs more than the parts' hashes.
 */
class PartBuffers {
  #free: Uint8Array[] = [];
  #takenCount = 0;

  take(): Uint8Array {
    this.#takenCount += 1;
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
  }

  /** Keeps the buffer for the next part. If no buffer is taken any more, all are freed. */
  giveBack(buffer: Uint8Array): void {
    this.discard();
    if (this.#takenCount > 0) this.#free.push(buffer);
  }

  /** Ends the use of a taken buffer that must not be used again. */
  discard(): void {
    this.#takenCount -= 1;
    if (this.#takenCount === 0) this.#free = [];
  }
}

export const PART_BUFFERS = new PartBuffers();

/** Over all stores and jobs: eight parts of the usual size. */
export const BODY_MEMORY = new ByteBudget(8 * PART_BYTES);
