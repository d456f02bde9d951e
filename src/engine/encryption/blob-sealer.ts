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

  constructor({ objectKey, partNumber }: SealUnder) {
    this.#key = blobKey(objectKey, this.salt, partNumber);
  }

  /** Returns whole segments, except at the end of the blob. They are written to `into`, which is large enough. */
  next(plain: Uint8Array, isEnd: boolean, into = newMemory(plain)): Buffer {
    const sealed = seal(this.#key, plain, { firstSegment: this.#segment, isEnd }, into);
    this.#segment += segmentsOf(plain.byteLength);
    return sealed;
  }
}

/** Memory of its own: a view would take its whole buffer along to the writer thread. */
function newMemory(plain: Uint8Array): Buffer {
  return Buffer.allocUnsafeSlow(sealedSize(plain.byteLength));
}
