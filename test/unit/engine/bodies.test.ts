import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { MAX_INLINE_BYTES } from '../../../src/engine/blobs/incoming-body.ts';
import { SEGMENT_BYTES } from '../../../src/engine/checksums/segment-checksums.ts';
import { type Body, bytesBody, collect } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { blobFiles, temporaryFiles } from '../../helpers/store-files.ts';
import {
  chunkedBody,
  openTestEngine,
  patternBytes,
  readBytes,
  type TestEngine,
} from '../../helpers/test-engine.ts';

const BLOCK = 16 * SEGMENT_BYTES;

const SIZES = [
  0,
  1,
  MAX_INLINE_BYTES,
  MAX_INLINE_BYTES + 1,
  SEGMENT_BYTES,
  SEGMENT_BYTES + 1,
  BLOCK - 1,
  BLOCK,
  BLOCK + 1,
  2 * BLOCK + SEGMENT_BYTES + 7,
];

async function withBucket(): Promise<TestEngine> {
  const opened = await openTestEngine();
  await opened.store.createBucket({ bucket: 'bucket' });
  return opened;
}

const put = (store: ObjectStore, body: Body, key = 'k') =>
  store.putObject({ bucket: 'bucket', key, body });

test.each(SIZES)(
  'the store returns a stored body of %i bytes unchanged for every chunk size, with and without a client SHA-256',
  async (size) => {
    const { store, dir } = await withBucket();
    const bytes = patternBytes(size);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const bodies = [
      bytesBody(bytes),
      chunkedBody(bytes),
      { ...chunkedBody(bytes, 131_071), sha256 },
    ];
    for (const body of bodies) {
      const { etag } = await put(store, body);
      expect(etag).toBe(createHash('md5').update(bytes).digest('hex'));
      expect((await readBytes(store, { bucket: 'bucket', key: 'k' })).equals(bytes)).toBe(true);
    }
    await store.deleteObject({ bucket: 'bucket', key: 'k' });
    expect(temporaryFiles(dir)).toEqual([]);
  },
);

test('the store keeps a body up to the inline limit in the database and a larger body in one file', async () => {
  const { store, dir } = await withBucket();
  await put(store, bytesBody(patternBytes(MAX_INLINE_BYTES)), 'small');
  expect(blobFiles(dir)).toHaveLength(0);
  await put(store, bytesBody(patternBytes(MAX_INLINE_BYTES + 1)), 'large');
  expect(blobFiles(dir)).toHaveLength(1);
});

test('the store writes a chunk unchanged even if the caller reuses its buffer for the next chunk', async () => {
  const { store } = await withBucket();
  const chunk = Buffer.alloc(1000);
  const body: Body = {
    replayable: false,
    async *open() {
      for (let round = 1; round <= 40; round++) yield chunk.fill(round);
    },
  };
  await put(store, body);
  const bytes = await readBytes(store, { bucket: 'bucket', key: 'k' });
  expect(
    bytes.equals(Buffer.concat([...Array(40).keys()].map((i) => Buffer.alloc(1000, i + 1)))),
  ).toBe(true);
});

const broken = (size: number): readonly (readonly [string, Body, object])[] => {
  const bytes = patternBytes(size);
  const reset = new Error('connection reset');
  return [
    ['too few bytes', { ...chunkedBody(bytes), sizeBytes: size + 1 }, { code: 'IncompleteBody' }],
    ['too many bytes', { ...chunkedBody(bytes), sizeBytes: size - 1 }, { code: 'IncompleteBody' }],
    [
      'a wrong SHA-256',
      { ...chunkedBody(bytes), sha256: '0'.repeat(64) },
      { code: 'XAmzContentSHA256Mismatch' },
    ],
    [
      'an error at its end',
      {
        replayable: false,
        async *open() {
          yield bytes;
          throw reset;
        },
      },
      reset,
    ],
  ];
};

for (const size of [1000, 3_000_000]) {
  test.each(broken(size))(
    `a rejected put of ${size} bytes with %s leaves neither a file nor an object`,
    async (_, body, error) => {
      const { store, dir, engine } = await withBucket();
      await expect(put(store, body)).rejects.toMatchObject(error);
      expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
      await expect(store.headObject({ bucket: 'bucket', key: 'k' })).rejects.toMatchObject({
        code: 'NoSuchKey',
      });
      expect(await engine.sweep()).toEqual(NOTHING_FOUND);
    },
  );
}

