/**
 * Content for the checks: bytes that cannot be compressed, and folders of files with difficult
 * names.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checksums, randomFrom } from '../helpers/tree.ts';

export const MIB = 2 ** 20;

/** Returns random bytes. The same seed returns the same bytes. */
export function bytesOf(sizeBytes: number, seed = 1): Buffer {
  const random = randomFrom(seed);
  const words = Uint32Array.from({ length: Math.ceil(sizeBytes / 4) }, () => random() * 2 ** 32);
  return Buffer.from(words.buffer, 0, sizeBytes);
}

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

export function writeContent(file: string, content: Uint8Array | string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}

/**
 * File names that every Linux file system allows, but that clients often quote or encode wrongly.
 */
export const HARD_NAMES = [
  'with space.txt',
  'plus+sign.txt',
  'percent%.txt',
  'percent%20encoded.txt',
  'ümläut é.txt',
  '日本語.txt',
  'emoji 😀.txt',
  'quote\'s "double".txt',
  'ampersand & <angle>.txt',
  'semi;colon=equals,comma.txt',
  'hash#question?.txt',
  'tilde~star!(paren)@$.txt',
  'back\\slash.txt',
  '.hidden',
  'deep/er/and deeper/file.txt',
] as const;

export function writeHardTree(root: string): void {
  HARD_NAMES.forEach((name, index) => writeContent(join(root, name), `${index}: ${name}`));
}

/** Writes files of 0 to 300,000 bytes into three folders. */
export function writeTree(root: string): void {
  [0, 1, 100, 4096, 70_000, 300_000].forEach((sizeBytes, index) => {
    writeContent(join(root, `folder ${index % 3}`, `file-${index}.bin`), bytesOf(sizeBytes, index));
  });
}

export function assertSameFile(actual: string, expected: Uint8Array | string): void {
  assertSameBytes(readFileSync(actual), expected);
}

/**
 * Compares two contents by size and MD5 checksum, because the difference of two contents of 100 MB
 * would be unreadable.
 */
export function assertSameBytes(actual: Uint8Array, expected: Uint8Array | string): void {
  const picture = (bytes: Uint8Array | string) => ({
    sizeBytes: bytes.length,
    md5: md5(Buffer.from(bytes)),
  });
  assert.deepEqual(picture(actual), picture(Buffer.from(expected)));
}

export function assertSameTree(actual: string, expected: string): void {
  assert.deepEqual(checksums(actual), checksums(expected));
}
