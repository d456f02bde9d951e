/** What every operation refuses, whoever sends it and however well it is meant. */

import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';
import { colleague, stranger } from './wire-bench.ts';
import type { Given, Wire } from './wire.ts';

const text: unknown = expect.any(String);

/** `line` is a request that is answered well, but for who sends it and where to; each refusal changes nothing. */
export function refusesStrangers(wire: Wire, line: string, given: Given = {}): void {
  refusesImpostors(wire, line, given);
  refusesOthers(wire, line, given);

  test('a bucket that does not exist is said', async () => {
    const elsewhere = line.replace('/{box}', '/no-such-bucket');
    const told = answerTo(line, 404, { Code: 'NoSuchBucket' });
    expect(await wire.refusal(elsewhere, given)).toEqual(told);
  });
}

export function refusesOthers(wire: Wire, line: string, given: Given = {}): void {
  test('nobody of another project may do it', async () => {
    expect(await wire.refusal(line, { ...given, as: stranger })).toEqual(
      answerTo(line, 403, { Code: 'AccessDenied' }),
    );
  });
}

/** A HEAD is told no more than a status. */
function answerTo(line: string, status: number, refusal: Readonly<Record<string, unknown>>) {
  return line.startsWith('HEAD ') ? { status } : { status, ...refusal };
}

/** Whoever does not prove who they are. */
export function refusesImpostors(wire: Wire, line: string, given: Given = {}): void {
  refusesUnsigned(wire, line, given);
  refusesForgers(wire, line, given);
}

function refusesUnsigned(wire: Wire, line: string, given: Given): void {
  test('nobody who does not sign may do it', async () => {
    const before = await wire.content();
    const answer = await sendUnsigned(wire, line, vouchedFor(wire, given));
    expect(await wire.content()).toEqual(before);
    expect(answer.status).toBe(403);
    expect(answer.text()).toMatch(line.startsWith('HEAD ') ? /^$/ : /<Code>AccessDenied<\/Code>/);
  });
}

/** With a digest, which some documents need and a signature is one of. */
function vouchedFor(wire: Wire, given: Given): Given {
  const { body, headers } = given;
  if (typeof body !== 'string') return given;
  const md5 = createHash('md5').update(wire.fill(body)).digest('base64');
  return { ...given, headers: { 'content-md5': md5, ...headers } };
}

export function refusesForgers(wire: Wire, line: string, given: Given = {}): void {
  test('nobody may do it with a key that does not exist', async () => {
    const as = { accessKeyId: 'p1:nobody@c1', secretAccessKey: 'x' };
    expect(await wire.refusal(line, { ...given, as })).toEqual(
      answerTo(line, 403, { Code: 'InvalidAccessKeyId', AWSAccessKeyId: as.accessKeyId }),
    );
  });

  test('nobody may do it with a wrong secret', async () => {
    const as = { ...colleague, secretAccessKey: 'guessed' };
    expect(await wire.refusal(line, { ...given, as })).toEqual(
      answerTo(line, 403, {
        Code: 'SignatureDoesNotMatch',
        AWSAccessKeyId: as.accessKeyId,
        SignatureProvided: text,
        StringToSign: text,
        CanonicalRequest: text,
      }),
    );
  });

  test.each([901_000, -901_000])('nobody may do it with a clock off by %i ms', async (offMs) => {
    const now = wire.bench.clock.now();
    expect(await wire.refusal(line, { ...given, signedAt: now + offMs })).toEqual(
      answerTo(line, 403, {
        Code: 'RequestTimeTooSkewed',
        RequestTime: text,
        ServerTime: new Date(now).toISOString(),
        MaxAllowedSkewMilliseconds: '900000',
      }),
    );
  });
}

export function sendUnsigned(wire: Wire, line: string, given: Given) {
  const { method, url, headers = {}, body = '' } = wire.request(line, given);
  const bytes = Buffer.from(body as string);
  const all = Object.entries({ host: 'x', ...headers }).map(
    ([name, value]) => `${wire.spelt(name)}: ${value}\r\n`,
  );
  if (bytes.byteLength > 0) all.push(`content-length: ${bytes.byteLength}\r\n`);
  const socket = wire.bench.connect();
  socket.write(`${method} ${url} HTTP/1.1\r\n${all.join('')}\r\n`);
  socket.write(bytes);
  return socket.answer(method);
}
