/** Contract tests of ListParts and ListMultipartUploads. */

import { describe, expect, test } from 'vitest';

import type { UploadRef } from '../../../src/object-store/multipart.ts';
import { md5 } from './subject.ts';
import type { Subject } from './subject.ts';
import { uploadSteps } from './upload-steps.ts';

export function testUploadListings(subject: Subject): void {
  const { begin, add } = uploadSteps(subject);

  describe('listings of parts', () => {
    test('listParts returns the parts of a multipart upload sorted by number, also in pages', async () => {
      const upload = await begin();
      for (const partNumber of [10_000, 3, 1, 20]) await add(upload, partNumber, `${partNumber}`);
      const { parts, ...rest } = await subject.store.listParts(upload);
      expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 3, 20, 10_000]);
      expect(parts[1]).toMatchObject({ etag: md5('3'), sizeBytes: 1 });
      expect(rest).not.toHaveProperty('nextPartNumberMarker');
      const page = await subject.store.listParts({ ...upload, maxParts: 2 });
      expect(page.parts.map(({ partNumber }) => partNumber)).toEqual([1, 3]);
      expect(page.nextPartNumberMarker).toBe(3);
      const next = await subject.store.listParts({ ...upload, maxParts: 2, partNumberMarker: 3 });
      expect(next.parts.map(({ partNumber }) => partNumber)).toEqual([20, 10_000]);
      expect(next).not.toHaveProperty('nextPartNumberMarker');
    });
  });

  describe('listings of multipart uploads', () => {
    test('listUploads returns multipart uploads sorted by key and start time, with a prefix and in pages', async () => {
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

    test('listUploads with a delimiter groups multipart uploads by common prefix, also in pages', async () => {
      const bucket = await subject.bucket();
      for (const key of ['a', 'b/1', 'b/1', 'b/2', 'c', 'd/e/1', 'd/f']) await begin(key, bucket);
      const list = (more: object) => subject.store.listUploads({ bucket, delimiter: '/', ...more });
      const whole = await list({});
      expect(whole.uploads.map(({ key }) => key)).toEqual(['a', 'c']);
      expect(whole.commonPrefixes).toEqual(['b/', 'd/']);
      expect(whole).not.toHaveProperty('next');
      expect((await list({ prefix: 'd/' })).commonPrefixes).toEqual(['d/e/']);
      expect((await list({ prefix: 'd/' })).uploads.map(({ key }) => key)).toEqual(['d/f']);
      expect((await list({ keyMarker: 'b/1' })).commonPrefixes).toEqual(['d/']);
      const paged: string[] = [];
      let next: { keyMarker?: string; uploadIdMarker?: string } | undefined = {};
      for (let pages = 0; next && pages < 20; pages++) {
        const page = await list({ maxUploads: 1, ...next });
        paged.push(...page.uploads.map(({ key }) => key), ...page.commonPrefixes);
        next = page.next;
      }
      expect(paged).toEqual(['a', 'b/', 'c', 'd/']);
    });

    test('listUploads with only a key marker continues with the next key', async () => {
      const bucket = await subject.bucket();
      for (const key of ['a', 'a', 'b']) await begin(key, bucket);
      const { uploads } = await subject.store.listUploads({ bucket, keyMarker: 'a' });
      expect(uploads.map(({ key }) => key)).toEqual(['b']);
    });
  });
}
