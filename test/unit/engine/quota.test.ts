/** Tests that every kind of write is refused if it exceeds a quota, and leaves no file. */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import type { Quotas } from '../../../src/object-store/rules/quota.ts';
import { bulkStore } from '../../helpers/bulk-store.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { blobFiles } from '../../helpers/store-files.ts';
import { openTestEngine, TEST_USER } from '../../helpers/test-engine.ts';

const bucket = 'bucket';
const MAX_SIZE_BYTES = 25 * 1024 ** 4;
const MAX_OBJECTS = 50_000_000;
const TEN = bytesBody('0123456789');
/** A size in bytes above the inline limit, so that the object is stored in a separate file. */
const LARGE_BYTES = 200_000;

interface Held {
  readonly objects: number;
  readonly sizeBytes: number;
}

/**
 * Creates a bucket with the object `old` of ten bytes. `hold` overwrites the usage counters of the
 * bucket.
 */
async function filledBucket(quotas: Partial<Quotas> = {}) {
  const dir = temporaryFolder('quota');
  const { store, engine } = await openTestEngine({ dir, quotas });
  await store.createBucket({ bucket });
  await store.putObject({ bucket, key: 'old', body: TEN });
  const hold = ({ objects, sizeBytes }: Held): void => {
    const database = new Database(join(dir, 'store.sqlite'));
    database.prepare('UPDATE bucket_usage SET objects = ?, size_bytes = ?').run(objects, sizeBytes);
    database.close();
  };
  return { dir, store, engine, hold };
}

async function completeUpload(store: ObjectStore): Promise<unknown> {
  const upload = { bucket, key: 'new' };
  const { uploadId } = await store.createUpload(upload);
  const part = { ...upload, uploadId, partNumber: 1 };
  const { etag } = await store.uploadPart({ ...part, body: TEN });
  return store.completeUpload({ ...upload, uploadId, parts: [{ partNumber: 1, etag }] });
}

const WRITES: Readonly<Record<string, (store: ObjectStore) => Promise<unknown>>> = {
  put: (store) => store.putObject({ bucket, key: 'new', body: TEN }),
  'bulk write': (store) => bulkStore(store).putObject({ bucket, key: 'new', body: TEN }),
  copy: (store) => store.copyObject({ source: { bucket, key: 'old' }, bucket, key: 'new' }),
  complete: completeUpload,
};

const FULL = { objects: MAX_OBJECTS, sizeBytes: MAX_SIZE_BYTES };

test.each(Object.entries(WRITES))(
  '[quota-1] a %s is accepted up to exactly 25 TiB and exactly 50 million objects in a bucket',
  async (_, write) => {
    const { store, hold } = await filledBucket();
    const keys = async () => (await store.listObjects({ bucket })).objects.map(({ key }) => key);
    const refusal = { code: 'QuotaExceeded' };
    hold({ objects: 1, sizeBytes: MAX_SIZE_BYTES - 9 });
    await expect(write(store)).rejects.toMatchObject(refusal);
    hold({ objects: MAX_OBJECTS, sizeBytes: 10 });
    await expect(write(store)).rejects.toMatchObject(refusal);
    expect(await keys()).toEqual(['old']);
    hold({ objects: MAX_OBJECTS - 1, sizeBytes: MAX_SIZE_BYTES - 10 });
    await write(store);
    expect(await keys()).toEqual(['new', 'old']);
  },
);

test('[quota-2] the store does not count an overwritten object toward the quota', async () => {
  const { store, hold } = await filledBucket();
  hold(FULL);
  await store.putObject({ bucket, key: 'old', body: bytesBody('9876543210') });
  const larger = store.putObject({ bucket, key: 'old', body: bytesBody('98765432101') });
  await expect(larger).rejects.toMatchObject({ code: 'QuotaExceeded' });
});

test('the store accepts delete markers and deletes in a bucket that has reached its quota', async () => {
  const { store, hold } = await filledBucket();
  hold(FULL);
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  expect((await store.deleteObject({ bucket, key: 'old' })).deleteMarker).toBe(true);
  await store.deleteObject({ bucket, key: 'old', versionId: 'null' });
  await store.putObject({ bucket, key: 'new', body: TEN });
});

test('the store leaves no file after a put that exceeds the quota', async () => {
  const { store, hold, dir } = await filledBucket();
  hold(FULL);
  const body = bytesBody(Buffer.alloc(LARGE_BYTES, 'x'));
  const put = store.putObject({ bucket, key: 'new', body });
  await expect(put).rejects.toMatchObject({ code: 'QuotaExceeded' });
  expect(blobFiles(dir)).toEqual([]);
});

