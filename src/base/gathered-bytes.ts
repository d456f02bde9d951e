/** Collects pieces of bytes into one array, so that many small pieces take no memory of their own. */

export class GatheredBytes {
  readonly #mostBytes: number;
  readonly #expectedBytes: number;
  /** Not shared between instances, because the caller may transfer the buffer to another thread. */
  #bytes = new Uint8Array(0);
  #length = 0;

  /**
   * `mostBytes` is the most that will be added. `expectedBytes` is allocated with the first piece; pass it only for a length
   * from a trusted source.
   */
  constructor(mostBytes: number, expectedBytes = 0) {
    this.#mostBytes = mostBytes;
    this.#expectedBytes = expectedBytes;
  }

  /** Copies the piece, so the caller may reuse its buffer. */
  add(piece: Uint8Array): void {
    const length = this.#length + piece.byteLength;
    const capacity = this.#bytes.byteLength;
    const doubled = Math.min(2 * capacity, this.#mostBytes);
    if (length > capacity) this.#grow(Math.max(length, doubled, this.#expectedBytes));
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** Must be called once, at the end. Returns an array whose buffer has exactly these bytes and no other user. */
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
