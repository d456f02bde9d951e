import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';

import { Connections } from '../../../src/http/connections.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const each of cleanUp.splice(0)) each();
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

async function open(limit: number) {
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    connections.begin(request, response);
    responses.push(response);
  });
  const connections = new Connections(server, limit);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp.push(() => server.close());
  const client = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    cleanUp.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    return socket;
  };
  const asking = async () => {
    const socket = await client();
    socket.write(REQUEST);
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { socket, response };
  };
  const answered = async () => {
    const { socket, response } = await asking();
    response.end('x');
    await once(socket, 'data');
    return socket;
  };
  return { client, asking, answered };
}

test('the gateway closes the oldest connection without a complete request head at the connection limit', async () => {
  const { client } = await open(2);
  const [first, second] = [await client(), await client()];
  const closed = once(first, 'close');
  await client();
  await closed;
  expect(second.destroyed).toBe(false);
});

test('the gateway closes an unused connection before one that is idle between requests at the connection limit', async () => {
  const { client, answered } = await open(2);
  const kept = await answered();
  const silent = await client();
  const closed = once(silent, 'close');
  await client();
  await closed;
  expect(kept.destroyed).toBe(false);
});

test('the gateway closes the longest idle connection at the connection limit if all have had a response', async () => {
  const { client, answered } = await open(2);
  const [first, second] = [await answered(), await answered()];
  const closed = once(first, 'close');
  await client();
  await closed;
  expect(second.destroyed).toBe(false);
});

test('the gateway refuses a new connection at the connection limit while all others wait for a response', async () => {
  const { client, asking } = await open(1);
  const busy = await asking();
  await once(await client(), 'close');
  busy.response.end('x');
  await once(busy.socket, 'data');
  const next = await client();
  await once(busy.socket, 'close');
  expect(next.destroyed).toBe(false);
});
