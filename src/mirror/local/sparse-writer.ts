/** Writes a file sequentially. If the original had holes, runs of zeros become holes. */

import { ftruncateSync, writeSync } from 'node:fs';

/** Minimum size of a hole. A hole shorter than a file system block saves no space. */
const HOLE_BYTES = 64 * 1024;
const ZEROS = Buffer.alloc(HOLE_BYTES);

export class SparseWriter {
  readonly #descriptor: number;
  readonly #makesHoles: boolean;
  #at = 0;

  constructor(descriptor: number, makesHoles: boolean) {
    this.#descriptor = descriptor;
    this.#makesHoles = makesHoles;
  }

  write(chunk: Uint8Array): void {
    if (!this.#makesHoles) return this.#writeWhole(chunk);
    for (let first = 0; first < chunk.byteLength; first += HOLE_BYTES) {
      const piece = chunk.subarray(first, first + HOLE_BYTES);
      if (ZEROS.subarray(0, piece.byteLength).equals(piece)) this.#at += piece.byteLength;
      else this.#writeWhole(piece);
    }
  }

  /** Sets the file's size, which creates a hole at the end. */
  end(): void {
    if (this.#makesHoles) ftruncateSync(this.#descriptor, this.#at);
  }

  #writeWhole(chunk: Uint8Array): void {
    for (let done = 0; done < chunk.byteLength;) {
      const count = writeSync(this.#descriptor, chunk, done, chunk.byteLength - done, this.#at);
      done += count;
      this.#at += count;
    }
  }
}
