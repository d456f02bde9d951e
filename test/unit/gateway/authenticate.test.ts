/**
 * Tests of the payload hashes that a request may use over TLS, over loopback and from another
 * machine.
 */

import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { authenticator } from '../../../src/gateway/authenticate.ts';
import { readHead } from '../../../src/gateway/request-head.ts';
import { amzDialect } from '../../../src/protocol/dialect.ts';
import { signRequest } from '../../../src/protocol/signing/sign-request.ts';
import { SigningKeys } from '../../../src/protocol/signing/signing-key.ts';
import type { WireHeaders } from '../../../src/protocol/wire.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { accessKey, dialects, REGION } from '../../helpers/wire-bench.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const clock = new FakeClock();
const authenticate = authenticator({
  clock,
  dialects,
  region: REGION,
  identity: { findKey: () => accessKey },
});

const CHUNKED: WireHeaders = [['transfer-encoding', 'chunked']];
const SIZED: WireHeaders = [['content-length', '5']];
const NONE: WireHeaders = [];
const DECODED: WireHeaders = [['x-amz-decoded-content-length', '5']];

function from(
  remoteAddress: string,
  payloadHash: string,
  framing: WireHeaders,
  prototype: object = Socket.prototype,
) {
  const signed = signRequest(
    {
      method: 'PUT',
      path: '/b/k',
      query: [],
      headers: [
        ['host', 'h'],
        ...(payloadHash.startsWith('STREAMING-') ? DECODED : []),
        ...framing,
      ],
    },
    {
      dialect: amzDialect,
      region: REGION,
      credentials: accessKey,
      keys: new SigningKeys(),
      now: clock.now(),
      payloadHash,
    },
  );
  const headers = new Headers(signed.headers);
  const head = readHead({ method: 'PUT', url: '/b/k' }, headers, { dialects });
  const socket = Object.create(prototype, { remoteAddress: { value: remoteAddress } }) as Socket;
  return () => authenticate(head, { socket } as IncomingMessage);
}

describe('requests from another machine without TLS', () => {
  test.each([
    ['UNSIGNED-PAYLOAD', SIZED],
    ['UNSIGNED-PAYLOAD', CHUNKED],
    ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', CHUNKED],
  ])(
    'the gateway refuses %s with a body from another machine without TLS: %j',
    (payloadHash, framing) => {
      expect(from('192.0.2.1', payloadHash, framing)).toThrow(
        expect.objectContaining({ code: 'AccessDenied' }),
      );
    },
  );

  test.each([
    ['UNSIGNED-PAYLOAD', NONE],
    ['a'.repeat(64), SIZED],
    ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', CHUNKED],
  ])('the gateway accepts %s from another machine without TLS: %j', (payloadHash, framing) => {
    expect(from('192.0.2.1', payloadHash, framing)().caller.sourceIp).toBe('192.0.2.1');
  });
});

test.each(['UNSIGNED-PAYLOAD', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'])(
  'the gateway accepts %s from another machine over TLS',
  (payloadHash) => {
    const { caller } = from('192.0.2.1', payloadHash, CHUNKED, {
      encrypted: true,
      getProtocol: () => 'TLSv1.3',
    })();
    expect(caller.secure).toBe(true);
  },
);

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  'the gateway accepts an UNSIGNED-PAYLOAD request from the loopback address %s',
  (address) => {
    expect(from(address, 'UNSIGNED-PAYLOAD', SIZED)().caller.sourceIp).toBe(address);
  },
);

test('the gateway ignores request headers that claim another source address or TLS', () => {
  const pretended: WireHeaders = [
    ['x-forwarded-for', '127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['forwarded', 'for=127.0.0.1;proto=https'],
    ['x-forwarded-proto', 'https'],
  ];
  expect(from('192.0.2.1', 'UNSIGNED-PAYLOAD', [...SIZED, ...pretended])).toThrow(
    expect.objectContaining({ code: 'AccessDenied' }),
  );
  const { caller } = from('192.0.2.1', 'a'.repeat(64), pretended)();
  expect(caller).toMatchObject({ sourceIp: '192.0.2.1', secure: false });
});
