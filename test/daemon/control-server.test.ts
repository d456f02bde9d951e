import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { listenPrivately } from '../../daemon/control/control-socket.ts';
import { MAX_REQUESTS } from '../../daemon/control/control-connection.ts';
import { connectControl } from '../../src/control/client.ts';
import { MAX_MESSAGE_BYTES } from '../../src/control/framing.ts';
import { PROTOCOL_VERSION } from '../../src/control/version-mismatch.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Opens a raw connection to the control socket. A test can send any bytes on it. */
async function rawConnection(socketPath: string): Promise<Socket> {
  const socket = connect(socketPath);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

function rpc(message: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function firstAnswer(
  socket: Socket,
): Promise<{ result?: unknown; error?: { data: unknown; message: string } }> {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    const body = /\r\n\r\n(\{.*\})$/s.exec(text)?.[1];
    if (body) return JSON.parse(body) as { error?: { data: unknown; message: string } };
  }
  throw new Error('the connection closed without a response');
}

describe('a control connection', () => {
  it('the handshake of a control connection returns the Holdfast version and the process ID of the daemon', async () => {
    const { connect: open } = await controlFixture();
    const client = await open();
    expect(client.hello).toEqual({
      protocol: PROTOCOL_VERSION,
      version: '1.2.3',
      pid: process.pid,
    });
  });

  it('the control server passes parsed parameters to the handler, and the result of the handler to the client', async () => {
    const seen: unknown[] = [];
    const { connect: open } = await controlFixture({
      'buckets.create': async (params, { connection }) => {
        seen.push(params, connection.client);
        return {};
      },
    });
    const client = await open();
    const params = { bucket: 'photos', versioning: true, objectLock: false };
    expect(await client.call('buckets.create', params)).toEqual({});
    expect(seen).toEqual([params, 'test']);
  });

  it('the control server refuses a client with another protocol version, and its error names both versions', async () => {
    const { socketPath } = await controlFixture();
    const socket = await rawConnection(socketPath);
    socket.write(
      rpc({ id: 1, method: 'hello', params: { protocol: PROTOCOL_VERSION + 1, client: 'x' } }),
    );
    const { error } = await firstAnswer(socket);
    expect(error?.data).toMatchObject({
      code: 'VersionMismatch',
      hint: expect.stringContaining('holdfast down'),
    });
    expect(error?.message).toContain(`version ${PROTOCOL_VERSION} `);
    expect(error?.message).toContain(`version ${PROTOCOL_VERSION + 1}`);
  });

  it('the control client fails with VersionMismatch if the daemon has another protocol version', async () => {
    const socketPath = join(temporaryFolder(), 'old.sock');
    const server = createServer((socket) => {
      socket.once('data', () =>
        socket.write(
          rpc({ id: 0, result: { protocol: PROTOCOL_VERSION + 1, version: '9.0.0', pid: 1 } }),
        ),
      );
    }).listen(socketPath);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await expect(connectControl({ socketPath, clientName: 'test' })).rejects.toMatchObject({
      name: 'ControlError',
      code: 'VersionMismatch',
      message: expect.stringContaining('9.0.0'),
      hint: 'this command is older: update it',
    });
  });

  it('the control client fails if the daemon does not respond for 10 seconds', async () => {
    const socketPath = join(temporaryFolder(), 'hung.sock');
    const server = createServer().listen(socketPath);
    onTestFinished(() => void server.close());
    const accepted = once(server, 'connection');
    const clock = new FakeClock();
    const opening = connectControl({ socketPath, clientName: 'test', clock });
    opening.catch(() => undefined);
    const [socket] = (await accepted) as [Socket];
    // Waits for the greeting of the client. The timeout of the client is running from then on.
    await once(socket, 'data');
    clock.advance(10_000);
    await expect(opening).rejects.toMatchObject({
      code: 'Disconnected',
      message: 'the daemon runs, but has not responded for 10 s',
    });
  });

  it('the control server refuses every request before the handshake', async () => {
    const { socketPath } = await controlFixture();
    const socket = await rawConnection(socketPath);
    socket.write(rpc({ id: 1, method: 'status', params: {} }));
    expect((await firstAnswer(socket)).error).toMatchObject({
      message: 'status: the first message must be hello',
      data: { code: 'BadMessage' },
    });
  });

  it.each([
    ['a missing field', { bucket: 'b' }, /^invalid key: it is missing$/],
    [
      'a field of the wrong type',
      { bucket: 'b', key: 5 },
      /^invalid key: it must be of type string$/,
    ],
    ['an empty field', { bucket: '', key: 'k' }, /^invalid bucket: /],
  ])(
    'the control server names the invalid parameter in its error: %s',
    async (_, params, message) => {
      const { connect: open } = await controlFixture();
      const client = await open();
      const bad = params as { bucket: string; key: string };
      const answer = client.call('objects.delete', bad);
      await expect(answer).rejects.toMatchObject({ code: 'BadRequest' });
      await expect(answer).rejects.toThrow(message);
    },
  );

  it('the control server refuses an unknown method', async () => {
    const { connect: open } = await controlFixture();
    const client = await open();
    await expect(client.call('constructor' as 'status', {})).rejects.toMatchObject({
      code: 'BadMessage',
    });
  });

  it('the control protocol preserves the code, message and details of a storage error', async () => {
    const { connect: open } = await controlFixture({
      'buckets.delete': async () => {
        const details = { BucketName: 'photos' };
        throw new StorageError('BucketNotEmpty', 'delete bucket photos: it has versions', {
          details,
        });
      },
    });
    const client = await open();
    await expect(client.call('buckets.delete', { bucket: 'photos' })).rejects.toMatchObject({
      code: 'Storage',
      storageCode: 'BucketNotEmpty',
      message: 'delete bucket photos: it has versions',
      details: { BucketName: 'photos' },
    });
  });

  it('the control protocol does not reveal the text of an unexpected error', async () => {
    const { connect: open } = await controlFixture({
      status: async () => {
        throw new Error('secret abc');
      },
    });
    const client = await open();
    const answer = client.call('status', {});
    await expect(answer).rejects.toMatchObject({ code: 'Internal' });
    await expect(answer).rejects.not.toThrow(/secret/);
  });

  it('aborting a control call aborts its handler, and the call rejects with the reason of the signal', async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const { connect: open } = await controlFixture({
      'jobs.settled': (_, { signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.resolve();
            reject(signal.reason as Error);
          });
        });
      },
    });
    const client = await open();
    const abort = new AbortController();
    const answer = client.call('jobs.settled', { name: 'a' }, { signal: abort.signal });
    await started.promise;
    abort.abort();
    await expect(answer).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    await stopped.promise;
  });

  it('a lost control connection aborts its handlers, and running calls reject with Disconnected', async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const { connect: open } = await controlFixture({
      'jobs.settled': (_, { signal }) => {
        started.resolve();
        signal.addEventListener('abort', () => stopped.resolve());
        return new Promise(() => undefined);
      },
    });
    const client = await open();
    const answer = client.call('jobs.settled', { name: 'a' });
    await started.promise;
    client.close();
    await expect(answer).rejects.toMatchObject({ code: 'Disconnected' });
    await stopped.promise;
  });

  it('a stopping daemon notifies its control clients and cancels their running requests', async () => {
    const started = Promise.withResolvers<void>();
    const { connect: open, server } = await controlFixture({
      'jobs.settled': (_, { signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    });
    const client = await open();
    const closed = new Promise<void>((resolve) => {
      client.onClose(resolve);
    });
    const answer = client.call('jobs.settled', { name: 'a' });
    await started.promise;
    const [refused] = await Promise.allSettled([answer, server.close()]);
    expect(refused).toMatchObject({
      reason: { code: expect.stringMatching(/Cancelled|Disconnected/) },
    });
    await closed;
    await expect(client.call('status', {})).rejects.toMatchObject({ code: 'Disconnected' });
  });

  it('the control server refuses more concurrent requests than its limit allows', async () => {
    const { connect: open } = await controlFixture({
      'jobs.settled': (_, { signal }) =>
        new Promise((__, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const client = await open();
    for (let index = 0; index < MAX_REQUESTS; index += 1) {
      client.call('jobs.settled', { name: 'a' }).catch(() => undefined);
    }
    await expect(client.call('jobs.settled', { name: 'a' })).rejects.toMatchObject({
      code: 'TooMuch',
    });
  });
});

describe('an invalid control message', () => {
  it.each([
    ['that exceeds the size limit', `Content-Length: ${MAX_MESSAGE_BYTES + 1}\r\n\r\n`],
    ['without a Content-Length', 'Content-Type: x\r\n\r\n'],
    ['that is not JSON', 'Content-Length: 3\r\n\r\n{{{'],
    ['that is not an object', 'Content-Length: 4\r\n\r\nnull'],
    ['with a header that never ends', 'x'.repeat(1_000)],
    ['that is an HTTP request', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['that cancels an unknown request', rpc({ method: '$/cancelRequest' })],
  ])('a control message %s closes only its own connection', async (_, text) => {
    const { socketPath, connect: open } = await controlFixture({
      'buckets.list': async () => ({ buckets: [] }),
    });
    const other = await open();
    const socket = await rawConnection(socketPath);
    socket.resume();
    socket.write(text);
    await once(socket, 'close');
    expect(await other.call('buckets.list', {})).toEqual({ buckets: [] });
  });

  it('the control client does not send a message that exceeds the size limit', async () => {
    const { connect: open } = await controlFixture({
      'buckets.list': async () => ({ buckets: [] }),
    });
    const client = await open();
    const key = 'x'.repeat(MAX_MESSAGE_BYTES);
    await expect(client.call('objects.delete', { bucket: 'b', key })).rejects.toMatchObject({
      code: 'TooMuch',
    });
    expect(await client.call('buckets.list', {})).toEqual({ buckets: [] });
  });

  it('a response that exceeds the size limit fails only its own request', async () => {
    const { connect: open } = await controlFixture({
      'log.tail': async () => ({ lines: ['x'.repeat(MAX_MESSAGE_BYTES)] }),
      'buckets.list': async () => ({ buckets: [] }),
    });
    const client = await open();
    await expect(client.call('log.tail', { lines: 1 })).rejects.toThrow(/the maximum is 8388608/);
    expect(await client.call('buckets.list', {})).toEqual({ buckets: [] });
  });
});

describe('the control socket', () => {
  it('the control socket is accessible only to its owner, and is removed when the daemon stops', async () => {
    const { socketPath, server } = await controlFixture();
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700);
    await server.close();
    expect(existsSync(socketPath)).toBe(false);
  });

  it('a starting daemon replaces the control socket of a killed daemon', async () => {
    const socketPath = join(temporaryFolder(), 'control.sock');
    const script = `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', script]), 'exit');
    expect(existsSync(socketPath)).toBe(true);
    await expect(connectControl({ socketPath, clientName: 'test' })).rejects.toMatchObject({
      code: 'NotRunning',
    });
    const server = await listenPrivately(socketPath);
    server.close();
  });

  it('a starting daemon does not replace the control socket of a running daemon, and the socket keeps working', async () => {
    const { socketPath, connect: open } = await controlFixture();
    await expect(listenPrivately(socketPath)).rejects.toMatchObject({ code: 'Conflict' });
    expect((await open()).hello.version).toBe('1.2.3');
  });

  it('the control server does not replace a file that is not a socket', async () => {
    const socketPath = join(temporaryFolder(), 'control.sock');
    writeFileSync(socketPath, 'precious');
    await expect(listenPrivately(socketPath)).rejects.toMatchObject({ code: 'Conflict' });
    expect(statSync(socketPath).size).toBe(8);
  });

  it('the control client fails with NotRunning and a hint if the control socket does not exist', async () => {
    const socketPath = join(temporaryFolder(), 'control.sock');
    await expect(connectControl({ socketPath, clientName: 'test' })).rejects.toMatchObject({
      code: 'NotRunning',
      hint: 'start it with `holdfast up`',
    });
  });

  it('the control server closes a connection on which no request arrives in time', async () => {
    const { socketPath, clock, connect: open } = await controlFixture();
    const socket = await rawConnection(socketPath);
    socket.resume();
    // Opens a second connection. The server accepts connections in order, so it has accepted the
    // first connection by then.
    await open();
    clock.advance(10_000);
    await once(socket, 'close');
    expect(socket.bytesRead).toBe(0);
  });
});
