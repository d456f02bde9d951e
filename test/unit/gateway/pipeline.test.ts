import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { MAX_PIPELINED } from '../../../src/http/listener-limits.ts';
import { inOrder } from '../../../src/http/pipeline.ts';

function pipelined(socket: Socket, count: number) {
  const served: number[] = [];
  const requests = Array.from({ length: count }, () => new IncomingMessage(socket));
  const serve = inOrder(async (request) => void served.push(requests.indexOf(request)));
  const done = requests.map((request) => serve(request, new ServerResponse(request), false));
  return { served, done };
}

test('the gateway serves pipelined requests in order, one per event loop turn', async () => {
  const { served, done } = pipelined(new Socket(), 5);
  const seen = [];
  for (let turn = 0; turn < 5; turn += 1) {
    seen.push(served.length);
    await setImmediate();
  }
  await Promise.all(done);
  expect(seen).toEqual([1, 1, 2, 3, 4]);
  expect(served).toEqual([0, 1, 2, 3, 4]);
});

test('the gateway closes a connection with too many pipelined requests and discards the queued requests', async () => {
  const socket = new Socket();
  const { served, done } = pipelined(socket, MAX_PIPELINED + 1);
  await Promise.all(done);
  expect({ served, destroyed: socket.destroyed }).toEqual({ served: [0], destroyed: true });
});

test('the gateway creates no stack traces for the requests of a connection that it closes', async () => {
  const socket = new Socket();
  const before = Error.stackTraceLimit;
  let during = before;
  const closed = once(socket, 'close');
  socket.once('close', () => (during = Error.stackTraceLimit));
  await Promise.all(pipelined(socket, MAX_PIPELINED + 9).done);
  await closed;
  expect([during, Error.stackTraceLimit]).toEqual([0, before]);
});
