/** Tests of request bodies that arrive slowly, end early or have no Content-Length. */

import { describe, expect, test } from 'vitest';
import { PROGRESS_WINDOW_MS } from '../../src/gateway/limits.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import { dialects, WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench({ tls: makeCertificate() });

const connections = [
  ['plain', () => bench.connect()],
  ['TLS', () => bench.connectTls()],
] as const;

describe.each(Object.values(dialects))('requests with x-$name- headers', (dialect) => {
  const put = (bucket: string, headers: Readonly<Record<string, string>>) =>
    bench.head(dialect, {
      method: 'PUT',
      url: `/${bucket}/k`,
      headers,
      contentSha256: 'UNSIGNED-PAYLOAD',
    });
  const keysOf = async (bucket: string) => (await bench.store.listObjects({ bucket })).objects;

  test.each(connections)(
    'a connection stays open after the gateway rejects chunked requests whose bodies have fully arrived: %s',
    async (_, connect) => {
      const socket = connect();
      for (let request = 0; request < 3; request += 1) {
        socket.write(
          'DELETE /no HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        );
        const answer = await socket.answer('DELETE');
        expect([answer.status, answer.header('connection')]).toEqual([411, 'keep-alive']);
      }
      expect((await bench.send(dialect, { method: 'GET', url: '/' }, socket)).status).toBe(200);
    },
  );

  test.each(connections)(
    'a client that half-closes the connection after a complete request still gets the response: %s',
    async (_, connect) => {
      const bucket = await bench.bucket();
      const socket = connect();
      socket.write(put(bucket, { 'content-length': '5' }));
      socket.write('hello');
      socket.end();
      expect((await socket.answer('PUT')).status).toBe(200);
      expect(await keysOf(bucket)).toHaveLength(1);
      expect(await socket.rest()).toBe('');
    },
  );

  test.each(connections)(
    'a client that half-closes the connection after several pipelined requests still gets all responses: %s',
    async (_, connect) => {
      const socket = connect();
      const listing = bench.head(dialect, { method: 'GET', url: '/' });
      socket.write(listing + listing + listing);
      socket.end();
      for (let left = 3; left > 0; left--) expect((await socket.answer()).status).toBe(200);
    },
  );

  test.each(['10', '100000'])(
    'a PUT whose body ends after five of %s bytes fails with IncompleteBody',
    async (length) => {
      const bucket = await bench.bucket();
      const socket = bench.connect();
      socket.write(put(bucket, { 'content-length': length }));
      socket.write('hello');
      socket.end();
      const answer = await socket.answer('PUT');
      expect([answer.status, answer.header('connection')]).toEqual([400, 'close']);
      expect(answer.text()).toContain('<Code>IncompleteBody</Code>');
      expect(await keysOf(bucket)).toEqual([]);
      expect(await socket.rest()).toBe('');
    },
  );

  test('an incomplete request does not prevent the response to the complete request before it', async () => {
    const bucket = await bench.bucket();
    const socket = bench.connect();
    socket.write(`${put(bucket, { 'content-length': '5' })}hello`);
    socket.write(`${put(bucket, { 'content-length': '5' })}he`);
    socket.end();
    expect((await socket.answer('PUT')).status).toBe(200);
    const [kept] = await keysOf(bucket);
    expect(kept?.sizeBytes).toBe(5);
  });

  test('a PUT whose aws-chunked body ends inside a chunk returns 400 and stores nothing', async () => {
    const bucket = await bench.bucket();
    const socket = bench.connect();
    const head = bench.head(dialect, {
      method: 'PUT',
      url: `/${bucket}/k`,
      headers: {
        'transfer-encoding': 'chunked',
        'x-*-decoded-content-length': '5',
        'x-*-trailer': `${dialect.headerPrefix}checksum-crc32`,
      },
      contentSha256: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    });
    socket.write(head);
    socket.write('8\r\n5\r\nhel');
    socket.end();
    expect((await socket.answer('PUT')).status).toBe(400);
    expect(await keysOf(bucket)).toEqual([]);
  });

  test('a PUT whose body arrives too slowly fails with RequestTimeout, even if bytes keep arriving', async () => {
    const bucket = await bench.bucket();
    const socket = bench.connect();
    socket.write(put(bucket, { 'content-length': '100000', expect: '100-continue' }));
    expect((await socket.answer()).status).toBe(100);
    const answered = socket.answer('PUT');
    for (let window = 0; window < 4; window++) {
      socket.write('x');
      await bench.send(dialect, { method: 'GET', url: '/' });
      bench.clock.advance(PROGRESS_WINDOW_MS);
    }
    expect((await answered).text()).toContain('<Code>RequestTimeout</Code>');
    expect(await keysOf(bucket)).toEqual([]);
  });

  test.each([
    ['PutObject', 'PUT /{}/k', {}],
    ['PutObject with plain HTTP chunks', 'PUT /{}/k', { 'transfer-encoding': 'chunked' }],
    ['UploadPart', 'PUT /{}/k?partNumber=1&uploadId=u', {}],
    [
      'a request with an XML document in HTTP chunks',
      'PUT /{}?versioning',
      { 'transfer-encoding': 'chunked' },
    ],
  ])(
    '%s without a Content-Length returns 411',
    async (_, line, headers: Readonly<Record<string, string>>) => {
      const [method = '', url = ''] = line.replace('{}', await bench.bucket()).split(' ');
      const socket = bench.connect();
      const contentSha256 = 'UNSIGNED-PAYLOAD';
      socket.write(bench.head(dialect, { method, url, headers, contentSha256 }));
      if (headers['transfer-encoding']) socket.write('1\r\nx\r\n0\r\n\r\n');
      const answer = await socket.answer(method);
      expect([answer.status, answer.text()]).toEqual([
        411,
        expect.stringContaining('<Code>MissingContentLength</Code>') as string,
      ]);
    },
  );
});
