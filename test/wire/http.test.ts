/** Tests of HTTP framing, connections after errors, rejected bodies, and timeouts. */

import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import {
  MAX_DRAIN_BYTES,
  MAX_DRAIN_FIRST_BYTES,
  MAX_DRAIN_MS,
  PROGRESS_WINDOW_MS,
} from '../../src/gateway/limits.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { dialects, REGION, WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench();
const dialect = amzDialect;

async function keysOf(bucket: string): Promise<string[]> {
  return (await bench.store.listObjects({ bucket })).objects.map(({ key }) => key);
}

describe('HTTP framing errors', () => {
  test.each([
    [
      'Content-Length with Transfer-Encoding',
      'PUT /b/k HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two Content-Length headers',
      'PUT /b/k HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    ],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n'],
    ['no Host header', 'GET / HTTP/1.1\r\n\r\n'],
    ['bytes that are not HTTP', 'hello there\r\n\r\n'],
  ])(
    'the gateway answers a request with %s with 400 and closes the connection',
    async (_, bytes) => {
      const socket = bench.connect();
      socket.write(bytes);
      expect(await socket.rest()).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test('a request with more than 16 KiB of headers returns 431', async () => {
    const socket = bench.connect();
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect(await socket.rest()).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('a signed x-svc-* header is accepted in a request with x-amz- headers', async () => {
    const bucket = await bench.bucket();
    const headers = { 'x-svc-meta-a': '1' };
    await bench.send(dialect, { method: 'PUT', url: `/${bucket}/k`, body: 'x', headers });
    const answer = await bench.send(dialect, { method: 'HEAD', url: `/${bucket}/k` });
    expect(answer.header('x-amz-meta-a')).toBe('1');
  });

  test.each([
    ['GET', '/b/%00'],
    ['GET', '/b/%'],
    ['GET', '/b/%ff'],
    ['PUT', '/b/%00'],
    ['PUT', '/b/a%00b'],
    ['PUT', '/b/%f'],
    ['DELETE', '/b/%C3'],
    ['DELETE', '/%ff'],
    ['GET', '/b/k?prefix=%zz'],
    ['GET', '/b/k?%ff'],
  ])('%s %s fails with InvalidURI', async (method, url) => {
    const socket = bench.connect();
    socket.write(`${method} ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = await socket.answer();
    expect([answer.status, /<Code>(\w+)/.exec(answer.text())?.[1]]).toEqual([400, 'InvalidURI']);
  });
});

describe('signature errors', () => {
  test.each([svcDialect(), amzDialect])(
    'the error for a wrong signature of a request with x-$name- headers contains the string to sign and the canonical request',
    async (spoken) => {
      const answer = await bench.send(spoken, {
        method: 'PUT',
        url: '/b/k',
        body: 'x',
        headers: { 'content-type': 'a' },
        unsigned: { 'content-type': 'b' },
      });
      expect(answer.status).toBe(403);
      expect(answer.text()).toMatch(
        /<Code>SignatureDoesNotMatch<.*<StringToSign>.*<CanonicalRequest>/s,
      );
      expect(answer.header(`${spoken.headerPrefix}request-id`)).toBeDefined();
    },
  );
});

describe('PUT requests with an incomplete body', () => {
  test('a PUT whose body ends early stores nothing', async () => {
    const bucket = await bench.bucket();
    const socket = bench.connect();
    const headers = { 'content-length': '10' };
    socket.write(bench.head(dialect, { method: 'PUT', url: `/${bucket}/k`, headers, body: '' }));
    socket.write('hello');
    socket.end();
    await socket.rest();
    expect(await keysOf(bucket)).toEqual([]);
  });

  test('a PUT whose body stops arriving fails with RequestTimeout and stores nothing', async () => {
    const bucket = await bench.bucket();
    const socket = bench.connect();
    const headers = { 'content-length': '10', expect: '100-continue' };
    socket.write(
      bench.head(dialect, {
        method: 'PUT',
        url: `/${bucket}/k`,
        headers,
        contentSha256: 'UNSIGNED-PAYLOAD',
      }),
    );
    expect((await socket.answer()).status).toBe(100);
    bench.clock.advance(PROGRESS_WINDOW_MS);
    bench.clock.advance(PROGRESS_WINDOW_MS);
    const answered = socket.answer('PUT');
    bench.clock.advance(PROGRESS_WINDOW_MS);
    expect((await answered).text()).toContain('<Code>RequestTimeout</Code>');
    expect(await keysOf(bucket)).toEqual([]);
  });
});

describe('persistent HTTP connections', () => {
  test('a connection stays open after the gateway rejects a request with a small body', async () => {
    const socket = bench.connect();
    const body = 'x'.repeat(MAX_DRAIN_FIRST_BYTES);
    const refused = await bench.send(
      dialect,
      { method: 'PUT', url: '/no-such-bucket/k', body },
      socket,
    );
    expect([refused.status, refused.header('connection')]).toEqual([404, 'keep-alive']);
    expect((await bench.send(dialect, { method: 'GET', url: '/' }, socket)).status).toBe(200);
  });

  test('a connection stays open after errors of different kinds, and responses keep the order of their requests', async () => {
    const bucket = await bench.bucket();
    const socket = bench.connect();
    const send = (method: string, url: string, body?: string) =>
      bench.send(dialect, { method, url, ...(body !== undefined && { body }) }, socket);
    const statuses = [
      (await send('GET', `/${bucket}/no`)).status,
      (await send('HEAD', `/${bucket}/no`)).status,
      (await send('PUT', `/${bucket}?accelerate`, '<x/>')).status,
      (await send('PUT', `/${bucket}?versioning`, 'no xml')).status,
      (await send('PATCH', `/${bucket}`)).status,
      (await send('PUT', `/${bucket}/k`, 'hello')).status,
      (await send('DELETE', `/${bucket}/none`)).status,
      (await send('GET', `/${bucket}/k`)).status,
    ];
    expect(statuses).toEqual([404, 404, 501, 400, 405, 200, 204, 200]);
  });

  test('each pipelined request of a connection gets a response', async () => {
    const bucket = await bench.bucket();
    const socket = bench.connect();
    const put = { method: 'PUT', url: `/${bucket}/k`, body: 'hello' };
    socket.write(
      bench.head(dialect, put) +
        'hello' +
        bench.head(dialect, { method: 'GET', url: `/${bucket}/k` }),
    );
    expect((await socket.answer('PUT')).status).toBe(200);
    expect((await socket.answer()).text()).toBe('hello');
  });

  test('the gateway closes a connection after it rejects a large body, and a client that reads late still gets the response', async () => {
    const socket = bench.connect();
    socket.pause();
    const body = 'x'.repeat(16 * MAX_DRAIN_BYTES);
    const put = { method: 'PUT', url: '/no-such-bucket/k', contentSha256: 'UNSIGNED-PAYLOAD' };
    const headers = { 'content-length': String(body.length) };
    socket.write(bench.head(dialect, { ...put, headers }) + body);
    await systemClock.sleep(200);
    socket.resume();
    const refused = await socket.answer('PUT');
    expect([refused.status, refused.header('connection')]).toEqual([404, 'close']);
    bench.clock.advance(MAX_DRAIN_MS);
    await socket.rest();
  });

  test('the gateway closes the connection after it has rejected a request with a large body', async () => {
    const socket = bench.connect();
    const body = 'x'.repeat(600_000);
    const refused = await bench.send(
      dialect,
      { method: 'PUT', url: '/no-such-bucket/k', body },
      socket,
    );
    expect([refused.status, refused.header('connection')]).toEqual([404, 'close']);
    expect(await socket.rest()).toBe('');
  });
});

describe('a gateway whose port is in use', () => {
  test('opening a gateway on a port in use fails with an error that names the host and the port', async () => {
    const { port } = bench.gateway;
    const opening = openGateway({
      store: () => bench.store,
      identity: { findKey: () => undefined },
      dialects,
      host: '127.0.0.1',
      port,
      region: REGION,
      clock: bench.clock,
      logger: silentLogger,
    });
    await expect(opening).rejects.toMatchObject({
      code: 'PortInUse',
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    });
  });
});
