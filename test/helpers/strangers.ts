/** Tests of the authentication and authorization errors that all operations have in common. */

import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';
import { colleague, stranger } from './wire-bench.ts';
import type { Given, Wire } from './wire.ts';

const text: unknown = expect.any(String);

/**
 * Defines the tests. `line` is the request line of a request that succeeds with valid credentials.
 * A refused request must not change the bucket.
 */
export function refusesStrangers(wire: Wire, line: string, given: Given = {}): void {
  refusesImpostors(wire, line, given);
  refusesOthers(wire, line, given);

  test('a request for a bucket that does not exist fails with NoSuchBucket', async () => {
    const elsewhere = line.replace('/{box}', '/no-such-bucket');
    const returned = answerTo(line, 404, { Code: 'NoSuchBucket' });
    expect(await wire.refusal(elsewhere, given)).toEqual(returned);
  });
}

export function refusesOthers(wire: Wire, line: string, given: Given = {}): void {
  test('a request by a user of another project fails with AccessDenied', async () => {
    expect(await wire.refusal(line, { ...given, as: stranger })).toEqual(
      answerTo(line, 403, { Code: 'AccessDenied' }),
    );
  });
}

/** Returns the expected error response. The response to a HEAD request has no body. */
function answerTo(line: string, status: number, refusal: Readonly<Record<string, unknown>>) {
  return line.startsWith('HEAD ') ? { status } : { status, ...refusal };
}

/** Defines tests that send the request without valid credentials. */
export function refusesImpostors(wire: Wire, line: string, given: Given = {}): void {
  refusesUnsigned(wire, line, given);
  refusesForgers(wire, line, given);
}

function refusesUnsigned(wire: Wire, line: string, given: Given): void {
  test('an unsigned request fails with AccessDenied and changes nothing', async () => {
    const before = await wire.content();
    const answer = await sendUnsigned(wire, line, vouchedFor(wire, given));
    expect(await wire.content()).toEqual(before);
    expect(answer.status).toBe(403);
    expect(answer.text()).toMatch(line.startsWith('HEAD ') ? /^$/ : /<Code>AccessDenied<\/Code>/);
  });
}

/**
 * Adds a Content-MD5 header. Some operations require a digest of the body, which unsigned requests
 * do not have otherwise.
 */
function vouchedFor(wire: Wire, given: Given): Given {
  const { body, headers } = given;
  if (typeof body !== 'string') return given;
  const md5 = createHash('md5').update(wire.fill(body)).digest('base64');
  return { ...given, headers: { 'content-md5': md5, ...headers } };
}

export function refusesForgers(wire: Wire, line: string, given: Given = {}): void {
  test('a request with an unknown access key fails with InvalidAccessKeyId', async () => {
    const as = { accessKeyId: 'p1:nobody@c1', secretAccessKey: 'x' };
    expect(await wire.refusal(line, { ...given, as })).toEqual(
      answerTo(line, 403, { Code: 'InvalidAccessKeyId', AWSAccessKeyId: as.accessKeyId }),
    );
  });

  test('a request signed with a wrong secret fails with SignatureDoesNotMatch', async () => {
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

  test.each([901_000, -901_000])(
    'a request signed with a clock that is off by %i ms fails with RequestTimeTooSkewed',
    async (offMs) => {
      const now = wire.bench.clock.now();
      expect(await wire.refusal(line, { ...given, signedAt: now + offMs })).toEqual(
        answerTo(line, 403, {
          Code: 'RequestTimeTooSkewed',
          RequestTime: text,
          ServerTime: new Date(now).toISOString(),
          MaxAllowedSkewMilliseconds: '900000',
        }),
      );
    },
  );
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
