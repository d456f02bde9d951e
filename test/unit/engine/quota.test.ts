/** How much a bucket may hold: what goes beyond it is refused, whichever way it is written, and leaves no trace. */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { blobFiles } from '../../helpers/store-files.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const bucket = 'bucket';
const MAX_SIZE_BYTES = 25 * 1024 ** 4;
const MAX_OBJECTS = 50_000_000;
const TEN = bytesBody('0123456789');
/** So large that it has a file of its own. */
const LARGE_BYTES = 200_000;

interface Held {
  readonly objects: number;
  readonly sizeBytes: number;
}

/** A bucket with one object of ten bytes, `old`, and a way to make its counters say something else. */
async function filledBucket() {
  const dir = temporaryFolder('quota');
  const { store } = await openTestEngine({ dir });
  await store.createBucket({ bucket });
  await store.putObject({ bucket, key: 'old', body: TEN });
  const hold = ({ objects, sizeBytes }: Held): void => {
    const database = new Database(join(dir, 'store.sqlite'));
    database.prepare('UPDATE bucket_usage SET objects = ?, size_bytes = ?').run(objects, sizeBytes);
    database.close();
  };
  return { dir, store, hold };
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
  copy: (store) => store.copyObject({ source: { bucket, key: 'old' }, bucket, key: 'new' }),
  complete: completeUpload,
};

const FULL = { objects: MAX_OBJECTS, sizeBytes: MAX_SIZE_BYTES };

test.each(Object.entries(WRITES))(
  'a %s is taken up to the last byte and object',
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

test('what an overwrite replaces is no longer counted', async () => {
  const { store, hold } = await filledBucket();
  hold(FULL);
  await store.putObject({ bucket, key: 'old', body: bytesBody('9876543210') });
  const larger = store.putObject({ bucket, key: 'old', body: bytesBody('98765432101') });
  await expect(larger).rejects.toMatchObject({ code: 'QuotaExceeded' });
});

test('markers and deletions are always taken', async () => {
  const { store, hold } = await filledBucket();
  hold(FULL);
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  expect((await store.deleteObject({ bucket, key: 'old' })).deleteMarker).toBe(true);
  await store.deleteObject({ bucket, key: 'old', versionId: 'null' });
  await store.putObject({ bucket, key: 'new', body: TEN });
});

test('a refused body leaves no file', async () => {
  const { store, hold, dir } = await filledBucket();
  hold(FULL);
  const body = bytesBody(Buffer.alloc(LARGE_BYTES, 'x'));
  const put = store.putObject({ bucket, key: 'new', body });
  await expect(put).rejects.toMatchObject({ code: 'QuotaExceeded' });
  expect(blobFiles(dir)).toEqual([]);
});
