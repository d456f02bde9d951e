/** Encrypts one blob as its bytes arrive. Only encrypted bytes reach the disk. */

import { type KeyObject, randomBytes } from 'node:crypto';

import { SALT_BYTES } from './object-key.ts';
import { type BlobKey, blobKey, seal, sealedSize, segmentsOf } from './sealed-bytes.ts';

/** The key for the bytes, and their part number in the multipart upload; 0 for a put. */
export interface SealUnder {
  readonly objectKey: KeyObject;
  readonly partNumber: number;
}

export class BlobSealer {
  /** Stored with the blob. */
  readonly salt = randomBytes(SALT_BYTES);
  readonly #key: BlobKey;
  #segment = 0;
  #free: Buffer | undefined;
  #given: Buffer | undefined;

  constructor({ objectKey, partNumber }: SealUnder) {
    this.#key = blobKey(objectKey, this.salt, partNumber);
  }

  /** Returns whole segments, except at the end of the blob. The memory of the result is reused by the call after the next. */
  next(plain: Uint8Array, isEnd: boolean): Buffer {
    const size = sealedSize(plain.byteLength);
    const into = this.#free && this.#free.byteLength >= size ? this.#free : newMemory(size);
    const sealed = seal(this.#key, plain, { firstSegment: this.#segment, isEnd }, into);
    this.#segment += segmentsOf(plain.byteLength);
    [this.#free, this.#given] = [this.#given, into];
    return sealed;
  }
}

/** Copies the bytes: a view would transfer its whole buffer to the writer thread. */
function newMemory(sizeBytes: number): Buffer {
  return Buffer.allocUnsafeSlow(sizeBytes);
}
