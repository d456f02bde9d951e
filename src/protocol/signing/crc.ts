/** The two cyclic checksums that Node does not have, by tables of a byte. */

import type { Checksum } from './checksums.ts';

/** Castagnoli's polynomial, reflected. */
const CRC32C_POLYNOMIAL = 0x82f63b78;
/** The polynomial of the NVM Express command set, reflected: upper and lower half. */
const CRC64_HIGH = 0x9a6c9329;
const CRC64_LOW = 0xac4bc9b5;

const crc32cTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ CRC32C_POLYNOMIAL : value >>> 1;
  }
  return value;
});

/** `before` is the checksum of the bytes before, 0 at the start. */
export function crc32c(bytes: Uint8Array, before: number): number {
  let value = ~before;
  for (const byte of bytes) value = (crc32cTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}

const highTable = new Uint32Array(256);
const lowTable = new Uint32Array(256);
for (let index = 0; index < 256; index++) {
  let high = 0;
  let low = index;
  for (let bit = 0; bit < 8; bit++) {
    const carry = low & 1;
    low = (low >>> 1) | ((high & 1) << 31);
    high >>>= 1;
    if (carry) {
      high ^= CRC64_HIGH;
      low ^= CRC64_LOW;
    }
  }
  highTable[index] = high;
  lowTable[index] = low;
}

/** In two halves of 32 bits: BigInt would be thirty times slower. */
export function crc64Nvme(): Checksum {
  let high = -1;
  let low = -1;
  return {
    update: (bytes) => {
      for (const byte of bytes) {
        const index = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (lowTable[index] ?? 0);
        high = (high >>> 8) ^ (highTable[index] ?? 0);
      }
    },
    digest: () => {
      const digest = Buffer.alloc(8);
      digest.writeUInt32BE(~high >>> 0, 0);
      digest.writeUInt32BE(~low >>> 0, 4);
      return digest;
    },
  };
}
