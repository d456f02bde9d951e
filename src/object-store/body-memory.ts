/** How much of bodies on their way into stores this process keeps in memory at once. */

import { ByteBudget } from '../base/byte-budget.ts';

/** The usual part of a multipart upload: what is lost with a connection, and what is hashed before it is sent. */
export const PART_BYTES = 8 * 1024 * 1024;

/**
 * Buffers of PART_BYTES that are used again. If each part had a new one, the collector would have to free gigabytes,
 * which costs more than the parts' hashes. The collector may free unused buffers.
 */
class PartBuffers {
  readonly #free: WeakRef<Uint8Array>[] = [];

  take(): Uint8Array {
    for (let next = this.#free.pop(); next; next = this.#free.pop()) {
      const buffer = next.deref();
      if (buffer) return buffer;
    }
    return Buffer.allocUnsafeSlow(PART_BYTES);
  }

  /** Keeps the buffer for another part. Nothing may write to it any more. */
  giveBack(buffer: Uint8Array): void {
    this.#free.push(new WeakRef(buffer));
  }
}

export const PART_BUFFERS = new PartBuffers();

/** Over all stores and jobs: eight parts of the usual size. */
export const BODY_MEMORY = new ByteBudget(8 * PART_BYTES);
