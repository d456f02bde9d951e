/**
 * Combines the CRCs of consecutive pieces into the CRC of the whole, with the method of Mark Adler's crc32_combine. A
 * CRC is the remainder of a polynomial division over GF(2). Appending n bits multiplies the earlier remainder by x^n.
 * All polynomials are reflected, like the CRCs: the highest bit is the coefficient of x^0.
 */

import type { ChecksumAlgorithm } from '../checksum.ts';
import { CRC32C, CRC64_NVME } from './crc.ts';

export type CrcAlgorithm = Extract<ChecksumAlgorithm, `CRC${string}`>;

export interface Piece {
  /** The CRC of the piece as big-endian bytes. */
  readonly digest: Buffer;
  readonly sizeBytes: number;
}

export function isCrc(algorithm: ChecksumAlgorithm): algorithm is CrcAlgorithm {
  return algorithm.startsWith('CRC');
}

/** Returns the CRC of all pieces in order. For no pieces, returns the CRC of an empty text. */
export function combineCrcs(algorithm: CrcAlgorithm, pieces: Iterable<Piece>): Buffer {
  if (algorithm === 'CRC64NVME') return combine(RING_64, pieces);
  return combine(algorithm === 'CRC32' ? RING_32 : RING_32C, pieces);
}

/** The arithmetic on the remainders of one polynomial. */
interface Ring<Remainder> {
  readonly zero: Remainder;
  readonly one: Remainder;
  readonly x: Remainder;
  add(a: Remainder, b: Remainder): Remainder;
  multiply(a: Remainder, b: Remainder): Remainder;
  read(digest: Buffer): Remainder;
  write(remainder: Remainder): Buffer;
}

function combine<Remainder>(ring: Ring<Remainder>, pieces: Iterable<Piece>): Buffer {
  let sum: Remainder | undefined;
  let [sizeBytes, shift] = [0, ring.one];
  for (const piece of pieces) {
    const next = ring.read(piece.digest);
    if (sum === undefined) {
      sum = next;
      continue;
    }
    // Calculate the factor only when the size changes. Most pieces have the same size, and calculating the factor takes
    // far longer than multiplying with it.
    if (piece.sizeBytes !== sizeBytes) {
      sizeBytes = piece.sizeBytes;
      shift = powerOfX(8 * sizeBytes, ring);
    }
    sum = ring.add(ring.multiply(sum, shift), next);
  }
  return ring.write(sum ?? ring.zero);
}

/** Returns x to the power of `exponent`, by repeated squaring. The exponent can exceed 32 bits. */
function powerOfX<Remainder>(exponent: number, ring: Ring<Remainder>): Remainder {
  let [power, square] = [ring.one, ring.x];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = ring.multiply(power, square);
    square = ring.multiply(square, square);
  }
  return power;
}

/**
 * Returns the arithmetic for a 32-bit polynomial. The numbers are signed, because bitwise operators return signed
 * numbers. Bit masks of all ones or all zeros replace branches, because the processor would mispredict half of the
 * branches.
 */
function ring32(unsigned: number): Ring<number> {
  const polynomial = unsigned | 0;
  return {
    zero: 0,
    one: 1 << 31,
    x: 1 << 30,
    add: (a, b) => a ^ b,
    multiply: (a, b) => {
      let [product, shifted] = [0, b];
      for (let left = a; left !== 0; left <<= 1) {
        product ^= shifted & (left >> 31);
        shifted = (shifted >>> 1) ^ (polynomial & -(shifted & 1));
      }
      return product;
    },
    read: (digest) => digest.readInt32BE(),
    write: (remainder) => {
      const digest = Buffer.alloc(4);
      digest.writeInt32BE(remainder);
      return digest;
    },
  };
}

/** A 64-bit number in two 32-bit halves. */
interface Halves {
  readonly high: number;
  readonly low: number;
}

function ring64(unsigned: Halves): Ring<Halves> {
  const polynomial = { high: unsigned.high | 0, low: unsigned.low | 0 };
  return {
    zero: { high: 0, low: 0 },
    one: { high: 1 << 31, low: 0 },
    x: { high: 1 << 30, low: 0 },
    add: (a, b) => ({ high: a.high ^ b.high, low: a.low ^ b.low }),
    multiply: (a, b) => {
      let [high, low] = [0, 0];
      let { high: shiftedHigh, low: shiftedLow } = b;
      for (let bit = 0; bit < 64; bit += 1) {
        const chosen = ((bit < 32 ? a.high : a.low) << (bit % 32)) >> 31;
        high ^= shiftedHigh & chosen;
        low ^= shiftedLow & chosen;
        const carry = -(shiftedLow & 1);
        shiftedLow = ((shiftedLow >>> 1) | (shiftedHigh << 31)) ^ (polynomial.low & carry);
        shiftedHigh = (shiftedHigh >>> 1) ^ (polynomial.high & carry);
      }
      return { high, low };
    },
    read: (digest) => ({ high: digest.readInt32BE(), low: digest.readInt32BE(4) }),
    write: ({ high, low }) => {
      const digest = Buffer.alloc(8);
      digest.writeInt32BE(high);
      digest.writeInt32BE(low, 4);
      return digest;
    },
  };
}

const RING_32 = ring32(0xedb88320);
const RING_32C = ring32(CRC32C.low);
const RING_64 = ring64(CRC64_NVME);
