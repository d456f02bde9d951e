/**
 * Tests that a response cut off at any byte is an error, and never a short listing, a short object
 * or a success.
 */

import { createServer, type Socket } from 'node:net';

import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { SignedClient } from '../../../src/client/signed-client.ts';
import { bytesBody, collect } from '../../../src/object-store/body.ts';
import { connect, failure } from './scripted-server.ts';

const REF = { bucket: 'bucket', key: 'key' };
const LISTING = `<?xml version="1.0"?><ListBucketResult><Name>bucket</Name><Prefix/><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated><KeyCount>1</KeyCount><Contents><Key>a</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified><ETag>"e"</ETag><Size>1</Size></Contents></ListBucketResult>`;
const INFO = 'etag: "e"\r\nlast-modified: Sat, 21 Nov 2026 12:00:00 GMT\r\n';

/** Starts a server that answers each request with the returned bytes and closes the connection. */
async function saying(bytes: () => string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const sized = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
const chunked = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\n${headers}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

type Call = (client: SignedClient) => Promise<unknown>;
const list: Call = async (client) =>
  (await client.listObjects({ bucket: 'bucket' })).objects.length;
const get: Call = async (client) => collect((await client.getObject(REF)).body, 1_000);
const put: Call = (client) => client.putObject({ ...REF, body: bytesBody('a') });

describe.each<[string, Call, string]>([
  ['a listing with a Content-Length', list, sized(LISTING)],
  ['a listing with chunked encoding', list, chunked(LISTING)],
  ['an object with a Content-Length', get, sized('x'.repeat(500), INFO)],
  ['the response to a PUT', put, sized('', INFO)],
])('%s', (_, call, whole) => {
  test('the client reads a complete response', async () => {
    const client = connect(await saying(() => whole));
    await expect(call(client)).resolves.toBeDefined();
  });

  test('the client fails if a response is truncated at any byte', async () => {
    let cut = 0;
    const url = await saying(() => whole.slice(0, cut));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (at) => {
        cut = at;
        const error = await failure(call(connect(url)));
        expect(error).toMatchObject({ name: 'TransportError', code: 'ConnectionLost', sent: true });
      }),
      { numRuns: 40 },
    );
  });
});

test('the client accepts a response without a Content-Length only if its XML document is complete', async () => {
  const bare = `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${LISTING}`;
  let cut = bare.length;
  const url = await saying(() => bare.slice(0, cut));
  expect(await list(connect(url))).toBe(1);
  for (cut = bare.length - 1; cut > bare.length - 200; cut -= 13) {
    expect(await failure(list(connect(url)))).toMatchObject({ code: 'BadResponse' });
  }
});

test('the client refuses an object in a response without a Content-Length', async () => {
  const url = await saying(() => `HTTP/1.1 200 OK\r\n${INFO}connection: close\r\n\r\nhalf of`);
  expect(await failure(get(connect(url)))).toMatchObject({ code: 'BadResponse' });
});
