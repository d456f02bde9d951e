/**
 * Calculates and compares the checksums of segments. Stored bytes are divided into segments, so that a byte range can
 * be verified without reading the rest.
 */

import { crc32 } from 'node:zlib';

/**
 * The size of a segment, which has its own CRC-32. To verify a byte range, at most two segments must be read that lie
 * only partly in the range.
 */
export const SEGMENT_BYTES = 64 * 1024;

const CHECKSUM_BYTES = 4;

/**
 * Returns the CRC-32 of each segment of `bytes`, as little-endian numbers. `bytes` must begin at the start of a
 * segment.
 */
export function segmentChecksums(bytes: Uint8Array): Buffer {
  const count = Math.ceil(bytes.byteLength / SEGMENT_BYTES);
  const checksums = Buffer.allocUnsafe(count * CHECKSUM_BYTES);
  for (let index = 0; index < count; index++) {
    const start = index * SEGMENT_BYTES;
    const checksum = crc32(bytes.subarray(start, start + SEGMENT_BYTES));
    checksums.writeUInt32LE(checksum, index * CHECKSUM_BYTES);
  }
  return checksums;
}

/**
 * Returns the number of the first segment of `bytes` whose checksum is wrong or missing; undefined if all are correct.
 * Segments are numbered from the start of the blob. `bytes` begin at segment `firstSegment` and contain only whole
 * segments, except at the end of the blob.
 */
export function firstBadSegment(
  bytes: Uint8Array,
  checksums: Buffer,
  firstSegment: number,
): number | undefined {
  const count = Math.ceil(bytes.byteLength / SEGMENT_BYTES);
  for (let index = 0; index < count; index++) {
    const start = index * SEGMENT_BYTES;
    const at = (firstSegment + index) * CHECKSUM_BYTES;
    if (at + CHECKSUM_BYTES > checksums.byteLength) return firstSegment + index;
    const checksum = crc32(bytes.subarray(start, start + SEGMENT_BYTES));
    if (checksum !== checksums.readUInt32LE(at)) return firstSegment + index;
  }
  return undefined;
}
