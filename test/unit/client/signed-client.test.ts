import { createServer } from 'node:net';

import { describe, expect, test } from 'vitest';

import { bytesBody, collect } from '../../../src/object-store/body.ts';
import { amzDialect } from '../../../src/protocol/dialect.ts';
import {
  answer,
  connect,
  CREDENTIALS,
  errorAnswer,
  failure,
  hangUp,
  HurriedClock,
  objectAnswer,
  putAnswer,
  type Respond,
  serve,
} from './scripted-server.ts';

const REF = { bucket: 'bucket', key: 'key' };
const GUARDED = { ...REF, conditions: { ifNoneMatch: '*' } } as const;
const MIB = 1024 * 1024;

type Client = ReturnType<typeof connect>;

/** Returns a port on which no server listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('requests to an unreachable service', () => {
  test('the client names the endpoint of an unreachable service and states that nothing was sent', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}`;
    const error = await failure(connect(endpoint).putObject({ ...GUARDED, body: bytesBody('a') }));
    expect(error).toMatchObject({ name: 'TransportError', code: 'ConnectionRefused', sent: false });
    expect(error.message).toContain(endpoint);
    expect(error.message).toContain('is the service running');
  });

  test('the client makes four attempts to send a request, with exponential delays', async () => {
    const clock = new HurriedClock();
    const client = connect(`http://127.0.0.1:${await closedPort()}`, { clock });
    await failure(client.headObject(REF));
    expect(clock.slept).toHaveLength(3);
    for (const [index, ms] of clock.slept.entries()) expect(ms).toBeLessThan(100 * 2 ** index);
  });

  test('the client fails an HTTPS request to a server without TLS with TlsFailed', async () => {
    const { url } = await serve(objectAnswer);
    const error = await failure(connect(url.replace('http:', 'https:')).headObject(REF));
    expect(error).toMatchObject({ code: 'TlsFailed', sent: false });
  });

  test('the client fails a request to a server that does not speak HTTP with BadResponse', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('220 mail ready\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await failure(connect(`http://127.0.0.1:${port}`).headObject(REF));
    expect(error).toMatchObject({ code: 'BadResponse' });
    server.close();
  });

  test.for([
    'ftp://host',
    'http://host/path',
    'http://user:password@host',
    'nonsense',
    'http://h/?q',
  ])('opening a client with the invalid endpoint %s throws a TypeError', (endpoint) => {
    expect(() => connect(endpoint)).toThrow(TypeError);
  });
});

test('the client refuses a metadata name that is not valid in HTTP and sends nothing', async () => {
  const { url, requests } = await serve(putAnswer);
  const attributes = { metadata: { 'no name\r\n': 'x' } };
  const put = connect(url).putObject({ ...REF, attributes, body: bytesBody('a') });
  expect(await failure(put)).toMatchObject({ code: 'InvalidArgument' });
  expect(requests).toHaveLength(0);
});

test('a call on a closed client fails without a retry', async () => {
  const { url } = await serve(objectAnswer);
  const clock = new HurriedClock();
  const client = connect(url, { clock });
  await client.close();
  expect(await failure(client.headObject(REF))).toMatchObject({
    name: 'TransportError',
    sent: false,
  });
  expect(clock.slept).toEqual([]);
});

test('closing the client fails the requests in flight', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url } = await serve(() => arrived.resolve());
  const client = connect(url);
  const result = failure(client.headObject(REF));
  await arrived.promise;
  await client.close();
  expect(await result).toMatchObject({ name: 'TransportError' });
});

describe('lost connections', () => {
  test('the client retries a read after a lost connection', async () => {
    const { url, requests } = await serve(hangUp, objectAnswer);
    expect((await connect(url).headObject(REF)).info.sizeBytes).toBe(1);
    expect(requests).toHaveLength(2);
  });

  test.for([
    ['a conditional', GUARDED],
    ['an unconditional', REF],
  ] as const)(
    'the client does not retry %s PUT if the connection is lost after the request was sent',
    async ([, request]) => {
      const { url, requests } = await serve(hangUp, putAnswer);
      const error = await failure(connect(url).putObject({ ...request, body: bytesBody('a') }));
      expect(error).toMatchObject({ name: 'TransportError', code: 'ConnectionLost', sent: true });
      expect(requests).toHaveLength(1);
    },
  );

  test('the client throws an error to the reader of a downloaded body if the connection is lost', async () => {
    const half: Respond = (_, response) => {
      response.writeHead(200, {
        'content-length': '100000',
        etag: '"e"',
        'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      });
      response.write('half');
      setImmediate(() => response.destroy());
    };
    const { url } = await serve(half);
    const { body } = await connect(url).getObject(REF);
    expect(await failure(collect(body, MIB))).toMatchObject({
      name: 'TransportError',
      code: 'ConnectionLost',
    });
  });
});

describe('errors that the service returns', () => {
  test('the client retries a PUT after the error SlowDown', async () => {
    const { url, requests } = await serve(errorAnswer(503, 'SlowDown'), putAnswer);
    await connect(url).putObject({ ...REF, body: bytesBody('a') });
    expect(requests).toHaveLength(2);
  });

  test('the client keeps the code, the message and the details of a service error', async () => {
    const { url } = await serve(errorAnswer(409, 'BucketNotEmpty', '<BucketName>b</BucketName>'));
    expect(await failure(connect(url).deleteBucket({ bucket: 'b' }))).toMatchObject({
      name: 'StorageError',
      code: 'BucketNotEmpty',
      message: 'DeleteBucket: scripted',
      details: { BucketName: 'b' },
    });
  });

  test.for([
    [404, 'NoSuchKey'],
    [403, 'AccessDenied'],
    [412, 'PreconditionFailed'],
    [409, 'OperationAborted'],
    [418, 'InvalidRequest'],
  ] as const)(
    'the client maps an unknown error code with status %i to %s',
    async ([status, code]) => {
      const { url } = await serve(errorAnswer(status, 'SomethingNew'));
      const error = await failure(connect(url).deleteObject(REF));
      expect(error).toMatchObject({ code, details: { Code: 'SomethingNew' } });
      expect(error.message).toContain('scripted');
    },
  );

  test.for([
    ['SignatureDoesNotMatch', '', 'check the secret of the access key holdfast:ada@local'],
    ['InvalidAccessKeyId', '', 'belongs to http://127.0.0.1:'],
    [
      'RequestTimeTooSkewed',
      '<ServerTime>2026-11-21T12:00:00Z</ServerTime>',
      "set this machine's clock; the service's says 2026-11-21T12:00:00Z",
    ],
    ['AuthorizationHeaderMalformed', '<Region>eu-x</Region>', 'set the region to eu-x'],
  ] as const)(
    'the client adds a hint to the error %s and never includes the secret key',
    async ([code, more, hint]) => {
      const { url } = await serve(errorAnswer(403, code, more));
      const error = await failure(connect(url).deleteObject(REF));
      expect(error.message).toContain(hint);
      expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(CREDENTIALS.secretAccessKey);
    },
  );

  test('the client states in the error for a HEAD response without a body that no details are available', async () => {
    const { url } = await serve(answer(403));
    expect((await failure(connect(url).headObject(REF))).message).toContain('has no details');
  });

  test('the client treats a response with status 200 and an XML error in its body as an error', async () => {
    const { url } = await serve((request, response) => {
      errorAnswer(200, 'InternalError')(request, response);
    });
    const request = { ...REF, uploadId: 'u', parts: [{ partNumber: 1, etag: 'e' }] };
    expect(await failure(connect(url).completeUpload(request))).toMatchObject({
      code: 'InternalError',
    });
  });

  test('the client fails with BadResponse if the body of an error response exceeds 8 MiB', async () => {
    const { url } = await serve(answer(400, {}, 'x'.repeat(9 * MIB)));
    expect(await failure(connect(url).listBuckets())).toMatchObject({
      code: 'BadResponse',
      sent: true,
    });
  });
});

describe('aborted calls', () => {
  const reason = new Error('enough');

  test('the client sends nothing if a call is aborted before it starts', async () => {
    const { url, requests } = await serve(objectAnswer);
    const signal = AbortSignal.abort(reason);
    expect(await failure(connect(url).headObject(REF, { signal }))).toBe(reason);
    expect(requests).toHaveLength(0);
  });

  test('the client rejects a call with the reason of an abort before the response', async () => {
    const abort = new AbortController();
    const { url, requests } = await serve(() => abort.abort(reason));
    expect(await failure(connect(url).headObject(REF, { signal: abort.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test('the client rejects the reader of a download with the reason of an abort', async () => {
    const abort = new AbortController();
    const { url } = await serve((_, response) => {
      response.writeHead(200, {
        'content-length': '100000',
        etag: '"e"',
        'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      });
      response.write('half');
    });
    const { body } = await connect(url).getObject(REF, { signal: abort.signal });
    const error = await failure(
      (async () => {
        for await (const bytes of body) if (bytes.length > 0) abort.abort(reason);
      })(),
    );
    expect(error).toBe(reason);
  });

  test('the client rejects an upload with the reason of an abort', async () => {
    const abort = new AbortController();
    const { url } = await serve((request) => request.once('data', () => abort.abort(reason)));
    async function* endless() {
      for (;;) yield Buffer.alloc(64 * 1024);
    }
    const body = { sizeBytes: 100 * MIB, replayable: false, open: endless };
    expect(await failure(connect(url).putObject({ ...REF, body }, { signal: abort.signal }))).toBe(
      reason,
    );
  });
});

describe('request bodies', () => {
  test('the client passes on an error of the body source and does not retry the upload', async () => {
    const broken = new Error('file vanished');
    const { url } = await serve((request) => request.resume());
    async function* open() {
      yield Buffer.alloc(64 * 1024);
      throw broken;
    }
    const body = { sizeBytes: 9 * MIB, replayable: false, open };
    expect(await failure(connect(url).putObject({ ...REF, body }))).toBe(broken);
  });

  test.for([
    ['shorter', 9 * MIB - 1],
    ['longer', 9 * MIB + 1],
  ] as const)(
    'the client fails a PUT whose body is %s than announced with IncompleteBody',
    async ([, actual]) => {
      const { url } = await serve((request, response) => {
        request.resume().on('end', () => response.end());
      });
      async function* open() {
        yield Buffer.alloc(actual);
      }
      const body = { sizeBytes: 9 * MIB, replayable: false, open };
      expect(await failure(connect(url).putObject({ ...REF, body }))).toMatchObject({
        code: 'IncompleteBody',
      });
    },
  );

  test('the client refuses a one-time body of unknown length above the limit and suggests a multipart upload', async () => {
    const { url, requests } = await serve(putAnswer);
    async function* open() {
      for (let count = 0; count < 9; count += 1) yield Buffer.alloc(MIB);
    }
    const error = await failure(
      connect(url).putObject({ ...REF, body: { replayable: false, open } }),
    );
    expect(error).toMatchObject({ code: 'MissingContentLength' });
    expect(error.message).toContain('in parts');
    expect(requests).toHaveLength(0);
  });

  test.for([
    ['small', { sizeBytes: 1, replayable: false }, /^[0-9a-f]{64}$/, undefined],
    ['of unknown length but replayable', { replayable: true }, /^[0-9a-f]{64}$/, undefined],
    [
      'large and readable only once',
      { sizeBytes: 9 * MIB, replayable: false },
      /^STREAMING-AWS4-HMAC-SHA256-PAYLOAD$/,
      'aws-chunked,gzip',
    ],
    ['large and replayable', { sizeBytes: 9 * MIB, replayable: true }, /^[0-9a-f]{64}$/, 'gzip'],
  ] as const)(
    'the client sends a request body that is %s with the matching x-amz-content-sha256',
    async ([, stated, mode, encoding]) => {
      const { url, requests } = await serve(putAnswer);
      async function* open() {
        yield Buffer.alloc('sizeBytes' in stated ? stated.sizeBytes : 5);
      }
      const attributes = { contentEncoding: 'gzip' };
      await connect(url, { dialect: amzDialect }).putObject({
        ...REF,
        attributes,
        body: { ...stated, open },
      });
      expect(requests[0]?.headers['x-amz-content-sha256']).toMatch(mode);
      expect(requests[0]?.headers['transfer-encoding']).toBeUndefined();
      if (encoding !== undefined) expect(requests[0]?.headers['content-encoding']).toBe(encoding);
    },
  );

  test('the client fails an upload if the service reads none of it for one minute', async () => {
    const { url, requests } = await serve((request) => request.pause());
    const clock = new HurriedClock();
    async function* open() {
      for (let count = 0; count < 1_000; count += 1) yield Buffer.alloc(64 * 1024);
    }
    const body = { sizeBytes: 64_000 * 1024, replayable: false, open };
    const result = failure(connect(url, { clock }).putObject({ ...REF, body }));
    // These event loop turns are enough to fill the buffers of both ends.
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
    clock.advance(60_000);
    expect(await result).toMatchObject({ name: 'TransportError', code: 'Timeout', sent: true });
    expect(requests).toHaveLength(1);
  });

  test("the client reports an early refusal of an upload as the service's error", async () => {
    const { url } = await serve((request, response) => {
      errorAnswerNow(response);
      request.resume();
    });
    async function* open() {
      for (let count = 0; count < 9 * 16; count += 1) yield Buffer.alloc(64 * 1024);
    }
    const body = { sizeBytes: 9 * MIB, replayable: false, open };
    expect(await failure(connect(url).putObject({ ...REF, body }))).toMatchObject({
      code: 'AccessDenied',
    });
  });
});

const errorAnswerNow = (response: Parameters<Respond>[1]) => {
  response.writeHead(403, { 'content-type': 'application/xml' });
  response.end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>');
};

describe('reuse and limits of connections', () => {
  test.for([
    ['HEAD', objectAnswer, (client: Client) => client.headObject(REF)],
    [
      'GET',
      objectAnswer,
      async (client: Client) => collect((await client.getObject(REF)).body, MIB),
    ],
    ['PUT', putAnswer, (client: Client) => client.putObject({ ...REF, body: bytesBody('a') })],
    ['DELETE', answer(204), (client: Client) => client.deleteObject(REF)],
    ['an error', errorAnswer(404, 'NoSuchKey'), (client: Client) => failure(client.getObject(REF))],
  ] as const)('the client reuses a connection after %s', async ([, script, call]) => {
    const { url, sockets } = await serve(script);
    const client = connect(url);
    for (let count = 0; count < 20; count += 1) await call(client);
    // The connection pool may open a second connection before it has taken back the first.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  test('the client opens at most 64 connections and queues further requests', async () => {
    const { url, sockets } = await serve(objectAnswer);
    const client = connect(url);
    await Promise.all(Array.from({ length: 200 }, () => client.headObject(REF)));
    expect(sockets.size).toBeLessThanOrEqual(64);
  });

  test('the client slows down the service while the caller does not read the response', async () => {
    let writtenBytes = 0;
    const { url } = await serve((_, response) => {
      response.writeHead(200, {
        'content-length': String(256 * MIB),
        etag: '"e"',
        'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      });
      const write = () => {
        while (writtenBytes < 256 * MIB) {
          writtenBytes += MIB;
          if (!response.write(Buffer.alloc(MIB))) break;
        }
        // Writes more only after a `drain` event, which never comes once the buffers of both ends
        // are full.
        response.once('drain', write);
      };
      write();
    });
    const { body } = await connect(url).getObject(REF);
    // Without backpressure, these event loop turns would transfer all data.
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
    expect(writtenBytes).toBeLessThan(64 * MIB);
    await body[Symbol.asyncIterator]().return?.();
  });

  test('the client closes the connection of an abandoned response', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_, response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, {
        'content-length': '100000',
        etag: '"e"',
        'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      });
      response.write('half');
    });
    const { body } = await connect(url).getObject(REF);
    for await (const bytes of body) if (bytes.length > 0) break;
    await closed.promise;
    expect.assertions(0);
  });
});
