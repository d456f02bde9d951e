import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  type Checksum,
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  type ChecksumType,
} from '../../../src/object-store/checksum.ts';
import { combineCrcs, isCrc } from '../../../src/object-store/checksums/combine-crc.ts';
import {
  checksumOf,
  runningChecksum,
} from '../../../src/object-store/checksums/running-checksum.ts';
import {
  checkPartChecksum,
  completedChecksum,
  uploadChecksum,
} from '../../../src/object-store/rules/checksums.ts';
import { refusal } from './refusal.ts';

const bytesOf = fc.uint8Array({ maxLength: 200 });
const algorithms = fc.constantFrom(...CHECKSUM_ALGORITHMS);
const crcs = CHECKSUM_ALGORITHMS.filter(isCrc);

function digest(algorithm: ChecksumAlgorithm, ...pieces: Uint8Array[]): Buffer {
  const checksum = runningChecksum(algorithm);
  for (const piece of pieces) checksum.update(piece);
  return checksum.digest();
}

describe('checksum algorithms', () => {
  test.for([
    ['CRC32', 'cbf43926'],
    ['CRC32C', 'e3069283'],
    ['CRC64NVME', 'ae8b14860a799888'],
    ['SHA1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
    ['SHA256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
  ] as const)(
    'the store computes the %s checksum of the text 123456789: %s',
    ([algorithm, hex]) => {
      expect(digest(algorithm, Buffer.from('123456789')).toString('hex')).toBe(hex);
    },
  );

  test('the store computes the same checksum for any division of the bytes into chunks', () => {
    fc.assert(
      fc.property(algorithms, bytesOf, fc.nat(200), (algorithm, bytes, cut) => {
        const cutOnce = digest(algorithm, bytes.subarray(0, cut), bytes.subarray(cut));
        expect(cutOnce).toEqual(digest(algorithm, bytes));
      }),
    );
  });

  test('the store computes the same checksum for any memory alignment of the bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, index) => index * 7));
    for (const algorithm of CHECKSUM_ALGORITHMS) {
      const found = [0, 1, 2, 3, 4, 5, 6, 7].map((offset) => {
        const moved = new Uint8Array(bytes.length + offset).subarray(offset);
        moved.set(bytes);
        return checksumOf(algorithm, moved);
      });
      expect(new Set(found).size).toBe(1);
    }
  });
});

describe('checksums that are combined from parts', () => {
  test.each(crcs)(
    'the store combines the %s checksums of several parts to the checksum of all their bytes',
    (algorithm) => {
      fc.assert(
        fc.property(fc.array(bytesOf, { maxLength: 6 }), (all) => {
          const pieces = all.map((bytes) => ({
            digest: digest(algorithm, bytes),
            sizeBytes: bytes.length,
          }));
          expect(combineCrcs(algorithm, pieces)).toEqual(digest(algorithm, ...all));
        }),
      );
    },
  );

  test('the store combines checksums correctly for parts above 512 MiB, whose number of bits exceeds 32 bits', () => {
    const head = { digest: digest('CRC32', Buffer.from('head')), sizeBytes: 4 };
    const zeros = Buffer.alloc(1024 ** 2);
    const mebibyte = { digest: digest('CRC32', zeros), sizeBytes: zeros.length };
    const many = Array.from({ length: 600 }, () => mebibyte);
    const large = { digest: combineCrcs('CRC32', many), sizeBytes: 600 * zeros.length };
    expect(combineCrcs('CRC32', [head, large])).toEqual(combineCrcs('CRC32', [head, ...many]));
  });
});

describe('checksums of multipart uploads', () => {
  test.for([
    ['CRC32', undefined, 'COMPOSITE'],
    ['CRC32C', undefined, 'COMPOSITE'],
    ['CRC64NVME', undefined, 'FULL_OBJECT'],
    ['SHA1', undefined, 'COMPOSITE'],
    ['SHA256', undefined, 'COMPOSITE'],
    ['CRC32', 'FULL_OBJECT', 'FULL_OBJECT'],
    ['CRC32C', 'FULL_OBJECT', 'FULL_OBJECT'],
    ['SHA256', 'COMPOSITE', 'COMPOSITE'],
    ['CRC64NVME', 'COMPOSITE', 'InvalidRequest'],
    ['SHA1', 'FULL_OBJECT', 'InvalidRequest'],
    ['SHA256', 'FULL_OBJECT', 'InvalidRequest'],
  ] as const)(
    'the store creates an upload with the checksum algorithm %s and the checksum type %s: %s',
    ([algorithm, type, result]) => {
      const asked = {
        checksumAlgorithm: algorithm,
        ...(type === undefined ? {} : { checksumType: type }),
      };
      if (result === 'InvalidRequest') {
        expect(refusal(() => uploadChecksum(asked))?.code).toBe(result);
      } else {
        expect(uploadChecksum(asked)).toEqual({
          checksumAlgorithm: algorithm,
          checksumType: result,
        });
      }
    },
  );

  test('the store refuses a checksum type without an algorithm, and accepts an upload without both', () => {
    expect(uploadChecksum({})).toEqual({});
    expect(refusal(() => uploadChecksum({ checksumType: 'COMPOSITE' }))?.code).toBe(
      'InvalidRequest',
    );
  });

  test("the store accepts parts with the upload's checksum algorithm, or with any algorithm if the upload has none", () => {
    checkPartChecksum('CRC32', 'CRC32');
    checkPartChecksum('SHA1');
    expect(refusal(() => checkPartChecksum('CRC32', 'CRC32C'))).toMatchObject({
      code: 'InvalidRequest',
      message: expect.stringContaining(
        'expected checksum Type: crc32c, actual checksum Type: crc32',
      ) as string,
    });
  });
});

describe('checksums of completed multipart uploads', () => {
  const pieces = ['hello ', 'w', 'orld'].map((text) => Buffer.from(text));
  const partsOf = (algorithm: ChecksumAlgorithm) =>
    pieces.map((bytes) => ({
      sizeBytes: bytes.length,
      checksum: { algorithm, value: checksumOf(algorithm, bytes) },
    }));
  const whole = (algorithm: ChecksumAlgorithm) => checksumOf(algorithm, Buffer.concat(pieces));
  const composite = (algorithm: ChecksumAlgorithm) =>
    digest(algorithm, ...pieces.map((bytes) => digest(algorithm, bytes))).toString('base64');

  test.each(crcs)(
    '[sum-3] the store computes the full-object %s of a completed upload from the checksums of its parts',
    (algorithm) => {
      const upload = { checksumAlgorithm: algorithm, checksumType: 'FULL_OBJECT' } as const;
      expect(completedChecksum(partsOf(algorithm), upload, {})).toEqual({
        algorithm,
        type: 'FULL_OBJECT',
        value: whole(algorithm),
      });
    },
  );

  test.each(CHECKSUM_ALGORITHMS.filter((each) => each !== 'CRC64NVME'))(
    'the store computes the composite %s of a completed upload from the checksums of its parts',
    (algorithm) => {
      const upload = { checksumAlgorithm: algorithm, checksumType: 'COMPOSITE' } as const;
      expect(completedChecksum(partsOf(algorithm), upload, {})).toEqual({
        algorithm,
        type: 'COMPOSITE',
        value: `${composite(algorithm)}-3`,
      });
    },
  );

  test.for([
    ['CRC32', undefined, 'FULL_OBJECT'],
    ['CRC32', 'COMPOSITE', 'COMPOSITE'],
    ['SHA256', undefined, 'COMPOSITE'],
  ] as const)(
    'for an upload that was created without a checksum, %s parts and the requested type %s give the checksum type %s',
    (row) => {
      const [algorithm, asked, type] = row;
      const request = asked === undefined ? {} : { checksumType: asked };
      expect(completedChecksum(partsOf(algorithm), {}, request)?.type).toBe(type);
    },
  );

  test('the store computes no checksum of a completed upload if its parts use different algorithms or one part has none', () => {
    const [first, ...rest] = partsOf('CRC32');
    const other = [{ sizeBytes: 6, checksum: { algorithm: 'SHA1', value: 'x' } as const }, ...rest];
    expect(completedChecksum(other, {}, {})).toBeUndefined();
    expect(completedChecksum([{ sizeBytes: 6 }, ...rest], {}, {})).toBeUndefined();
    const checksum: Checksum = { algorithm: 'CRC32', value: first?.checksum.value ?? '' };
    expect(refusal(() => completedChecksum(other, {}, { checksum }))?.code).toBe('InvalidRequest');
  });

  test.for<[ChecksumType, string, string | undefined]>([
    ['FULL_OBJECT', whole('CRC32C'), undefined],
    ['FULL_OBJECT', composite('CRC32C'), 'BadDigest'],
    ['COMPOSITE', composite('CRC32C'), undefined],
    ['COMPOSITE', `${composite('CRC32C')}-3`, undefined],
    ['COMPOSITE', `${composite('CRC32C')}-4`, 'BadDigest'],
    ['COMPOSITE', whole('CRC32C'), 'BadDigest'],
  ])(
    'the store completes an upload of the checksum type %s with the checksum %s: %s',
    ([checksumType, value, code]) => {
      const upload = { checksumAlgorithm: 'CRC32C', checksumType } as const;
      const complete = () =>
        completedChecksum(partsOf('CRC32C'), upload, { checksum: { algorithm: 'CRC32C', value } });
      if (code === undefined) expect(complete()?.type).toBe(checksumType);
      else expect(refusal(complete)?.code).toBe(code);
    },
  );

  test("the store requires the checksum type and algorithm of an upload's creation when the upload is completed", () => {
    const upload = { checksumAlgorithm: 'CRC32', checksumType: 'COMPOSITE' } as const;
    const parts = partsOf('CRC32');
    const type = () => completedChecksum(parts, upload, { checksumType: 'FULL_OBJECT' });
    expect(refusal(type)?.code).toBe('InvalidRequest');
    const checksum = { algorithm: 'SHA1', value: whole('SHA1') } as const;
    expect(refusal(() => completedChecksum(parts, upload, { checksum }))?.code).toBe(
      'InvalidRequest',
    );
  });
});
