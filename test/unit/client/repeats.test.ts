/**
 * Tests of retries: which requests the client retries, when and how often, and error responses
 * without an XML body.
 */

import { describe, expect, test } from 'vitest';

import { retryAfterMs } from '../../../src/client/refusal.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import {
  answer,
  connect,
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
const PART = { ...REF, uploadId: 'u', partNumber: 1 };
const MIB = 1024 * 1024;
const once = (sizeBytes: number) => ({
  sizeBytes,
  replayable: false,
  async *open() {
    for (let left = sizeBytes; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB));
  },
});

describe('the Retry-After header', () => {
  const waiting =
    (value: string, status = 503): Respond =>
    (request, response) => {
      response.setHeader('retry-after', value);
      errorAnswer(status, 'SlowDown')(request, response);
    };

  test('the client waits at least as long as Retry-After requires before the next attempt', async () => {
    const clock = new HurriedClock();
    const { url } = await serve(waiting('7'), waiting('Sat, 21 Nov 2026 12:00:20 GMT'), putAnswer);
    await connect(url, { clock }).putObject({ ...REF, body: bytesBody('a') });
    expect(clock.slept).toEqual([7_000, 20_000]);
  });

  test('the client does not retry if Retry-After exceeds the time limit of the call', async () => {
    const clock = new HurriedClock();
    const { url, requests } = await serve(waiting('3600'), putAnswer);
    const put = connect(url, { clock }).putObject({ ...REF, body: bytesBody('a') });
    expect(await failure(put)).toMatchObject({ code: 'SlowDown' });
    expect(requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test.for([
    ['5', 5_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 12:00:01 GMT', 1_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1e9', undefined],
  ] as const)('the client reads the Retry-After value %j as %s ms', ([value, ms]) => {
    const noon = Date.UTC(2026, 10, 21, 12);
    expect(retryAfterMs([['retry-after', value]], noon)).toBe(ms);
  });
});

describe('requests that the service refused', () => {
  test.for([
    [429, '', 'SlowDown'],
    [429, '<Error><Code>TooManyRequests</Code><Message>x</Message></Error>', 'SlowDown'],
    [503, '', 'ServiceUnavailable'],
    [503, '<html>busy</html>', 'ServiceUnavailable'],
  ] as const)(
    'the client retries a PUT that was refused with status %i and the body %j',
    async ([status, body, code]) => {
      const { url, requests } = await serve(answer(status, {}, body), putAnswer);
      await connect(url).putObject({ ...REF, body: bytesBody('a') });
      expect(requests).toHaveLength(2);
      const standing = await serve(answer(status, {}, body));
      const put = connect(standing.url).putObject({ ...REF, body: bytesBody('a') });
      expect(await failure(put)).toMatchObject({ name: 'StorageError', code });
      expect(standing.requests).toHaveLength(4);
    },
  );

  test('the client retries a refused conditional request with the same condition', async () => {
    const { url, requests } = await serve(errorAnswer(503, 'SlowDown'), putAnswer);
    const conditions = { ifNoneMatch: '*' } as const;
    await connect(url).putObject({ ...REF, body: bytesBody('a'), conditions });
    expect(requests).toHaveLength(2);
  });
});

describe('error responses of a proxy', () => {
  test.for([
    [502, 'ConnectionLost'],
    [504, 'Timeout'],
  ] as const)(
    'the client does not retry a PUT for which a proxy returned %i, because its outcome is unknown',
    async ([status, code]) => {
      const { url, requests } = await serve(
        answer(status, { server: 'nginx' }, '<html>'),
        putAnswer,
      );
      const error = await failure(connect(url).putObject({ ...REF, body: bytesBody('a') }));
      expect(error).toMatchObject({ name: 'TransportError', code, sent: true });
      expect(error.message).toBe(
        `cannot use ${url}: a proxy in front of it answered ${status} (nginx)`,
      );
      expect(requests).toHaveLength(1);
    },
  );

  test('the client retries a HEAD or UploadPart request after a 502 response', async () => {
    const read = await serve(answer(502), objectAnswer);
    await connect(read.url).headObject(REF);
    expect(read.requests).toHaveLength(2);
    const part = await serve(answer(502), hangUp, errorAnswer(500, 'InternalError'), putAnswer);
    const { etag } = await connect(part.url).uploadPart({ ...PART, body: bytesBody('a') });
    expect(etag).toMatch(/^[0-9a-f]{32}$/);
    expect(part.requests).toHaveLength(4);
  });
});

describe('redirect responses', () => {
  test.for([
    [307, { location: 'http://elsewhere.example/bucket/key' }, '', 'to http://elsewhere.example'],
    [
      301,
      {},
      '<Error><Code>PermanentRedirect</Code><Endpoint>bucket.s3.eu-west-1.example</Endpoint></Error>',
      'to bucket.s3.eu-west-1.example',
    ],
    [301, {}, '<Error><Code>x</Code><Region>eu-west-1</Region></Error>', 'region to eu-west-1'],
    [302, {}, '', 'set the endpoint to the one that serves the bucket'],
  ] as const)(
    'the client does not follow a redirect with status %i and the headers %j, and adds a hint to the error',
    async ([status, headers, body, words]) => {
      const { url, requests } = await serve(answer(status, headers, body));
      const error = await failure(connect(url).putObject({ ...REF, body: bytesBody('a') }));
      expect(error).toMatchObject({ name: 'TransportError', code: 'BadResponse', sent: false });
      expect(error.message).toContain(`(${status}), which is not followed`);
      expect(error.message).toContain(words);
      expect(requests).toHaveLength(1);
    },
  );
});

describe('request bodies that can be read only once', () => {
  test('the client does not open a one-time request body before a connection succeeds', async () => {
    const away = connect('http://127.0.0.1:1', { clock: new HurriedClock() });
    let opened = 0;
    const body = {
      ...once(9 * MIB),
      async *open() {
        opened += 1;
        yield Buffer.alloc(9 * MIB);
      },
    };
    const error = await failure(away.putObject({ ...REF, body }));
    expect(error).toMatchObject({ code: 'ConnectionRefused', sent: false });
    expect(opened).toBe(0);
  });

  test('the client does not send a one-time request body again after any of its bytes were sent', async () => {
    const { url, requests } = await serve(errorAnswer(503, 'SlowDown'), putAnswer);
    const put = connect(url).putObject({ ...REF, body: once(9 * MIB) });
    expect(await failure(put)).toMatchObject({ code: 'SlowDown' });
    expect(requests).toHaveLength(1);
  });

  test('the client buffers a small one-time request body so that the request can be retried', async () => {
    const { url, requests } = await serve(errorAnswer(503, 'SlowDown'), putAnswer);
    await connect(url).putObject({ ...REF, body: once(7 * MIB) });
    expect(requests).toHaveLength(2);
  });
});

describe('correction of clock skew', () => {
  const skewed = errorAnswer(
    403,
    'RequestTimeTooSkewed',
    '<ServerTime>2026-11-21T15:00:00Z</ServerTime>',
  );
  const dateOf = (headers: NodeJS.Dict<string | string[]>) => headers['x-svc-date'];

  test("the client corrects clock skew once from the service's time, for all later requests", async () => {
    const { url, requests } = await serve(skewed, putAnswer);
    const client = connect(url);
    await client.putObject({ ...REF, body: bytesBody('a') });
    await client.putObject({ ...REF, body: bytesBody('a') });
    expect(requests.map(({ headers }) => dateOf(headers))).toEqual([
      '20261121T120000Z',
      '20261121T150000Z',
      '20261121T150000Z',
    ]);
  });

  test('the client corrects clock skew from the Date header of a 403 response to HEAD but not to GET', async () => {
    const refused = answer(403, { date: 'Sat, 21 Nov 2026 15:00:00 GMT' });
    const head = await serve(refused, objectAnswer);
    await connect(head.url).headObject(REF);
    expect(dateOf(head.requests[1]?.headers ?? {})).toBe('20261121T150000Z');
    const get = await serve(refused, objectAnswer);
    expect(await failure(connect(get.url).getObject(REF))).toMatchObject({ code: 'AccessDenied' });
    expect(get.requests).toHaveLength(1);
  });

  test('the client fails if the service refuses a request because of clock skew even after the correction', async () => {
    const { url, requests } = await serve(skewed);
    const error = await failure(connect(url).putObject({ ...REF, body: bytesBody('a') }));
    expect(error).toMatchObject({ code: 'RequestTimeTooSkewed' });
    expect(error.message).toContain("set this machine's clock");
    expect(requests).toHaveLength(2);
  });

  test('the client stores the measured clock skew for the next call if the request body cannot be sent again', async () => {
    const { url, requests } = await serve(skewed, putAnswer);
    const client = connect(url);
    const put = client.putObject({ ...REF, body: once(9 * MIB) });
    expect(await failure(put)).toMatchObject({ code: 'RequestTimeTooSkewed' });
    await client.putObject({ ...REF, body: bytesBody('a') });
    expect(dateOf(requests[1]?.headers ?? {})).toBe('20261121T150000Z');
  });
});

test('the client limits the retries of all calls of a client together', async () => {
  const { url, requests } = await serve(errorAnswer(503, 'SlowDown'));
  const client = connect(url);
  for (let count = 0; count < 200; count += 1) await failure(client.headObject(REF));
  // These are 200 calls and 100 retries, instead of three retries for each call.
  expect(requests).toHaveLength(300);
});

test('the client sends fewer concurrent requests to an overloaded service', async () => {
  const { url } = await serve(errorAnswer(503, 'SlowDown'), putAnswer);
  const client = connect(url);
  expect(client.concurrency).toEqual({ limit: 16, running: 0, waiting: 0 });
  await client.putObject({ ...REF, body: bytesBody('a') });
  expect(client.concurrency).toEqual({ limit: 8, running: 0, waiting: 0 });
});
