/**
 * The two cyclic checksums that Node does not have, eight bytes a step ("slicing by eight"): table k gives what a
 * byte does to the checksum k bytes later, so that eight bytes cost eight independent lookups.
 */

import type { Checksum } from './checksums.ts';

/** Castagnoli's polynomial, reflected. */
const CRC32C_POLYNOMIAL = 0x82f63b78;
/** The polynomial of the NVM Express command set, reflected: upper and lower half. */
const CRC64_HIGH = 0x9a6c9329;
const CRC64_LOW = 0xac4bc9b5;

const SLICES = 8;
const ENTRIES = 256;

const crc32cTables = makeTables(0, CRC32C_POLYNOMIAL).low;
const { high: highTables, low: lowTables } = makeTables(CRC64_HIGH, CRC64_LOW);

/** `before` is the checksum of the bytes before, 0 at the start. */
export function crc32c(bytes: Uint8Array, before: number): number {
  let value = ~before;
  const whole = bytes.length - (bytes.length % SLICES);
  for (let at = 0; at < whole; at += SLICES) {
    value = slice(crc32cTables, value ^ word(bytes, at), word(bytes, at + 4));
  }
  for (let at = whole; at < bytes.length; at += 1) {
    value = entry(crc32cTables, 0, value ^ byte(bytes, at)) ^ (value >>> 8);
  }
  return ~value >>> 0;
}

/** In two halves of 32 bits: BigInt would be thirty times slower. */
export function crc64Nvme(): Checksum {
  let high = -1;
  let low = -1;
  return {
    update: (bytes) => {
      const whole = bytes.length - (bytes.length % SLICES);
      for (let at = 0; at < whole; at += SLICES) {
        const [first, second] = [low ^ word(bytes, at), high ^ word(bytes, at + 4)];
        high = slice(highTables, first, second);
        low = slice(lowTables, first, second);
      }
      for (let at = whole; at < bytes.length; at += 1) {
        const index = low ^ byte(bytes, at);
        low = ((low >>> 8) | (high << 24)) ^ entry(lowTables, 0, index);
        high = (high >>> 8) ^ entry(highTables, 0, index);
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

/** The first of the eight bytes has the longest way to go. */
function slice(tables: Uint32Array, first: number, second: number): number {
  return (
    entry(tables, 7, first) ^
    entry(tables, 6, first >>> 8) ^
    entry(tables, 5, first >>> 16) ^
    entry(tables, 4, first >>> 24) ^
    entry(tables, 3, second) ^
    entry(tables, 2, second >>> 8) ^
    entry(tables, 1, second >>> 16) ^
    entry(tables, 0, second >>> 24)
  );
}

function entry(tables: Uint32Array, table: number, index: number): number {
  return tables[table * ENTRIES + (index & 0xff)] as number;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

/** Four bytes, the lowest first. */
function word(bytes: Uint8Array, at: number): number {
  return (
    byte(bytes, at) |
    (byte(bytes, at + 1) << 8) |
    (byte(bytes, at + 2) << 16) |
    (byte(bytes, at + 3) << 24)
  );
}

function makeTables(polynomialHigh: number, polynomialLow: number) {
  const high = new Uint32Array(SLICES * ENTRIES);
  const low = new Uint32Array(SLICES * ENTRIES);
  for (let index = 0; index < ENTRIES; index += 1) {
    let [upper, lower] = [0, index];
    for (let bit = 0; bit < 8; bit += 1) {
      const carry = lower & 1;
      lower = (lower >>> 1) | (upper << 31);
      upper >>>= 1;
      if (carry) [upper, lower] = [upper ^ polynomialHigh, lower ^ polynomialLow];
    }
    high[index] = upper;
    low[index] = lower;
  }
  for (let at = ENTRIES; at < SLICES * ENTRIES; at += 1) {
    const [upper, lower] = [high[at - ENTRIES] as number, low[at - ENTRIES] as number];
    low[at] = ((lower >>> 8) | (upper << 24)) ^ entry(low, 0, lower);
    high[at] = (upper >>> 8) ^ entry(high, 0, lower);
  }
  return { high, low };
}
