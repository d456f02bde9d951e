/** Tests that a body of single-byte chunks needs memory only for its bytes, not for each chunk. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { collect } from '../../../src/object-store/body.ts';
import { openTestEngine, patternBytes, readBytes } from '../../helpers/test-engine.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Streams the bytes one by one. `grown` is the growth of memory in bytes before the last byte is
 * sent.
 */
function singly(bytes: Uint8Array) {
  const stream = {
    grown: Number.NaN,
    async *[Symbol.asyncIterator]() {
      const before = heldBytes();
      for (let at = 0; at < bytes.byteLength; at += 1) {
        if (at === bytes.byteLength - 1) stream.grown = heldBytes() - before;
        yield bytes.subarray(at, at + 1);
      }
    },
  };
  return stream;
}

test('an XML request body of 200,000 single-byte chunks is buffered in less than 2 MB of memory', async () => {
  const bytes = patternBytes(200_000);
  const stream = singly(bytes);
  expect(Buffer.from(await collect(stream, 200_000)).equals(bytes)).toBe(true);
  expect(stream.grown).toBeLessThan(2_000_000);
});

test('an XML request body one byte over the size limit is refused even if it arrives byte by byte', async () => {
  await expect(collect(singly(patternBytes(11)), 10)).rejects.toThrow(RangeError);
});

test('the store buffers a small object of 60,000 single-byte chunks in less than 2 MB of memory', async () => {
  const { store } = await openTestEngine();
  await store.createBucket({ bucket: 'box' });
  const ref = { bucket: 'box', key: 'k' };
  const bytes = patternBytes(60_000);
  const stream = singly(bytes);
  await store.putObject({ ...ref, body: { replayable: false, open: () => stream } });
  expect((await readBytes(store, ref)).equals(bytes)).toBe(true);
  expect(stream.grown).toBeLessThan(2_000_000);
});

test.each([65_536, 65_537, 200_000])(
  'the store returns an object of %i bytes that arrived byte by byte unchanged',
  async (size) => {
    const { store } = await openTestEngine();
    await store.createBucket({ bucket: 'box' });
    const ref = { bucket: 'box', key: 'k' };
    const bytes = patternBytes(size);
    await store.putObject({ ...ref, body: { replayable: false, open: () => singly(bytes) } });
    expect((await readBytes(store, ref)).equals(bytes)).toBe(true);
  },
);
