/**
 * Reuses buffers of one size. Without the pool, the garbage collector would have to free gigabytes of buffers, which
 * would take longer than the work on them. The garbage collector may free unused buffers of the pool.
 */

import { freeBytes } from './free-bytes.ts';

export class BufferPool {
  readonly #sizeBytes: number;
  readonly #maxFree: number;
  readonly #free: WeakRef<Buffer>[] = [];

  /** `maxFree` is the maximum number of unused buffers in the pool. */
  constructor(sizeBytes: number, maxFree: number) {
    this.#sizeBytes = sizeBytes;
    this.#maxFree = maxFree;
  }

  take(): Buffer {
    for (let next = this.#free.pop(); next; next = this.#free.pop()) {
      const buffer = next.deref();
      if (buffer) return buffer;
    }
    return Buffer.allocUnsafeSlow(this.#sizeBytes);
  }

  /** Returns a buffer to the pool. The caller must not use the buffer any more. */
  giveBack(buffer: Buffer): void {
    if (this.#free.length < this.#maxFree) this.#free.push(new WeakRef(buffer));
    else freeBytes(buffer);
  }
}
