/**
 * Tests of downloads of large objects. The store reuses its read buffers while the gateway sends
 * the object.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bytesBody } from '../../src/object-store/body.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import { patternBytes } from '../helpers/test-engine.ts';
import { dialects, WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench({ tls: makeCertificate() });
const MEBIBYTE = 2 ** 20;
const WHOLE = patternBytes(6 * MEBIBYTE + 12_345);

const reads = [
  ['a whole object over TLS', 0, WHOLE.length - 1, () => bench.connectTls()],
  [
    'a range that omits the first and last bytes',
    MEBIBYTE - 3,
    WHOLE.length - 2,
    () => bench.connect(),
  ],
] as const;

test.each(reads)('a ranged GET of %s returns the stored bytes', async (_, first, last, connect) => {
  const bucket = await bench.bucket();
  await bench.store.putObject({ bucket, key: 'k', body: bytesBody(WHOLE) });
  const headers = { range: `bytes=${first}-${last}` };
  const request = { method: 'GET', url: `/${bucket}/k`, headers };
  const answer = await bench.send(dialects.amz, request, connect());
  expect(answer.status).toBe(206);
  expect(answer.body.equals(WHOLE.subarray(first, last + 1))).toBe(true);
});

test('with reusesChunks, a body uses at most 512 KiB of memory, and each chunk is valid until the caller requests the next', async () => {
  const bucket = await bench.bucket();
  await bench.store.putObject({ bucket, key: 'k', body: bytesBody(WHOLE) });
  const { body } = await bench.store.getObject({ bucket, key: 'k' }, { reusesChunks: true });
  const copies: Buffer[] = [];
  const memory = new Set<ArrayBufferLike>();
  let last: Uint8Array = Buffer.alloc(0);
  for await (const chunk of body) {
    await turn();
    copies.push(Buffer.from(chunk));
    memory.add(chunk.buffer);
    last = chunk;
  }
  expect(Buffer.concat(copies).equals(WHOLE)).toBe(true);
  expect(copies.at(-1)?.equals(last)).toBe(true);
  const memoryBytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(memoryBytes).toBeLessThanOrEqual(MEBIBYTE / 2);
});

test('without reusesChunks, the chunks of a body stay valid after the caller has requested further chunks', async () => {
  const bucket = await bench.bucket();
  await bench.store.putObject({ bucket, key: 'k', body: bytesBody(WHOLE) });
  const { body } = await bench.store.getObject({ bucket, key: 'k' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(WHOLE)).toBe(true);
});
