/**
 * Tests of downloads over broken connections. A download resumes or fails, and never ends early
 * without an error.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { collect } from '../../../src/object-store/body.ts';
import { connect, errorAnswer, failure, HurriedClock, serve } from './scripted-server.ts';

const REF = { bucket: 'bucket', key: 'key' };
const OBJECT = randomBytes(300_000);
const ETAG = '0cc175b9c0f1b6a831c399e269772661';

interface Manner {
  /** Number of bytes after which the connection breaks. Undefined if it never breaks. */
  readonly breaksAfter?: number | undefined;
  readonly etag?: string;
  readonly ranges?: boolean;
  readonly chunked?: boolean;
  readonly versionId?: string;
}

/** Returns a listener that sends the object or the requested range. */
const send =
  ({ breaksAfter, etag = ETAG, ranges = true, chunked = false, versionId }: Manner) =>
  (request: IncomingMessage, response: ServerResponse) => {
    const asked = /^bytes=(\d+)-(\d+)$/.exec((ranges && request.headers.range) || '');
    const [first, last] = asked ? [Number(asked[1]), Number(asked[2])] : [0, OBJECT.length - 1];
    const bytes = OBJECT.subarray(first, last + 1);
    response.setHeaders(
      new Map([
        ['etag', `"${etag}"`],
        ['last-modified', 'Sat, 21 Nov 2026 12:00:00 GMT'],
        chunked ? ['transfer-encoding', 'chunked'] : ['content-length', String(bytes.length)],
      ]),
    );
    const range = `bytes ${first}-${last}/${OBJECT.length}`;
    if (asked || chunked) response.setHeader('content-range', range);
    if (versionId !== undefined) response.setHeader('x-svc-version-id', versionId);
    response.writeHead(asked ? 206 : 200);
    if (breaksAfter === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, breaksAfter), () => response.destroy());
  };

const script = (...manners: readonly Manner[]): RequestListener[] =>
  manners.map((each) => send(each));
const rangesOf = (requests: readonly IncomingMessage[]) =>
  requests.map(({ headers }) => headers.range);

