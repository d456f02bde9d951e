/**
 * Tests of the scrub, which reads all stored bytes: which damage it finds, what follows, its rate
 * limit and how it resumes.
 */

import { readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';

import type { Clock } from '../../../src/base/clock.ts';
import { Pacer } from '../../../src/engine/maintenance/pacer.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { CompletedPart } from '../../../src/object-store/multipart.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { blobFiles, blobPath } from '../../helpers/store-files.ts';
import {
  MIN_PART_BYTES,
  openTestEngine,
  patternBytes,
  readBytes,
} from '../../helpers/test-engine.ts';
import { until } from '../../helpers/until.ts';

const REF = { bucket: 'bucket', key: 'k' };
const DAY = 24 * 3600 * 1000;
const MINUTE = 60 * 1000;

async function storeWithFile() {
  const opened = await openTestEngine();
  await opened.store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
  const { versionId = '' } = await opened.store.putObject({
    ...REF,
    body: bytesBody(patternBytes(300_000)),
  });
  const [file = ''] = blobFiles(opened.dir);
  return { ...opened, versionId, path: blobPath(opened.dir, file) };
}

describe('damage that a scrub finds', () => {
  test('a scrub counts the bytes read and finds no damage in an undamaged store', async () => {
    const { engine, store } = await storeWithFile();
    await store.putObject({ bucket: 'bucket', key: 'small', body: bytesBody('small') });
    expect(await engine.upkeep.scrub()).toMatchObject({
      blobs: 2,
      bytes: 300_005,
      damaged: 0,
      inconsistencies: 0,
    });
    expect(engine.upkeep.health()).toMatchObject({ state: 'in order', reasons: [] });
  });

  test('the store still lists an object that a scrub found damaged, but fails a GET before the first byte', async () => {
    const { engine, store, path, versionId } = await storeWithFile();
    const bytes = readFileSync(path);
    bytes[250_000]! ^= 1;
    writeFileSync(path, bytes);
    expect(await engine.upkeep.scrub()).toMatchObject({ damaged: 1 });
    expect(engine.upkeep.health()).toMatchObject({
      state: 'degraded',
      damagedCount: 1,
      damaged: [{ versions: [{ ...REF, versionId }] }],
    });
    for (const ref of [REF, { ...REF, versionId }, { ...REF, range: { first: 0, last: 9 } }]) {
      await expect(store.getObject(ref)).rejects.toMatchObject({ code: 'InternalError' });
    }
    await expect(store.headObject(REF)).resolves.toMatchObject({ info: { sizeBytes: 300_000 } });
    expect((await store.listObjects({ bucket: 'bucket' })).objects).toHaveLength(1);
  });

  test('the store reports a damaged small body in the database until its key is overwritten', async () => {
    const { dir, engine, store } = await openTestEngine();
    await store.createBucket({ bucket: 'bucket' });
    await store.putObject({ ...REF, body: bytesBody('precious') });
    await engine.close();
    const database = new Database(join(dir, 'store.sqlite'));
    database.exec(`UPDATE blob SET bytes = CAST('Precious' AS BLOB)`);
    database.close();
    const again = await openTestEngine({ dir });
    expect(await again.engine.upkeep.scrub()).toMatchObject({ damaged: 1 });
    expect(again.engine.upkeep.health().damaged).toMatchObject([
      { reason: expect.stringContaining('in the database') as string, versions: [REF] },
    ]);
    await expect(again.store.getObject(REF)).rejects.toMatchObject({ code: 'InternalError' });
    await expect(again.store.headObject(REF)).resolves.toBeDefined();
    await again.store.putObject({ ...REF, body: bytesBody('new') });
    expect(again.engine.upkeep.health().state).toBe('in order');
  });

  test.each(['EMFILE', 'ENFILE', 'ENOMEM'])(
    'a scrub does not report a file as damaged if reading it fails because of %s',
    async (code) => {
      let lacks = false;
      const lacking: typeof open = async (...args) => {
        if (lacks && args[1] === 'r') throw Object.assign(new Error(`${code}: planted`), { code });
        return open(...args);
      };
      const { engine, store } = await openTestEngine({ faults: { files: { open: lacking } } });
      await store.createBucket({ bucket: 'bucket' });
      await store.putObject({ ...REF, body: bytesBody(patternBytes(300_000)) });
      await engine.sweep();
      lacks = true;
      await expect(engine.upkeep.scrub()).rejects.toMatchObject({ code });
      lacks = false;
      expect(engine.upkeep.health().state).toBe('in order');
      expect(await readBytes(store, REF)).toHaveLength(300_000);
    },
  );

  test('the store lists at most eight damaged objects in the health report, also after the damage changed', async () => {
    const { dir, engine, store } = await openTestEngine();
    await store.createBucket({ bucket: 'bucket' });
    const keys = Array.from({ length: 9 }, (_, index) => `k${index}`);
    for (const key of keys)
      await store.putObject({ bucket: 'bucket', key, body: bytesBody(patternBytes(300_000)) });
    const paths = blobFiles(dir).map((file) => blobPath(dir, file));
    for (const path of paths) truncateSync(path, 1000);
    await engine.upkeep.scrub();
    const named = () =>
      engine.upkeep.health().damaged.filter(({ versions }) => versions.length === 1).length;
    const before = named();
    for (const path of paths) rmSync(path);
    await engine.upkeep.scrub();
    expect(engine.upkeep.health().damagedCount).toBe(9);
    expect([before, named()]).toEqual([8, 8]);
  });

  test('a scrub clears the damage report of bytes that were repaired since the last scrub', async () => {
    const { engine, store, path } = await storeWithFile();
    renameSync(path, `${path}.away`);
    await engine.upkeep.scrub();
    expect(engine.upkeep.health().state).toBe('degraded');
    renameSync(`${path}.away`, path);
    await engine.upkeep.scrub();
    expect(engine.upkeep.health().state).toBe('in order');
    expect(await readBytes(store, REF)).toHaveLength(300_000);
  });

  test('the store starts a scrub automatically when it is due and not earlier', async () => {
    const { engine, clock } = await storeWithFile();
    const finished = () => engine.upkeep.health().scrub?.finishedAt;
    clock.advance(11 * MINUTE);
    const first = await until(finished, (at) => typeof at === 'number');
    for (let day = 0; day < 29; day++) clock.advance(DAY);
    expect(finished()).toBe(first);
    await until(
      () => (clock.advance(DAY), finished()),
      (at) => typeof at === 'number' && at !== first,
    );
  });

  test('a scrub resumes after the last scanned blob when the store is reopened', async () => {
    const upkeep = { scrubBytesPerSecond: 1e6 };
    const first = await openTestEngine({ upkeep });
    await first.store.createBucket({ bucket: 'bucket' });
    for (const key of ['a', 'b', 'c']) {
      await first.store.putObject({
        bucket: 'bucket',
        key,
        body: bytesBody(patternBytes(1_100_000)),
      });
    }
    // The scrub sleeps after the first million bytes, because the fake clock does not advance.
    const scrubbing = first.engine.upkeep.scrub().catch((error: unknown) => error);
    await until(
      () => first.engine.upkeep.health().scrub,
      (scrub) => scrub !== undefined,
    );
    await first.engine.close();
    expect(await scrubbing).toMatchObject({ name: 'AbortError' });
    const again = await openTestEngine({ dir: first.dir });
    const resumed = again.engine.upkeep.scrub();
    await until(
      () => (again.clock.advance(1000), again.engine.upkeep.health().scrub?.finishedAt),
      (at) => typeof at === 'number',
    );
    expect(await resumed).toMatchObject({ scrubId: 1, blobs: 3, damaged: 0 });
  });
});

describe('damage that a client read detects', () => {
  test("the store is degraded after a client's read found damaged bytes", async () => {
    const { engine, store, path } = await storeWithFile();
    writeFileSync(path, patternBytes(300_000, 7));
    await expect(readBytes(store, REF)).rejects.toMatchObject({ code: 'InternalError' });
    await until(
      () => engine.upkeep.health().state,
      (state) => state === 'degraded',
    );
  });

  test('the store reports a damaged version until its key is overwritten or the version is deleted', async () => {
    const { engine, store, path } = await storeWithFile();
    await store.createBucket({ bucket: 'plain' });
    const ref = { bucket: 'plain', key: 'k' };
    await store.copyObject({ source: REF, ...ref });
    writeFileSync(path, patternBytes(300_000, 7));
    await engine.upkeep.scrub();
    await store.putObject({ ...ref, body: bytesBody('new') });
    expect((await readBytes(store, ref)).toString()).toBe('new');
    expect(engine.upkeep.health().damagedCount).toBe(1);
    const { versions } = await store.listVersions({ bucket: 'bucket' });
    await store.deleteObject({ ...REF, versionId: versions[0]?.versionId ?? '' });
    expect(engine.upkeep.health()).toMatchObject({ state: 'in order', damagedCount: 0 });
  });
});

describe('copies of objects with known damage', () => {
  const copy = { source: REF, bucket: 'bucket', key: 'copy' };

  test('the store fails a copy of an object whose bytes are known to be damaged', async () => {
    const { engine, store, path } = await storeWithFile();
    const bytes = readFileSync(path);
    writeFileSync(path, patternBytes(300_000, 7));
    await engine.upkeep.scrub();
    await expect(store.copyObject(copy)).rejects.toMatchObject({ code: 'InternalError' });
    const onto = { ...copy, key: REF.key, attributes: { contentType: 'text/plain' } };
    await expect(store.copyObject(onto)).rejects.toMatchObject({ code: 'InternalError' });
    expect((await store.listVersions({ bucket: 'bucket' })).versions).toHaveLength(1);
    writeFileSync(path, bytes);
    await engine.upkeep.scrub();
    await store.copyObject(copy);
    expect((await readBytes(store, copy)).equals(patternBytes(300_000))).toBe(true);
  });

  test('the store fails a copy of a multipart object with one damaged part', async () => {
    const { dir, engine, store } = await openTestEngine();
    await store.createBucket({ bucket: 'bucket' });
    const { uploadId } = await store.createUpload(REF);
    const bodies = [patternBytes(MIN_PART_BYTES), patternBytes(300_000)];
    const parts: CompletedPart[] = [];
    for (const [index, bytes] of bodies.entries()) {
      const part = { ...REF, uploadId, partNumber: index + 1, body: bytesBody(bytes) };
      parts.push({ partNumber: index + 1, ...(await store.uploadPart(part)) });
    }
    await store.completeUpload({ ...REF, uploadId, parts });
    const files = blobFiles(dir).map((file) => blobPath(dir, file));
    const last = files.find((path) => statSync(path).size === 300_000) ?? '';
    writeFileSync(last, patternBytes(300_000, 7));
    await engine.upkeep.repair({ deep: true });
    await expect(store.copyObject(copy)).rejects.toMatchObject({ code: 'InternalError' });
  });
});

describe('the rate limit of a scrub', () => {
  test('a scrub stays below its limit of bytes per second and sleeps longer on a slow disk', async () => {
    const sleeps: number[] = [];
    const fake = new FakeClock();
    const clock: Clock = {
      now: () => fake.now(),
      monotonic: () => fake.monotonic(),
      after: (ms, run) => fake.after(ms, run),
      sleep: async (ms) => {
        sleeps.push(ms);
        fake.advance(ms);
      },
    };
    const pacer = new Pacer(clock, 1024 ** 2, new AbortController().signal);
    await pacer.pace(1024);
    expect(sleeps).toEqual([]);
    await pacer.pace(1024 ** 2 - 1024);
    expect(sleeps).toEqual([1000]);
    fake.advance(500);
    await pacer.pace(1024);
    expect(sleeps).toEqual([1000, 1500]);
  });

  test('a sleeping scrub ends at once when the store closes', async () => {
    const stop = new AbortController();
    const pacer = new Pacer(new FakeClock(), 1, stop.signal);
    const paced = pacer.pace(2 * 1024 ** 2);
    stop.abort();
    await expect(paced).rejects.toMatchObject({ name: 'AbortError' });
  });
});
