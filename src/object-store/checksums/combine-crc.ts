/**
 * The checksum of bytes that come one after the other, from the checksums of each: a cyclic checksum is the
 * remainder of a division of polynomials over GF(2), so what comes before is moved up by multiplying with x to the
 * number of bits that follow (Mark Adler's crc32_combine).
 */

import type { ChecksumAlgorithm } from '../checksum.ts';
import { CRC32C, CRC64_NVME } from './crc.ts';

export type CrcAlgorithm = Extract<ChecksumAlgorithm, `CRC${string}`>;

/** Reflected, as the checksums are: the highest bit is the one of x to the power of 0. */
interface Word {
  readonly high: number;
  readonly low: number;
}

const ZERO: Word = { high: 0, low: 0 };

interface Ring {
  readonly bits: 32 | 64;
  /** What the polynomial leaves of x to the power of `bits`. */
  readonly modulus: Word;
}

const RINGS: Readonly<Record<CrcAlgorithm, Ring>> = {
  CRC32: { bits: 32, modulus: { high: 0, low: 0xedb88320 } },
  CRC32C: { bits: 32, modulus: CRC32C },
  CRC64NVME: { bits: 64, modulus: CRC64_NVME },
};

export interface Piece {
  /** The checksum's bytes, the highest first. */
  readonly digest: Buffer;
  readonly sizeBytes: number;
}

export function isCrc(algorithm: ChecksumAlgorithm): algorithm is CrcAlgorithm {
  return algorithm in RINGS;
}

/** The checksum of all pieces together; that of no bytes for none. */
export function combineCrcs(algorithm: CrcAlgorithm, pieces: Iterable<Piece>): Buffer {
  const ring = RINGS[algorithm];
  let sum: Word | undefined;
  let [sizeBytes, shift] = [0, one(ring)];
  for (const piece of pieces) {
    const next = read(piece.digest, ring);
    if (sum === undefined) {
      sum = next;
      continue;
    }
    // Most pieces have the same size, and finding the factor costs far more than using it.
    if (piece.sizeBytes !== sizeBytes) {
      sizeBytes = piece.sizeBytes;
      shift = powerOfX(8 * sizeBytes, ring);
    }
    const { high, low } = multiply(sum, shift, ring);
    sum = { high: high ^ next.high, low: low ^ next.low };
  }
  return write(sum ?? ZERO, ring);
}

function one({ bits }: Ring): Word {
  return bits === 64 ? { high: 1 << 31, low: 0 } : { high: 0, low: 1 << 31 };
}

/** By squaring. `exponent` may exceed 32 bits. */
function powerOfX(exponent: number, ring: Ring): Word {
  let power = one(ring);
  let square = timesX(power, ring);
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square, ring);
    square = multiply(square, square, ring);
  }
  return power;
}

function multiply(a: Word, b: Word, ring: Ring): Word {
  const { bits, modulus } = ring;
  let [high, low] = [0, 0];
  let { high: shiftedHigh, low: shiftedLow } = b;
  for (let bit = 64 - bits; bit < 64; bit += 1) {
    const half = bit < 32 ? a.high : a.low;
    if ((half >>> (31 - (bit % 32))) & 1) {
      high ^= shiftedHigh;
      low ^= shiftedLow;
    }
    const carry = shiftedLow & 1;
    shiftedLow = (shiftedLow >>> 1) | (shiftedHigh << 31);
    shiftedHigh >>>= 1;
    if (carry) {
      shiftedHigh ^= modulus.high;
      shiftedLow ^= modulus.low;
    }
  }
  return { high, low };
}

function timesX({ high, low }: Word, { modulus }: Ring): Word {
  const carry = low & 1;
  const shifted = { high: high >>> 1, low: (low >>> 1) | (high << 31) };
  return carry ? { high: shifted.high ^ modulus.high, low: shifted.low ^ modulus.low } : shifted;
}

function read(digest: Buffer, { bits }: Ring): Word {
  if (bits === 32) return { high: 0, low: digest.readInt32BE() };
  return { high: digest.readInt32BE(), low: digest.readInt32BE(4) };
}

function write({ high, low }: Word, { bits }: Ring): Buffer {
  const digest = Buffer.alloc(bits / 8);
  if (bits === 64) digest.writeInt32BE(high | 0);
  digest.writeInt32BE(low | 0, digest.length - 4);
  return digest;
}
