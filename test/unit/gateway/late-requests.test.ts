import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { LATE_REQUESTS } from '../../../src/http/late-requests.ts';

/**
 * Sends the text to a server that closes each connection at its third request. Returns the requests
 * that the server received.
 */
async function requestsOf(text: string): Promise<readonly IncomingMessage[]> {
  const requests: IncomingMessage[] = [];
  const server = createServer({ ...LATE_REQUESTS, requireHostHeader: false }, (request) => {
    requests.push(request);
    if (requests.length === 3) request.socket.destroy();
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket.resume(), 'close');
  return requests;
}

test('the gateway keeps no headers in memory of a request that it parses after closing the connection', async () => {
  const requests = await requestsOf(
    'PUT / HTTP/1.1\r\nContent-Length: 0\r\n\r\n'.repeat(3) +
      'PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\n',
  );
  expect(requests).toHaveLength(4);
  expect(requests[3]?.headers).toEqual({});
});

test.each([
  ['without a body', 'GET / HTTP/1.1\r\n\r\n'],
  ['with a body', 'PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc'],
  [
    'with a chunked body and trailers',
    'PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: y\r\n\r\n',
  ],
])(
  'the gateway reuses one request object for all pipelined requests %s that it parses after closing the connection',
  async (_, request) => {
    const requests = await requestsOf(request.repeat(500));
    expect(requests).toHaveLength(500);
    expect(new Set(requests).size).toBe(4);
    expect(requests.slice(3).every(({ socket }) => socket.destroyed)).toBe(true);
  },
);
