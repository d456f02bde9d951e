/**
 * Tests of storing a stream of any length as one object, by a single put or a multipart upload,
 * with nothing left behind after an error.
 */

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { type Engine, openEngine } from '../../../src/engine/engine.ts';
import { BODY_MEMORY } from '../../../src/object-store/body-memory.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { putBody, type PutBodyOptions } from '../../../src/object-store/put-body.ts';
import { partSizeBytes } from '../../../src/object-store/multipart-put.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { overriding } from '../../helpers/forgetful-store.ts';
import { TEST_USER } from '../../helpers/test-engine.ts';

const MIB = 1024 * 1024;
const REF = { bucket: 'bucket', key: 'key' };
const noLeftover: PutBodyOptions = {
  onLeftover: (_, error) => {
    throw error;
  },
};

let engine: Engine;
let all: ObjectStore;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-put-body-'));
  const clock = new FakeClock();
  engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1' });
  all = engine.as(internalCaller(TEST_USER, clock.now()));
  return async () => {
    await engine.close();
    await rm(dir, { recursive: true });
  };
});

/** Empties the store and returns it with one new bucket. */
async function openBucket(): Promise<ObjectStore> {
  for (const { name: bucket } of await all.listBuckets()) {
    for (const { key } of (await all.listObjects({ bucket })).objects) {
      await all.deleteObject({ bucket, key });
    }
    await all.deleteBucket({ bucket });
  }
  await all.createBucket({ bucket: REF.bucket });
  return all;
}

/**
 * Creates a stream of varying bytes in chunks of the given size. `closed` becomes true when the
 * reader ends or cancels the stream.
 */
