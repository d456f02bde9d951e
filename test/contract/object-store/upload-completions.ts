/** Contract tests of invalid, conditional and parallel completions of multipart uploads. */

import { describe, expect, test } from 'vitest';

import { expectRefusal, md5, MIN_PART_BYTES, noise, put, readText } from './subject.ts';
import type { Subject } from './subject.ts';
import { uploadSteps } from './upload-steps.ts';

export function testCompletions(subject: Subject): void {
  const { begin, add, complete } = uploadSteps(subject);

  describe('completions of multipart uploads', () => {
    test('a completion with an invalid list of parts is rejected and does not discard the upload', async () => {
      const upload = await begin();
      const parts = [
        await add(upload, 1, noise(MIN_PART_BYTES)),
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
      expect((await subject.store.headObject(upload)).info.sizeBytes).toBe(MIN_PART_BYTES + 1);
    });

    test('a completion with If-None-Match: * fails if the key exists, and a retry without the condition succeeds', async () => {
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

    test('a completion with If-Match compares the ETag of the existing object', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, 'after')];
      const completeIf = (ifMatch: string) =>
        subject.store.completeUpload({ ...upload, parts, conditions: { ifMatch } });
      await expectRefusal(completeIf(md5('before')), 'NoSuchKey');
      await put(subject.store, upload, 'before');
      await expectRefusal(completeIf(md5('other')), 'PreconditionFailed');
      await completeIf(md5('before'));
    });

    test('[mpu-13] if a completion and an abort run in parallel, one succeeds and the other fails', async () => {
      const upload = await begin();
      const parts = [await add(upload, 1, 'text')];
      const [completed, aborted] = await Promise.allSettled([
        complete(upload, parts),
        subject.store.abortUpload(upload),
      ]);
      expect([completed.status, aborted.status].sort()).toEqual(['fulfilled', 'rejected']);
      const { versions } = await subject.store.listVersions({ bucket: upload.bucket });
      expect(versions).toHaveLength(completed.status === 'fulfilled' ? 1 : 0);
    });

    test('exactly one of 8 parallel completions with If-None-Match: * succeeds', async () => {
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
}
