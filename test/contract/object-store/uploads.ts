/** Claims about multipart uploads: nothing is seen before the completion, and all of it after. */

import { describe, expect, test } from 'vitest';

import type { UploadRef } from '../../../src/object-store/object-store.ts';
import { multipartEtag } from '../../../src/object-store/rules/multipart.ts';
import { expectNoTrace, expectRefusal, KIB, md5, MIB, newBucketName, noise } from './subject.ts';
import { put, read, readText, sha256, streamBody } from './subject.ts';
import type { Subject } from './subject.ts';

const PART = noise(5 * MIB);
const ATTRIBUTES = { contentType: 'text/plain', metadata: { a: '1', b: 'ä' } };

export function testUploads(subject: Subject): void {
  const begin = async (key = 'k', bucket?: string): Promise<UploadRef> => {
    const ref = { bucket: bucket ?? (await subject.bucket('Enabled')), key };
    return { ...ref, ...(await subject.store.createUpload(ref)) };
  };
  const add = async (upload: UploadRef, partNumber: number, bytes: Uint8Array | string) => {
    const body = streamBody(Buffer.from(bytes), { sizeBytes: bytes.length });
    const { etag } = await subject.store.uploadPart({ ...upload, partNumber, body });
    expect(etag).toBe(md5(bytes));
    return { partNumber, etag };
  };
  const complete = (upload: UploadRef, parts: readonly { partNumber: number; etag: string }[]) =>
    subject.store.completeUpload({ ...upload, parts });

  describe('a multipart upload', () => {
    test('joins its parts by their numbers, not by when they came', async () => {
      const upload = await begin();
      const last = await add(upload, 9, 'the end');
      const first = await add(upload, 2, PART);
      const { etag, versionId } = await complete(upload, [first, last]);
      expect(etag).toBe(multipartEtag([md5(PART), md5('the end')]));
      const { info } = await subject.store.headObject(upload);
      expect(info).toMatchObject({ etag, versionId, sizeBytes: 5 * MIB + 7 });
      const bytes = await read(subject.store, upload);
      expect(bytes.equals(Buffer.concat([PART, Buffer.from('the end')]))).toBe(true);
    });

    test('is read by ranges across the border of its parts', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, PART), await add(upload, 2, noise(100 * KIB))];
      await complete(upload, parts);
      const whole = Buffer.concat([PART, noise(100 * KIB)]);
      for (const first of [5 * MIB - 10, 5 * MIB, 5 * MIB - 70 * KIB]) {
        const range = { first, last: first + 80 * KIB };
        const bytes = await read(subject.store, { ...upload, range });
        expect(bytes.equals(whole.subarray(first, range.last + 1))).toBe(true);
      }
    });

    test.each(['', 'small'])('of the one part %j is an object', async (text) => {
      const upload = await begin();
      const { etag } = await complete(upload, [await add(upload, 1, text)]);
      expect(etag).toBe(multipartEtag([md5(text)]));
      expect(await readText(subject.store, upload)).toBe(text);
    });

    test('cannot be seen before it is complete', async () => {
      const upload = await begin();
      await put(subject.store, upload, 'before');
      const part = await add(upload, 1, 'after');
      expect(await readText(subject.store, upload)).toBe('before');
      expect((await subject.store.listVersions(upload)).versions).toHaveLength(1);
      await complete(upload, [part]);
      expect(await readText(subject.store, upload)).toBe('after');
      expect((await subject.store.listVersions(upload)).versions).toHaveLength(2);
    });

    test('has the attributes that it was created with', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const { uploadId } = await subject.store.createUpload({ ...ref, attributes: ATTRIBUTES });
      await complete({ ...ref, uploadId }, [await add({ ...ref, uploadId }, 1, 'text')]);
      expect((await subject.store.headObject(ref)).info).toMatchObject(ATTRIBUTES);
    });

    test('takes the parts that the completion lists and drops the others', async () => {
      const upload = await begin();
      const part = await add(upload, 2, 'kept');
      await add(upload, 1, 'dropped');
      await add(upload, 3, 'dropped');
      await complete(upload, [part]);
      expect(await readText(subject.store, upload)).toBe('kept');
    });

    test('has the last bytes of a part that was uploaded again', async () => {
      const upload = await begin();
      const old = await add(upload, 1, 'old');
      const part = await add(upload, 1, 'new');
      await expectRefusal(complete(upload, [old]), 'InvalidPart');
      await complete(upload, [part]);
      expect(await readText(subject.store, upload)).toBe('new');
    });

    test('may be completed twice, with one version and the same answer', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, 'text')];
      const first = await complete(upload, parts);
      expect(await complete(upload, parts)).toEqual(first);
      expect((await subject.store.listVersions(upload)).versions).toHaveLength(1);
    });

    test('that is completed takes no more parts, and cannot be aborted or listed', async () => {
      const upload = await begin();
      await complete(upload, [await add(upload, 1, 'text')]);
      await expectRefusal(add(upload, 2, 'more'), 'NoSuchUpload');
      await expectRefusal(subject.store.abortUpload(upload), 'NoSuchUpload');
      await expectRefusal(subject.store.listParts(upload), 'NoSuchUpload');
      expect((await subject.store.listUploads(upload)).uploads).toEqual([]);
    });

    test('that is aborted is gone with its parts', async () => {
      const upload = await begin();
      const part = await add(upload, 1, 'text');
      await subject.store.abortUpload(upload);
      await expectRefusal(add(upload, 2, 'more'), 'NoSuchUpload');
      await expectRefusal(complete(upload, [part]), 'NoSuchUpload');
      await expectRefusal(subject.store.listParts(upload), 'NoSuchUpload');
      await expectRefusal(subject.store.abortUpload(upload), 'NoSuchUpload');
      await expectNoTrace(subject.store, upload.bucket);
    });

    test('is known by its bucket and key too', async () => {
      const upload = await begin();
      const wrong = { ...upload, key: 'other' };
      await expectRefusal(add(wrong, 1, 'text'), 'NoSuchUpload');
      await expectRefusal(subject.store.abortUpload(wrong), 'NoSuchUpload');
      await expectRefusal(complete(wrong, [{ partNumber: 1, etag: md5('') }]), 'NoSuchUpload');
      expect((await subject.store.listUploads(upload)).uploads).toHaveLength(1);
    });

    test.each(['forged', '../../x', 'a b'])('with the id %j is NoSuchUpload', async (uploadId) => {
      const upload = { bucket: await subject.bucket(), key: 'k', uploadId };
      await expectRefusal(add(upload, 1, 'text'), 'NoSuchUpload');
      await expectRefusal(subject.store.abortUpload(upload), 'NoSuchUpload');
    });

    test('in a bucket that does not exist is NoSuchBucket', async () => {
      const ref = { bucket: newBucketName(), key: 'k' };
      await expectRefusal(subject.store.createUpload(ref), 'NoSuchBucket');
    });

    test('with a key of 1025 bytes or too much metadata is refused when it is created', async () => {
      const bucket = await subject.bucket();
      const long = subject.store.createUpload({ bucket, key: 'k'.repeat(1025) });
      await expectRefusal(long, 'KeyTooLongError');
      const attributes = { metadata: { a: 'x'.repeat(2048) } };
      const large = subject.store.createUpload({ bucket, key: 'k', attributes });
      await expectRefusal(large, 'MetadataTooLarge');
      await expectNoTrace(subject.store, bucket);
    });

    test.each([0, -1, 10_001])('has no part of number %i', async (partNumber) => {
      await expectRefusal(add(await begin(), partNumber, 'text'), 'InvalidArgument');
    });

    test('keeps no part whose bytes have another SHA-256, or whose stream broke', async () => {
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

  describe('a completion', () => {
    test('refuses a wrong list of parts and leaves the upload as it was', async () => {
      const upload = await begin();
      const parts = [
        await add(upload, 1, PART),
        await add(upload, 2, 'b'),
        await add(upload, 3, 'c'),
      ];
      const [a, b, c] = parts as [(typeof parts)[0], (typeof parts)[0], (typeof parts)[0]];
      await expectRefusal(complete(upload, []), 'MalformedXML');
      await expectRefusal(complete(upload, [b, a]), 'InvalidPartOrder');
      await expectRefusal(complete(upload, [a, a]), 'InvalidPartOrder');
      await expectRefusal(complete(upload, [a, { ...b, partNumber: 4 }]), 'InvalidPart');
      await expectRefusal(complete(upload, [a, { ...b, etag: md5('x') }]), 'InvalidPart');
      const small = await expectRefusal(complete(upload, [a, b, c]), 'EntityTooSmall');
      expect(Number(small.details.PartNumber)).toBe(2);
      expect((await subject.store.listParts(upload)).parts).toHaveLength(3);
      await complete(upload, [a, c]);
      expect((await subject.store.headObject(upload)).info.sizeBytes).toBe(5 * MIB + 1);
    });

    test('with If-None-Match: * fails when the key exists, and may be tried again without', async () => {
      const upload = await begin();
      await put(subject.store, upload, 'before');
      const parts = [await add(upload, 1, 'after')];
      const conditions = { ifNoneMatch: '*' as const };
      const attempt = subject.store.completeUpload({ ...upload, parts, conditions });
      await expectRefusal(attempt, 'PreconditionFailed');
      expect(await readText(subject.store, upload)).toBe('before');
      await complete(upload, parts);
      expect(await readText(subject.store, upload)).toBe('after');
    });

    test('with If-Match wants the current object to match', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, 'after')];
      const completeIf = (ifMatch: string) =>
        subject.store.completeUpload({ ...upload, parts, conditions: { ifMatch } });
      await expectRefusal(completeIf(md5('before')), 'NoSuchKey');
      await put(subject.store, upload, 'before');
      await expectRefusal(completeIf(md5('other')), 'PreconditionFailed');
      await completeIf(md5('before'));
    });

    test('in parallel with an abort: one wins, the other is NoSuchUpload', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, 'text')];
      const [completed, aborted] = await Promise.allSettled([
        complete(upload, parts),
        subject.store.abortUpload(upload),
      ]);
      expect([completed.status, aborted.status].sort()).toEqual(['fulfilled', 'rejected']);
      const { versions } = await subject.store.listVersions(upload);
      expect(versions).toHaveLength(completed.status === 'fulfilled' ? 1 : 0);
    });

    test('of 8 uploads with If-None-Match: * exactly one wins', async () => {
      const bucket = await subject.bucket('Enabled');
      const uploads = await Promise.all(Array.from({ length: 8 }, () => begin('k', bucket)));
      const conditions = { ifNoneMatch: '*' as const };
      const attempts = await Promise.allSettled(
        uploads.map(async (upload) => {
          const parts = [await add(upload, 1, upload.uploadId)];
          return subject.store.completeUpload({ ...upload, parts, conditions });
        }),
      );
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await subject.store.listVersions({ bucket })).versions).toHaveLength(1);
    });
  });

  describe('the parts of an upload', () => {
    test('are listed by number, in pages too', async () => {
      const upload = await begin();
      for (const partNumber of [10_000, 3, 1, 20]) await add(upload, partNumber, `${partNumber}`);
      const { parts, ...rest } = await subject.store.listParts(upload);
      expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 3, 20, 10_000]);
      expect(parts[1]).toMatchObject({ etag: md5('3'), sizeBytes: 1 });
      expect(rest).toEqual({});
      const page = await subject.store.listParts({ ...upload, maxParts: 2 });
      expect(page.parts.map(({ partNumber }) => partNumber)).toEqual([1, 3]);
      expect(page.nextPartNumberMarker).toBe(3);
      const next = await subject.store.listParts({ ...upload, maxParts: 2, partNumberMarker: 3 });
      expect(next.parts.map(({ partNumber }) => partNumber)).toEqual([20, 10_000]);
      expect(next).not.toHaveProperty('nextPartNumberMarker');
    });
  });

  describe('the uploads of a bucket', () => {
    test('are listed by key, then as they began, with prefix and in pages too', async () => {
      const bucket = await subject.bucket();
      const made: UploadRef[] = [];
      for (const key of ['b', 'a/2', 'a/1', 'a/1', '😀', 'Ａ']) made.push(await begin(key, bucket));
      const [b, a2, first, second, emoji, wide] = made.map(({ uploadId }) => uploadId);
      const order = [first, second, a2, b, wide, emoji];
      const idsOf = (page: { uploads: readonly { uploadId: string }[] }) =>
        page.uploads.map(({ uploadId }) => uploadId);
      const whole = await subject.store.listUploads({ bucket });
      expect(idsOf(whole)).toEqual(order);
      expect(whole).not.toHaveProperty('next');
      expect(Math.abs(Number(whole.uploads[0]?.initiatedAt) - subject.now())).toBeLessThan(60_000);
      const below = await subject.store.listUploads({ bucket, prefix: 'a/' });
      expect(idsOf(below)).toEqual([first, second, a2]);
      const paged: string[] = [];
      let next: { keyMarker?: string; uploadIdMarker?: string } | undefined = {};
      for (let pages = 0; next && pages < 20; pages++) {
        const page = await subject.store.listUploads({ bucket, maxUploads: 1, ...next });
        paged.push(...idsOf(page));
        next = page.next;
      }
      expect(paged).toEqual(order);
    });

    test('go on after a key marker alone with the next key', async () => {
      const bucket = await subject.bucket();
      for (const key of ['a', 'a', 'b']) await begin(key, bucket);
      const { uploads } = await subject.store.listUploads({ bucket, keyMarker: 'a' });
      expect(uploads.map(({ key }) => key)).toEqual(['b']);
    });
  });
}
