/**
 * Tests that small chunks of a request body are joined, and that their reading is spread over
 * several event loop turns.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { LATE_REQUESTS } from '../../../src/http/late-requests.ts';

/** The maximum number of bytes that Node.js reads at once. */
const ONE_READ_BYTES = 64 * 1024;

/** Returns the request that a server receives when a client sends the chunks. */
async function received(chunks: readonly string[]): Promise<IncomingMessage> {
  const server = createServer(LATE_REQUESTS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => undefined);
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  client.write(`PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${framed}0\r\n\r\n`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  return request;
}

async function bytesOf(request: IncomingMessage): Promise<{ text: string; parts: number }> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return { text: Buffer.concat(parts).toString('latin1'), parts: parts.length };
}

test('the gateway passes on the bytes of a request body in order for any chunk sizes', async () => {
  const chunk = fc.oneof(
    fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('a', 'b') }),
    fc.integer({ min: 500, max: 70_000 }).map((length) => 'c'.repeat(length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 60 }), async (chunks) => {
      expect((await bytesOf(await received(chunks))).text).toBe(chunks.join(''));
    }),
    { numRuns: 60 },
  );
});

test('the gateway joins 100,000 one-byte chunks of a request body into fewer than 1,000 chunks', async () => {
  const { text, parts } = await bytesOf(await received(Array<string>(100_000).fill('x')));
  expect(text.length).toBe(100_000);
  expect(parts).toBeLessThan(1_000);
});

/** Chunk sizes, which are repeated until the body is complete. */
const PATTERNS: readonly (readonly [string, readonly number[]])[] = [
  ['1 byte', [1]],
  ['300 bytes', [300]],
  ['4,095 bytes', [4_095]],
  ['1 byte and 4,096 bytes alternately', [1, 4_096]],
  ['1 byte 250 times and then 512 bytes', [...Array<number>(250).fill(1), 512]],
];

function chunksOf(sizes: readonly number[], bytes: number): readonly string[] {
  const chunks: string[] = [];
  for (let at = 0, sent = 0; sent < bytes; at += 1) {
    const size = sizes[at % sizes.length] ?? 1;
    chunks.push('x'.repeat(size));
    sent += size;
  }
  return chunks;
}

describe.each(PATTERNS)('a request body in chunks of %s', (_, sizes) => {
  const bytesRead = ({ socket }: IncomingMessage) => socket.bytesRead;

  test('the gateway reads a chunked request body at most twice in one event loop turn', async () => {
    const request = await received(chunksOf(sizes, 400_000));
    request.resume();
    let before = bytesRead(request);
    while (!request.readableEnded) {
      await setImmediate();
      expect(bytesRead(request) - before).toBeLessThanOrEqual(2 * ONE_READ_BYTES);
      before = bytesRead(request);
    }
  });

  test('the gateway reads a chunked request body that is not consumed only up to a limit', async () => {
    const request = await received(chunksOf(sizes, 4_000_000));
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(bytesRead(request)).toBeLessThanOrEqual(4 * ONE_READ_BYTES);
  });

  test('the gateway buffers a chunked request body only up to a limit if the consumer is slower than the client', async () => {
    const request = await received(chunksOf(sizes, 1_000_000));
    let consumedBytes = 0;
    while (!request.readableEnded) {
      for (let turn = 0; turn < 10; turn += 1) await setImmediate();
      expect(request.readableLength).toBeLessThanOrEqual(4 * ONE_READ_BYTES);
      const bytes = request.read() as Buffer | null;
      consumedBytes += bytes?.byteLength ?? 0;
    }
    expect(consumedBytes).toBeGreaterThanOrEqual(1_000_000);
  });
});
