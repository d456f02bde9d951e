import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';

import { expect, onTestFinished, test } from 'vitest';

import { SEGMENT_BYTES } from '../../../src/engine/checksums/segment-checksums.ts';
import { type Body, bytesBody } from '../../../src/object-store/body.ts';
import { CHECKSUM_ALGORITHMS } from '../../../src/object-store/checksum.ts';
import { checksumOf } from '../../../src/object-store/checksums/running-checksum.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { blobFiles, temporaryFiles } from '../../helpers/store-files.ts';
import { chunkedBody, openTestEngine, patternBytes, readBytes } from '../../helpers/test-engine.ts';

const BLOCK = 16 * SEGMENT_BYTES;
const BYTES = patternBytes(6 * BLOCK + 5);
const ETAG = createHash('md5').update(BYTES).digest('hex');

/** Opens a store and returns the threads that it starts after its writer thread. */
async function openWatched() {
  const threads: Worker[] = [];
  const watch = (worker: Worker) => void threads.push(worker);
  const opened = await openTestEngine({ passive: true });
  await opened.store.createBucket({ bucket: 'bucket' });
  process.on('worker', watch);
  onTestFinished(() => void process.off('worker', watch));
  return { ...opened, threads };
}

const put = (store: ObjectStore, body: Body, key = 'k') =>
  store.putObject({ bucket: 'bucket', key, body });

/** Returns a body that calls `between` before its fourth block. */
function interruptedBody(between: () => Promise<unknown>): Body {
  return {
    replayable: false,
    async *open() {
      yield BYTES.subarray(0, 3 * BLOCK);
      await between();
      yield BYTES.subarray(3 * BLOCK);
    },
  };
}

test('the store starts no hash thread for bodies of up to one block, and one hash thread for all larger bodies', async () => {
  const { store, threads } = await openWatched();
  await put(store, bytesBody(BYTES.subarray(0, BLOCK)));
  expect(threads).toHaveLength(0);
  await Promise.all(['a', 'b', 'c'].map((key) => put(store, bytesBody(BYTES), key)));
  expect(threads).toHaveLength(1);
});

test('the store computes the digests of several bodies that are hashed at the same time correctly', async () => {
  const { store } = await openWatched();
  const bodies = Array.from({ length: 6 }, (_, seed) => patternBytes(2 * BLOCK + seed, seed + 1));
  const etags = await Promise.all(
    bodies.map(async (bytes, index) => (await put(store, bytesBody(bytes), `k${index}`)).etag),
  );
  expect(etags).toEqual(bodies.map((bytes) => createHash('md5').update(bytes).digest('hex')));
  const read = await Promise.all(
    bodies.map((_, index) => readBytes(store, { bucket: 'bucket', key: `k${index}` })),
  );
  expect(read.map((bytes, index) => bytes.equals(bodies[index] ?? bytes.subarray(1)))).toEqual(
    bodies.map(() => true),
  );
});

test.each([
  ['unencrypted', {}],
  ['encrypted', { customerKey: customerKey('k') }],
])(
  'the store computes each checksum of a body that is %s and rejects a wrong checksum',
  async (_, key) => {
    const { store, dir } = await openWatched();
    const sha256 = createHash('sha256').update(BYTES).digest('hex');
    const putWith = (body: Body) => store.putObject({ bucket: 'bucket', key: 'k', body, ...key });
    for (const algorithm of CHECKSUM_ALGORITHMS) {
      const checksum = { algorithm, value: checksumOf(algorithm, BYTES) };
      const { etag } = await putWith({ ...chunkedBody(BYTES), sha256, checksum });
      expect(etag).toBe(ETAG);
      const wrong = { algorithm, value: checksumOf(algorithm, BYTES.subarray(1)) };
      const refused = putWith({ ...chunkedBody(BYTES), checksum: wrong });
      await expect(refused).rejects.toMatchObject({ code: 'BadDigest' });
    }
    const refused = putWith({ ...chunkedBody(BYTES), sha256: sha256.replaceAll('a', 'b') });
    await expect(refused).rejects.toMatchObject({ code: 'XAmzContentSHA256Mismatch' });
    expect((await readBytes(store, { bucket: 'bucket', key: 'k', ...key })).equals(BYTES)).toBe(
      true,
    );
    expect(temporaryFiles(dir)).toEqual([]);
  },
);

test('the store reads a body at most two blocks ahead of the hash thread', async () => {
  const { store } = await openWatched();
  const chunkBytes = SEGMENT_BYTES;
  let receivedBytes = 0;
  const ahead: number[] = [];
  process.once('worker', (thread) => {
    thread.on('message', () => ahead.push(receivedBytes - ahead.length * BLOCK));
  });
  await put(store, {
    replayable: false,
    async *open() {
      for (; receivedBytes < BYTES.length; receivedBytes += chunkBytes)
        yield BYTES.subarray(receivedBytes, receivedBytes + chunkBytes);
    },
  });
  expect(ahead).toHaveLength(Math.ceil(BYTES.length / BLOCK));
  expect(Math.max(...ahead)).toBeLessThanOrEqual(2 * BLOCK + chunkBytes);
});

test('the store rejects a body if its hash thread ends, stores nothing, and starts a new thread for the next body', async () => {
  const { store, dir, threads } = await openWatched();
  const dying = put(
    store,
    interruptedBody(async () => threads[0]?.terminate()),
  );
  await expect(dying).rejects.toMatchObject({ code: 'InternalError' });
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
  await expect(store.headObject({ bucket: 'bucket', key: 'k' })).rejects.toMatchObject({
    code: 'NoSuchKey',
  });
  expect((await put(store, bytesBody(BYTES))).etag).toBe(ETAG);
  expect(threads).toHaveLength(2);
});

test('the store rejects a body that waits for its hash thread when the thread ends', async () => {
  const { store, dir, threads } = await openWatched();
  const started = once(process, 'worker');
  const waiting = put(store, bytesBody(BYTES));
  await started;
  await threads[0]?.terminate();
  await expect(waiting).rejects.toMatchObject({ code: 'InternalError' });
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
});

test('the store leaves no file after an aborted large body and reuses its memory for the next body', async () => {
  const { store, dir, threads } = await openWatched();
  const controller = new AbortController();
  const body = interruptedBody(async () => controller.abort(new Error('enough')));
  const { signal } = controller;
  const aborted = store.putObject({ bucket: 'bucket', key: 'k', body }, { signal });
  await expect(aborted).rejects.toThrow('enough');
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
  expect((await put(store, bytesBody(BYTES))).etag).toBe(ETAG);
  expect(threads).toHaveLength(1);
});

test('closing the store ends the hash thread and rejects the body that is being hashed', async () => {
  const { engine, store, dir, threads } = await openWatched();
  const refused = put(
    store,
    interruptedBody(() => engine.close()),
  );
  await expect(refused).rejects.toMatchObject({ code: 'InternalError' });
  expect(threads[0]?.threadId).toBe(-1);
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
});
