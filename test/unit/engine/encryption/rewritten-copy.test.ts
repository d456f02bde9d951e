/**
 * Tests of copies between customer keys, which encrypt the bytes again, and of concurrent changes
 * of the source object.
 */

import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../../src/object-store/body.ts';
import { customerKey } from '../../../helpers/customer-keys.ts';
import { blobFiles, temporaryFiles } from '../../../helpers/store-files.ts';
import { openTestEngine, patternBytes, readBytes } from '../../../helpers/test-engine.ts';

const KEY = { customerKey: customerKey('k') };
const SOURCE = { bucket: 'bucket', key: 'source' };
const COPY = {
  source: SOURCE,
  bucket: 'bucket',
  key: 'copy',
  sourceCustomerKey: KEY.customerKey,
};
const OTHER = { customerKey: customerKey('other') };

async function withSource(size = 300_000) {
  const opened = await openTestEngine();
  await opened.store.createBucket(SOURCE);
  await opened.store.putObject({ ...SOURCE, body: bytesBody(patternBytes(size)), ...KEY });
  return opened;
}

test('[ssec-12] the store shares the stored bytes with a copy under the same customer key and rewrites them for another key', async () => {
  const { store, dir } = await withSource();
  await store.copyObject({ ...COPY, ...KEY });
  expect(blobFiles(dir)).toHaveLength(1);
  await store.copyObject({ ...COPY, ...OTHER });
  await store.copyObject({ ...COPY, key: 'plain' });
  expect(blobFiles(dir)).toHaveLength(3);
  await store.deleteObject(SOURCE);
  const copied = await readBytes(store, { bucket: 'bucket', key: 'copy', ...OTHER });
  expect(copied.equals(patternBytes(300_000))).toBe(true);
});

test('the store fails a copy to another customer key and leaves no file if the source is replaced during the copy', async () => {
  const { store, dir } = await withSource();
  const copy = store.copyObject({ ...COPY, ...OTHER });
  await store.putObject({ ...SOURCE, body: bytesBody('another') });
  await expect(copy).rejects.toMatchObject({ code: 'OperationAborted' });
  await expect(store.headObject({ bucket: 'bucket', key: 'copy' })).rejects.toMatchObject({
    code: 'NoSuchKey',
  });
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
});

test('the store fails a copy to another customer key if the source is deleted during the copy', async () => {
  const { store, dir } = await withSource();
  const copy = store.copyObject({ ...COPY, ...OTHER });
  await store.deleteObject(SOURCE);
  await expect(copy).rejects.toMatchObject({ code: 'NoSuchKey' });
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
});

test('the store leaves no file after an aborted copy to another customer key', async () => {
  const { store, dir } = await withSource();
  const stop = new AbortController();
  const copy = store.copyObject({ ...COPY, ...OTHER }, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(copy).rejects.toThrow('enough');
  expect([blobFiles(dir).length, temporaryFiles(dir)]).toEqual([1, []]);
});

test('the store refuses to copy an object whose encryption is damaged to another customer key', async () => {
  const { store, dir } = await withSource();
  const database = new Database(join(dir, 'store.sqlite'));
  database.exec('UPDATE blob SET salt = zeroblob(32)');
  database.close();
  await expect(store.copyObject({ ...COPY, ...OTHER })).rejects.toMatchObject({
    code: 'InternalError',
  });
  expect([blobFiles(dir).length, temporaryFiles(dir)]).toEqual([1, []]);
});

test('the store writes no bytes for a copy to another customer key if its precondition fails or the target bucket is missing', async () => {
  const { store, dir } = await withSource();
  await expect(
    store.copyObject({ ...COPY, ...OTHER, conditions: { ifMatch: 'x' } }),
  ).rejects.toMatchObject({ code: 'NoSuchKey' });
  await expect(store.copyObject({ ...COPY, ...OTHER, bucket: 'nowhere' })).rejects.toMatchObject({
    code: 'NoSuchBucket',
  });
  expect([blobFiles(dir).length, temporaryFiles(dir)]).toEqual([1, []]);
});

test('the store copies a multipart object of zero bytes to another customer key', async () => {
  const { store } = await withSource(10);
  const ref = { bucket: 'bucket', key: 'empty' };
  const { uploadId } = await store.createUpload({ ...ref, ...KEY });
  const part = { ...ref, uploadId, partNumber: 7, body: bytesBody(''), ...KEY };
  const { etag } = await store.uploadPart(part);
  const parts = [{ partNumber: 7, etag }];
  const completed = await store.completeUpload({ ...ref, uploadId, parts });
  const copied = await store.copyObject({ ...COPY, source: ref, ...OTHER });
  expect(copied.etag).toBe(completed.etag);
  expect(await readBytes(store, { bucket: 'bucket', key: 'copy', ...OTHER })).toHaveLength(0);
});
