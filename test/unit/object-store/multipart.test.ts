import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import {
  checkCompletedParts,
  checkPartNumber,
  multipartEtag,
} from '../../../src/object-store/rules/multipart.ts';
import { refusal } from './refusal.ts';

const MIB = 1024 ** 2;
const part = (partNumber: number, sizeBytes = 5 * MIB, etag = `e${partNumber}`) => ({
  partNumber,
  sizeBytes,
  etag,
});

describe('part numbers of multipart uploads', () => {
  test.each([1, 2, 10_000])('[mpu-3] the store accepts the part number %i', (partNumber) => {
    expect(refusal(() => checkPartNumber(partNumber))).toBeUndefined();
  });

  test.each([0, -1, 10_001, 1.5, Number.NaN])(
    '[mpu-3] the store refuses the part number %d',
    (partNumber) => {
      expect(refusal(() => checkPartNumber(partNumber))?.code).toBe('InvalidArgument');
    },
  );
});

describe('the ETag of a multipart upload', () => {
  const md5 = (data: string | Buffer) => createHash('md5').update(data).digest();

  test('[mpu-7] the store computes the ETag of a multipart upload as the MD5 of its part MD5s and the number of parts', () => {
    const parts = [md5('one'), md5('two')];
    const expected = md5(Buffer.concat(parts)).toString('hex');
    expect(multipartEtag(parts.map((each) => each.toString('hex')))).toBe(`${expected}-2`);
  });

  test('the store ends the ETag of a multipart upload with one part in -1', () => {
    expect(multipartEtag([md5('').toString('hex')])).toBe('59adb24ef3cdbe0297f05b395827453f-1');
  });
});

describe('the part list of CompleteMultipartUpload', () => {
  const stored = [part(1), part(2), part(3, 1), part(4)];
  const ask = (...numbers: number[]) =>
    numbers.map((partNumber) => ({ partNumber, etag: `e${partNumber}` }));

  test.each([
    [[1], [1]],
    [
      [1, 2],
      [1, 2],
    ],
    [
      [2, 4],
      [2, 4],
    ],
    [
      [1, 3],
      [1, 3],
    ],
    [[3], [3]],
  ])('the store completes an upload with the parts %j from exactly these parts', (asked, taken) => {
    const parts = checkCompletedParts(ask(...asked), stored);
    expect(parts.map((each) => each.partNumber)).toEqual(taken);
  });

  test.each([
    ['is empty', [], 'MalformedXML'],
    ['has 10,001 parts', ask(...Array.from({ length: 10_001 }, (_, i) => i + 1)), 'MalformedXML'],
    ['is in descending order', ask(2, 1), 'InvalidPartOrder'],
    ['contains a part twice', ask(1, 1), 'InvalidPartOrder'],
    ['contains a part that was not uploaded', ask(1, 9), 'InvalidPart'],
    ['contains a wrong ETag', [{ partNumber: 1, etag: 'e2' }], 'InvalidPart'],
    ['has a part below 5 MiB that is not the last', ask(1, 3, 4), 'EntityTooSmall'],
  ])('[mpu-8] the store refuses CompleteMultipartUpload if its part list %s', (_, asked, code) => {
    expect(refusal(() => checkCompletedParts(asked, stored))?.code).toBe(code);
  });

  test('[mpu-8] the store refuses to complete an upload of more than 5 TiB', () => {
    const large = [part(1, 5 * MIB ** 2), part(2, 1)];
    expect(refusal(() => checkCompletedParts(ask(1, 2), large))?.code).toBe('EntityTooLarge');
  });

  test('the store states the number, the size and the minimum size in the error for a part that is too small', () => {
    const error = refusal(() => checkCompletedParts(ask(3, 4), stored));
    expect(error?.details).toEqual({
      ProposedSize: 1,
      MinSizeAllowed: 5 * MIB,
      PartNumber: 3,
      ETag: 'e3',
    });
  });
});