describe('a download whose connection breaks', () => {
  test('the client resumes an interrupted download at its position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: OBJECT.length }), { maxLength: 4 }),
        fc.boolean(),
        async (breaks, chunked) => {
          const { url } = await serve(
            ...script(...breaks.map((breaksAfter) => ({ breaksAfter, chunked })), { chunked }),
          );
          const { body } = await connect(url).getObject(REF);
          expect(Buffer.compare(await collect(body, OBJECT.length), OBJECT)).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('the client requests the rest of the same version when it resumes a download', async () => {
    const versionId = 'v1';
    const { url, requests } = await serve(...script({ breaksAfter: 1_000, versionId }, {}));
    const { body } = await connect(url).getObject(REF);
    await collect(body, OBJECT.length);
    expect(rangesOf(requests)).toEqual([undefined, `bytes=1000-${OBJECT.length - 1}`]);
    expect(requests[1]?.headers['if-match']).toBe(`"${ETAG}"`);
    expect(requests[1]?.url).toContain('versionId=v1');
  });

  test('the client stays within the requested range when it resumes a download', async () => {
    const { url, requests } = await serve(...script({ breaksAfter: 10 }, {}));
    const { body } = await connect(url).getObject({ ...REF, range: { first: 100, last: 199 } });
    const bytes = await collect(body, OBJECT.length);
    expect(Buffer.compare(bytes, OBJECT.subarray(100, 200))).toBe(0);
    expect(rangesOf(requests)).toEqual(['bytes=100-199', 'bytes=110-199']);
  });

  test.for([
    ['replaced', errorAnswer(412, 'PreconditionFailed'), 'PreconditionFailed'],
    ['deleted', errorAnswer(404, 'NoSuchKey'), 'NoSuchKey'],
    ['damaged', errorAnswer(500, 'InternalError'), 'InternalError'],
  ] as const)(
    "the client fails a resumed download with the service's error if the object is %s",
    async ([, second, code]) => {
      const { url } = await serve(send({ breaksAfter: 10 }), second);
      const { body } = await connect(url, { clock: new HurriedClock() }).getObject(REF);
      const error = await failure(collect(body, OBJECT.length));
      expect(error).toMatchObject({ name: 'StorageError', code });
    },
  );

  test.for([
    [
      'the service does not support ranges',
      send({ ranges: false }),
      'the service does not support ranges',
    ],
    [
      'the remaining bytes belong to another object',
      send({ etag: 'e' }),
      'the service does not support ranges',
    ],
  ] as const)('the client fails a resumed download if %s', async ([, second, reason]) => {
    const { url } = await serve(send({ breaksAfter: 10 }), second);
    const { body } = await connect(url).getObject(REF);
    const error = await failure(collect(body, OBJECT.length));
    expect(error).toMatchObject({ name: 'TransportError', code: 'ConnectionLost', sent: true });
    expect(error.message).toContain(`the download cannot be resumed: ${reason}`);
  });

  test('the client fails a download after four connections in a row without data', async () => {
    const clock = new HurriedClock();
    const { url, requests } = await serve(...script({ breaksAfter: 10 }, { breaksAfter: 0 }));
    const { body } = await connect(url, { clock }).getObject(REF);
    expect(await failure(collect(body, OBJECT.length))).toMatchObject({ code: 'ConnectionLost' });
    expect(requests).toHaveLength(4);
    for (const [index, ms] of clock.slept.entries()) expect(ms).toBeLessThan(100 * 2 ** index);
  });

  test('the client does not reconnect after a download was aborted', async () => {
    const { url, requests } = await serve(...script({ breaksAfter: 10 }));
    const abort = new AbortController();
    const { body } = await connect(url).getObject(REF, { signal: abort.signal });
    const reason = new Error('enough');
    const reading = failure(
      (async () => {
        for await (const bytes of body) if (bytes.length > 0) abort.abort(reason);
      })(),
    );
    expect(await reading).toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe('a small object whose connection breaks', () => {
  const small = OBJECT.subarray(0, 1_000);
  const head = {
    etag: `"${ETAG}"`,
    'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
    'content-length': small.length,
  };
  const half = (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, head);
    response.write(small.subarray(0, 500), () => response.destroy());
  };

  test('a small object is requested again as a whole if its connection breaks', async () => {
    const { url, requests } = await serve(half, (_, response) => {
      response.writeHead(200, head);
      response.end(small);
    });
    const { body, bytes = [] } = await connect(url, { clock: new HurriedClock() }).getObject(REF);
    expect(Buffer.compare(Buffer.from(bytes), small)).toBe(0);
    expect(Buffer.compare(await collect(body, OBJECT.length), small)).toBe(0);
    expect(rangesOf(requests)).toEqual([undefined, undefined]);
  });

  test('reading a small object fails after four broken connections', async () => {
    const { url, requests } = await serve(half);
    const error = await failure(connect(url, { clock: new HurriedClock() }).getObject(REF));
    expect(error).toMatchObject({ name: 'TransportError', code: 'ConnectionLost' });
    expect(requests).toHaveLength(4);
  });

  test('an abort while a small object arrives rejects with its reason and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const abort = new AbortController();
    const reason = new Error('enough');
    const { url } = await serve((_, response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, head);
      response.write(small.subarray(0, 500), () => abort.abort(reason));
    });
    const call = connect(url).getObject(REF, { signal: abort.signal });
    expect(await failure(call)).toBe(reason);
    await closed.promise;
  });
});

test.for(['before its first byte', 'midway'])(
  'the client closes the connection of a download that the caller abandons %s',
  async (when) => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((request, response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, {
        etag: `"${ETAG}"`,
        'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
        'content-length': OBJECT.length,
      });
      response.write(OBJECT.subarray(0, 1_000));
      request.resume();
    });
    const { body } = await connect(url).getObject(REF);
    const reader = body[Symbol.asyncIterator]();
    if (when === 'midway') await reader.next();
    await reader.return?.();
    await closed.promise;
    expect(await reader.next()).toMatchObject({ done: true });
  },
);
