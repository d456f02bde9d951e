/**
 * Measures a sample of a file's content, to distinguish text, pictures and archives from bytes that look random. The
 * file is measured while it is read for its digest. The measurement takes 9 µs for a file of 4 KiB, and 40 µs for any
 * file above 32 KiB.
 */

import { endsAs, typeOf, type ContentFacts } from '../model/file-types.ts';

const BLOCK_BYTES = 4096;
/**
 * Number of sampled blocks. They are evenly spread and include the first and the last block, so that partial encryption
 * is detected too.
 */
const SAMPLE_BLOCKS = 8;
const SAMPLE_BYTES = BLOCK_BYTES * SAMPLE_BLOCKS;
/** Minimum size of a measured block, in bytes. */
const MIN_BLOCK_BYTES = 64;

/**
 * Range of χ² that counts as random. χ² compares the frequencies of the 256 byte values with an even distribution.
 * Random bytes have 255 ± 23, regardless of the block size. Text has thousands, and base64 has 450 or more even in 64
 * bytes (see `isEncoded`). A value below the range indicates a regular pattern such as a counter.
 */
const RANDOM_CHI_SQUARE = { from: 150, to: 345 };

/** Minimum size in bytes of text that counts as encoded, because shorter text may be a token or a digest. */
const MIN_ENCODED_BYTES = 256;
/**
 * Minimum number of different characters in encoded text. Digits and DNA sequences have fewer: their characters are
 * evenly distributed, but they are not encoded.
 */
const MIN_SYMBOLS = 16;
/**
 * Maximum deviation of χ² from its mean in encoded text, in standard deviations. For n different characters, the mean
 * is n - 1 and the variance is twice the mean.
 */
const ENCODED_DEVIATIONS = 5;
const [LINE_FEED, RETURN, FIRST_PRINTABLE, EQUALS, LAST_PRINTABLE] = [0x0a, 0x0d, 0x21, 0x3d, 0x7e];
/**
 * First lines of encrypted messages in ASCII armor, a format with base64 between lines of dashes. Keys, certificates
 * and signatures begin differently.
 */
const ARMOR = ['-----BEGIN PGP MESSAGE', '-----BEGIN AGE ENCRYPTED'];
const ARMOR_LINE = /^-----.*$/gm;

/** Collects a sample of content that arrives in order, in chunks. The content's size must be known in advance. */
export class ContentSampler {
  readonly #sample: Uint8Array;
  /** Offset of each sampled block in the content. */
  readonly #offsets: readonly number[];
  readonly #blockBytes: number;
  #at = 0;

  constructor(sizeBytes: number) {
    const isWhole = sizeBytes <= SAMPLE_BYTES;
    this.#sample = new Uint8Array(isWhole ? sizeBytes : SAMPLE_BYTES);
    this.#blockBytes = isWhole ? sizeBytes : BLOCK_BYTES;
    this.#offsets = isWhole ? [0] : spreadOffsets(sizeBytes);
  }