function stream(sizeBytes: number, chunkBytes = MIB) {
  const seed = Buffer.from(Array.from({ length: 251 }, (_, index) => index));
  const bytes = Buffer.alloc(sizeBytes, seed);
  const state = { closed: false, bytes };
  async function* open() {
    try {
      for (let at = 0; at < sizeBytes; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    } finally {
      state.closed = true;
    }
  }
  return Object.assign(state, { open });
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function storedSha256(store: ObjectStore): Promise<string> {
  const { body } = await store.getObject(REF);
  const digest = createHash('sha256');
  for await (const chunk of body) digest.update(chunk);
  return digest.digest('hex');
}

async function expectNoTrace(store: ObjectStore): Promise<void> {
  expect((await store.listUploads({ bucket: REF.bucket })).uploads).toEqual([]);
  expect((await store.listObjects({ bucket: REF.bucket })).objects).toEqual([]);
}

afterEach(() => expect(BODY_MEMORY.takenBytes).toBe(0));

describe('storing a stream as one object', () => {
  test.for([
    [0, MIB, 0],
    [1, MIB, 0],
    [8 * MIB - 1, 65_537, 0],
    [8 * MIB, MIB, 0],
    [8 * MIB + 1, 3 * MIB, 2],
    [16 * MIB, 9 * MIB, 2],
    [20 * MIB + 3, 65_537, 3],
  ] as const)(
    'Holdfast stores a stream of %i bytes in chunks of %i bytes completely, in %i parts',
    async ([size, chunk, parts]) => {
      const store = await openBucket();
      const source = stream(size, chunk);
      const { etag } = await putBody(store, { ...REF, body: source }, noLeftover);
      expect(await storedSha256(store)).toBe(sha256(source.bytes));
      expect(/-(\d+)$/.exec(etag)?.[1]).toBe(parts === 0 ? undefined : String(parts));
      expect(source.closed).toBe(true);
    },
  );

  test('Holdfast stores a stream of known length by a single put up to the limit and by a multipart upload above it', async () => {
    const store = await openBucket();
    const put = (sizeBytes: number, onePutBytes: number) => {
      const body = { sizeBytes, open: stream(sizeBytes).open };
      return putBody(store, { ...REF, body }, { ...noLeftover, onePutBytes });
    };
    expect((await put(9 * MIB, 9 * MIB)).etag).not.toContain('-');
    expect((await put(9 * MIB, 9 * MIB - 1)).etag).toMatch(/-2$/);
  });

  test.for([9 * MIB - 1, 9 * MIB + 1, 40 * MIB])(
    'Holdfast leaves no object or upload after a put of a stream that is longer or shorter than its stated %i bytes',
    async (sizeBytes) => {
      const store = await openBucket();
      const body = { sizeBytes, open: stream(9 * MIB).open };
      const put = putBody(store, { ...REF, body }, { ...noLeftover, onePutBytes: 0 });
      await expect(put).rejects.toMatchObject({ code: 'IncompleteBody' });
      await expectNoTrace(store);
    },
  );

  test.for([1, 8, 17])(
    'Holdfast leaves no object or upload after a put of a stream that fails after %i MiB',
    async (mib) => {
      const store = await openBucket();
      const lost = new Error('the source is lost');
      async function* open() {
        yield* stream(mib * MIB).open();
        throw lost;
      }
      await expect(putBody(store, { ...REF, body: { open } }, noLeftover)).rejects.toBe(lost);
      await expectNoTrace(store);
    },
  );

  test.for([
    [1, true],
    [17, true],
    [17, false],
  ] as const)(
    'Holdfast aborts a put of a stream that hangs after %i MiB',
    async ([mib, leaves]) => {
      const store = await openBucket();
      const abort = new AbortController();
      const hangs = Promise.withResolvers<void>();
      const source = stream(mib * MIB);
      async function* open() {
        yield* source.open();
        hangs.resolve();
        await new Promise(() => undefined);
      }
      const put = putBody(
        store,
        { ...REF, body: { open } },
        { ...noLeftover, signal: abort.signal, isKeptAfter: () => leaves },
      );
      const outcome = put.catch((error: unknown) => error);
      await hangs.promise;
      const reason = new Error('enough');
      abort.abort(reason);
      expect(await outcome).toBe(reason);
      const { uploads } = await store.listUploads({ bucket: REF.bucket });
      expect(uploads).toHaveLength(mib > 16 && leaves ? 1 : 0);
    },
  );
});

describe('multipart upload of a stream', () => {
  test('Holdfast aborts the other parts and the multipart upload if the store refuses a part', async () => {
    const store = await openBucket();
    const refused = new Error('no');
    const aborted: number[] = [];
    const faulty = overriding(store, {
      uploadPart: async ({ partNumber }, options) => {
        if (partNumber === 3) throw refused;
        await new Promise((resolve) => {
          options?.signal?.addEventListener('abort', resolve);
        });
        aborted.push(partNumber);
        throw options?.signal?.reason;
      },
    });
    const source = stream(80 * MIB);
    await expect(putBody(faulty, { ...REF, body: source }, noLeftover)).rejects.toBe(refused);
    expect(aborted).toEqual([1, 2]);
    expect(source.closed).toBe(true);
    await expectNoTrace(store);
  });

  test('Holdfast aborts a multipart upload whose precondition fails at completion', async () => {
    const store = await openBucket();
    await store.putObject({ ...REF, body: { replayable: true, open: stream(1).open } });
    const conditions = { ifNoneMatch: '*' } as const;
    const put = putBody(store, { ...REF, body: stream(9 * MIB), conditions }, noLeftover);
    await expect(put).rejects.toMatchObject({ code: 'PreconditionFailed' });
    expect((await store.listUploads({ bucket: REF.bucket })).uploads).toEqual([]);
    expect((await store.headObject(REF)).info.sizeBytes).toBe(1);
  });

  test('Holdfast closes the source stream if the multipart upload cannot be created', async () => {
    const source = stream(9 * MIB);
    const store = await openBucket();
    const put = putBody(store, { ...REF, bucket: 'nowhere', body: source }, noLeftover);
    await expect(put).rejects.toMatchObject({ code: 'NoSuchBucket' });
    expect(source.closed).toBe(true);
  });

  test('Holdfast reports the upload id and the error of a multipart upload that can neither continue nor be aborted', async () => {
    const store = await openBucket();
    const broken = async () => {
      throw new Error('away');
    };
    const returned: string[] = [];
    const options = {
      onLeftover: ({ uploadId }: { uploadId: string }) => void returned.push(uploadId),
    };
    const faulty = overriding(store, { uploadPart: broken, abortUpload: broken });
    await expect(putBody(faulty, { ...REF, body: stream(9 * MIB) }, options)).rejects.toThrow(
      'away',
    );
    const { uploads } = await store.listUploads({ bucket: REF.bucket });
    expect(returned).toEqual(uploads.map(({ uploadId }) => uploadId));
  });

  test('Holdfast completes six concurrent multipart uploads that share a memory limit of 64 MiB', async () => {
    const store = await openBucket();
    let mostBytes = 0;
    const slow = overriding(store, {
      uploadPart: async ({ partNumber }) => {
        mostBytes = Math.max(mostBytes, BODY_MEMORY.takenBytes);
        await new Promise(setImmediate);
        return { etag: String(partNumber) };
      },
      completeUpload: async ({ parts }) => ({ etag: parts.map(({ etag }) => etag).join(' ') }),
    });
    const puts = Array.from({ length: 6 }, () =>
      putBody(slow, { ...REF, body: stream(48 * MIB) }, noLeftover),
    );
    const etags = (await Promise.all(puts)).map(({ etag }) => etag);
    expect(etags).toEqual(Array.from({ length: 6 }, () => '1 2 3 4 5 6'));
    expect(mostBytes).toBeLessThanOrEqual(64 * MIB);
    expect(mostBytes).toBeGreaterThan(32 * MIB);
  });

  test('Holdfast completes the parts in progress of a resumable upload that fails, and starts no others', async () => {
    const store = await openBucket();
    const lost = new Error('lost');
    const begun: number[] = [];
    const faulty = overriding(store, {
      uploadPart: async (request, options) => {
        begun.push(request.partNumber);
        if (request.partNumber === 2) throw lost;
        await new Promise(setImmediate);
        return store.uploadPart(request, options);
      },
    });
    const acknowledged: number[] = [];
    const options = {
      ...noLeftover,
      isKeptAfter: () => true,
      onPart: ({ partNumber }: { partNumber: number }) => void acknowledged.push(partNumber),
    };
    const put = putBody(faulty, { ...REF, body: stream(80 * MIB) }, options);
    await expect(put).rejects.toBe(lost);
    expect(begun.length).toBeLessThanOrEqual(4);
    expect(acknowledged.toSorted((one, other) => one - other)).toEqual(
      begun.filter((number) => number !== 2),
    );
    expect((await store.listUploads({ bucket: REF.bucket })).uploads).toHaveLength(1);
  });

  test.for([
    [17 * MIB, 8 * MIB],
    [80_000 * MIB, 8 * MIB],
    [80_001 * MIB, 9 * MIB],
    [5 * 1024 ** 4, 525 * MIB],
  ])(
    'Holdfast divides a multipart upload of %i bytes into parts of %i bytes',
    ([sizeBytes = 0, partBytes = 0]) => {
      expect(partSizeBytes(sizeBytes)).toBe(partBytes);
      expect(Math.ceil(sizeBytes / partBytes)).toBeLessThanOrEqual(10_000);
    },
  );
});