test.each(Object.entries(WRITES))(
  '[quota-3] a %s that exceeds a bucket quota is refused with an error that states the quota',
  async (_, write) => {
    const { store, engine } = await filledBucket();
    await engine.quotas.setOfBucket(bucket, { bytes: 19 });
    await expect(write(store)).rejects.toMatchObject({
      code: 'QuotaExceeded',
      message: expect.stringContaining('20 bytes; its quota is 19') as string,
      details: { MaxSizeAllowed: 19 },
    });
    await engine.quotas.setOfBucket(bucket, { objects: 1, bytes: null });
    await expect(write(store)).rejects.toMatchObject({
      code: 'QuotaExceeded',
      message: expect.stringContaining('2 objects; its quota is 1') as string,
      details: { MaxObjectsAllowed: 1 },
    });
    await engine.quotas.setOfBucket(bucket, { objects: null });
    await write(store);
  },
);

test.each(Object.entries(WRITES))(
  '[quota-7] a %s of the maximum object size is accepted, and a larger put is refused with the limit',
  async (_, write) => {
    const { store } = await filledBucket({ bytesPerObject: 10 });
    await write(store);
    const larger = store.putObject({ bucket, key: 'k', body: bytesBody('0123456789+') });
    await expect(larger).rejects.toMatchObject({
      code: 'EntityTooLarge',
      details: { MaxSizeAllowed: 10, ProposedSize: 11 },
    });
  },
);

test('[quota-8] the store limits a project to 50 buckets or to the number that is configured for it', async () => {
  const { store, engine } = await openTestEngine();
  const make = (index: number) => store.createBucket({ bucket: `bucket-${index}` });
  for (let index = 0; index < 50; index++) await make(index);
  await expect(make(50)).rejects.toMatchObject({
    code: 'TooManyBuckets',
    message: expect.stringContaining('already has 50 buckets; the limit is 50') as string,
  });
  await make(49);
  await engine.quotas.setOfProject(TEST_USER, 51);
  await make(50);
  await expect(make(51)).rejects.toMatchObject({ code: 'TooManyBuckets' });
  await engine.quotas.setOfProject(TEST_USER, null);
  expect(await engine.quotas.ofProject(TEST_USER)).toEqual({ buckets: 50, isSet: false, used: 51 });
});

test('[quota-9] the store keeps a bucket quota after a restart and deletes it with its bucket', async () => {
  const dir = temporaryFolder('quota');
  const first = await openTestEngine({ dir });
  await first.store.createBucket({ bucket });
  await first.engine.quotas.setOfBucket(bucket, { objects: 7 });
  await first.engine.quotas.setOfProject(TEST_USER, 3);
  await first.engine.close();
  const { store, engine } = await openTestEngine({ dir });
  const limits = { sizeBytes: MAX_SIZE_BYTES, objects: 7, buckets: 3 };
  expect(await store.headBucket({ bucket })).toMatchObject({ limits });
  await store.deleteBucket({ bucket });
  await store.createBucket({ bucket });
  const { set } = await engine.quotas.ofBucket(bucket);
  expect(set).toEqual({ bytes: null, objects: null });
});

test('the store fails to set the quota of a missing bucket with NoSuchBucket', async () => {
  const { engine } = await openTestEngine();
  const refusal = { code: 'NoSuchBucket' };
  await expect(engine.quotas.ofBucket('none')).rejects.toMatchObject(refusal);
  await expect(engine.quotas.setOfBucket('none', {})).rejects.toMatchObject(refusal);
});

test('[quota-11] the store lets clients still copy and delete objects and complete uploads after the limits for keys, tags and parts were lowered', async () => {
  const dir = temporaryFolder('quota');
  const first = await openTestEngine({ dir });
  const long = { bucket, key: 'k'.repeat(1024) };
  const tags = Array.from({ length: 10 }, (_, index) => ({ key: `k${index}`, value: '' }));
  await first.store.createBucket({ bucket });
  await first.store.putObject({ ...long, body: TEN, tags });
  const { uploadId } = await first.store.createUpload(long);
  const { etag } = await first.store.uploadPart({ ...long, uploadId, partNumber: 2, body: TEN });
  await first.engine.close();

  const quotas = { keyBytes: 255, tagsPerObject: 0, partsPerUpload: 1 };
  const { store } = await openTestEngine({ dir, quotas });
  await store.copyObject({ source: long, bucket, key: 'short' });
  expect((await store.getObjectTags({ bucket, key: 'short' })).tags).toEqual(tags);
  await store.completeUpload({ ...long, uploadId, parts: [{ partNumber: 2, etag }] });
  expect((await store.headObject(long)).info.etag).toMatch(/-1$/);
  await store.deleteObject(long);
  expect((await store.listObjects({ bucket })).objects.map(({ key }) => key)).toEqual(['short']);
});
