/**
 * Tests of the timeouts of the client. Each error names the service, the step and the time waited.
 */

import { createServer, type Socket } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { type WaitedTooLong, Watch } from '../../../src/client/watch.ts';
import { bytesBody, collect } from '../../../src/object-store/body.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { connect, failure, HurriedClock, serve } from './scripted-server.ts';

const REF = { bucket: 'bucket', key: 'key' };
const MIB = 1024 * 1024;
const HEAD = {
  etag: '"e"',
  'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
  'content-length': '1000',
};

/** Starts a server that accepts connections, reads everything and never responds. */
async function silentPort(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.resume()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

/** Runs enough event loop turns to fill the buffers of both ends. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
}

/** Advances the clock by `ms` whenever the process is idle, until the result is an error. */
async function passing(clock: FakeClock, ms: number, result: Promise<Error>): Promise<Error> {
  const waiting = Symbol('waiting');
  for (;;) {
    const first = await Promise.race([result, settle().then(() => waiting)]);
    if (first instanceof Error) return first;
    clock.advance(ms);
  }
}

describe('timeouts of the client', () => {
  test('a call fails with a timeout if the TLS handshake does not complete', async () => {
    const endpoint = `https://127.0.0.1:${await silentPort()}`;
    const client = connect(endpoint, { timeouts: { connectMs: 50, repeatMs: 0 } });
    const error = await failure(client.headObject(REF));
    expect(error).toMatchObject({ code: 'Timeout', sent: false });
    expect(error.message).toContain(`${endpoint}: it did not answer in time`);
    expect(error.message).toContain('timeout: 50ms');
  });

  test('the client fails a call with a timeout if no response begins within 120 s', async () => {
    const endpoint = `http://127.0.0.1:${await silentPort()}`;
    const clock = new HurriedClock();
    const put = failure(connect(endpoint, { clock }).putObject({ ...REF, body: bytesBody('a') }));
    const error = await passing(clock, 120_000, put);
    expect(error).toMatchObject({ code: 'Timeout', sent: true });
    expect(error.message).toBe(
      `cannot use ${endpoint}: it did not answer in time (no answer within 120 s)`,
    );
  });

  test.for([
    ['held in memory', { sizeBytes: 7 * MIB, replayable: false }],
    ['streamed', { sizeBytes: 64 * MIB, replayable: true, sha256: 'a'.repeat(64) }],
    ['signed in chunks', { sizeBytes: 64 * MIB, replayable: false }],
  ] as const)(
    'the client fails an upload that is %s with a timeout if the service does not read its body',
    async ([, stated]) => {
      const { url } = await serve((request) => request.pause());
      const clock = new HurriedClock();
      async function* open() {
        for (let left = stated.sizeBytes; left > 0; left -= MIB) yield Buffer.alloc(MIB);
      }
      const put = failure(connect(url, { clock }).putObject({ ...REF, body: { ...stated, open } }));
      const error = await passing(clock, 60_000, put);
      expect(error).toMatchObject({ code: 'Timeout', sent: true });
      expect(error.message).toContain('no room for more of the body within 60 s');
    },
  );

  test('the client fails an upload whose source stalls with a timeout', async () => {
    const { url } = await serve((request) => request.resume());
    const clock = new HurriedClock();
    async function* open() {
      yield Buffer.alloc(MIB);
      await new Promise(() => undefined);
    }
    const body = { sizeBytes: 9 * MIB, replayable: false, open };
    const put = failure(connect(url, { clock }).putObject({ ...REF, body }));
    const error = await passing(clock, 600_000, put);
    expect(error).toMatchObject({ code: 'Timeout', sent: true });
    expect(error.message).toContain('no end of the exchange within');
  });

  test('a download fails with a timeout if it stalls and cannot be resumed', async () => {
    const { url, requests } = await serve((request, response) => {
      response.writeHead(request.headers.range === undefined ? 200 : 206, {
        ...HEAD,
        'content-length': '100000',
        ...(request.headers.range !== undefined && { 'content-range': 'bytes 4-99999/100000' }),
      });
      if (requests.length === 1) response.write('half');
      else response.flushHeaders();
    });
    const clock = new HurriedClock();
    const { body } = await connect(url, { clock }).getObject(REF);
    const error = await passing(clock, 60_000, failure(collect(body, MIB)));
    expect(error).toMatchObject({ code: 'Timeout' });
    expect(error.message).toContain('no more of the answer within 60 s');
    expect(requests).toHaveLength(4);
  });

  test('the client fails with a timeout if a small response arrives slowly and never ends', async () => {
    const clock = new HurriedClock();
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.write(' ');
    });
    const listing = failure(
      connect(url, { clock, timeouts: { bodyIdleMs: 3_600_000 } }).createUpload(REF),
    );
    const error = await passing(clock, 600_000, listing);
    expect(error).toMatchObject({ code: 'Timeout', sent: true });
    expect(error.message).toContain('no end of the exchange within 600 s');
  });
});

test('the client does not time out a download whose reader pauses', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, HEAD);
    response.end('x'.repeat(1_000));
  });
  const clock = new HurriedClock();
  const { body } = await connect(url, { clock }).getObject(REF);
  clock.advance(24 * 3_600_000);
  expect(await collect(body, MIB)).toHaveLength(1_000);
});

test('the client does not time out an upload that makes progress, however long it takes', async () => {
  const { url } = await serve((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { etag: '"e"' }).end());
  });
  const clock = new HurriedClock();
  async function* open() {
    for (let count = 0; count < 32; count += 1) {
      // The pauses add up to 1,600 s, longer than any single timeout.
      clock.advance(50_000);
      yield Buffer.alloc(MIB);
      await new Promise(setImmediate);
    }
  }
  const body = { sizeBytes: 32 * MIB, replayable: false, open };
  const put = await connect(url, { clock }).putObject({ ...REF, body });
  expect(put).toEqual({ etag: 'e' });
});

describe('the timeout of the steps of a request', () => {
  const watched = () => {
    const clock = new FakeClock();
    const returned: WaitedTooLong[] = [];
    return { clock, returned, watch: new Watch(clock, (error) => returned.push(error)) };
  };

  test('the client names the last expected step in a timeout, after the time limit of that step', () => {
    const { clock, returned, watch } = watched();
    watch.expect('a', 1_000);
    clock.advance(999);
    watch.expect('b', 5_000);
    clock.advance(4_999);
    expect(returned).toEqual([]);
    clock.advance(1);
    expect(returned).toMatchObject([{ what: 'b', ms: 5_000, message: 'no b within 5 s' }]);
  });

  test('the client shortens the timeout when a step with a shorter time limit is expected', () => {
    const { clock, returned, watch } = watched();
    watch.expect('a', 10_000);
    watch.expect('b', 10);
    clock.advance(10);
    expect(returned).toMatchObject([{ what: 'b' }]);
  });

  test.for(['rest', 'end'] as const)(
    'the client reports no timeout after a call of %s()',
    (stop) => {
      const { clock, returned, watch } = watched();
      watch.expect('a', 1_000);
      watch[stop]();
      clock.advance(10_000);
      expect(returned).toEqual([]);
    },
  );
});
