/**
 * Buffers of one size that are used again. If each use had a new one, the collector would have to free gigabytes, which costs
 * more than the work on them. The collector may free unused buffers.
 */
export class BufferPool {
  readonly #create: () => Buffer;
  readonly #free: WeakRef<Buffer>[] = [];

  constructor(create: () => Buffer) {
    this.#create = create;
  }

  take(): Buffer {
    for (let next = this.#free.pop(); next; next = this.#free.pop()) {
      const buffer = next.deref();
      if (buffer) return buffer;
    }
    return this.#create();
  }

  /** Keeps the buffer for another use. Nothing may write to it any more. */
  giveBack(buffer: Buffer): void {
    this.#free.push(new WeakRef(buffer));
  }
}