  add(chunk: Uint8Array): void {
    const end = this.#at + chunk.byteLength;
    for (const [index, offset] of this.#offsets.entries()) {
      const first = Math.max(offset, this.#at);
      const last = Math.min(offset + this.#blockBytes, end);
      if (first >= last) continue;
      const start = index * this.#blockBytes + first - offset;
      this.#sample.set(chunk.subarray(first - this.#at, last - this.#at), start);
    }
    this.#at = end;
  }

  facts(): ContentFacts {
    return measure(this.#sample);
  }
}

function spreadOffsets(sizeBytes: number): readonly number[] {
  const step = (sizeBytes - BLOCK_BYTES) / (SAMPLE_BLOCKS - 1);
  return Array.from({ length: SAMPLE_BLOCKS }, (_, index) => Math.floor(index * step));
}

export function contentFacts(bytes: Uint8Array): ContentFacts {
  if (bytes.byteLength <= SAMPLE_BYTES) return measure(bytes);
  const sampler = new ContentSampler(bytes.byteLength);
  sampler.add(bytes);
  return sampler.facts();
}

/** Number of occurrences of each of the 256 byte values. */
type ByteCounts = Uint32Array;

function measure(sample: Uint8Array): ContentFacts {
  let [blocks, random, plain, encoded] = [0, 0, 0, 0];
  const inBlock: ByteCounts = new Uint32Array(256);
  // If the sample has only one block, both counts are the same array.
  const inSample = sample.byteLength <= BLOCK_BYTES ? inBlock : new Uint32Array(256);
  for (let first = 0; first < sample.byteLength; first += BLOCK_BYTES) {
    const end = Math.min(first + BLOCK_BYTES, sample.byteLength);
    countBytes(inBlock, sample.subarray(first, end));
    if (inSample !== inBlock)
      for (let value = 0; value < 256; value++) inSample[value]! += inBlock[value]!;
    if (end - first < MIN_BLOCK_BYTES) continue;
    blocks++;
    if (isRandom(inBlock, end - first)) random++;
    else if (inBlock[sample[first] ?? 0] !== end - first) plain++;
    if (encoded === blocks - 1 && isEncoded(inBlock, end - first)) encoded++;
  }
  const isWholly = blocks > 0 && encoded === blocks && sample.byteLength >= MIN_ENCODED_BYTES;
  const entropy = Math.round(entropyOf(inSample, sample.byteLength) * 100);
  const type = typeOf(sample.subarray(0, BLOCK_BYTES));
  const isWhole = type && endsAs(type, sample);
  return {
    entropy,
    random: percent(random, blocks),
    plain: percent(plain, blocks),
    ...((isWholly || isArmored(sample)) && { isEncoded: true }),
    ...(type && { type: type.name }),
    ...(isWhole !== undefined && { isWhole }),
  };
}

function countBytes(counts: ByteCounts, block: Uint8Array): void {
  counts.fill(0);
  for (let at = 0; at < block.byteLength; at++) counts[block[at]!]!++;
}

function isRandom(inBlock: ByteCounts, total: number): boolean {
  let squares = 0;
  for (let value = 0; value < 256; value++) squares += inBlock[value]! ** 2;
  const chiSquare = (256 * squares) / total - total;
  return chiSquare >= RANDOM_CHI_SQUARE.from && chiSquare <= RANDOM_CHI_SQUARE.to;
}

/**
 * Returns whether the block is printable text with evenly distributed characters. Spaces and uneven letter frequencies
 * indicate ordinary text.
 */
function isEncoded(inBlock: ByteCounts, total: number): boolean {
  let [symbols, count, squares] = [0, 0, 0];
  for (let value = FIRST_PRINTABLE; value <= LAST_PRINTABLE; value++) {
    const times = inBlock[value]!;
    // `=` only pads base64, so it is rarer than the other characters.
    if (times === 0 || value === EQUALS) continue;
    symbols++;
    count += times;
    squares += times ** 2;
  }
  if (symbols < MIN_SYMBOLS) return false;
  if (count + inBlock[EQUALS]! + inBlock[LINE_FEED]! + inBlock[RETURN]! !== total) return false;
  const mean = symbols - 1;
  const chiSquare = (symbols * squares) / count - count;
  return chiSquare >= mean / 4 && chiSquare <= mean + ENCODED_DEVIATIONS * Math.sqrt(2 * mean);
}

/** Returns whether the sample is an encrypted message in ASCII armor. */
function isArmored(sample: Uint8Array): boolean {
  if (sample[0] !== ARMOR[0]?.charCodeAt(0)) return false;
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString('latin1');
  if (!ARMOR.some((begin) => text.startsWith(begin))) return false;
  const body = Buffer.from(text.replaceAll(ARMOR_LINE, ''), 'latin1').subarray(0, BLOCK_BYTES);
  const counts: ByteCounts = new Uint32Array(256);
  countBytes(counts, body);
  return isEncoded(counts, body.byteLength);
}

/** Precalculated entropy terms for small counts, because a logarithm takes longer to calculate than to look up. */
const WEIGHTS = Float64Array.from({ length: 256 }, (_, count) => weightOf(count));

function weightOf(count: number): number {
  return count === 0 ? 0 : count * Math.log2(count);
}

function entropyOf(inSample: ByteCounts, total: number): number {
  let sum = 0;
  for (let value = 0; value < 256; value++) {
    const count = inSample[value]!;
    sum += count < WEIGHTS.length ? WEIGHTS[count]! : weightOf(count);
  }
  return total === 0 ? 0 : Math.log2(total) - sum / total;
}

function percent(part: number, all: number): number {
  return all === 0 ? 0 : Math.round((part / all) * 100);
}

const WRITTEN = /^(\d+) (\d+) (\d+)(=)?(?: ([^+-]+)([+-])?)?$/;

/**
 * Formats content statistics as a short text: entropy, random blocks, plain blocks, and file type, such as `452 0 100
 * jpeg+`. After the type, `+` means a complete file and `-` a truncated one. `=` means encoded text, as in `602 0
 * 100=`.
 */
export function writeFacts(facts: ContentFacts): string {
  const { entropy, random, plain, isEncoded: encoded, type, isWhole } = facts;
  const ending = isWhole === undefined ? '' : isWhole ? '+' : '-';
  const typeText = type === undefined ? '' : ` ${type}${ending}`;
  return `${entropy} ${random} ${plain}${encoded ? '=' : ''}${typeText}`;
}

/** Parses text from `writeFacts`; returns undefined for any other text. */
export function readFacts(text: string): ContentFacts | undefined {
  const [, entropy, random, plain, encoded, type, ending] = WRITTEN.exec(text) ?? [];
  if (entropy === undefined) return undefined;
  return {
    entropy: Number(entropy),
    random: Number(random),
    plain: Number(plain),
    ...(encoded !== undefined && { isEncoded: true }),
    ...(type !== undefined && { type }),
    ...(ending !== undefined && { isWhole: ending === '+' }),
  };
}
