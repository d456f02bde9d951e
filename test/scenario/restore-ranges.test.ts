/** Tests of reading a large object in several ranges at a time. */

import { randomBytes } from 'node:crypto';

import { expect, test } from 'vitest';

import { bytesBody, collect } from '../../src/object-store/body.ts';
import type { ObjectReader } from '../../src/object-store/object-store.ts';
import { readInRanges } from '../../src/restore/read-ranges.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const MIB = 1024 ** 2;
const BYTES = randomBytes(17 * MIB + 1);
const KEY = 'large';

async function benchWithObject() {
  const { store, bucket } = await openMirrorBench();
  await store.putObject({ bucket, key: KEY, body: bytesBody(BYTES) });
  const read = async (reader: ObjectReader, first = 0) => {
    const wanted = { sizeBytes: BYTES.byteLength, first };
    const content = await readInRanges(reader, { bucket, key: KEY }, wanted, {});
    const bytes = await collect(content.body, BYTES.byteLength);
    return { range: content.range, bytes: Buffer.from(bytes) };
  };
  return { store, bucket, read };
}

test('a restore reads a large object in four ranges at a time, and gets its bytes in order', async () => {
  const { store, read } = await benchWithObject();
  let [reading, most] = [0, 0];
  const counting = overriding(store, {
    async getObject(request, options) {
      reading += 1;
      most = Math.max(most, reading);
      const content = await store.getObject(request, options);
      const bytes = await collect(content.body, 2 * MIB);
      reading -= 1;
      return { ...content, body: bytesBody(bytes).open() };
    },
  });
  const { bytes, range } = await read(counting);
  expect(bytes.equals(BYTES)).toBe(true);
  expect(range).toEqual({ first: 0, last: BYTES.byteLength - 1 });
  expect(most).toBe(4);
});

test('a restore that continues a large object reads only the missing bytes', async () => {
  const { store, read } = await benchWithObject();
  const { bytes, range } = await read(store, 12_345);
  expect(range?.first).toBe(12_345);
  expect(bytes.equals(BYTES.subarray(12_345))).toBe(true);
});

test('a restore reads the whole object from a service that ignores ranges', async () => {
  const { store, read } = await benchWithObject();
  const ignoring = overriding(store, {
    getObject: (request, options) =>
      store.getObject({ bucket: request.bucket, key: request.key }, options),
  });
  const { bytes, range } = await read(ignoring);
  expect(range).toBeUndefined();
  expect(bytes.equals(BYTES)).toBe(true);
});

test('a restore never joins ranges of different versions', async () => {
  const { store, bucket, read } = await benchWithObject();
  let isReplaced = false;
  const replacing = overriding(store, {
    async getObject(request, options) {
      const content = await store.getObject(request, options);
      if (isReplaced) return content;
      isReplaced = true;
      const body = bytesBody(randomBytes(BYTES.byteLength));
      await store.putObject({ bucket, key: KEY, body });
      const { versionId: _, ...info } = content.info;
      return { ...content, info };
    },
  });
  await expect(read(replacing)).rejects.toMatchObject({ code: 'PreconditionFailed' });
});

test('a restore refuses a range that the service did not return completely', async () => {
  const { store, read } = await benchWithObject();
  const shifting = overriding(store, {
    getObject: async (request, options) => {
      const content = await store.getObject(request, options);
      const { range } = content;
      return range && range.first > 0
        ? { ...content, range: { first: range.first, last: range.last - 1 } }
        : content;
    },
  });
  await expect(read(shifting)).rejects.toMatchObject({ code: 'ContentDiffers' });
});
