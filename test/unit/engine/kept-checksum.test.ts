import { hash } from 'node:crypto';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { KeptChecksum } from '../../../src/engine/checksums/kept-checksum.ts';
import {
  SEGMENT_BYTES,
  segmentChecksums,
} from '../../../src/engine/checksums/segment-checksums.ts';
import { CHECKSUM_ALGORITHMS } from '../../../src/object-store/checksum.ts';
import { checksumOf } from '../../../src/object-store/checksums/running-checksum.ts';
import { patternBytes } from '../../helpers/test-engine.ts';

const BYTES = patternBytes(4 * SEGMENT_BYTES, 7);

function known(bytes: Buffer) {
  const sha256 = hash('sha256', bytes, 'buffer');
  return { sizeBytes: bytes.length, sha256, segments: segmentChecksums(bytes) };
}

test('the store computes the CRC32 of a body of any size from the checksums of its segments', () => {
  const borders = [0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES];
  const size = fc.oneof(fc.constantFrom(...borders), fc.nat(BYTES.length));
  fc.assert(
    fc.property(size, (sizeBytes) => {
      const bytes = BYTES.subarray(0, sizeBytes);
      const value = checksumOf('CRC32', bytes);
      expect(new KeptChecksum(undefined).finish(undefined, known(bytes))).toEqual({
        algorithm: 'CRC32',
        value,
      });
    }),
    { numRuns: 50 },
  );
});

test.each(CHECKSUM_ALGORITHMS)(
  'the store computes a %s checksum over the body unless it can be derived from other digests',
  (algorithm) => {
    const kept = new KeptChecksum({ algorithm });
    const value = checksumOf(algorithm, BYTES);
    expect(kept.finish(kept.calculated && value, known(BYTES))).toEqual({ algorithm, value });
    expect(kept.calculated).toBe(
      algorithm === 'CRC32' || algorithm === 'SHA256' ? undefined : algorithm,
    );
  },
);

test('the store prefers the checksum algorithm of the request to that of the multipart upload', () => {
  const asked = new KeptChecksum({ algorithm: 'SHA256' }, 'CRC32');
  expect(asked.finish(undefined, known(BYTES)).algorithm).toBe('SHA256');
  const begun = new KeptChecksum(undefined, 'SHA256');
  expect(begun.finish(undefined, known(BYTES)).algorithm).toBe('SHA256');
});

test('the store fails with BadDigest if a trailer contains a wrong checksum', () => {
  let value: string | undefined;
  const late = {
    algorithm: 'CRC32',
    get value() {
      return value;
    },
  } as const;
  const kept = new KeptChecksum(late);
  value = 'AAAAAA==';
  expect(() => kept.finish(undefined, known(BYTES))).toThrow(
    expect.objectContaining({ code: 'BadDigest' }),
  );
});
