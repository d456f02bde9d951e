/** Encrypts one blob as its bytes arrive, so that only encrypted bytes reach the disk. */

import { type KeyObject, randomBytes } from 'node:crypto';

import { SALT_BYTES } from './object-key.ts';
import { type BlobKey, blobKey, seal, sealedSize, segmentsOf } from './sealed-bytes.ts';

/** The object key and the part number that encrypt a blob. The part number is 0 for an object that was put whole. */
export interface SealUnder {
  readonly objectKey: KeyObject;
  readonly partNumber: number;
}

export class BlobSealer {
  /** The random salt from which the blob's key is derived. It is stored with the blob. */
  readonly salt = randomBytes(SALT_BYTES);
  readonly #key: BlobKey;
  #segment = 0;

  constructor({ objectKey, partNumber }: SealUnder) {
    this.#key = blobKey(objectKey, this.salt, partNumber);
  }

  /**
   * Encrypts the next bytes of the blob, which must be whole segments, except at the end of the blob. Writes the
   * encrypted bytes to `into`, which must be large enough, and returns the written part of `into`.
   */
  next(plain: Uint8Array, isEnd: boolean, into = newMemory(plain)): Buffer {
    const sealed = seal(this.#key, plain, { firstSegment: this.#segment, isEnd }, into);
    this.#segment += segmentsOf(plain.byteLength);
    return sealed;
  }
}

/**
 * Allocates memory outside Node's buffer pool, because sending a view of the pool to the writer thread would copy the
 * whole pool.
 */
function newMemory(plain: Uint8Array): Buffer {
  return Buffer.allocUnsafeSlow(sealedSize(plain.byteLength));
}
