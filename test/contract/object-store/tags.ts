/** Contract tests of the tags of objects and buckets, and of the website redirect of an object. */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { Tag } from '../../../src/object-store/tags.ts';
import { expectRefusal, put, putVersion } from './subject.ts';
import type { Subject } from './subject.ts';

const tagsOf = (pairs: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(pairs).map(([key, value]) => ({ key, value }));
const HARD = tagsOf({ 'a b': 'c+d=e', 'grün/blau': '', 'x.y:z@_-': '1 0' });

export function testTags(subject: Subject): void {
  describe('tags of objects', () => {
    const tagged = async (tags: readonly Tag[]) => {
      const ref = { bucket: await subject.bucket(), key: 'a/b c' };
      await put(subject.store, ref, 'x', { tags });
      return ref;
    };
    const read = async (ref: { bucket: string; key: string; versionId?: string }) =>
      (await subject.store.getObjectTags(ref)).tags;
    const sorted = (tags: readonly Tag[]) => tags.map(({ key, value }) => `${key}=${value}`).sort();

    test('the store returns and counts the tags of a put', async () => {
      const ref = await tagged(HARD);
      expect(sorted(await read(ref))).toEqual(sorted(HARD));
      expect((await subject.store.headObject(ref)).info.tagCount).toBe(3);
    });

    test('an object that is put without tags has none', async () => {
      const ref = await tagged([]);
      expect(await read(ref)).toEqual([]);
      expect((await subject.store.headObject(ref)).info.tagCount).toBeUndefined();
    });

    test('[tag-12] putObjectTags replaces all tags of an object, and deleteObjectTags removes them', async () => {
      const ref = await tagged(tagsOf({ before: '1' }));
      await subject.store.putObjectTags({ ...ref, tags: HARD });
      expect(sorted(await read(ref))).toEqual(sorted(HARD));
      await subject.store.deleteObjectTags(ref);
      await subject.store.deleteObjectTags(ref);
      expect(await read(ref)).toEqual([]);
    });

    test('[tag-15] a put without tags removes the tags of the object that it replaces', async () => {
      const ref = await tagged(HARD);
      await put(subject.store, ref, 'y');
      expect(await read(ref)).toEqual([]);
    });

    test('[tag-11] each version of an object has its own tags, and tag calls return the version id', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const one = await putVersion(subject.store, ref, '1', { tags: tagsOf({ v: '1' }) });
      const two = await putVersion(subject.store, ref, '2', { tags: tagsOf({ v: '2' }) });
      const tags = tagsOf({ v: '3' });
      expect(await subject.store.putObjectTags({ ...ref, versionId: one, tags })).toEqual({
        versionId: one,
      });
      expect(await subject.store.getObjectTags({ ...ref, versionId: one })).toEqual({
        versionId: one,
        tags,
      });
      expect(await subject.store.getObjectTags(ref)).toEqual({
        versionId: two,
        tags: tagsOf({ v: '2' }),
      });
      expect(await subject.store.deleteObjectTags(ref)).toEqual({ versionId: two });
      expect([await read(ref), await read({ ...ref, versionId: one })]).toEqual([[], tags]);
    });

    test('[tag-18] a copy has the tags of its source, or the tags in its request, or none', async () => {
      const source = await tagged(HARD);
      const { bucket } = source;
      const copyWith = async (tags?: readonly Tag[]) => {
        await subject.store.copyObject({ bucket, key: 'copy', source, ...(tags && { tags }) });
        return sorted(await read({ bucket, key: 'copy' }));
      };
      expect(await copyWith()).toEqual(sorted(HARD));
      expect(await copyWith(tagsOf({ other: '1' }))).toEqual(['other=1']);
      expect(await copyWith([])).toEqual([]);
    });

    test('[tag-16] a multipart object has the tags with which its upload was created', async () => {
      const ref = { bucket: await subject.bucket(), key: 'k' };
      const { uploadId } = await subject.store.createUpload({ ...ref, tags: HARD });
      const part = { ...ref, uploadId, partNumber: 1 };
      const { etag } = await subject.store.uploadPart({ ...part, body: bytesBody('x') });
      await subject.store.completeUpload({ ...ref, uploadId, parts: [{ partNumber: 1, etag }] });
      expect(sorted(await read(ref))).toEqual(sorted(HARD));
    });

    test('[tag-7] a call with invalid tags is rejected and changes nothing', async () => {
      const ref = await tagged(tagsOf({ kept: '1' }));
      const wrong: readonly (readonly Tag[])[] = [
        tagsOf(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, '']))),
        [...tagsOf({ a: '1' }), ...tagsOf({ a: '2' })],
        tagsOf({ ['k'.repeat(129)]: '' }),
        tagsOf({ 'a&b': '' }),
      ];
      for (const tags of wrong) {
        await expectRefusal(subject.store.putObjectTags({ ...ref, tags }), 'InvalidTag');
        await expectRefusal(put(subject.store, ref, 'y', { tags }), 'InvalidTag');
      }
      expect(await read(ref)).toEqual(tagsOf({ kept: '1' }));
    });

    test('[tag-8] tag calls for a missing object or version fail with NoSuchKey or NoSuchVersion', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await expectRefusal(subject.store.getObjectTags(ref), 'NoSuchKey');
      const versionId = await putVersion(subject.store, ref, 'x');
      await subject.store.deleteObject({ ...ref, versionId });
      for (const attempt of [
        subject.store.getObjectTags({ ...ref, versionId }),
        subject.store.putObjectTags({ ...ref, versionId, tags: [] }),
        subject.store.deleteObjectTags({ ...ref, versionId }),
      ]) {
        await expectRefusal(attempt, 'NoSuchVersion');
      }
    });

    test('[tag-9] a delete marker cannot have tags', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'x');
      const { versionId = '' } = await subject.store.deleteObject(ref);
      for (const asked of [ref, { ...ref, versionId }]) {
        await expectRefusal(subject.store.getObjectTags(asked), 'MethodNotAllowed');
        await expectRefusal(
          subject.store.putObjectTags({ ...asked, tags: [] }),
          'MethodNotAllowed',
        );
      }
    });

    test('[tag-13] the tags of a locked version can be changed', async () => {
      const ref = { bucket: await subject.lockBucket(), key: 'k' };
      const retention = { mode: 'COMPLIANCE', retainUntil: subject.now() + 3_600_000 } as const;
      await put(subject.store, ref, 'x', { lock: { retention } });
      await subject.store.putObjectTags({ ...ref, tags: HARD });
      expect(sorted(await read(ref))).toEqual(sorted(HARD));
      expect((await subject.store.headObject(ref)).info.retention).toEqual(retention);
    });
  });

  describe('tags of buckets', () => {
    test('[tag-20] a put of bucket tags replaces all of them, and they can be read and removed', async () => {
      const bucket = await subject.bucket();
      await expectRefusal(subject.store.getBucketTags({ bucket }), 'NoSuchTagSet');
      await subject.store.putBucketTags({ bucket, tags: tagsOf({ a: '1' }) });
      await subject.store.putBucketTags({ bucket, tags: tagsOf({ b: '2' }) });
      expect(await subject.store.getBucketTags({ bucket })).toEqual(tagsOf({ b: '2' }));
      await subject.store.deleteBucketTags({ bucket });
      await expectRefusal(subject.store.getBucketTags({ bucket }), 'NoSuchTagSet');
    });

    test('bucket tags persist when the store is reopened', async ({ skip }) => {
      const bucket = await subject.bucket();
      await subject.store.putBucketTags({ bucket, tags: HARD });
      if (!(await subject.reopen())) skip('it cannot be opened again');
      expect(await subject.store.getBucketTags({ bucket })).toEqual(HARD);
    });
  });

  describe('website redirects of objects', () => {
    test('[meta-1] a copy has the website redirect of its source unless its request has another one', async () => {
      const source = { bucket: await subject.bucket(), key: 'a' };
      const { bucket } = source;
      const attributes = { websiteRedirect: '/elsewhere', contentType: 'text/plain' };
      await put(subject.store, source, 'x', { attributes });
      const returned = async (key: string) =>
        (await subject.store.headObject({ bucket, key })).info;
      expect(await returned('a')).toMatchObject(attributes);
      await subject.store.copyObject({ bucket, key: 'b', source });
      expect(await returned('b')).toMatchObject(attributes);
      const websiteRedirect = 'https://example.org/';
      await subject.store.copyObject({ bucket, key: 'b', source, websiteRedirect });
      expect(await returned('b')).toMatchObject({ ...attributes, websiteRedirect });
      await subject.store.copyObject({ bucket, key: 'a', source, websiteRedirect });
      expect(await returned('a')).toMatchObject({ ...attributes, websiteRedirect });
    });

    test('[meta-2] a website redirect must be a path or an HTTP URL', async () => {
      const ref = { bucket: await subject.bucket(), key: 'a' };
      for (const websiteRedirect of ['elsewhere', 'ftp://x/', 'javascript:alert(1)']) {
        const attributes = { websiteRedirect };
        await expectRefusal(
          put(subject.store, ref, 'x', { attributes }),
          'InvalidRedirectLocation',
        );
      }
    });
  });
}
