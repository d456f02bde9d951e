/**
 * Encrypts and decrypts stored bytes in segments of 64 KiB, each with its tag at the end. A range is decrypted from the
 * segments that it covers, and the store's checksums cover the same segments (FORMAT.md, "Encryption").
 */

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from 'node:crypto';

import { invariant } from '../../base/errors.ts';
import { freeBytes } from '../../base/free-bytes.ts';
import { SEGMENT_BYTES } from '../checksums/segment-checksums.ts';
import { CIPHER, KEY_BYTES, secretOf, TAG, TAG_BYTES } from './object-key.ts';

/** The number of plain bytes in a whole segment. */
export const PLAIN_SEGMENT_BYTES = SEGMENT_BYTES - TAG_BYTES;

/** The size of the nonce's prefix. The number of the segment (4 bytes) and a byte that marks the last segment follow it. */
const PREFIX_BYTES = 7;
const NONCE_BYTES = 12;

/**
 * Returns the number of segments. An empty body has one, too, so that a blob truncated to nothing does not count as empty.
 */
export function segmentsOf(plainBytes: number): number {
  return Math.max(1, Math.ceil(plainBytes / PLAIN_SEGMENT_BYTES));
}

export function sealedSize(plainBytes: number): number {
  return plainBytes + segmentsOf(plainBytes) * TAG_BYTES;
}

/** Returns the number of plain bytes in a blob. It is negative if the blob is too short to be encrypted. */
export function plainSize(sealedBytes: number): number {
  return sealedBytes - Math.max(1, Math.ceil(sealedBytes / SEGMENT_BYTES)) * TAG_BYTES;
}

/**
 * The key and the nonce prefix for the segments of one blob. No two segments are ever encrypted with the same key and
 * nonce.
 */
export interface BlobKey {
  readonly secret: KeyObject;
  readonly prefix: Buffer;
}

/**
 * Derives the key of a blob. `partNumber` is its part number in the multipart upload, so that parts cannot be exchanged.
 * For an object that was put whole it is 0, and the object key itself encrypts the only blob: deriving another key takes a
 * third of the time that reading a small object takes.
 */
export function blobKey(objectKey: KeyObject, salt: Uint8Array, partNumber: number): BlobKey {
  const prefix = Buffer.from(salt.subarray(0, PREFIX_BYTES));
  if (partNumber === 0) return { secret: objectKey, prefix };
  const info = `holdfast part\0${partNumber}`;
  const secret = secretOf(Buffer.from(hkdfSync('sha256', objectKey, salt, info, KEY_BYTES)));
  return { secret, prefix };
}

/**
 * Derives the key of a blob as the first versions did, in some stores of formats 8 to 10. It differs from all results of
 * `blobKey`.
 */
export function firstBlobKey(objectKey: KeyObject, salt: Uint8Array, partNumber: number): BlobKey {
  const info = `holdfast blob\0${partNumber}`;
  const length = KEY_BYTES + PREFIX_BYTES;
  const derived = Buffer.from(hkdfSync('sha256', objectKey, salt, info, length));
  const prefix = derived.subarray(KEY_BYTES);
  return { secret: secretOf(derived.subarray(0, KEY_BYTES)), prefix };
}

/** The position of plain bytes in their blob. */
export interface SealPlace {
  readonly firstSegment: number;
  /** Whether the bytes end the blob. */
  readonly isEnd: boolean;
}

/**
 * Encrypts `plain`, which must be whole segments, except at the end of the blob. Writes the result to `into`, which must be
 * large enough, and returns the written part of it.
 */
export function seal(key: BlobKey, plain: Uint8Array, place: SealPlace, into: Buffer): Buffer {
  const count = segmentsOf(plain.byteLength);
  for (let index = 0; index < count; index++) {
    const start = index * PLAIN_SEGMENT_BYTES;
    const nonce = nonceOf(key, place, { index, count });
    const cipher = createCipheriv(CIPHER, key.secret, nonce, TAG);
    const piece = cipher.update(plain.subarray(start, start + PLAIN_SEGMENT_BYTES));
    cipher.final();
    into.set(cipher.getAuthTag(), index * SEGMENT_BYTES + piece.byteLength);
    move(piece, into, index * SEGMENT_BYTES);
  }
  return into.subarray(0, sealedSize(plain.byteLength));
}

/** The position of encrypted bytes in their blob. */
export interface OpenPlace {
  readonly firstSegment: number;
  /** The number of segments of the whole blob, according to its row. */
  readonly segments: number;
}

/**
 * Decrypts whole segments in place. Returns undefined if they were not encrypted with this key for this position; with
 * another key nothing is overwritten.
 */
export function open(key: BlobKey, sealed: Buffer, place: OpenPlace): Buffer | undefined {
  const count = Math.max(1, Math.ceil(sealed.byteLength / SEGMENT_BYTES));
  const isEnd = place.firstSegment + count === place.segments;
  let plainBytes = 0;
  for (let index = 0; index < count; index++) {
    const segment = sealed.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES);
    if (segment.byteLength < TAG_BYTES) return undefined;
    const nonce = nonceOf(key, { ...place, isEnd }, { index, count });
    const piece = openSegment(key, segment, nonce);
    if (piece === undefined) return undefined;
    // Plain bytes are shorter, so this does not overwrite a segment that is still encrypted.
    plainBytes += move(piece, sealed, plainBytes);
  }
  return sealed.subarray(0, plainBytes);
}

function openSegment({ secret }: BlobKey, segment: Buffer, nonce: Buffer): Buffer | undefined {
  const end = segment.byteLength - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, secret, nonce, TAG);
  decipher.setAuthTag(segment.subarray(end));
  const plain = decipher.update(segment.subarray(0, end));
  try {
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
}

/**
 * Copies the output of a cipher to `into`, and frees its memory at once, because the garbage collector would need twice as
 * much time as the cipher. Returns the number of bytes.
 */
function move(piece: Buffer, into: Buffer, at: number): number {
  const { byteLength } = piece;
  into.set(piece, at);
  freeBytes(piece);
  return byteLength;
}

const MAX_SEGMENTS = 2 ** 32;

function nonceOf(
  { prefix }: BlobKey,
  { firstSegment, isEnd }: SealPlace,
  { index, count }: { readonly index: number; readonly count: number },
): Buffer {
  const segment = firstSegment + index;
  invariant(segment < MAX_SEGMENTS, 'seal bytes: no blob has so many segments');
  const nonce = Buffer.allocUnsafe(NONCE_BYTES);
  nonce.set(prefix);
  nonce.writeUInt32BE(segment, PREFIX_BYTES);
  nonce[NONCE_BYTES - 1] = isEnd && index === count - 1 ? 1 : 0;
  return nonce;
}
