/** Bodies in chunks, of which each can have one byte: no more are read before the body is wanted. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import { IncomingBody } from '../../../src/gateway/incoming-body.ts';

const CHUNKS = 200_000;
/** Node reads at most this many bytes at once. */
const ONE_READ_BYTES = 64 * 1024;

/** The body of a request in chunks of one byte each, of which the server has read what Node reads at once. */
async function receivedBody() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => undefined);
  const arrived = new Promise<IncomingBody>((resolve) => {
    server.on('request', (request, response) => {
      const options = { clock: systemClock, expecting: false, isChunked: true };
      resolve(new IncomingBody(request, response, options));
    });
  });
  const accepted = once(server, 'connection');
  client.write(
    `PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(CHUNKS)}0\r\n\r\n`,
  );
  const [socket] = (await accepted) as [{ readonly bytesRead: number }];
  return { body: await arrived, socket };
}

test('reads a body in chunks only when it is wanted, and then as a whole', async () => {
  const { body, socket } = await receivedBody();
  await systemClock.sleep(50);
  expect(socket.bytesRead).toBeLessThanOrEqual(ONE_READ_BYTES);
  expect((await body.whole()).byteLength).toBe(CHUNKS);
  expect(body.complete).toBe(true);
});

test('reads no more of a body in chunks when its request was refused', async () => {
  const { body, socket } = await receivedBody();
  expect(await body.drain()).toBe(false);
  await systemClock.sleep(50);
  expect(socket.bytesRead).toBeLessThanOrEqual(ONE_READ_BYTES);
});
