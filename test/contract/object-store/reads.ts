/** Contract tests of range reads and conditional reads. */

import { beforeEach, describe, expect, test } from 'vitest';

import type { ReadConditions } from '../../../src/object-store/object-store.ts';
import { expectRefusal, KIB, md5, noise, put, readText } from './subject.ts';
import type { Subject } from './subject.ts';

const SECOND = 1000;

export function testRanges(subject: Subject): void {
  describe('GET with a range', () => {
    const SIZE = 200 * KIB;
    const bytes = noise(SIZE);

    test.each([
      [{ first: 0, last: 0 }, 0, 0],
      [{ first: 0 }, 0, SIZE - 1],
      [{ first: 5, last: 9 }, 5, 9],
      [{ first: 64 * KIB - 1, last: 64 * KIB }, 64 * KIB - 1, 64 * KIB],
      [{ first: 64 * KIB, last: 128 * KIB - 1 }, 64 * KIB, 128 * KIB - 1],
      [{ first: 1000, last: 190_000 }, 1000, 190_000],
      [{ first: SIZE - 1 }, SIZE - 1, SIZE - 1],
      [{ first: 100, last: SIZE * 2 }, 100, SIZE - 1],
      [{ suffix: 1 }, SIZE - 1, SIZE - 1],
      [{ suffix: 70_000 }, SIZE - 70_000, SIZE - 1],
      [{ suffix: SIZE * 2 }, 0, SIZE - 1],
    ])('a GET with the range %j returns the bytes %i to %i', async (range, first, last) => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, bytes);
      const content = await subject.store.getObject({ ...ref, range });
      expect(content.range).toEqual({ first, last });
      expect(content.info).toMatchObject({ sizeBytes: SIZE, etag: md5(bytes) });
      const chunks: Uint8Array[] = [];
      for await (const chunk of content.body) chunks.push(Uint8Array.from(chunk));
      expect(Buffer.concat(chunks).equals(bytes.subarray(first, last + 1))).toBe(true);
    });

    test('HEAD accepts a range and returns it', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, bytes);
      const { info, range } = await subject.store.headObject({ ...ref, range: { suffix: 10 } });
      expect(range).toEqual({ first: SIZE - 10, last: SIZE - 1 });
      expect(info.sizeBytes).toBe(SIZE);
    });

    test('a GET with a range of a small object returns only the bytes of the range', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'holdfast');
      expect(await readText(subject.store, { ...ref, range: { first: 4, last: 7 } })).toBe('fast');
      expect(await readText(subject.store, { ...ref, range: { suffix: 3 } })).toBe('ast');
    });

    test.each([{ first: 3 }, { first: 3, last: 9 }, { suffix: 0 }])(
      'a GET with the range %j of 3 bytes fails with InvalidRange, and the error contains the size',
      async (range) => {
        const ref = { bucket: await subject.bucket(), key: 'k' };
        await put(subject.store, ref, 'abc');
        const error = await expectRefusal(
          subject.store.getObject({ ...ref, range }),
          'InvalidRange',
        );
        expect(Number(error.details.ActualObjectSize)).toBe(3);
        await expectRefusal(subject.store.headObject({ ...ref, range }), 'InvalidRange');
      },
    );

    test.each([{ first: 0 }, { suffix: 1 }])(
      'a GET with the range %j of an empty object fails with InvalidRange',
      async (range) => {
        const ref = { bucket: await subject.bucket(), key: 'k' };
        await put(subject.store, ref, '');
        await expectRefusal(subject.store.getObject({ ...ref, range }), 'InvalidRange');
      },
    );
  });
}

export function testReadConditions(subject: Subject): void {
  describe('GET with conditions', () => {
    const [etag, other] = [md5('text'), md5('other')];
    let ref: { bucket: string; key: string };
    let modifiedAt: number;

    beforeEach(async () => {
      ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'text');
      modifiedAt = (await subject.store.headObject(ref)).info.lastModifiedAt;
    });

    const since = (ms: number) => Math.floor((modifiedAt + ms) / SECOND) * SECOND;

    test.each<[string, () => ReadConditions, 'PreconditionFailed' | 'NotModified' | undefined]>([
      ['with a matching If-Match succeeds', () => ({ ifMatch: [etag] }), undefined],
      [
        'with a matching ETag in an If-Match list succeeds',
        () => ({ ifMatch: [other, etag] }),
        undefined,
      ],
      ['with If-Match: * succeeds', () => ({ ifMatch: ['*'] }), undefined],
      [
        'with an If-Match that does not match fails with PreconditionFailed',
        () => ({ ifMatch: [other] }),
        'PreconditionFailed',
      ],
      [
        'with an If-None-Match that does not match succeeds',
        () => ({ ifNoneMatch: [other] }),
        undefined,
      ],
      [
        'with a matching If-None-Match fails with NotModified',
        () => ({ ifNoneMatch: [etag] }),
        'NotModified',
      ],
      [
        'with a matching ETag in an If-None-Match list fails with NotModified',
        () => ({ ifNoneMatch: [other, etag] }),
        'NotModified',
      ],
      [
        'with If-None-Match: * fails with NotModified',
        () => ({ ifNoneMatch: ['*'] }),
        'NotModified',
      ],
      [
        'of an object modified after the If-Modified-Since date succeeds',
        () => ({ ifModifiedSince: since(-5000) }),
        undefined,
      ],
      [
        'of an object modified at the If-Modified-Since date fails with NotModified',
        () => ({ ifModifiedSince: since(0) }),
        'NotModified',
      ],
      [
        'of an object modified at the If-Unmodified-Since date succeeds',
        () => ({ ifUnmodifiedSince: since(0) }),
        undefined,
      ],
      [
        'of an object modified after the If-Unmodified-Since date fails with PreconditionFailed',
        () => ({ ifUnmodifiedSince: since(-5000) }),
        'PreconditionFailed',
      ],
      [
        'succeeds if If-Match matches, whatever the If-Unmodified-Since date',
        () => ({ ifMatch: [etag], ifUnmodifiedSince: since(-5000) }),
        undefined,
      ],
      [
        'succeeds if If-None-Match does not match, whatever the If-Modified-Since date',
        () => ({ ifNoneMatch: [other], ifModifiedSince: since(0) }),
        undefined,
      ],
    ])('a conditional GET %s', async (_, conditions, code) => {
      const request = { ...ref, conditions: conditions() };
      if (code) {
        await expectRefusal(subject.store.getObject(request), code);
        await expectRefusal(subject.store.headObject(request), code);
      } else {
        expect(await readText(subject.store, request)).toBe('text');
        expect((await subject.store.headObject(request)).info.etag).toBe(etag);
      }
    });

    test('a conditional GET of a missing key fails with NoSuchKey', async () => {
      const request = { ...ref, key: 'missing', conditions: { ifMatch: ['*'] } };
      await expectRefusal(subject.store.getObject(request), 'NoSuchKey');
    });

    test('a GET with a condition and a range checks the condition first', async () => {
      const request = { ...ref, conditions: { ifMatch: [other] }, range: { first: 99 } };
      await expectRefusal(subject.store.getObject(request), 'PreconditionFailed');
    });
  });
}
