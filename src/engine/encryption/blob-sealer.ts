/** Seals one blob as its bytes come in: what is handed on is what may reach the disk. */

import { type KeyObject, randomBytes } from 'node:crypto';

import { SALT_BYTES } from './object-key.ts';
import { type BlobKey, blobKey, seal, sealedSize, segmentsOf } from './sealed-bytes.ts';

/** Under which key bytes are to be sealed, and as which part of an upload; 0 for a put. */
export interface SealUnder {
  readonly objectKey: KeyObject;
  readonly partNumber: number;
}

export class BlobSealer {
  /** To be kept with the blob. */
  readonly salt = randomBytes(SALT_BYTES);
  readonly #key: BlobKey;
  #segment = 0;
  #free: Buffer | undefined;
  #given: Buffer | undefined;

  constructor({ objectKey, partNumber }: SealUnder) {
    this.#key = blobKey(objectKey, this.salt, partNumber);
  }

  /** Whole segments, but for the end of the blob. The memory of the result is used again by the next call but one. */
  next(plain: Uint8Array, isEnd: boolean): Buffer {
    const size = sealedSize(plain.byteLength);
    const into = this.#free && this.#free.byteLength >= size ? this.#free : newMemory(size);
    const sealed = seal(this.#key, plain, { firstSegment: this.#segment, isEnd }, into);
    this.#segment += segmentsOf(plain.byteLength);
    [this.#free, this.#given] = [this.#given, into];
    return sealed;
  }
}

/** Of its own: a view would take its whole buffer along to the writer's thread. */
function newMemory(sizeBytes: number): Buffer {
  return Buffer.allocUnsafeSlow(sizeBytes);
}
