/** Collects chunks of bytes in one array, so that many small chunks need no separate memory. */

export class GatheredBytes {
  readonly #mostBytes: number;
  readonly #expectedBytes: number;
  /** Each instance has its own buffer, because the caller may transfer the buffer to another thread. */
  #bytes = new Uint8Array(0);
  #length = 0;

  /**
   * `mostBytes` is the maximum number of bytes that will be added. `expectedBytes` are allocated with the first chunk,
   * so pass it only for a length from a trusted source.
   */
  constructor(mostBytes: number, expectedBytes = 0) {
    this.#mostBytes = mostBytes;
    this.#expectedBytes = expectedBytes;
  }

  /** Adds a copy of the chunk. The caller may then reuse the buffer of the chunk. */
  add(piece: Uint8Array): void {
    const length = this.#length + piece.byteLength;
    const capacity = this.#bytes.byteLength;
    const doubled = Math.min(2 * capacity, this.#mostBytes);
    if (length > capacity) this.#grow(Math.max(length, doubled, this.#expectedBytes));
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /**
   * Returns all bytes in an array with its own buffer, which contains no other bytes. Must be called only once, after
   * the last `add`.
   */
  whole(): Uint8Array<ArrayBuffer> {
    const isFull = this.#bytes.byteLength === this.#length;
    return isFull ? this.#bytes : this.#bytes.slice(0, this.#length);
  }

  #grow(capacity: number): void {
    const grown = new Uint8Array(capacity);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
