/**
 * Bytes as they lie encrypted: segments of 64 KiB, each with its tag at the end, so that a range is read by what it
 * covers, and segments of the store's checksums are those of the encryption (FORMAT.md, "Encryption").
 */

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from 'node:crypto';

import { invariant } from '../../base/errors.ts';
import { SEGMENT_BYTES } from '../checksums/segment-checksums.ts';
import { CIPHER, KEY_BYTES, secretOf, TAG, TAG_BYTES } from './object-key.ts';

/** What a whole segment holds. */
export const PLAIN_SEGMENT_BYTES = SEGMENT_BYTES - TAG_BYTES;

/** The nonce: these, the segment's number, and whether it is the last one. */
const PREFIX_BYTES = 7;
const NONCE_BYTES = 12;

/** No bytes are one segment too, so that a blob cut off to nothing is not taken for them. */
export function segmentsOf(plainBytes: number): number {
  return Math.max(1, Math.ceil(plainBytes / PLAIN_SEGMENT_BYTES));
}

export function sealedSize(plainBytes: number): number {
  return plainBytes + segmentsOf(plainBytes) * TAG_BYTES;
}

/** Negative for what cannot be sealed bytes. */
export function plainSize(sealedBytes: number): number {
  return sealedBytes - Math.max(1, Math.ceil(sealedBytes / SEGMENT_BYTES)) * TAG_BYTES;
}

/** Of one blob: no other segment is ever encrypted with the same key and nonce. */
export interface BlobKey {
  readonly secret: KeyObject;
  readonly prefix: Buffer;
}

/**
 * `partNumber` is that of the upload the bytes came by: parts cannot be exchanged either. Of an object that was put whole
 * it is 0, and the object's key, which then is for one blob alone, is that blob's: deriving another one takes a third
 * of the time that reading a small object takes.
 */
export function blobKey(objectKey: KeyObject, salt: Uint8Array, partNumber: number): BlobKey {
  const prefix = Buffer.from(salt.subarray(0, PREFIX_BYTES));
  if (partNumber === 0) return { secret: objectKey, prefix };
  const info = `holdfast part\0${partNumber}`;
  const secret = secretOf(Buffer.from(hkdfSync('sha256', objectKey, salt, info, KEY_BYTES)));
  return { secret, prefix };
}

/** As blobs were sealed at first, in some stores of formats 8 to 10: no two derivations give the same. */
export function firstBlobKey(objectKey: KeyObject, salt: Uint8Array, partNumber: number): BlobKey {
  const info = `holdfast blob\0${partNumber}`;
  const length = KEY_BYTES + PREFIX_BYTES;
  const derived = Buffer.from(hkdfSync('sha256', objectKey, salt, info, length));
  const prefix = derived.subarray(KEY_BYTES);
  return { secret: secretOf(derived.subarray(0, KEY_BYTES)), prefix };
}

/** Where a piece of a blob stands in it. */
export interface SealPlace {
  readonly firstSegment: number;
  /** Whether the piece ends the blob. */
  readonly isEnd: boolean;
}

/** `plain` is whole segments, but for the end of the blob. `into` has room for it all; the sealed part of it is returned. */
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

/** Where the bytes to be opened stand in their blob. */
export interface OpenPlace {
  readonly firstSegment: number;
  /** Of the whole blob, as its row tells it. */
  readonly segments: number;
}

/**
 * Opens whole segments within their own memory. Undefined for what was not sealed with this key, in this place; with another
 * key nothing is overwritten.
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
    // Never beyond the segment that was just read.
    plainBytes += move(piece, sealed, plainBytes);
  }
  return sealed.subarray(0, plainBytes);
}

function openSegment(
  { secret }: BlobKey,
  segment: Buffer,
  nonce: Buffer,
): Buffer<ArrayBuffer> | undefined {
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
 * What a cipher gives lies in memory of its own each time. It is freed at once: to the collector, which would run every few
 * of them, it costs twice what the cipher does. Tells how many bytes it were.
 */
function move(piece: Buffer<ArrayBuffer>, into: Buffer, at: number): number {
  const { byteLength, buffer } = piece;
  into.set(piece, at);
  if (buffer.byteLength === byteLength) buffer.transfer(0);
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
