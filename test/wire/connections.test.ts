/**
 * Tests that one client with many connections or pipelined requests cannot prevent responses to other
 * clients.
 */

import { describe, expect, test } from 'vitest';

import { MAX_CONNECTIONS, MAX_PIPELINED } from '../../src/http/listener-limits.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import type { HttpSocket } from '../helpers/http-socket.ts';
import { WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench({ tls: makeCertificate() });
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/**
 * A request whose many headers make Node run the microtasks before it parses the pipelined requests after
 * it.
 */
const MANY_HEADERS = `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(40)}\r\n`;

async function fill(port: number | undefined, sent: string): Promise<HttpSocket[]> {
  const sockets: HttpSocket[] = [];
  while (sockets.length < MAX_CONNECTIONS) {
    const socket = bench.connect(port);
    await socket.connected();
    if (sent !== '') socket.write(sent);
    sockets.push(socket);
  }
  return sockets;
}

describe('the connection limit of the gateway', () => {
  test('at the connection limit the gateway serves a new client and closes the oldest connection with an incomplete request', async () => {
    const [oldest] = await fill(undefined, 'GET /');
    const newcomer = bench.connect();
    newcomer.write(REQUEST);
    expect((await newcomer.answer()).status).toBe(403);
    expect(await oldest?.rest()).toBe('');
  });

  test('at the connection limit the gateway serves a TLS client even if all other clients stall in their handshake', async () => {
    await fill(bench.gateway.tls?.port, '');
    const newcomer = bench.connectTls();
    newcomer.write(REQUEST);
    expect((await newcomer.answer()).status).toBe(403);
  });

  test('at the connection limit an upload in progress completes, and the gateway closes an idle connection instead', async () => {
    const url = `/${await bench.bucket()}/k`;
    const upload = bench.connect();
    upload.write(bench.head(amzDialect, { method: 'PUT', url, body: '1234567890' }));
    upload.write('12345');
    const idle: HttpSocket[] = [];
    while (idle.length < MAX_CONNECTIONS - 1) {
      const socket = bench.connect();
      socket.write(REQUEST);
      await socket.answer();
      idle.push(socket);
    }
    const newcomer = bench.connect();
    newcomer.write(REQUEST);
    expect((await newcomer.answer()).status).toBe(403);
    expect(await idle[0]?.rest()).toBe('');
    upload.write('67890');
    expect((await upload.answer()).status).toBe(200);
  });
});

describe('pipelined HTTP requests', () => {
  test.each([
    ['', REQUEST],
    [', even if the first one has many headers', MANY_HEADERS],
  ])(`each of up to ${MAX_PIPELINED} pipelined requests gets a response%s`, async (_, first) => {
    const socket = bench.connect();
    socket.write(first + REQUEST.repeat(MAX_PIPELINED - 1));
    for (let index = 0; index < MAX_PIPELINED; index += 1)
      expect((await socket.answer()).status).toBe(403);
  });

  test.each([
    ['', REQUEST],
    [', even if the first one has many headers', MANY_HEADERS],
  ])(
    `the gateway closes a connection with more than ${MAX_PIPELINED} pipelined requests%s`,
    async (_, first) => {
      const socket = bench.connect();
      socket.write(first + REQUEST.repeat(MAX_PIPELINED + 1));
      expect((await socket.rest()).split('HTTP/1.1 ').length - 1).toBeLessThan(MAX_PIPELINED);
    },
  );
});

test('an HTTP/1.1 request without a Host header gets the 400 response of the gateway, not that of Node.js', async () => {
  const socket = bench.connect();
  socket.write('GET / HTTP/1.1\r\n\r\n');
  const { status, headers } = await socket.answer();
  expect(status).toBe(400);
  expect(headers.map(([name]) => name.toLowerCase())).toContain('x-svc-request-id');
  expect(await socket.rest()).toBe('');
});
