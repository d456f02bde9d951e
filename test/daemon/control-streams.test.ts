import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CLAIM_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_STREAMS } from '../../daemon/control/streams.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { controlFixture } from '../helpers/control-fixture.ts';

const MIB = 1024 * 1024;

/**
 * Yields chunks with different contents. A lost, duplicated or reordered chunk changes the digest
 * of the stream.
 */
async function* pieces(count: number, sizeBytes = MIB): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(sizeBytes, index + 1);
}

async function digest(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of body) hash.update(bytes);
  return hash.digest('hex');
}

async function rawStream(socketPath: string, token: string): Promise<Socket> {
  const socket = connect(socketPath);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`STREAM ${token}\n`);
  return socket;
}

function frame(kind: string, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.write(kind, 'latin1');
  header.writeUInt32BE(payload.byteLength, 1);
  return Buffer.concat([header, payload]);
}

function end(total: number): Buffer {
  const payload = Buffer.alloc(8);
  payload.writeBigUInt64BE(BigInt(total));
  return frame('E', payload);
}

/** Upload handler that reads the whole body, and returns the digest of the body as the ETag. */
const digesting = async (body: AsyncIterable<Uint8Array>) => ({ etag: await digest(body) });

describe('a download stream', () => {
  it('a download stream of 50 MB arrives complete', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const token = streams.offerDownload(pieces(50));
    expect(await digest(client.download(token))).toBe(await digest(pieces(50)));
  });

  it('a download stream of 0 bytes is empty', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const token = streams.offerDownload(pieces(0));
    expect(await digest(client.download(token))).toBe(await digest(pieces(0)));
  });

  it('a download stream that fails midway ends with the error code of the store', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const token = streams.offerDownload(
      (async function* () {
        yield* pieces(2);
        throw new StorageError('InternalError', 'read blob: a segment is damaged');
      })(),
    );
    await expect(digest(client.download(token))).rejects.toMatchObject({
      code: 'Storage',
      storageCode: 'InternalError',
      message: 'read blob: a segment is damaged',
    });
  });

  it('a download stream can be fetched only once', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const token = streams.offerDownload(pieces(1));
    await digest(client.download(token));
    await expect(digest(client.download(token))).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('a download stream reads no further ahead than the client consumes', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    let made = 0;
    const token = streams.offerDownload(
      (async function* () {
        for await (const bytes of pieces(50)) {
          made += 1;
          yield bytes;
        }
      })(),
    );
    const body = client.download(token)[Symbol.asyncIterator]();
    await body.next();
    // Waits for many turns of the event loop. Without backpressure, the source would be read to its
    // end in this time.
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
    expect(made).toBeLessThan(10);
    await body.return?.();
  });

  it('a download stream closes its source if the client disconnects', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const closed = Promise.withResolvers<string>();
    const token = streams.offerDownload(
      (async function* () {
        try {
          yield* pieces(50);
        } finally {
          closed.resolve('closed');
        }
      })(),
    );
    for await (const bytes of client.download(token)) {
      expect(bytes.byteLength).toBeGreaterThan(0);
      break;
    }
    expect(await closed.promise).toBe('closed');
  });

  it('an aborted download stream ends with the reason of the signal', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const token = streams.offerDownload(pieces(50));
    const abort = new AbortController();
    const reading = (async () => {
      for await (const bytes of client.download(token, { signal: abort.signal })) {
        if (bytes.byteLength > 0) abort.abort();
      }
    })();
    await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('a download stream that is not fetched in time closes its source, and its token becomes invalid', async () => {
    const { connect: open, streams, clock } = await controlFixture();
    const client = await open();
    const closed = Promise.withResolvers<string>();
    const token = streams.offerDownload({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('never asked')),
        return: () => {
          closed.resolve('closed');
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    });
    clock.advance(CLAIM_TIMEOUT_MS);
    expect(await closed.promise).toBe('closed');
    await expect(digest(client.download(token))).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('a download stream ends after a timeout if its client reads nothing', async () => {
    const { socketPath, streams, clock } = await controlFixture();
    const closed = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const token = streams.offerDownload(
      (async function* () {
        try {
          started.resolve();
          yield* pieces(50);
        } finally {
          closed.resolve('closed');
        }
      })(),
    );
    await rawStream(socketPath, token);
    await started.promise;
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    clock.advance(3 * IDLE_TIMEOUT_MS);
    expect(await closed.promise).toBe('closed');
  });
});

describe('an upload stream', () => {
  it('an upload stream of 50 MB arrives complete, and its result can be requested once', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const stream = streams.offerUpload(digesting);
    await client.upload(stream, pieces(50));
    expect(await client.call('objects.put.wait', { stream })).toEqual({
      etag: await digest(pieces(50)),
    });
    await expect(client.call('objects.put.wait', { stream })).rejects.toMatchObject({
      code: 'NotFound',
    });
  });

  it('an upload stream whose client is killed is never stored as a complete object', async () => {
    const { connect: open, socketPath, streams } = await controlFixture();
    const client = await open();
    const received = Promise.withResolvers<void>();
    const stream = streams.offerUpload(async (body) => {
      for await (const bytes of body) if (bytes.byteLength > 0) received.resolve();
      return { etag: 'complete' };
    });
    // A separate process sends one complete frame. It is killed before it sends the end frame.
    const script = `
      const socket = require('node:net').connect(${JSON.stringify(socketPath)});
      socket.write('STREAM ${stream}\\n');
      socket.write(Buffer.from(${JSON.stringify(frame('D', Buffer.alloc(1_000)).toString('base64'))}, 'base64'));
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['-e', script]);
    await received.promise;
    child.kill('SIGKILL');
    await expect(client.call('objects.put.wait', { stream })).rejects.toMatchObject({
      code: 'Disconnected',
    });
  });

  it.each([
    ['no data', Buffer.alloc(0), 'Disconnected'],
    ['an incomplete frame header', Buffer.from('D\0'), 'Disconnected'],
    ['an incomplete frame', frame('D', Buffer.alloc(100)).subarray(0, 50), 'Disconnected'],
    ['a frame without an end frame', frame('D', Buffer.alloc(100)), 'Disconnected'],
    ['an incomplete end frame', end(0).subarray(0, 9), 'Disconnected'],
    [
      'an end frame with a wrong number of bytes',
      Buffer.concat([frame('D', Buffer.alloc(3)), end(4)]),
      'BadMessage',
    ],
    ['an end frame of the wrong size', frame('E', Buffer.alloc(4)), 'BadMessage'],
    ['a frame of an unknown type', frame('X', Buffer.alloc(4)), 'BadMessage'],
    ['a frame above the size limit', Buffer.from('D\xff\xff\xff\xff', 'latin1'), 'BadMessage'],
    [
      'a failure frame',
      frame('F', Buffer.from('{"message":"m","data":{"code":"Failed"}}')),
      'Failed',
    ],
    ['an invalid failure frame', frame('F', Buffer.from('x')), 'Internal'],
  ])('an upload stream that ends after %s fails', async (_, bytes, code) => {
    const { connect: open, socketPath, streams } = await controlFixture();
    const client = await open();
    const stream = streams.offerUpload(digesting);
    const socket = await rawStream(socketPath, stream);
    socket.end(bytes);
    await expect(client.call('objects.put.wait', { stream })).rejects.toMatchObject({ code });
  });

  it('an upload stream whose source fails returns that error to its caller, and no complete object is stored', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const stream = streams.offerUpload(digesting);
    const failing = (async function* () {
      yield* pieces(2);
      throw new RangeError('the file shrank');
    })();
    await expect(client.upload(stream, failing)).rejects.toThrow(RangeError);
    await expect(client.call('objects.put.wait', { stream })).rejects.toMatchObject({
      code: 'Failed',
      message: 'cannot read the data to send: the file shrank',
    });
  });

  it('an upload stream that the store refuses immediately returns the reason, and sends no more bytes', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const stream = streams.offerUpload(async () => {
      throw new StorageError('NoSuchBucket', 'put object: bucket photos does not exist');
    });
    let made = 0;
    const counted = (async function* () {
      for await (const bytes of pieces(1_000)) {
        made += 1;
        yield bytes;
      }
    })();
    await expect(client.upload(stream, counted)).rejects.toMatchObject({
      storageCode: 'NoSuchBucket',
    });
    await expect(client.call('objects.put.wait', { stream })).rejects.toMatchObject({
      storageCode: 'NoSuchBucket',
    });
    expect(made).toBeLessThan(1_000);
  });

  it('an upload stream waits while the store does not read its body', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const release = Promise.withResolvers<void>();
    const stream = streams.offerUpload(async (body) => {
      await release.promise;
      return digesting(body);
    });
    let made = 0;
    const counted = (async function* () {
      for await (const bytes of pieces(50)) {
        made += 1;
        yield bytes;
      }
    })();
    const sent = client.upload(stream, counted);
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
    expect(made).toBeLessThan(10);
    release.resolve();
    await sent;
    expect(made).toBe(50);
  });

  it('an aborted upload stream ends with the reason of the signal, and no complete object is stored', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    const stream = streams.offerUpload(digesting);
    const abort = new AbortController();
    const body = (async function* () {
      yield* pieces(1);
      abort.abort();
      yield* pieces(1);
    })();
    await expect(client.upload(stream, body, { signal: abort.signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    await expect(client.call('objects.put.wait', { stream })).rejects.toMatchObject({
      code: 'Disconnected',
    });
  });

  it('an upload stream that is not sent in time ends with Disconnected', async () => {
    const { connect: open, streams, clock } = await controlFixture();
    const client = await open();
    const stream = streams.offerUpload(digesting);
    clock.advance(CLAIM_TIMEOUT_MS);
    await expect(client.call('objects.put.wait', { stream })).rejects.toMatchObject({
      code: 'Disconnected',
      message: 'cannot open the stream: no client used the token in time',
    });
  });
});

describe('the streams of the control server', () => {
  it('the control server limits the number of concurrent streams', async () => {
    const { streams } = await controlFixture();
    for (let index = 0; index < MAX_STREAMS; index += 1) streams.offerUpload(digesting);
    expect(() => streams.offerUpload(digesting)).toThrow(
      expect.objectContaining({ code: 'TooMuch' }),
    );
  });

  it('the control server refuses a stream request with an unknown token', async () => {
    const { connect: open } = await controlFixture();
    const client = await open();
    await expect(digest(client.download('../../x'))).rejects.toMatchObject({ code: 'NotFound' });
    await expect(client.upload('nothing', pieces(1))).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('a stream transfers any body, however the body is split into chunks', async () => {
    const { connect: open, streams } = await controlFixture();
    const client = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }),
        async (chunks) => {
          const body = async function* () {
            yield* chunks;
          };
          const stream = streams.offerUpload(digesting);
          await client.upload(stream, body());
          const expected = await digest(body());
          expect(await streams.outcome(stream)).toEqual({ etag: expected });
          expect(await digest(client.download(streams.offerDownload(body())))).toBe(expected);
        },
      ),
      { numRuns: 30 },
    );
  });
});
