/** Tests that a rate limit does not change the transferred bytes and counts each byte once. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { PacedStore } from '../../../../src/mirror/limits/paced-store.ts';
import { BURST_BYTES, TokenBucket } from '../../../../src/mirror/limits/token-bucket.ts';
import { type Body, bytesBody, collect } from '../../../../src/object-store/body.ts';
import type { ObjectReader } from '../../../../src/object-store/object-store.ts';
import { FakeClock } from '../../../helpers/fake-clock.ts';
import { openTestEngine } from '../../../helpers/test-engine.ts';

const bucket = 'bucket';

/** Counts the bytes without delaying them. */
class CountingBucket extends TokenBucket {
  readonly taken: number[] = [];

  override async take(bytes: number): Promise<void> {
    this.taken.push(bytes);
  }
}

async function bench(limit?: number) {
  const { store } = await openTestEngine();
  await store.createBucket({ bucket });
  const counting = new CountingBucket(new FakeClock(), () => limit);
  return { store, paced: new PacedStore(store, counting), taken: counting.taken };
}

function fileBody(bytes: Uint8Array, chunkBytes: number): Body {
  return {
    sizeBytes: bytes.byteLength,
    replayable: true,
    async *open() {
      for (let at = 0; at < bytes.byteLength; at += chunkBytes)
        yield bytes.subarray(at, at + chunkBytes);
    },
  };
}

async function read(store: ObjectReader, key: string): Promise<Buffer> {
  const { body } = await store.getObject({ bucket, key });
  return Buffer.from(await collect(body, 2 ** 24));
}

test('a rate limit changes no byte of uploads and downloads and counts each byte once', async () => {
  const { store, paced, taken } = await bench(1_000_000);
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 1_000 }),
      fc.nat(300),
      fc.integer({ min: 1_000, max: 300_000 }),
      fc.boolean(),
      async (unit, times, chunkBytes, isInMemory) => {
        const bytes = Buffer.concat(Array.from({ length: times }, () => unit));
        taken.length = 0;
        const body = isInMemory ? bytesBody(bytes) : fileBody(bytes, chunkBytes);
        await paced.putObject({ bucket, key: 'k', body });
        expect(await read(store, 'k')).toEqual(bytes);
        expect(sum(taken)).toBe(bytes.byteLength);
        expect(await read(paced, 'k')).toEqual(bytes);
        expect(sum(taken)).toBe(2 * bytes.byteLength);
        expect(Math.max(0, ...taken)).toBeLessThanOrEqual(BURST_BYTES);
      },
    ),
    { numRuns: 30 },
  );
});

test('the store wrapper applies the rate limit to the total size of all objects in a bulk write', async () => {
  const { store, paced, taken } = await bench(1_000_000);
  const sizes = [BURST_BYTES - 100, 1, 0, 40_000];
  const objects = sizes.map((size, index) => ({ key: `k${index}`, bytes: Buffer.alloc(size) }));
  await paced.bulkWriter?.putObjects({ bucket, objects });
  expect(taken).toEqual([BURST_BYTES, sum(sizes) - BURST_BYTES]);
  expect((await read(store, 'k3')).byteLength).toBe(40_000);
});

test('the store wrapper applies the rate limit to multipart uploads but not to server-side copies', async () => {
  const { paced, taken } = await bench(1_000_000);
  const { uploadId } = await paced.createUpload({ bucket, key: 'k' });
  const body = bytesBody(Buffer.alloc(200_000));
  const { etag } = await paced.uploadPart({ bucket, key: 'k', uploadId, partNumber: 1, body });
  await paced.completeUpload({ bucket, key: 'k', uploadId, parts: [{ partNumber: 1, etag }] });
  await paced.copyObject({ source: { bucket, key: 'k' }, bucket, key: 'copy' });
  expect(sum(taken)).toBe(200_000);
});

test('the store wrapper neither changes nor counts the transferred bytes if no rate limit is set', async () => {
  const { paced, taken } = await bench();
  await paced.putObject({ bucket, key: 'k', body: bytesBody('text') });
  expect((await paced.getObject({ bucket, key: 'k' })).bytes).toEqual(Buffer.from('text'));
  expect(taken).toEqual([]);
});

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
