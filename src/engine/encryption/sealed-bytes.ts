/**
 * Encrypts and decrypts stored bytes in segments of 64 KiB, each with its authentication tag at the end. The store's
 * checksums cover the same segments, so a byte range can be decrypted without reading the rest (FORMAT.md,
 * "Encryption").
 */

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from 'node:crypto';

import { invariant } from '../../base/errors.ts';
import { freeBytes } from '../../base/free-bytes.ts';
import { SEGMENT_BYTES } from '../checksums/segment-checksums.ts';
import { CIPHER, KEY_BYTES, secretOf, TAG, TAG_BYTES } from './object-key.ts';

/** The number of unencrypted bytes in a whole segment. */
export const PLAIN_SEGMENT_BYTES = SEGMENT_BYTES - TAG_BYTES;

/**
 * The size of the nonce's prefix. The nonce continues with the number of the segment (4 bytes) and a byte that marks
 * the last segment.
 */
const PREFIX_BYTES = 7;
const NONCE_BYTES = 12;

/**
 * Returns the number of segments of an encrypted blob. An empty body has one segment too, so that a blob that was
 * truncated to nothing does not pass for an empty body.
 */
export function segmentsOf(plainBytes: number): number {
  return Math.max(1, Math.ceil(plainBytes / PLAIN_SEGMENT_BYTES));
}

export function sealedSize(plainBytes: number): number {
  return plainBytes + segmentsOf(plainBytes) * TAG_BYTES;
}

/**
 * Returns the number of unencrypted bytes in an encrypted blob. The result is negative if the blob is too short to be
 * encrypted.
 */
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
 * Derives the key of a blob. `partNumber` is the blob's part number in the multipart upload, so that parts cannot be
 * exchanged. For an object that was put whole, the part number is 0 and the object key itself is used: deriving a
 * separate key would take a third of the time for reading a small object.
 */
export function blobKey(objectKey: KeyObject, salt: Uint8Array, partNumber: number): BlobKey {
  const prefix = Buffer.from(salt.subarray(0, PREFIX_BYTES));
  if (partNumber === 0) return { secret: objectKey, prefix };
  const info = `holdfast part\0${partNumber}`;
  const secret = secretOf(Buffer.from(hkdfSync('sha256', objectKey, salt, info, KEY_BYTES)));
  return { secret, prefix };
}

/**
 * Derives the key of a blob as the first versions of Holdfast did in some stores of formats 8 to 10. Such a key differs
 * from all results of `blobKey`.
 */
export function firstBlobKey(objectKey: KeyObject, salt: Uint8Array, partNumber: number): BlobKey {
  const info = `holdfast blob\0${partNumber}`;
  const length = KEY_BYTES + PREFIX_BYTES;
  const derived = Buffer.from(hkdfSync('sha256', objectKey, salt, info, length));
  const prefix = derived.subarray(KEY_BYTES);
  return { secret: secretOf(derived.subarray(0, KEY_BYTES)), prefix };
}

/** The position of unencrypted bytes in their blob. */
export interface SealPlace {
  readonly firstSegment: number;
  /** Whether the bytes are the last ones of the blob. */
  readonly isEnd: boolean;
}

/**
 * Encrypts `plain`, which must be whole segments, except at the end of the blob. Writes the encrypted bytes to `into`,
 * which must be large enough, and returns the written part of `into`.
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
  /** The number of segments of the whole blob, according to its database row. */
  readonly segments: number;
}

/**
 * Decrypts whole segments in place. Returns undefined if they were not encrypted with this key and for this position in
 * the blob; with a wrong key, nothing is overwritten.
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
    // The unencrypted bytes are shorter, so they do not overwrite a segment that is still encrypted.
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
 * Copies the output of a cipher to `into`, and returns the number of bytes. Frees the output at once, because the
 * garbage collector would need twice as much time as the cipher.
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
  invariant(segment < MAX_SEGMENTS, 'encrypt bytes: a blob cannot have so many segments');
  const nonce = Buffer.allocUnsafe(NONCE_BYTES);
  nonce.set(prefix);
  nonce.writeUInt32BE(segment, PREFIX_BYTES);
  nonce[NONCE_BYTES - 1] = isEnd && index === count - 1 ? 1 : 0;
  return nonce;
}
