/** Bytes that come in pieces, as one array. However small the pieces are, they take no memory of their own. */

export class GatheredBytes {
  readonly #mostBytes: number;
  readonly #expectedBytes: number;
  /** Not one for all: who gets it may hand it on to another thread. */
  #bytes = new Uint8Array(0);
  #length = 0;

  /** `mostBytes`: no more will be added. `expectedBytes`: taken at once, with the first piece, for whoever can be believed. */
  constructor(mostBytes: number, expectedBytes = 0) {
    this.#mostBytes = mostBytes;
    this.#expectedBytes = expectedBytes;
  }

  /** Copies: the piece may be filled again. */
  add(piece: Uint8Array): void {
    const length = this.#length + piece.byteLength;
    const capacity = this.#bytes.byteLength;
    const doubled = Math.min(2 * capacity, this.#mostBytes);
    if (length > capacity) this.#grow(Math.max(length, doubled, this.#expectedBytes));
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** To be called once, at the end. Nobody else's memory, and none beyond the bytes. */
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
