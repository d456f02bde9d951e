/** Tests of the storage engine on a full disk and on a disk that returns errors. */

import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { FileOperations } from '../../src/engine/disk/faults.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { blobFiles, temporaryFiles } from '../helpers/store-files.ts';
import { openTestEngine, patternBytes, readBytes } from '../helpers/test-engine.ts';
import { until } from '../helpers/until.ts';

type Step = 'write' | 'datasync' | 'sync';

interface Fault {
  step?: Step | 'rename';
  code: string;
}

/**
 * Returns file operations that fail with `fault.code` at the step `fault.step` while `fault` is set.
 */
function failingFiles(fault: Fault): Partial<FileOperations> {
  const fail = (step: Fault['step']) => {
    if (fault.step === step) throw Object.assign(new Error(`${fault.code}: failed`), fault);
  };
  return {
    open: async (...args) => {
      const handle = await open(...args);
      return new Proxy(handle, {
        get(target, name) {
          if (name === 'write' || name === 'datasync' || name === 'sync') fail(name);
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      }) satisfies FileHandle;
    },
    rename: async (from, to) => {
      fail('rename');
      const { rename } = await import('node:fs/promises');
      return rename(from, to);
    },
  };
}

async function openFailing(code: string) {
  const fault: Fault = { code };
  const opened = await openTestEngine({ faults: { files: failingFiles(fault) } });
  await opened.store.createBucket({ bucket: 'bucket' });
  return { ...opened, fault };
}

const large = () => bytesBody(patternBytes(200_000));

test.each(['write', 'datasync', 'sync', 'rename'] as const)(
  'a store on a disk that is full at %s rejects the body, stores nothing, and accepts writes once space is free',
  async (step) => {
    const { store, dir, fault } = await openFailing('ENOSPC');
    fault.step = step;
    const put = store.putObject({ bucket: 'bucket', key: 'k', body: large() });
    await expect(put).rejects.toMatchObject({ code: 'InsufficientStorage' });
    expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
    delete fault.step;
    await store.putObject({ bucket: 'bucket', key: 'k', body: large() });
    const bytes = await readBytes(store, { bucket: 'bucket', key: 'k' });
    expect(bytes.equals(patternBytes(200_000))).toBe(true);
  },
);

test.each(['datasync', 'sync'] as const)(
  'a failing %s makes the store reject all writes, while reads continue',
  async (step) => {
    const { store, fault } = await openFailing('EIO');
    await store.putObject({ bucket: 'bucket', key: 'before', body: large() });
    fault.step = step;
    const put = store.putObject({ bucket: 'bucket', key: 'k', body: large() });
    await expect(put).rejects.toMatchObject({ code: 'ServiceUnavailable' });
    delete fault.step;
    for (const body of [large(), bytesBody('small')]) {
      const later = store.putObject({ bucket: 'bucket', key: 'k', body });
      await expect(later).rejects.toMatchObject({ code: 'ServiceUnavailable' });
    }
    const bytes = await readBytes(store, { bucket: 'bucket', key: 'before' });
    expect(bytes.equals(patternBytes(200_000))).toBe(true);
    await expect(store.headObject({ bucket: 'bucket', key: 'k' })).rejects.toMatchObject({
      code: 'NoSuchKey',
    });
  },
);

test.each([
  ['SQLITE_IOERR_FSYNC', 'check the disk, then restart'],
  ['SQLITE_CORRUPT', 'holdfast admin store repair'],
] as const)(
  'a commit that fails with %s makes the store read-only until it is reopened, and errors say how to repair it',
  async (error, step) => {
    const crash = { point: 'before-commit', command: 'putObject', pass: 2, error } as const;
    const { dir, engine, store } = await openTestEngine({ faults: { crash } });
    await store.createBucket({ bucket: 'bucket' });
    const put = (key: string) =>
      store.putObject({ bucket: 'bucket', key, body: bytesBody('body') });
    await put('before');
    await expect(put('k')).rejects.toMatchObject({ code: 'ServiceUnavailable' });
    for (const write of [
      () => put('k'),
      () => store.putObject({ bucket: 'bucket', key: 'k', body: large() }),
      () => store.deleteObject({ bucket: 'bucket', key: 'before' }),
      () => store.createUpload({ bucket: 'bucket', key: 'k' }),
      () => store.deleteBucket({ bucket: 'bucket' }),
    ]) {
      await expect(write()).rejects.toMatchObject({
        code: 'ServiceUnavailable',
        message: expect.stringContaining(step) as string,
      });
    }
    const { state, reasons } = engine.upkeep.health();
    expect([state, reasons[0]]).toEqual(['read-only', expect.stringContaining(step) as string]);
    expect((await readBytes(store, { bucket: 'bucket', key: 'before' })).toString()).toBe('body');
    await engine.close();
    const again = await openTestEngine({ dir });
    expect(again.engine.upkeep.health().state).toBe('in order');
    await again.store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody('body') });
  },
);

