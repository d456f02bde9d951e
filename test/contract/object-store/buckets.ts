/** Contract tests of buckets: names, creation, deletion, and errors for missing buckets. */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { expectRefusal, newBucketName, put, readText } from './subject.ts';
import type { Subject } from './subject.ts';

export function testBuckets(subject: Subject, region: string): void {
  describe('buckets of an object store', () => {
    test('[bucket-3] a new bucket exists, appears in the listing, is empty, and has no versioning', async () => {
      const before = subject.now();
      const bucket = await subject.bucket();
      const { store } = subject;
      await store.headBucket({ bucket });
      const listed = (await store.listBuckets()).find(({ name }) => name === bucket);
      expect(Math.abs(Number(listed?.createdAt) - before)).toBeLessThan(60_000);
      expect((await store.listObjects({ bucket })).objects).toEqual([]);
      expect(await store.getVersioning({ bucket })).toBeUndefined();
    });

    test('the store reports the number and the total size of the versions in a bucket', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      const usage = async () => (await store.headBucket({ bucket })).usage;
      expect(await usage()).toEqual({ objects: 0, sizeBytes: 0 });
      await store.putVersioning({ bucket, versioning: 'Enabled' });
      await put(store, { bucket, key: 'k' }, 'one');
      await put(store, { bucket, key: 'k' }, 'three');
      await store.deleteObject({ bucket, key: 'k' });
      expect(await usage()).toEqual({ objects: 2, sizeBytes: 8 });
    });

    test('the store lists buckets sorted by name', async () => {
      const made = [await subject.bucket(), await subject.bucket(), await subject.bucket()];
      const names = (await subject.store.listBuckets()).map(({ name }) => name);
      expect(names).toEqual([...names].sort());
      expect(names).toEqual(expect.arrayContaining(made));
    });

    test('a bucket is in the region of its store', async () => {
      const bucket = await subject.bucket();
      expect(await subject.store.getBucketLocation({ bucket })).toBe(region);
    });

    test.each(['ab', 'a'.repeat(64), 'Abc', 'a_b', 'a..b', 'a.-b', '-ab', 'ab-', '127.0.0.1'])(
      'CreateBucket rejects the name %s',
      async (bucket) => {
        await expectRefusal(subject.store.createBucket({ bucket }), 'InvalidBucketName');
      },
    );

    test('[bucket-8] CreateBucket can be repeated with the same Object Lock flag, and keeps the objects of the bucket', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'k' }, 'text');
      await subject.store.createBucket({ bucket });
      expect(await readText(subject.store, { bucket, key: 'k' })).toBe('text');
    });

    test('[bucket-8] CreateBucket for an existing bucket fails with another Object Lock flag', async () => {
      const bucket = await subject.bucket();
      await expectRefusal(
        subject.store.createBucket({ bucket, objectLockEnabled: true }),
        'BucketAlreadyOwnedByYou',
      );
    });

    test('a deleted bucket no longer exists, and a new bucket with the same name has default settings', async () => {
      const bucket = await subject.bucket('Enabled');
      const { store } = subject;
      await store.deleteBucket({ bucket });
      await expectRefusal(store.headBucket({ bucket }), 'NoSuchBucket');
      expect((await store.listBuckets()).map(({ name }) => name)).not.toContain(bucket);
      await store.createBucket({ bucket });
      expect(await store.getVersioning({ bucket })).toBeUndefined();
    });

    test('DeleteBucket of a bucket with an object fails', async () => {
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key: 'k' }, 'text');
      await expectRefusal(subject.store.deleteBucket({ bucket }), 'BucketNotEmpty');
      await subject.store.headObject({ bucket, key: 'k' });
    });

    test('DeleteBucket of a bucket that contains only a delete marker fails', async () => {
      const bucket = await subject.bucket('Enabled');
      await subject.store.deleteObject({ bucket, key: 'k' });
      await expectRefusal(subject.store.deleteBucket({ bucket }), 'BucketNotEmpty');
    });

    test('DeleteBucket also deletes unfinished multipart uploads', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      const { uploadId } = await store.createUpload({ bucket, key: 'k' });
      await store.uploadPart({ bucket, key: 'k', uploadId, partNumber: 1, body: bytesBody('x') });
      await store.deleteBucket({ bucket });
      await store.createBucket({ bucket });
      expect((await store.listUploads({ bucket })).uploads).toEqual([]);
    });

    test('the store returns the versioning state of a bucket as it was set', async () => {
      const bucket = await subject.bucket();
      for (const versioning of ['Suspended', 'Enabled', 'Suspended'] as const) {
        await subject.store.putVersioning({ bucket, versioning });
        expect(await subject.store.getVersioning({ bucket })).toBe(versioning);
      }
    });

    test('parallel CreateBucket calls with one name all succeed and create one bucket', async () => {
      const bucket = await subject.bucket();
      await Promise.all(Array.from({ length: 8 }, () => subject.store.createBucket({ bucket })));
      const names = (await subject.store.listBuckets()).map(({ name }) => name);
      expect(names.filter((name) => name === bucket)).toHaveLength(1);
    });

    test.each(inMissingBucket)('%s in a missing bucket fails with NoSuchBucket', async (_, run) => {
      await expectRefusal(run(subject.store, newBucketName()), 'NoSuchBucket');
    });
  });
}

const key = 'k';

// headObject is missing in the list. Its error has no body, so a missing bucket looks like a missing key.
const inMissingBucket: [string, (store: ObjectStore, bucket: string) => Promise<unknown>][] = [
  ['headBucket', (store, bucket) => store.headBucket({ bucket })],
  ['deleteBucket', (store, bucket) => store.deleteBucket({ bucket })],
  ['getBucketLocation', (store, bucket) => store.getBucketLocation({ bucket })],
  ['getVersioning', (store, bucket) => store.getVersioning({ bucket })],
  ['putVersioning', (store, bucket) => store.putVersioning({ bucket, versioning: 'Enabled' })],
  ['getObjectLockConfiguration', (store, bucket) => store.getObjectLockConfiguration({ bucket })],
  ['putObjectLockConfiguration', (store, bucket) => store.putObjectLockConfiguration({ bucket })],
  ['getRetention', (store, bucket) => store.getRetention({ bucket, key })],
  ['getLegalHold', (store, bucket) => store.getLegalHold({ bucket, key })],
  ['putLegalHold', (store, bucket) => store.putLegalHold({ bucket, key, legalHold: true })],
  ['getObject', (store, bucket) => store.getObject({ bucket, key })],
  ['listObjects', (store, bucket) => store.listObjects({ bucket })],
  ['listVersions', (store, bucket) => store.listVersions({ bucket })],
  ['putObject', (store, bucket) => store.putObject({ bucket, key, body: bytesBody('x') })],
  ['deleteObject', (store, bucket) => store.deleteObject({ bucket, key })],
  ['copyObject', (store, bucket) => store.copyObject({ bucket, key, source: { bucket, key } })],
  ['createUpload', (store, bucket) => store.createUpload({ bucket, key })],
  ['listUploads', (store, bucket) => store.listUploads({ bucket })],
];
