import { once } from 'node:events';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import { IncomingBody } from '../../../src/gateway/incoming-body.ts';

const SIZE_BYTES = 1_000_000;

/** Returns a request whose body of `SIZE_BYTES` has not been read yet. */
async function receivedBody(): Promise<IncomingBody> {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = send({ port, host: '127.0.0.1', method: 'PUT' });
  client.on('error', () => undefined).end(Buffer.alloc(SIZE_BYTES, 'x'));
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  onTestFinished(() => void request.destroy());
  return new IncomingBody(request, response, { clock: systemClock, expecting: false });
}

test('with reusesChunks, the gateway detaches a chunk of a request body when the next chunk is requested', async () => {
  const body = await receivedBody();
  const before: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body.read({ reusesChunks: true })) {
    expect(before.map(({ byteLength }) => byteLength)).toEqual(before.map(() => 0));
    total += chunk.byteLength;
    before.push(chunk);
  }
  expect(total).toBe(SIZE_BYTES);
  expect(before.length).toBeGreaterThan(1);
});

test('without reusesChunks, the gateway keeps all chunks of a request body valid', async () => {
  const body = await receivedBody();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.read()) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(Buffer.alloc(SIZE_BYTES, 'x'))).toBe(true);
});
