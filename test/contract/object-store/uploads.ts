/** Contract tests of the parts, the completion and the abort of multipart uploads. */

import { describe, expect, test } from 'vitest';

import { multipartEtag } from '../../../src/object-store/rules/multipart.ts';
import {
  expectNoTrace,
  expectRefusal,
  KIB,
  md5,
  MIN_PART_BYTES,
  newBucketName,
  noise,
} from './subject.ts';
import { put, read, readText, sha256, streamBody } from './subject.ts';
import type { Subject } from './subject.ts';
import { uploadSteps } from './upload-steps.ts';

const PART = noise(MIN_PART_BYTES);
const ATTRIBUTES = { contentType: 'text/plain', metadata: { a: '1', b: 'ä' } };

export function testUploads(subject: Subject): void {
  const { begin, add, complete } = uploadSteps(subject);

  describe('multipart uploads', () => {
    test('a multipart upload joins its parts in the order of their numbers, not of their arrival', async () => {
      const upload = await begin();
      const last = await add(upload, 9, 'the end');
      const first = await add(upload, 2, PART);
      const { etag, versionId } = await complete(upload, [first, last]);
      expect(etag).toBe(multipartEtag([md5(PART), md5('the end')]));
      const { info } = await subject.store.headObject(upload);
      expect(info).toMatchObject({ etag, versionId, sizeBytes: MIN_PART_BYTES + 7 });
      const bytes = await read(subject.store, upload);
      expect(bytes.equals(Buffer.concat([PART, Buffer.from('the end')]))).toBe(true);
    });

    test('a ranged GET of a multipart object can cross the border between two parts', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, PART), await add(upload, 2, noise(100 * KIB))];
      await complete(upload, parts);
      const whole = Buffer.concat([PART, noise(100 * KIB)]);
      for (const first of [MIN_PART_BYTES - 10, MIN_PART_BYTES, MIN_PART_BYTES - 70 * KIB]) {
        const range = { first, last: first + 80 * KIB };
        const bytes = await read(subject.store, { ...upload, range });
        expect(bytes.equals(whole.subarray(first, range.last + 1))).toBe(true);
      }
    });

    test.each(['', 'small'])(
      'a multipart upload with one part with the content %j creates an object',
      async (text) => {
        const upload = await begin();
        const { etag } = await complete(upload, [await add(upload, 1, text)]);
        expect(etag).toBe(multipartEtag([md5(text)]));
        expect(await readText(subject.store, upload)).toBe(text);
      },
    );

    test('[mpu-12] a multipart upload creates no visible object before its completion', async () => {
      const upload = await begin();
      await put(subject.store, upload, 'before');
      const part = await add(upload, 1, 'after');
      expect(await readText(subject.store, upload)).toBe('before');
      expect((await subject.store.listVersions({ bucket: upload.bucket })).versions).toHaveLength(
        1,
      );
      await complete(upload, [part]);
      expect(await readText(subject.store, upload)).toBe('after');
      expect((await subject.store.listVersions({ bucket: upload.bucket })).versions).toHaveLength(
        2,
      );
    });

    test('a multipart object has the attributes with which its upload was created', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const { uploadId } = await subject.store.createUpload({ ...ref, attributes: ATTRIBUTES });
      await complete({ ...ref, uploadId }, [await add({ ...ref, uploadId }, 1, 'text')]);
      expect((await subject.store.headObject(ref)).info).toMatchObject(ATTRIBUTES);
    });

    test('a completion joins the listed parts and discards the other parts', async () => {
      const upload = await begin();
      const part = await add(upload, 2, 'kept');
      await add(upload, 1, 'dropped');
      await add(upload, 3, 'dropped');
      await complete(upload, [part]);
      expect(await readText(subject.store, upload)).toBe('kept');
    });

    test('a part that is uploaded again replaces the previous part with its number', async () => {
      const upload = await begin();
      const old = await add(upload, 1, 'old');
      const part = await add(upload, 1, 'new');
      await expectRefusal(complete(upload, [old]), 'InvalidPart');
      await complete(upload, [part]);
      expect(await readText(subject.store, upload)).toBe('new');
    });

    test('a repeated completion returns the same result and creates no second version', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, 'text')];
      const first = await complete(upload, parts);
      expect(await complete(upload, parts)).toEqual(first);
      expect((await subject.store.listVersions({ bucket: upload.bucket })).versions).toHaveLength(
        1,
      );
    });

    test('a completed multipart upload accepts no parts, and can be neither aborted nor listed', async () => {
      const upload = await begin();
      await complete(upload, [await add(upload, 1, 'text')]);
      await expectRefusal(add(upload, 2, 'more'), 'NoSuchUpload');
      await expectRefusal(subject.store.abortUpload(upload), 'NoSuchUpload');
      await expectRefusal(subject.store.listParts(upload), 'NoSuchUpload');
      expect((await subject.store.listUploads({ bucket: upload.bucket })).uploads).toEqual([]);
    });

    test('an aborted multipart upload no longer exists, and its parts are deleted', async () => {
      const upload = await begin();
      const part = await add(upload, 1, 'text');
      await subject.store.abortUpload(upload);
      await expectRefusal(add(upload, 2, 'more'), 'NoSuchUpload');
      await expectRefusal(complete(upload, [part]), 'NoSuchUpload');
      await expectRefusal(subject.store.listParts(upload), 'NoSuchUpload');
      await expectRefusal(subject.store.abortUpload(upload), 'NoSuchUpload');
      await expectNoTrace(subject.store, upload.bucket);
    });

    test('an upload id is valid only with its own bucket and key', async () => {
      const upload = await begin();
      const wrong = { ...upload, key: 'other' };
      await expectRefusal(add(wrong, 1, 'text'), 'NoSuchUpload');
      await expectRefusal(subject.store.abortUpload(wrong), 'NoSuchUpload');
      await expectRefusal(complete(wrong, [{ partNumber: 1, etag: md5('') }]), 'NoSuchUpload');
      expect((await subject.store.listUploads({ bucket: upload.bucket })).uploads).toHaveLength(1);
    });

    test.each(['forged', '../../x', 'a b'])(
      'a call with the upload id %j fails with NoSuchUpload',
      async (uploadId) => {
        const upload = { bucket: await subject.bucket(), key: 'k', uploadId };
        await expectRefusal(add(upload, 1, 'text'), 'NoSuchUpload');
        await expectRefusal(subject.store.abortUpload(upload), 'NoSuchUpload');
      },
    );

    test('a multipart upload in a missing bucket fails with NoSuchBucket', async () => {
      const ref = { bucket: newBucketName(), key: 'k' };
      await expectRefusal(subject.store.createUpload(ref), 'NoSuchBucket');
    });

    test('a multipart upload cannot be created with a key of 1,025 bytes or with too much metadata', async () => {
      const bucket = await subject.bucket();
      const long = subject.store.createUpload({ bucket, key: 'k'.repeat(1025) });
      await expectRefusal(long, 'KeyTooLongError');
      const attributes = { metadata: { a: 'x'.repeat(2048) } };
      const large = subject.store.createUpload({ bucket, key: 'k', attributes });
      await expectRefusal(large, 'MetadataTooLarge');
      await expectNoTrace(subject.store, bucket);
    });

    test.each([0, -1, 10_001])(
      'a multipart upload rejects a part with the number %i',
      async (partNumber) => {
        await expectRefusal(add(await begin(), partNumber, 'text'), 'InvalidArgument');
      },
    );

    test('a multipart upload does not store a part with a wrong SHA-256 or a broken stream', async () => {
      const upload = await begin();
      const body = streamBody(Buffer.from('text'), { sizeBytes: 4, sha256: sha256('other') });
      const attempt = subject.store.uploadPart({ ...upload, partNumber: 1, body });
      await expectRefusal(attempt, 'XAmzContentSHA256Mismatch', 'BadDigest');
      const broken = {
        replayable: false,
        sizeBytes: 100,
        open: async function* () {
          yield Buffer.alloc(50);
          throw new Error('the disk broke');
        },
      };
      const failed = subject.store.uploadPart({ ...upload, partNumber: 2, body: broken });
      await expect(failed).rejects.toThrow('the disk broke');
      expect((await subject.store.listParts(upload)).parts).toEqual([]);
    });
  });
}
