/**
 * Calculates CRC-32C and CRC-64/NVME, which Node does not provide, with the method "slicing by eight". Table k contains
 * the effect of a byte on the checksum k bytes later, so eight bytes need eight independent lookups. The loops are
 * unrolled and use words of four bytes and local variables. Simple loops would take three to four times as long.
 */

const SLICES = 8;
const ENTRIES = 256;
const WORD_BYTES = 4;

interface Polynomial {
  /** `high` contains the upper 32 bits of the reflected polynomial, and `low` the lower 32 bits. */
  readonly high: number;
  readonly low: number;
}

/** The Castagnoli polynomial, which CRC-32C uses. */
export const CRC32C: Polynomial = { high: 0, low: 0x82f63b78 };
/** The polynomial that the NVM Express specification defines. */
export const CRC64_NVME: Polynomial = { high: 0x9a6c9329, low: 0xac4bc9b5 };

/**
 * The lookup tables. They are created on first use, because creating them takes milliseconds and most threads never
 * need them.
 */
const tablesOf = {
  crc32c: once(() => makeTables(CRC32C).low),
  crc64: once(() => makeTables(CRC64_NVME)),
};

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Continues a CRC-32C with `bytes`. `before` is the CRC-32C of all preceding bytes, or 0 if there are none. */
export function crc32c(bytes: Uint8Array, before: number): number {
  const { head, words, tail } = align(bytes);
  const table = tablesOf.crc32c();
  let value = crc32cBytes(head, ~before, table);
  for (let at = 0; at < words.length; at += 2) {
    const first = value ^ (words[at] as number);
    const second = words[at + 1] as number;
    value =
      (table[1792 + (first & 255)] as number) ^
      (table[1536 + ((first >>> 8) & 255)] as number) ^
      (table[1280 + ((first >>> 16) & 255)] as number) ^
      (table[1024 + (first >>> 24)] as number) ^
      (table[768 + (second & 255)] as number) ^
      (table[512 + ((second >>> 8) & 255)] as number) ^
      (table[256 + ((second >>> 16) & 255)] as number) ^
      (table[second >>> 24] as number);
  }
  return ~crc32cBytes(tail, value, table) >>> 0;
}

function crc32cBytes(bytes: Uint8Array, before: number, table: Int32Array): number {
  let value = before;
  for (const byte of bytes) value = (table[(value ^ byte) & 255] as number) ^ (value >>> 8);
  return value;
}

/** A running CRC-64/NVME. It is stored as two 32-bit halves, because BigInt is thirty times slower. */
export class Crc64Nvme {
  readonly #tables = tablesOf.crc64();
  #high = -1;
  #low = -1;

  update(bytes: Uint8Array): void {
    const { head, words, tail } = align(bytes);
    this.#updateBytes(head);
    this.#updateWords(words);
    this.#updateBytes(tail);
  }

  digest(): Buffer {
    const digest = Buffer.alloc(8);
    digest.writeInt32BE(~this.#high, 0);
    digest.writeInt32BE(~this.#low, 4);
    return digest;
  }

  #updateBytes(bytes: Uint8Array): void {
    const { high: highTable, low: lowTable } = this.#tables;
    for (const byte of bytes) {
      const index = (this.#low ^ byte) & 255;
      this.#low = ((this.#low >>> 8) | (this.#high << 24)) ^ (lowTable[index] as number);
      this.#high = (this.#high >>> 8) ^ (highTable[index] as number);
    }
  }

  #updateWords(words: Int32Array): void {
    const { high: highTable, low: lowTable } = this.#tables;
    let [high, low] = [this.#high, this.#low];
    for (let at = 0; at < words.length; at += 2) {
      const first = low ^ (words[at] as number);
      const second = high ^ (words[at + 1] as number);
      const a = 1792 + (first & 255);
      const b = 1536 + ((first >>> 8) & 255);
      const c = 1280 + ((first >>> 16) & 255);
      const d = 1024 + (first >>> 24);
      const e = 768 + (second & 255);
      const f = 512 + ((second >>> 8) & 255);
      const g = 256 + ((second >>> 16) & 255);
      const h = second >>> 24;
      high =
        (highTable[a] as number) ^
        (highTable[b] as number) ^
        (highTable[c] as number) ^
        (highTable[d] as number) ^
        (highTable[e] as number) ^
        (highTable[f] as number) ^
        (highTable[g] as number) ^
        (highTable[h] as number);
      low =
        (lowTable[a] as number) ^
        (lowTable[b] as number) ^
        (lowTable[c] as number) ^
        (lowTable[d] as number) ^
        (lowTable[e] as number) ^
        (lowTable[f] as number) ^
        (lowTable[g] as number) ^
        (lowTable[h] as number);
    }
    this.#high = high;
    this.#low = low;
  }
}

const NO_WORDS = new Int32Array(0);
const NO_BYTES = new Uint8Array(0);

/**
 * Returns the bytes that form complete steps of eight bytes, as 32-bit words, and the bytes before and after these. The
 * words must be aligned to four bytes in their buffer.
 */
function align(bytes: Uint8Array) {
  const before = -bytes.byteOffset & (WORD_BYTES - 1);
  const steps = Math.floor((bytes.length - before) / SLICES);
  if (steps < 1) return { head: bytes, words: NO_WORDS, tail: NO_BYTES };
  const words = (steps * SLICES) / WORD_BYTES;
  return {
    head: bytes.subarray(0, before),
    words: new Int32Array(bytes.buffer, bytes.byteOffset + before, words),
    tail: bytes.subarray(before + steps * SLICES),
  };
}

/**
 * Returns the entries of the eight tables, one table after the other, as upper and lower halves. The halves are signed,
 * because bitwise operators return signed numbers.
 */
function makeTables({ high: polynomialHigh, low: polynomialLow }: Polynomial) {
  const high = new Int32Array(SLICES * ENTRIES);
  const low = new Int32Array(SLICES * ENTRIES);
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
    low[at] = ((lower >>> 8) | (upper << 24)) ^ (low[lower & 255] as number);
    high[at] = (upper >>> 8) ^ (high[lower & 255] as number);
  }
  return { high, low };
}
