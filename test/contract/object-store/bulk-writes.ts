/**
 * Contract tests of bulk writes. All other tests of puts also run through the bulk writer, in engine.test.ts.
 */

import { describe, expect, test } from 'vitest';

import { invariant } from '../../../src/base/errors.ts';
import type { ObjectToPut, PutOutcome } from '../../../src/object-store/bulk-write.ts';
import type { CallOptions } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { allVersions, expectNoTrace, expectRefusal, md5, readText, sha256 } from './subject.ts';
import type { Subject } from './subject.ts';

export function testNoBulkWriter(subject: Subject): void {
  test('a store without support for bulk writes has no bulkWriter', () => {
    expect(subject.store.bulkWriter).toBeUndefined();
  });
}

export function testBulkWrites(subject: Subject): void {
  const writer = () => {
    const { bulkWriter } = subject.store;
    invariant(bulkWriter, 'the store has a bulk writer');
    return bulkWriter;
  };
  const putAll = (bucket: string, objects: readonly ObjectToPut[], options?: CallOptions) =>
    writer().putObjects({ bucket, objects }, options);
  const object = (key: string, content = key, more: Partial<ObjectToPut> = {}): ObjectToPut => ({
    key,
    bytes: Buffer.from(content),
    ...more,
  });
  const returned = (outcomes: readonly PutOutcome[]) =>
    outcomes.map((each) => (isStorageError(each) ? each.code : each.etag));

  describe('bulk writes', () => {
    test('a bulk write puts every object and returns the results in request order', async () => {
      const bucket = await subject.bucket('Enabled');
      const keys = ['b', 'a', 'c/d', 'ü'];
      const outcomes = await putAll(
        bucket,
        keys.map((key) => object(key)),
      );
      expect(returned(outcomes)).toEqual(keys.map(md5));
      for (const [index, key] of keys.entries()) {
        const { versionId } = outcomes[index] as { versionId: string };
        expect(await readText(subject.store, { bucket, key, versionId })).toBe(key);
      }
      expect(await allVersions(subject.store, { bucket })).toHaveLength(4);
    });

    test('each object of a bulk write succeeds or fails on its own', async () => {
      const bucket = await subject.bucket();
      const objects = [
        object('a', 'one'),
        object('', 'no key'),
        object('b', 'two', { conditions: { ifMatch: '*' } }),
        object('c', 'three', { sha256: sha256('other') }),
        object('d', 'four', { lock: { legalHold: false } }),
        object('e', 'five', { sha256: sha256('five') }),
        object('f', 'six', { tags: [{ key: '', value: '' }] }),
      ];
      expect(returned(await putAll(bucket, objects))).toEqual([
        md5('one'),
        expect.stringMatching(/^(InvalidArgument|InvalidURI)$/),
        'NoSuchKey',
        'XAmzContentSHA256Mismatch',
        'InvalidRequest',
        md5('five'),
        'InvalidTag',
      ]);
      const { objects: listed } = await subject.store.listObjects({ bucket });
      expect(listed.map(({ key }) => key)).toEqual(['a', 'e']);
    });

    test('objects with the same key in one bulk write are put in request order', async () => {
      const bucket = await subject.bucket('Enabled');
      const ifNoneMatch = '*' as const;
      const outcomes = await putAll(bucket, [
        object('k', 'one', { conditions: { ifNoneMatch } }),
        object('k', 'two', { conditions: { ifNoneMatch } }),
        object('k', 'three', { conditions: { ifMatch: md5('one') } }),
        object('k', 'four', { conditions: { ifMatch: md5('one') } }),
      ]);
      const refused = 'PreconditionFailed';
      expect(returned(outcomes)).toEqual([md5('one'), refused, md5('three'), refused]);
      const versions = await allVersions(subject.store, { bucket });
      expect(versions.map((each) => 'etag' in each && each.etag)).toEqual([
        md5('three'),
        md5('one'),
      ]);
    });

    test('a bulk write into a missing bucket fails with NoSuchBucket for each object', async () => {
      const outcomes = await putAll('bucket-that-is-missing', [object('a'), object('b')]);
      expect(returned(outcomes)).toEqual(['NoSuchBucket', 'NoSuchBucket']);
    });

    test('a bulk write without objects returns an empty list', async () => {
      expect(await putAll(await subject.bucket(), [])).toEqual([]);
    });

    test('a bulk write at its limits succeeds, and a bulk write beyond any limit puts nothing', async () => {
      const { limits } = writer();
      const [bucket, other] = [await subject.bucket(), await subject.bucket()];
      const filled = (count: number, sizeBytes: number) => {
        const bytes = Buffer.alloc(sizeBytes, 'x');
        return Array.from({ length: count }, (_, index) => ({ key: `k${index}`, bytes }));
      };
      const largest = Math.floor(limits.bytes / limits.bytesPerObject);
      for (const objects of [
        filled(limits.objects + 1, 1),
        filled(1, limits.bytesPerObject + 1),
        filled(largest + 1, limits.bytesPerObject),
      ])
        await expectRefusal(putAll(bucket, objects), 'InvalidArgument');
      await expectNoTrace(subject.store, bucket);
      for (const objects of [filled(limits.objects, 1), filled(largest, limits.bytesPerObject)])
        expect((await putAll(other, objects)).some((each) => isStorageError(each))).toBe(false);
    });

    test('a bulk write that was aborted before it begins puts nothing', async () => {
      const bucket = await subject.bucket();
      const reason = new Error('stop');
      const write = putAll(bucket, [object('a')], { signal: AbortSignal.abort(reason) });
      await expect(write).rejects.toBe(reason);
      await expectNoTrace(subject.store, bucket);
    });
  });
}
