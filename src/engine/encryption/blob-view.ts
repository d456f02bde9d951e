/** Reads the unencrypted bytes of a blob, whether the blob is stored encrypted or not. */

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

/** The database columns of a blob that a reader needs. */
export interface StoredBlob {
  readonly storedBytes: number;
  readonly salt: Buffer | null;
  /** The number of the part that was uploaded as this blob; 0 for an object that was put whole. */
  readonly partNumber: number;
}

export interface BlobView {
  readonly sizeBytes: number;
  /** The number of unencrypted bytes in each segment except the last. */
  readonly segmentBytes: number;
  /**
   * Decrypts whole segments, and may overwrite `stored`. Returns undefined if the segments were not encrypted with this
   * key and for this position in the blob.
   */
  open(stored: Buffer, firstSegment: number): Buffer | undefined;
}

/**
 * Returns a view of the blob. Returns undefined if there is an object key but the blob is not encrypted, or vice versa.
 */
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
   * The blob key that decrypted a segment. It is derived on first use, because a range of a large object needs few of
   * the object's blobs.
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
