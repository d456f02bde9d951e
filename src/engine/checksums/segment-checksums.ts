/** Bytes at rest are checked in segments, so that a range can be verified without reading the rest. */

import { crc32 } from 'node:zlib';

/** Each has a CRC-32 of its own. A read costs at most two partly needed segments. */
export const SEGMENT_BYTES = 64 * 1024;

const CHECKSUM_BYTES = 4;

/** One CRC-32, little-endian, for each segment of `bytes`, which begin at the start of a segment. */
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
 * The first segment of `bytes` that does not have its checksum; undefined when all do. `bytes` begin at
 * segment `firstSegment` of the blob and end with a segment of it.
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
