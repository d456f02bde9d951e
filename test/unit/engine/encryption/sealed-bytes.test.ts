/**
 * Tests that encrypted blobs have the documented size and that only unchanged bytes can be
 * decrypted.
 */

import { createSecretKey } from 'node:crypto';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { BlobSealer } from '../../../../src/engine/encryption/blob-sealer.ts';
import { viewOf } from '../../../../src/engine/encryption/blob-view.ts';
import {
  PLAIN_SEGMENT_BYTES,
  plainSize,
  sealedSize,
  segmentsOf,
} from '../../../../src/engine/encryption/sealed-bytes.ts';
import { SEGMENT_BYTES } from '../../../../src/engine/checksums/segment-checksums.ts';
import { patternBytes } from '../../../helpers/test-engine.ts';

const objectKey = createSecretKey(Buffer.alloc(32, 7));
const otherKey = createSecretKey(Buffer.alloc(32, 8));

interface Sealed {
  readonly salt: Buffer;
  readonly bytes: Buffer;
}

/** Returns the encrypted bytes as the blob file contains them. */
function sealWhole(plain: Buffer, partNumber = 0, blockSegments = 2): Sealed {
  const sealer = new BlobSealer({ objectKey, partNumber });
  const pieces: Buffer[] = [];
  const block = blockSegments * PLAIN_SEGMENT_BYTES;
  for (let at = 0; at === 0 || at < plain.byteLength; at += block) {
    const isEnd = at + block >= plain.byteLength;
    pieces.push(Buffer.from(sealer.next(plain.subarray(at, at + block), isEnd)));
  }
  return { salt: sealer.salt, bytes: Buffer.concat(pieces) };
}

function openWhole({ salt, bytes }: Sealed, key = objectKey, partNumber = 0): Buffer | undefined {
  const blob = { salt, storedBytes: bytes.byteLength, partNumber };
  return viewOf(blob, key)?.open(Buffer.from(bytes), 0);
}

const sizes = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -2, max: 2 }), fc.nat(70_000))
  .chain(([segments, near, any]) =>
    fc.constantFrom(Math.max(0, segments * PLAIN_SEGMENT_BYTES + near), any),
  );

test('[ssec-17] the store adds one tag of 16 bytes to each encrypted segment and restores the bytes when it decrypts', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 3 }), (size, block) => {
      const plain = patternBytes(size);
      const sealed = sealWhole(plain, 0, block);
      expect(sealed.bytes.byteLength).toBe(sealedSize(size));
      expect(plainSize(sealedSize(size))).toBe(size);
      expect(openWhole(sealed)?.equals(plain)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test.each([
  [0, 16, 1],
  [1, 17, 1],
  [65_520, 65_536, 1],
  [65_521, 65_553, 2],
  [131_040, 131_072, 2],
])('the store encrypts %i bytes to %i bytes in %i segments', (plain, sealed, segments) => {
  expect(sealedSize(plain)).toBe(sealed);
  expect(segmentsOf(plain)).toBe(segments);
});

test('the store encrypts equal bytes differently each time and reveals no plaintext', () => {
  const plain = Buffer.alloc(200_000, 'secret ');
  const [one, two] = [sealWhole(plain), sealWhole(plain)];
  expect(one.bytes.includes('secret')).toBe(false);
  expect(one.bytes.equals(two.bytes)).toBe(false);
  const segment = (index: number) => one.bytes.subarray(index * SEGMENT_BYTES).subarray(0, 1000);
  expect(segment(0).equals(segment(1))).toBe(false);
});

test('[ssec-17] the store refuses to decrypt a blob with a changed bit at any position', () => {
  const plain = patternBytes(2 * PLAIN_SEGMENT_BYTES + 5);
  const sealed = sealWhole(plain);
  fc.assert(
    fc.property(fc.nat(sealed.bytes.byteLength - 1), fc.nat(7), (at, bit) => {
      const bytes = Buffer.from(sealed.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      expect(openWhole({ ...sealed, bytes })).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

const plain = patternBytes(3 * PLAIN_SEGMENT_BYTES);
const whole = sealWhole(plain);
const segment = (index: number) =>
  whole.bytes.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES);

test.each<[string, Sealed]>([
  ['truncated at a segment boundary', { ...whole, bytes: Buffer.concat([segment(0), segment(1)]) }],
  ['truncated within a segment', { ...whole, bytes: whole.bytes.subarray(0, 100_000) }],
  ['truncated to zero bytes', { ...whole, bytes: Buffer.alloc(0) }],
  ['truncated to only an authentication tag', { ...whole, bytes: whole.bytes.subarray(0, 16) }],
  ['without its first segment', { ...whole, bytes: Buffer.concat([segment(1), segment(2)]) }],
  [
    'with segments in another order',
    { ...whole, bytes: Buffer.concat([segment(1), segment(0), segment(2)]) },
  ],
  ['with a duplicate segment', { ...whole, bytes: Buffer.concat([whole.bytes, segment(2)]) }],
  [
    'with additional bytes at the end',
    { ...whole, bytes: Buffer.concat([whole.bytes, Buffer.alloc(20)]) },
  ],
  ['with the salt of another blob', { ...whole, salt: sealWhole(plain).salt }],
  ['with the bytes of another blob', { ...whole, bytes: sealWhole(plain).bytes }],
])('[ssec-17] the store refuses to decrypt a blob %s', (_, sealed) => {
  expect(openWhole(sealed)).toBeUndefined();
});

test('[ssec-17] the store decrypts a blob only with its own object key and part number', () => {
  expect(openWhole(whole, otherKey)).toBeUndefined();
  expect(openWhole(whole, objectKey, 1)).toBeUndefined();
  const third = sealWhole(plain, 3);
  expect(openWhole(third, objectKey, 2)).toBeUndefined();
  expect(openWhole(third, objectKey, 3)?.equals(plain)).toBe(true);
});

test('[ssec-17] the store decrypts a single segment of a blob, but only at its own position', () => {
  const blob = { salt: whole.salt, storedBytes: whole.bytes.byteLength, partNumber: 0 };
  const open = (bytes: Buffer, first: number) =>
    viewOf(blob, objectKey)?.open(Buffer.from(bytes), first);
  const second = plain.subarray(PLAIN_SEGMENT_BYTES, 2 * PLAIN_SEGMENT_BYTES);
  expect(open(segment(1), 1)?.equals(second)).toBe(true);
  expect(open(segment(1), 0)).toBeUndefined();
  expect(open(segment(1), 2)).toBeUndefined();
});

test('the store requires a key for an encrypted blob and refuses a key for an unencrypted blob', () => {
  const blob = { salt: whole.salt, storedBytes: 100, partNumber: 0 };
  expect(viewOf(blob, undefined)).toBeUndefined();
  expect(viewOf({ ...blob, salt: null }, objectKey)).toBeUndefined();
  expect(viewOf({ ...blob, salt: null }, undefined)?.sizeBytes).toBe(100);
});
