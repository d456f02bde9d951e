/** Gives access to the plain bytes of a blob, whether it is stored encrypted or not. */

import type { KeyObject } from 'node:crypto';

import { SEGMENT_BYTES } from '../checksums/segment-checksums.ts';
import {
  type BlobKey,
  blobKey,
  firstBlobKey,
  open,
  PLAIN_SEGMENT_BYTES,
  plainSize,
} from './sealed-bytes.ts';

/** The columns of a blob that a reader needs. */
export interface StoredBlob {
  readonly storedBytes: number;
  readonly salt: Buffer | null;
  /** The part number of the blob; 0 if it was not uploaded as a part. */
  readonly partNumber: number;
}

export interface BlobView {
  readonly sizeBytes: number;
  /** The number of plain bytes in each segment but the last one. */
  readonly segmentBytes: number;
  /**
   * Decrypts whole segments, and may overwrite `stored`. Returns undefined if they were not encrypted with this key for
   * this position.
   */
  open(stored: Buffer, firstSegment: number): Buffer | undefined;
}

/** Returns a view of the blob, or undefined if the object has a key and the blob is not encrypted, or vice versa. */
export function viewOf(blob: StoredBlob, objectKey: KeyObject | undefined): BlobView | undefined {
  const { salt, storedBytes } = blob;
  if (salt === null) return objectKey === undefined ? plainView(storedBytes) : undefined;
  return objectKey && new SealedView({ ...blob, salt }, objectKey);
}

function plainView(sizeBytes: number): BlobView {
  return { sizeBytes, segmentBytes: SEGMENT_BYTES, open: (stored) => stored };
}

class SealedView implements BlobView {
  readonly segmentBytes = PLAIN_SEGMENT_BYTES;
  readonly sizeBytes: number;
  readonly #blob: StoredBlob & { readonly salt: Buffer };
  readonly #objectKey: KeyObject;
  /**
   * The blob key that decrypted a segment. It is derived on first use, because a range of a large object needs few of its
   * parts.
   */
  #key: BlobKey | undefined;

  constructor(blob: StoredBlob & { readonly salt: Buffer }, objectKey: KeyObject) {
    this.sizeBytes = plainSize(blob.storedBytes);
    this.#blob = blob;
    this.#objectKey = objectKey;
  }

  open(stored: Buffer, firstSegment: number): Buffer | undefined {
    const { salt, partNumber, storedBytes } = this.#blob;
    const segments = Math.max(1, Math.ceil(storedBytes / SEGMENT_BYTES));
    const place = { firstSegment, segments };
    if (this.#key) return open(this.#key, stored, place);
    for (const derive of [blobKey, firstBlobKey]) {
      const key = derive(this.#objectKey, salt, partNumber);
      const plain = open(key, stored, place);
      if (plain === undefined) continue;
      this.#key = key;
      return plain;
    }
    return undefined;
  }
}