const NOTHING_FOUND = {
  temporaryFiles: 0,
  orphans: 0,
  garbage: 0,
  restored: 0,
  emptied: 0,
  damaged: [],
};

test('the store rejects an aborted put at once even if its body stream hangs, and leaves no file', async () => {
  const { store, dir } = await withBucket();
  const controller = new AbortController();
  const reason = new DOMException('enough', 'AbortError');
  let hangs: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => {
    hangs = resolve;
  });
  const body: Body = {
    replayable: false,
    async *open() {
      yield patternBytes(200_000);
      hangs();
      await new Promise(() => undefined);
    },
  };
  const { signal } = controller;
  const result = store.putObject({ bucket: 'bucket', key: 'k', body }, { signal });
  await hanging;
  controller.abort(reason);
  await expect(result).rejects.toBe(reason);
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
});

test('the store refuses a large put into a missing bucket without reading its body', async () => {
  const { store, dir } = await openTestEngine();
  let chunks = 0;
  const body: Body = {
    replayable: false,
    async *open() {
      for (; chunks < 1000; chunks++) yield patternBytes(MAX_INLINE_BYTES + 1);
    },
  };
  await expect(put(store, body)).rejects.toMatchObject({ code: 'NoSuchBucket' });
  expect(chunks).toBe(0);
  expect(temporaryFiles(dir)).toEqual([]);
});

test('the store leaves no file after a put with a failed precondition', async () => {
  const { store, dir } = await withBucket();
  await put(store, bytesBody('first'));
  const refused = store.putObject({
    bucket: 'bucket',
    key: 'k',
    body: bytesBody(patternBytes(100_000)),
    conditions: { ifNoneMatch: '*' },
  });
  await expect(refused).rejects.toMatchObject({ code: 'PreconditionFailed' });
  expect([blobFiles(dir), temporaryFiles(dir)]).toEqual([[], []]);
});

test('the store lets exactly one of many concurrent puts with If-None-Match: * succeed', async () => {
  const { store, dir } = await withBucket();
  const bytes = patternBytes(50_000);
  const puts = Array.from({ length: 20 }, (_, index) =>
    store.putObject({
      bucket: 'bucket',
      key: 'k',
      body: bytesBody(index % 2 === 0 ? bytes : 'small'),
      conditions: { ifNoneMatch: '*' },
    }),
  );
  const results = await Promise.allSettled(puts);
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect(blobFiles(dir).length).toBeLessThanOrEqual(1);
});

test('the store shares the bytes between a copy and its source and deletes their file with the last version that uses it', async () => {
  const { store, dir, engine } = await withBucket();
  const bytes = patternBytes(300_000);
  await put(store, bytesBody(bytes), 'a');
  await store.copyObject({ source: { bucket: 'bucket', key: 'a' }, bucket: 'bucket', key: 'b' });
  expect(blobFiles(dir)).toHaveLength(1);
  await store.deleteObject({ bucket: 'bucket', key: 'a' });
  expect((await readBytes(store, { bucket: 'bucket', key: 'b' })).equals(bytes)).toBe(true);
  await store.deleteObject({ bucket: 'bucket', key: 'b' });
  await engine.sweep();
  expect(blobFiles(dir)).toEqual([]);
});

test('the store keeps the file of a deleted version until the last open reader closes it', async () => {
  const { store, dir, engine } = await withBucket();
  const bytes = patternBytes(3_000_000);
  await put(store, bytesBody(bytes));
  const { body } = await store.getObject({ bucket: 'bucket', key: 'k' });
  await store.deleteObject({ bucket: 'bucket', key: 'k' });
  await engine.sweep();
  expect(Buffer.from(await collect(body, 4_000_000)).equals(bytes)).toBe(true);
  await engine.sweep();
  expect(blobFiles(dir)).toEqual([]);
});

test('the store does not keep the file of a deleted version for a reader that was closed before its first byte', async () => {
  const { store, dir, engine } = await withBucket();
  await put(store, bytesBody(patternBytes(100_000)));
  const { body } = await store.getObject({ bucket: 'bucket', key: 'k' });
  await body[Symbol.asyncIterator]().return?.();
  await store.deleteObject({ bucket: 'bucket', key: 'k' });
  await engine.sweep();
  expect(blobFiles(dir)).toEqual([]);
});
