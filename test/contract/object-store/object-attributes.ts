/** Contract tests of GetObjectAttributes, and of reads by part number. */

import { describe, expect, test } from 'vitest';

import { defined } from '../../../src/base/defined.ts';
import type { ChecksumAlgorithm } from '../../../src/object-store/checksum.ts';
import { checksumOf } from '../../../src/object-store/checksums/running-checksum.ts';
import {
  OBJECT_ATTRIBUTE_NAMES,
  type ObjectPart,
} from '../../../src/object-store/object-attributes.ts';
import { expectRefusal, md5, MIN_PART_BYTES, newBucketName, noise } from './subject.ts';
import { put, putVersion, read } from './subject.ts';
import type { Subject } from './subject.ts';
import { uploadSteps } from './upload-steps.ts';

const PART = noise(MIN_PART_BYTES);

export function testObjectAttributes(subject: Subject): void {
  const { begin, add, complete } = uploadSteps(subject);

  /**
   * Creates a multipart object with the parts 2, 5 and 9. The last part has three bytes. The tests share one
   * object for each algorithm and only read it.
   */
  async function makeInParts(checksumAlgorithm?: ChecksumAlgorithm) {
    const ref = { bucket: newBucketName(), key: 'k' };
    await subject.store.createBucket(ref);
    const { uploadId } = await subject.store.createUpload(defined({ ...ref, checksumAlgorithm }));
    const upload = { ...ref, uploadId };
    const pieces = new Map<number, Uint8Array>([
      [2, PART],
      [5, PART.map((byte) => byte ^ 1)],
      [9, Buffer.from('end')],
    ]);
    const parts = [];
    for (const [number, bytes] of pieces) parts.push(await add(upload, number, bytes));
    return { ref, pieces, done: await complete(upload, parts) };
  }

  const made = new Map<ChecksumAlgorithm | undefined, ReturnType<typeof makeInParts>>();
  const inParts = (algorithm?: ChecksumAlgorithm) => {
    const object = made.get(algorithm) ?? makeInParts(algorithm);
    made.set(algorithm, object);
    return object;
  };

  describe('GetObjectAttributes', () => {
    test('getObjectAttributes returns only the requested attributes', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const { etag, checksum, versionId } = await put(subject.store, ref, 'hello');
      const get = (...wanted: (typeof OBJECT_ATTRIBUTE_NAMES)[number][]) =>
        subject.store.getObjectAttributes({ ...ref, wanted });
      const { lastModifiedAt } = (await subject.store.headObject(ref)).info;
      const always = { lastModifiedAt, versionId };
      expect(await get('ETag')).toEqual({ ...always, etag });
      expect(await get('ObjectSize')).toEqual({ ...always, sizeBytes: 5 });
      expect(await get('ObjectParts')).toEqual(always);
      expect(await get(...OBJECT_ATTRIBUTE_NAMES)).toEqual({
        ...always,
        etag,
        checksum,
        storageClass: 'STANDARD',
        sizeBytes: 5,
      });
      await expectRefusal(get(), 'InvalidArgument');
    });

    test('getObjectAttributes returns the attributes of the version that the request names', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const versionId = await putVersion(subject.store, ref, 'old');
      await putVersion(subject.store, ref, 'other');
      const wanted = ['ETag', 'ObjectSize'] as const;
      const old = await subject.store.getObjectAttributes({ ...ref, versionId, wanted });
      expect(old).toMatchObject({ versionId, etag: md5('old'), sizeBytes: 3 });
    });

    test('getObjectAttributes fails with the same errors as a GET', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const get = (more: { versionId?: string } = {}) =>
        subject.store.getObjectAttributes({ ...ref, ...more, wanted: ['ETag'] });
      await expectRefusal(get(), 'NoSuchKey');
      const versionId = await putVersion(subject.store, ref, 'text');
      const marker = await subject.store.deleteObject(ref);
      await expectRefusal(get(), 'NoSuchKey');
      await expectRefusal(get({ versionId: String(marker.versionId) }), 'MethodNotAllowed');
      await subject.store.deleteObject({ ...ref, versionId });
      await expectRefusal(get({ versionId }), 'NoSuchVersion');
      await expectRefusal(get({ versionId: 'no id' }), 'InvalidArgument');
    });

    test.each([undefined, 'SHA1'] as const)(
      'getObjectAttributes returns the parts and their checksums, also in pages: %s',
      async (checksumAlgorithm) => {
        const { ref, pieces, done } = await inParts(checksumAlgorithm);
        const algorithm = done.checksum?.algorithm ?? 'CRC32';
        const expected = [...pieces].map(([partNumber, bytes]): ObjectPart => ({
          partNumber,
          sizeBytes: bytes.length,
          checksum: { algorithm, value: checksumOf(algorithm, bytes) },
        }));
        const wanted = ['ObjectParts', 'Checksum'] as const;
        const whole = await subject.store.getObjectAttributes({ ...ref, wanted });
        expect(whole.parts).toEqual({ totalCount: 3, parts: expected });
        expect(whole.checksum).toEqual(done.checksum);
        const page = { ...ref, wanted, maxParts: 2 };
        const first = await subject.store.getObjectAttributes(page);
        expect(first.parts).toEqual({
          totalCount: 3,
          parts: expected.slice(0, 2),
          nextPartNumberMarker: 5,
        });
        const rest = await subject.store.getObjectAttributes({ ...page, partNumberMarker: 5 });
        expect(rest.parts).toEqual({ totalCount: 3, parts: expected.slice(2) });
      },
    );

    test('getObjectAttributes omits part checksums if a copy changed the checksum algorithm', async () => {
      const { ref } = await inParts('SHA1');
      const target = { bucket: ref.bucket, key: 'to' };
      await subject.store.copyObject({ source: ref, ...target, checksumAlgorithm: 'CRC32C' });
      const { parts } = await subject.store.getObjectAttributes({
        ...target,
        wanted: ['ObjectParts'],
      });
      expect(parts?.parts.map(({ partNumber }) => partNumber)).toEqual([2, 5, 9]);
      expect(parts?.parts.some((part) => 'checksum' in part)).toBe(false);
    });
  });

  describe('GET by part number', () => {
    test('a GET with a part number returns the bytes and the checksum of that part', async () => {
      const { ref, pieces, done } = await inParts('SHA1');
      let first = 0;
      for (const [partNumber, bytes] of pieces) {
        const request = { ...ref, partNumber, withChecksum: true };
        const range = { first, last: first + bytes.length - 1 };
        first += bytes.length;
        const head = await subject.store.headObject(request);
        expect(head).toMatchObject({ range, partsCount: 3 });
        expect(head.info.etag).toBe(done.etag);
        expect(head.info.sizeBytes).toBe(2 * PART.length + 3);
        expect(head.info.checksum).toMatchObject({
          algorithm: 'SHA1',
          value: checksumOf('SHA1', bytes),
        });
        expect((await read(subject.store, request)).equals(bytes)).toBe(true);
      }
    });

    test.each([1, 3, 10, 10_000])(
      'a GET of part %i of an object that does not have this part is rejected',
      async (partNumber) => {
        const { ref } = await inParts();
        for (const attempt of [
          subject.store.headObject({ ...ref, partNumber }),
          subject.store.getObject({ ...ref, partNumber }),
        ]) {
          await expectRefusal(attempt, 'InvalidPartNumber', 'InvalidRange');
        }
      },
    );

    test('part 1 of an object from a single put is the whole object', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      for (const size of [10, 100_000]) {
        await put(subject.store, ref, noise(size));
        const content = await subject.store.getObject({ ...ref, partNumber: 1 });
        for await (const _ of content.body);
        expect(content.range).toEqual({ first: 0, last: size - 1 });
        expect(content).not.toHaveProperty('partsCount');
        expect((await read(subject.store, { ...ref, partNumber: 1 })).equals(noise(size))).toBe(
          true,
        );
        await expectRefusal(
          subject.store.getObject({ ...ref, partNumber: 2 }),
          'InvalidPartNumber',
        );
      }
    });

    test('a GET of part 1 of an empty object returns no bytes', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, '');
      expect(await subject.store.headObject({ ...ref, partNumber: 1 })).not.toHaveProperty('range');
      expect(await read(subject.store, { ...ref, partNumber: 1 })).toHaveLength(0);
      const upload = await begin();
      await complete(upload, [await add(upload, 1, '')]);
      const head = await subject.store.headObject({ ...upload, partNumber: 1 });
      expect([head.info.sizeBytes, head.partsCount]).toEqual([0, 1]);
    });

    test('a GET of an empty part returns no bytes', async () => {
      const upload = await begin();
      await complete(upload, [await add(upload, 1, PART), await add(upload, 2, '')]);
      expect(await read(subject.store, { ...upload, partNumber: 2 })).toHaveLength(0);
    });

    test('a GET with both a part number and a range fails with InvalidRequest', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, ref, 'hello');
      const request = { ...ref, partNumber: 1, range: { first: 1 } };
      await expectRefusal(subject.store.getObject(request), 'InvalidRequest');
    });

    test('a GET with a part number and a condition checks the condition first', async () => {
      const { ref, done } = await inParts();
      const request = { ...ref, partNumber: 3, conditions: { ifMatch: ['other'] } };
      await expectRefusal(subject.store.getObject(request), 'PreconditionFailed');
      const held = { ...ref, partNumber: 9, conditions: { ifMatch: [done.etag] } };
      expect((await read(subject.store, held)).toString()).toBe('end');
    });
  });
}
