/**
 * Contract tests of access to buckets without grants or policies: only users of the bucket's
 * project have access.
 */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { expectRefusal, put, readText } from './subject.ts';
import type { Subject } from './subject.ts';

const key = 'k';
const body = bytesBody('x');

const ATTEMPTS: [string, (store: ObjectStore, bucket: string) => Promise<unknown>][] = [
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
  ['headObject', (store, bucket) => store.headObject({ bucket, key })],
  ['getObject', (store, bucket) => store.getObject({ bucket, key })],
  ['getObject of a missing key', (store, bucket) => store.getObject({ bucket, key: 'missing' })],
  ['listObjects', (store, bucket) => store.listObjects({ bucket })],
  ['listVersions', (store, bucket) => store.listVersions({ bucket })],
  ['putObject', (store, bucket) => store.putObject({ bucket, key, body })],
  ['deleteObject', (store, bucket) => store.deleteObject({ bucket, key })],
  [
    'copyObject',
    (store, bucket) => store.copyObject({ bucket, key: 'to', source: { bucket, key } }),
  ],
  ['createUpload', (store, bucket) => store.createUpload({ bucket, key })],
  ['listUploads', (store, bucket) => store.listUploads({ bucket })],
];

export function testAccess(subject: Subject): void {
  describe('access by a user of another project', () => {
    test.for(ATTEMPTS)(
      'a user of another project gets AccessDenied from %s',
      async ([, attempt], { skip }) => {
        const stranger = subject.opened.stranger ?? skip('it has one user only');
        const bucket = await subject.bucket();
        await put(subject.store, { bucket, key }, 'text');
        await expectRefusal(attempt(stranger, bucket), 'AccessDenied');
        expect(await readText(subject.store, { bucket, key })).toBe('text');
        expect(await subject.store.getVersioning({ bucket })).toBeUndefined();
      },
    );

    test('a user of another project can neither copy objects from a bucket nor use its multipart uploads', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key }, 'text');
      const upload = { bucket, key, ...(await subject.store.createUpload({ bucket, key })) };
      const own = `${bucket}-own`;
      await stranger.createBucket({ bucket: own });
      const copy = stranger.copyObject({ source: { bucket, key }, bucket: own, key });
      await expectRefusal(copy, 'AccessDenied');
      await expectRefusal(stranger.uploadPart({ ...upload, partNumber: 1, body }), 'AccessDenied');
      await expectRefusal(stranger.listParts(upload), 'AccessDenied');
      await expectRefusal(stranger.abortUpload(upload), 'AccessDenied');
      expect((await subject.store.listUploads({ bucket })).uploads).toHaveLength(1);
      await stranger.deleteBucket({ bucket: own });
    });

    test('a user of another project cannot create a bucket with an existing name, and does not see the existing one in listings', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await expectRefusal(stranger.createBucket({ bucket }), 'BucketAlreadyExists');
      expect((await stranger.listBuckets()).map(({ name }) => name)).not.toContain(bucket);
    });
  });

  describe('access by another user of the same project', () => {
    test('[bucket-13] another user of the same project can read, write and delete objects in a bucket', async ({
      skip,
    }) => {
      const colleague = subject.opened.colleague ?? skip('it has no colleagues of one project');
      const bucket = await subject.bucket();
      await put(subject.store, { bucket, key }, 'text');
      expect(await readText(colleague, { bucket, key })).toBe('text');
      await put(colleague, { bucket, key: 'own' }, 'text');
      await colleague.deleteObject({ bucket, key });
      const listed = (await subject.store.listObjects({ bucket })).objects;
      expect(listed.map((each) => each.key)).toEqual(['own']);
    });

    test('a user does not see buckets of other users of the same project in ListBuckets', async ({
      skip,
    }) => {
      const colleague = subject.opened.colleague ?? skip('it has no colleagues of one project');
      const bucket = await subject.bucket();
      expect((await colleague.listBuckets()).map(({ name }) => name)).not.toContain(bucket);
    });

    test('only the owner of a bucket can delete it, not another user of the same project', async ({
      skip,
    }) => {
      const colleague = subject.opened.colleague ?? skip('it has no colleagues of one project');
      const bucket = await subject.bucket();
      await expectRefusal(colleague.deleteBucket({ bucket }), 'AccessDenied');
      await subject.store.headBucket({ bucket });
    });
  });
}
