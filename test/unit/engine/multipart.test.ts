import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { bytesBody, collect } from '../../../src/object-store/body.ts';
import type { CompletedPart } from '../../../src/object-store/multipart.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { blobFiles } from '../../helpers/store-files.ts';
import {
  MIN_PART_BYTES,
  openTestEngine,
  patternBytes,
  readBytes,
} from '../../helpers/test-engine.ts';

const REF = { bucket: 'bucket', key: 'k' };

/** Two parts that are stored in files and one part that is stored in the database. */
const PARTS = [
  patternBytes(MIN_PART_BYTES, 1),
  patternBytes(MIN_PART_BYTES + 12_345, 2),
  patternBytes(999, 3),
];
const WHOLE = Buffer.concat(PARTS);

async function upload(
  store: ObjectStore,
  bodies: readonly Buffer[],
): Promise<{ uploadId: string; parts: CompletedPart[] }> {
  const { uploadId } = await store.createUpload(REF);
  const parts: CompletedPart[] = [];
  for (const [index, bytes] of bodies.entries()) {
    const partNumber = index + 1;
    const body = bytesBody(bytes);
    const { etag } = await store.uploadPart({ ...REF, uploadId, partNumber, body });
    parts.push({ partNumber, etag });
  }
  return { uploadId, parts };
}

async function openWithBucket() {
  const opened = await openTestEngine();
  await opened.store.createBucket({ bucket: 'bucket' });
  return opened;
}

test('the store returns for any range of a multipart object the same bytes as the range of the joined parts', async () => {
  const { store } = await openWithBucket();
  const { uploadId, parts } = await upload(store, PARTS);
  await store.completeUpload({ ...REF, uploadId, parts });
  expect((await readBytes(store, REF)).equals(WHOLE)).toBe(true);
  const edge = fc.oneof(
    fc.nat(WHOLE.length - 1),
    fc.constantFrom(
      0,
      MIN_PART_BYTES - 1,
      MIN_PART_BYTES,
      2 * MIN_PART_BYTES + 12_344,
      2 * MIN_PART_BYTES + 12_345,
      WHOLE.length - 1,
    ),
  );
  await fc.assert(
    fc.asyncProperty(edge, edge, async (a, b) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      const { body } = await store.getObject({ ...REF, range: { first, last } });
      const read = Buffer.from(await collect(body, WHOLE.length));
      expect(read.equals(WHOLE.subarray(first, last + 1))).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test('the store completes a multipart upload without copying bytes and deletes the parts that the request omits', async () => {
  const { store, dir, engine } = await openWithBucket();
  const { uploadId, parts } = await upload(store, [PARTS[0]!, PARTS[1]!, patternBytes(70_000)]);
  const before = blobFiles(dir);
  expect(before).toHaveLength(3);
  await store.completeUpload({ ...REF, uploadId, parts: parts.slice(0, 2) });
  await engine.sweep();
  const after = blobFiles(dir);
  expect(after).toHaveLength(2);
  expect(after.every((file) => before.includes(file))).toBe(true);
});

test('the store shares the parts of a multipart object with its copy until both are deleted', async () => {
  const { store, dir, engine } = await openWithBucket();
  const { uploadId, parts } = await upload(store, PARTS);
  await store.completeUpload({ ...REF, uploadId, parts });
  await store.copyObject({ source: REF, bucket: 'bucket', key: 'copy' });
  await store.deleteObject(REF);
  await engine.sweep();
  const copy = await readBytes(store, { bucket: 'bucket', key: 'copy' });
  expect(copy.equals(WHOLE)).toBe(true);
  await store.deleteObject({ bucket: 'bucket', key: 'copy' });
  await engine.sweep();
  expect(blobFiles(dir)).toEqual([]);
});

test('the store replaces a part that is uploaded again with the same number and deletes the old blob file', async () => {
  const { store, dir, engine } = await openWithBucket();
  const { uploadId } = await upload(store, [patternBytes(100_000, 1)]);
  const bytes = patternBytes(100_000, 2);
  const body = bytesBody(bytes);
  const { etag } = await store.uploadPart({ ...REF, uploadId, partNumber: 1, body });
  await engine.sweep();
  expect(blobFiles(dir)).toHaveLength(1);
  await store.completeUpload({ ...REF, uploadId, parts: [{ partNumber: 1, etag }] });
  expect((await readBytes(store, REF)).equals(bytes)).toBe(true);
});

test.each(['abortUpload', 'deleteBucket'] as const)(
  '%s deletes the parts of an open multipart upload',
  async (operation) => {
    const { store, dir, engine } = await openWithBucket();
    const { uploadId } = await upload(store, [patternBytes(100_000), patternBytes(80_000)]);
    await store[operation]({ ...REF, uploadId });
    await engine.sweep();
    expect(blobFiles(dir)).toEqual([]);
  },
);

test('the store returns the same result for a repeated CompleteMultipartUpload for one day, then NoSuchUpload', async () => {
  const { store, clock } = await openWithBucket();
  const complete = async () => {
    const { uploadId, parts } = await upload(store, [patternBytes(100)]);
    return { request: { ...REF, uploadId, parts }, uploadId };
  };
  const { request } = await complete();
  const first = await store.completeUpload(request);
  clock.advance(3_600_000);
  expect(await store.completeUpload(request)).toEqual(first);
  clock.advance(24 * 3_600_000);
  await store.completeUpload((await complete()).request);
  await expect(store.completeUpload(request)).rejects.toMatchObject({ code: 'NoSuchUpload' });
});

test('the store refuses a part of an unknown upload before it reads the body', async () => {
  const { store } = await openWithBucket();
  let opened = false;
  const body = {
    replayable: false,
    sizeBytes: 1_000_000,
    async *open() {
      opened = true;
      yield patternBytes(1_000_000);
    },
  };
  const part = store.uploadPart({ ...REF, uploadId: 'unknown', partNumber: 1, body });
  await expect(part).rejects.toMatchObject({ code: 'NoSuchUpload' });
  expect(opened).toBe(false);
});
