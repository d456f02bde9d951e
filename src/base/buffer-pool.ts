/**
 * Buffers of one size that are used again. If each use had a new one, the collector would have to free gigabytes, which costs
 * more than the work on them. The collector may free unused buffers.
 */

import { freeBytes } from './free-bytes.ts';

export class BufferPool {
  readonly #sizeBytes: number;
  readonly #maxFree: number;
  readonly #free: WeakRef<Buffer>[] = [];

  /** `maxFree` is the number of unused buffers that are kept. */
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

  /** Keeps the buffer for another use, or frees it. No other code may use it any more. */
  giveBack(buffer: Buffer): void {
    if (this.#free.length < this.#maxFree) this.#free.push(new WeakRef(buffer));
    else freeBytes(buffer);
  }
}