test.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'] as const)(
  'a commit that fails with %s is reported as a full disk, and stores nothing',
  async (error) => {
    const crash = { point: 'before-commit', command: 'putPart', pass: 1, error } as const;
    const { dir, store, engine } = await openTestEngine({ faults: { crash } });
    await store.createBucket({ bucket: 'bucket' });
    const ref = { bucket: 'bucket', key: 'k' };
    const { uploadId } = await store.createUpload(ref);
    for (const body of [large(), bytesBody('small')]) {
      const part = store.uploadPart({ ...ref, uploadId, partNumber: 1, body });
      await expect(part).rejects.toMatchObject({ code: 'InsufficientStorage' });
    }
    expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
    expect((await store.listParts({ ...ref, uploadId })).parts).toEqual([]);
    await store.putObject({ ...ref, body: large() });
    expect(engine.upkeep.health().state).toBe('in order');
  },
);

test('crash recovery does not restore a commit that failed because the WAL index had no space', async () => {
  const error = 'SQLITE_IOERR_SHMSIZE';
  const crash = { point: 'before-commit', command: 'putPart', pass: 1, error } as const;
  const { dir, store } = await openTestEngine({ faults: { crash } });
  const ref = { bucket: 'bucket', key: 'k' };
  await store.createBucket(ref);
  const { uploadId } = await store.createUpload(ref);
  const part = store.uploadPart({ ...ref, uploadId, partNumber: 1, body: bytesBody('small') });
  await expect(part).rejects.toMatchObject({ code: 'InsufficientStorage' });
  expect(statSync(join(dir, 'store.sqlite-wal')).size).toBe(0);
  expect(await store.listBuckets()).toHaveLength(1);
});

test.each([
  ['SQLITE_FULL', 'in order'],
  ['SQLITE_IOERR_WRITE', 'read-only'],
] as const)('a checkpoint that fails with %s leaves the store %s', async (error, state) => {
  const crash = { point: 'before-checkpoint', pass: 1, error } as const;
  const { store, engine } = await openTestEngine({ faults: { crash } });
  await store.createBucket({ bucket: 'bucket' });
  const ref = { bucket: 'bucket', key: 'k' };
  await store.putObject({ ...ref, body: bytesBody('kept') });
  // When the database thread has been idle for a while, it runs a checkpoint by itself.
  if (state === 'read-only')
    await until(
      () => engine.upkeep.health().state,
      (now) => now === state,
    );
  else await store.putObject({ ...ref, body: bytesBody('kept') });
  expect((await readBytes(store, ref)).toString()).toBe('kept');
});

test('a part upload that fills the disk stores nothing, and the multipart upload continues once space is free', async () => {
  const { store, dir, fault } = await openFailing('ENOSPC');
  const ref = { bucket: 'bucket', key: 'k' };
  const { uploadId } = await store.createUpload(ref);
  fault.step = 'write';
  const part = { ...ref, uploadId, partNumber: 1 };
  await expect(store.uploadPart({ ...part, body: large() })).rejects.toMatchObject({
    code: 'InsufficientStorage',
  });
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
  delete fault.step;
  const { etag } = await store.uploadPart({ ...part, body: large() });
  await store.completeUpload({ ...ref, uploadId, parts: [{ partNumber: 1, etag }] });
  expect((await readBytes(store, ref)).equals(patternBytes(200_000))).toBe(true);
});

test('a store with a full metadata database rejects writes that do not fit, and keeps its data', async () => {
  const { store, dir } = await openTestEngine({ faults: { maxMetadataPages: 120 } });
  await store.createBucket({ bucket: 'bucket' });
  const keys: string[] = [];
  const refusals: unknown[] = [];
  for (let index = 0; index < 60; index++) {
    const key = `k${index}`;
    // Every second body is stored as a file. If the database row of a body does not fit, its file
    // must be deleted.
    const body = index % 2 === 0 ? bytesBody(patternBytes(20_000, index + 1)) : large();
    await store.putObject({ bucket: 'bucket', key, body }).then(
      () => keys.push(key),
      (error: unknown) => refusals.push(error),
    );
  }
  expect(refusals.length).toBeGreaterThan(0);
  for (const error of refusals) expect(error).toMatchObject({ code: 'InsufficientStorage' });
  const listed = await store.listObjects({ bucket: 'bucket' });
  expect(listed.objects.map((object) => object.key).sort()).toEqual(keys.sort());
  for (const key of keys) await readBytes(store, { bucket: 'bucket', key });
  const files = keys.filter((key) => Number(key.slice(1)) % 2 === 1);
  expect(blobFiles(dir)).toHaveLength(files.length);
  expect(temporaryFiles(dir)).toEqual([]);
});
