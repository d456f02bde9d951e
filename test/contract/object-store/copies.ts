/**
 * Contract tests of copies: the bytes and attributes of the source, and copies of an object onto
 * itself.
 */

import { describe, expect, test } from 'vitest';

import type { ReadConditions } from '../../../src/object-store/object-store.ts';
import { expectRefusal, md5, newBucketName, noise } from './subject.ts';
import { put, putVersion, read, readText } from './subject.ts';
import type { Subject } from './subject.ts';

const ATTRIBUTES = {
  contentType: 'text/plain',
  cacheControl: 'no-store',
  metadata: { a: '1', b: 'ä' },
};

export function testCopies(subject: Subject): void {
  describe('copies of objects', () => {
    test.each([0, 10, 100_000])('a copy of %i bytes has the bytes of its source', async (size) => {
      const bucket = await subject.bucket();
      const target = { bucket: await subject.bucket(), key: 'to' };
      const source = { bucket, key: 'from' };
      await put(subject.store, source, noise(size));
      const result = await subject.store.copyObject({ source, ...target });
      expect(result.etag).toBe(md5(noise(size)));
      expect(result).not.toHaveProperty('versionId');
      expect((await read(subject.store, target)).equals(noise(size))).toBe(true);
    });

    test('a copy remains unchanged when its source is overwritten or deleted', async () => {
      const bucket = await subject.bucket();
      const source = { bucket, key: 'from' };
      const bytes = noise(200_000);
      await put(subject.store, source, bytes);
      await subject.store.copyObject({ source, bucket, key: 'to' });
      await put(subject.store, source, 'other');
      await subject.store.deleteObject(source);
      expect((await read(subject.store, { bucket, key: 'to' })).equals(bytes)).toBe(true);
    });

    test('a copy has the attributes of its source, but its own modification time', async () => {
      const bucket = await subject.bucket();
      const source = { bucket, key: 'from' };
      await put(subject.store, source, 'text', { attributes: ATTRIBUTES });
      subject.opened.clock?.advance(5000);
      const result = await subject.store.copyObject({ source, bucket, key: 'to' });
      const { info } = await subject.store.headObject({ bucket, key: 'to' });
      expect(info).toMatchObject(ATTRIBUTES);
      expect(info.metadata).toEqual(ATTRIBUTES.metadata);
      const { lastModifiedAt } = (await subject.store.headObject(source)).info;
      expect(result.lastModifiedAt).toBeGreaterThanOrEqual(lastModifiedAt);
      if (subject.opened.clock) expect(info.lastModifiedAt - lastModifiedAt).toBe(5000);
    });

    test('a copy with attributes in its request has only those attributes', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'from' }, 'text', { attributes: ATTRIBUTES });
      const attributes = { contentType: 'text/html', metadata: { c: '3' } };
      const source = { bucket, key: 'from' };
      await subject.store.copyObject({ source, bucket, key: 'to', attributes });
      const { info } = await subject.store.headObject({ bucket, key: 'to' });
      expect(info).toMatchObject(attributes);
      expect(info.metadata).toEqual({ c: '3' });
      expect(info.cacheControl).toBeUndefined();
    });

    test.each(['a//b', '../x', 'a b+c%2F?', 'ä 😀', 'a\nb'])(
      'a copy treats the source key %j literally',
      async (key) => {
        const bucket = await subject.bucket();
        await put(subject.store, { bucket, key }, 'text');
        await subject.store.copyObject({ source: { bucket, key }, bucket, key: `${key}.copy` });
        expect(await readText(subject.store, { bucket, key: `${key}.copy` })).toBe('text');
      },
    );

    test('a copy of an object onto itself without a change fails with InvalidRequest', async () => {
      const source = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, source, 'text');
      await expectRefusal(subject.store.copyObject({ source, ...source }), 'InvalidRequest');
    });

    test('a copy of an object onto itself with attributes in the request changes the attributes', async () => {
      const source = { bucket: await subject.bucket(), key: 'k' };
      await put(subject.store, source, 'text', { attributes: ATTRIBUTES });
      await subject.store.copyObject({ source, ...source, attributes: { metadata: { c: '3' } } });
      expect((await subject.store.headObject(source)).info.metadata).toEqual({ c: '3' });
      expect(await readText(subject.store, source)).toBe('text');
    });

    test('a copy of an older version onto its own key becomes the current version', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      const old = await putVersion(subject.store, ref, 'old');
      await putVersion(subject.store, ref, 'new');
      const result = await subject.store.copyObject({ source: { ...ref, versionId: old }, ...ref });
      expect(result.sourceVersionId).toBe(old);
      expect(await readText(subject.store, ref)).toBe('old');
      const { versions } = await subject.store.listVersions({ bucket: ref.bucket });
      expect(versions).toHaveLength(3);
      expect(versions[0]?.versionId).toBe(result.versionId);
    });

    test('a copy of a missing source fails with NoSuchBucket, NoSuchKey or NoSuchVersion', async () => {
      const bucket = await subject.bucket('Enabled');
      const target = { bucket, key: 'to' };
      const copyOf = (source: { bucket: string; key: string; versionId?: string }) =>
        subject.store.copyObject({ source, ...target });
      await expectRefusal(copyOf({ bucket, key: 'missing' }), 'NoSuchKey');
      await expectRefusal(copyOf({ bucket: newBucketName(), key: 'k' }), 'NoSuchBucket');
      const versionId = await putVersion(subject.store, { bucket, key: 'k' }, 'text');
      await subject.store.deleteObject({ bucket, key: 'k', versionId });
      await expectRefusal(copyOf({ bucket, key: 'k', versionId }), 'NoSuchVersion');
      expect((await subject.store.listVersions({ bucket })).versions).toEqual([]);
    });

    test('a copy of a delete marker fails with NoSuchKey, or with InvalidRequest if the request names its version id', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      const versionId = String((await subject.store.deleteObject(ref)).versionId);
      const target = { bucket: ref.bucket, key: 'to' };
      await expectRefusal(subject.store.copyObject({ source: ref, ...target }), 'NoSuchKey');
      const attempt = subject.store.copyObject({ source: { ...ref, versionId }, ...target });
      await expectRefusal(attempt, 'InvalidRequest');
    });

    test.each<[ReadConditions, boolean]>([
      [{ ifMatch: [md5('text')] }, true],
      [{ ifMatch: [md5('other')] }, false],
      [{ ifNoneMatch: [md5('other')] }, true],
      [{ ifNoneMatch: [md5('text')] }, false],
      [{ ifUnmodifiedSince: 0 }, false],
      [{ ifModifiedSince: 0 }, true],
    ])('a copy with the source conditions %j succeeds: %s', async (conditions, continuing) => {
      const bucket = await subject.bucket();
      const source = { bucket, key: 'from' };
      await put(subject.store, source, 'text');
      const request = { source, bucket, key: 'to', sourceConditions: conditions };
      const attempt = subject.store.copyObject(request);
      if (continuing) await attempt;
      else await expectRefusal(attempt, 'PreconditionFailed');
    });
  });
}
