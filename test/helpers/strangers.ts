/** What every operation refuses, whoever sends it and however well it is meant. */

import { expect, test } from 'vitest';
import { colleague, stranger } from './wire-bench.ts';
import type { Given, Wire } from './wire.ts';

/** Which of the common cases an operation answers in a way of its own: its tests say how. */
interface Common {
  readonly others?: boolean;
  readonly noBucket?: boolean;
}

const text: unknown = expect.any(String);

/** `line` is a request that is answered well, but for who sends it; each refusal leaves all as it was. */
export function refusesStrangers(
  wire: Wire,
  line: string,
  given: Given = {},
  { others = true, noBucket = true }: Common = {},
): void {
  const isHead = line.startsWith('HEAD ');
  const told = (status: number, refusal: Readonly<Record<string, unknown>>) =>
    isHead ? { status } : { status, ...refusal };

  test('nobody who does not sign may do it', async () => {
    const before = await wire.content();
    const answer = await sendUnsigned(wire, line, given);
    expect(await wire.content()).toEqual(before);
    expect(answer.status).toBe(403);
    if (!isHead) expect(answer.text()).toContain('<Code>AccessDenied</Code>');
  });

  test('nobody may do it with a key that does not exist', async () => {
    const as = { accessKeyId: 'p1:nobody@c1', secretAccessKey: 'x' };
    expect(await wire.refusal(line, { ...given, as })).toEqual(
      told(403, { Code: 'InvalidAccessKeyId', AWSAccessKeyId: as.accessKeyId }),
    );
  });

  test('nobody may do it with a wrong secret', async () => {
    const as = { ...colleague, secretAccessKey: 'guessed' };
    expect(await wire.refusal(line, { ...given, as })).toEqual(
      told(403, {
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
      told(403, {
        Code: 'RequestTimeTooSkewed',
        RequestTime: text,
        ServerTime: new Date(now).toISOString(),
        MaxAllowedSkewMilliseconds: '900000',
      }),
    );
  });

  test.runIf(others)('nobody of another project may do it', async () => {
    expect(await wire.refusal(line, { ...given, as: stranger })).toEqual(
      told(403, { Code: 'AccessDenied' }),
    );
  });

  test.runIf(noBucket)('a bucket that does not exist is said', async () => {
    const elsewhere = line.replace('/{box}', '/no-such-bucket');
    expect(await wire.refusal(elsewhere, given)).toEqual(told(404, { Code: 'NoSuchBucket' }));
  });
}

function sendUnsigned(wire: Wire, line: string, given: Given) {
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
