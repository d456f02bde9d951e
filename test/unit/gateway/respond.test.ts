import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { sendBytes } from '../../../src/http/respond.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const CHUNKS = ['first, ', 'second, ', 'third, ', 'last'];

/** Returns a response to a client that receives one write per call of `take`. */
function slowClient() {
  let take = (): void => undefined;
  const received: Buffer[] = [];
  const socket = new Writable({
    write(bytes: Buffer, _, done) {
      take = () => (received.push(bytes), done());
    },
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.assignSocket(socket as Socket);
  return { response, received, take: () => take() };
}

/** Starts to send an object. `asked` counts the chunks that the gateway has requested. */
function sending(response: ServerResponse) {
  const progress = { asked: 0 };
  async function* body() {
    for (const chunk of CHUNKS) {
      progress.asked += 1;
      yield Buffer.from(chunk);
    }
  }
  const sizeBytes = CHUNKS.join('').length;
  const headers = [['content-length', String(sizeBytes)]] as const;
  const { signal } = new AbortController();
  const options = { body: body(), sizeBytes, signal, clock: new FakeClock() };
  const sent = sendBytes(response, { status: 200, headers }, options);
  return { progress, sent };
}

test('the gateway reads the next chunk of an object only after the client received the previous chunk', async () => {
  const { response, received, take } = slowClient();
  const { progress, sent } = sending(response);
  const asked = [];
  while (!response.writableFinished) {
    await setImmediate();
    asked.push(progress.asked);
    take();
  }
  await sent;
  expect(asked.every((count, taken) => count <= taken + 1)).toBe(true);
  expect(Buffer.concat(received).toString().split('\r\n\r\n')[1]).toBe(CHUNKS.join(''));
});
