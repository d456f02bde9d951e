/** Tests of many connections and of pipelined requests: one client cannot prevent answers to others. */

import { describe, expect, test } from 'vitest';

import { MAX_CONNECTIONS, MAX_PIPELINED } from '../../src/http/listener-limits.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import type { HttpSocket } from '../helpers/http-socket.ts';
import { WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench({ tls: makeCertificate() });
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** A request with so many headers that Node runs the microtasks between all later requests of the read. */
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

describe('the connection limit', () => {
  test('at the connection limit a new client is served, and the oldest connection with an incomplete request is closed', async () => {
    const [oldest] = await fill(undefined, 'GET /');
    const newcomer = bench.connect();
    newcomer.write(REQUEST);
    expect((await newcomer.answer()).status).toBe(403);
    expect(await oldest?.rest()).toBe('');
  });

  test('at the connection limit a TLS client is served although all others stall in their handshake', async () => {
    await fill(bench.gateway.tls?.port, '');
    const newcomer = bench.connectTls();
    newcomer.write(REQUEST);
    expect((await newcomer.answer()).status).toBe(403);
  });

  test('at the connection limit an upload in progress completes, and an idle connection is closed', async () => {
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

describe('pipelined requests', () => {
  test.each([
    ['', REQUEST],
    [', also if the first has many headers', MANY_HEADERS],
  ])(`up to ${MAX_PIPELINED} pipelined requests all get a response%s`, async (_, first) => {
    const socket = bench.connect();
    socket.write(first + REQUEST.repeat(MAX_PIPELINED - 1));
    for (let index = 0; index < MAX_PIPELINED; index += 1)
      expect((await socket.answer()).status).toBe(403);
  });

  test.each([
    ['', REQUEST],
    [', also if the first has many headers', MANY_HEADERS],
  ])(`more than ${MAX_PIPELINED} pipelined requests close the connection%s`, async (_, first) => {
    const socket = bench.connect();
    socket.write(first + REQUEST.repeat(MAX_PIPELINED + 1));
    expect((await socket.rest()).split('HTTP/1.1 ').length - 1).toBeLessThan(MAX_PIPELINED);
  });
});

test('an HTTP/1.1 request without a Host header gets the response 400 of the gateway, not that of Node.js', async () => {
  const socket = bench.connect();
  socket.write('GET / HTTP/1.1\r\n\r\n');
  const { status, headers } = await socket.answer();
  expect(status).toBe(400);
  expect(headers.map(([name]) => name.toLowerCase())).toContain('x-svc-request-id');
  expect(await socket.rest()).toBe('');
});
