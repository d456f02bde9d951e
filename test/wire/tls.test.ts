/** Tests of the gateway over TLS. */

import { connect, type SecureVersion } from 'node:tls';
import { expect, test } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { CLOSE_GRACE_MS } from '../../src/http/listener-limits.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { dialects, REGION, WireBench } from '../helpers/wire-bench.ts';

const certificate = makeCertificate();
const bench = new WireBench({ tls: certificate });

test.each(Object.values(dialects))(
  'a PUT and a GET with x-$name- headers store and return an object over TLS',
  async (dialect) => {
    const url = `/${await bench.bucket()}/k`;
    const socket = bench.connectTls();
    const unsigned = { contentSha256: 'UNSIGNED-PAYLOAD', body: 'secret' };
    expect(await bench.send(dialect, { method: 'PUT', url, ...unsigned }, socket)).toMatchObject({
      status: 200,
    });
    const answer = await bench.send(dialect, { method: 'GET', url }, socket);
    expect(answer.text()).toBe('secret');
  },
);

test('the gateway rejects a TLS version older than 1.2', async () => {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
  expect(await handshake(old)).toMatch(/^E/);
  expect(await handshake({ maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
  expect(await handshake({})).toBe('TLSv1.3');
});

test('a client that sends plain HTTP to the TLS port is disconnected, and other clients are still served', async () => {
  const { tls } = bench.gateway;
  const socket = bench.connect(tls?.port);
  socket.write('GET / HTTP/1.1\r\nhost: h\r\n\r\n');
  expect(await socket.rest()).toBe('');
  const listing = { method: 'GET', url: '/' };
  expect(await bench.send(dialects.amz, listing, bench.connectTls())).toMatchObject({
    status: 200,
  });
});

test('a client that never starts the TLS handshake does not prevent the gateway from closing', async () => {
  const clock = new FakeClock();
  const gateway = await openGateway({
    store: () => bench.store,
    identity: { findKey: () => undefined },
    dialects,
    host: '127.0.0.1',
    port: 0,
    tls: { ...certificate, port: 0 },
    region: REGION,
    clock,
    logger: silentLogger,
  });
  const socket = bench.connect(gateway.tls?.port);
  await socket.connected();
  const closed = gateway.close();
  clock.advance(CLOSE_GRACE_MS);
  await closed;
  expect(await socket.rest()).toBe('');
});

test('the gateway uses a renewed certificate for new connections, and open connections continue', async () => {
  const { tls } = bench.gateway;
  const open = bench.connectTls();
  const listing = { method: 'GET', url: '/' };
  await bench.send(dialects.amz, listing, open);
  const renewed = makeCertificate();
  tls?.setCertificate(renewed);
  expect(await handshake({ ca: certificate.cert })).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(await handshake({ ca: renewed.cert })).toBe('TLSv1.3');
  expect(await bench.send(dialects.amz, listing, open)).toMatchObject({ status: 200 });
  tls?.setCertificate(certificate);
});

interface Offer {
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly ciphers?: string;
  readonly ca?: string;
}

/** Returns the TLS version of a handshake, or the error code if the handshake fails. */
function handshake(offer: Offer): Promise<string> {
  const { port = 0 } = bench.gateway.tls ?? {};
  const target = { host: '127.0.0.1', port, servername: 'localhost', ca: certificate.cert };
  return new Promise((resolve) => {
    const socket = connect({ ...target, ...offer }, () => {
      resolve(socket.getProtocol() ?? '');
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}
