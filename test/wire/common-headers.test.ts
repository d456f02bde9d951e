/** Tests of the headers that every response has, including error responses. */

import { beforeEach, describe, expect, test } from 'vitest';
import { formatHttpDate } from '../../src/protocol/dates.ts';
import { OPERATIONS, type OperationName } from '../../src/protocol/operations.ts';
import type { RawAnswer } from '../helpers/http-socket.ts';
import { stranger, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects, type Given } from '../helpers/wire.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];
const bench = new WireBench();
const PREFLIGHT = { origin: 'https://example.org', 'access-control-request-method': 'GET' };

inBothDialects(bench, (wire) => {
  const common = (answer: RawAnswer) => ({
    id: answer.header(wire.spelt('x-*-request-id')),
    date: answer.header('date'),
  });
  const returned = () => ({
    id: expect.stringMatching(/^tx[0-9a-f]+$/) as string,
    date: formatHttpDate(bench.clock.now()),
  });

  /**
   * Returns a minimal request of the operation, with its method, path and subresource. The service may reject the
   * request.
   */
  const requestOf = (name: OperationName): { readonly line: string; readonly given: Given } => {
    const { method, target, subresource, copies, request } = OPERATIONS[name];
    const path = { service: '/', bucket: '/{box}', object: '/{box}/k' }[target];
    const line = `${method} ${path}${subresource === undefined ? '' : `?${subresource}`}`;
    const headers = copies ? { 'x-*-copy-source': '/{box}/k' } : {};
    return { line, given: { headers, ...(request.body !== undefined && { body: '<x/>' }) } };
  };

  describe('[meta-4] request id and date of responses', () => {
    beforeEach(() => wire.put('k', 'text'));

    test.each(NAMES)('a response to %s has a request id and a date', async (name) => {
      const { line, given } = requestOf(name);
      const answer = await wire.send(line, given);
      expect([name, common(answer)]).toEqual([name, returned()]);
    });

    test.each(NAMES)(
      'the error response to a rejected %s request has a request id and a date',
      async (name) => {
        const { line, given } = requestOf(name);
        const as = { ...stranger, secretAccessKey: 'guessed' };
        const answer = await wire.send(line, { ...given, as });
        expect([answer.status, common(answer)]).toEqual([403, returned()]);
      },
    );

    test.each<[string, number, string, Given]>([
      ['status 304', 304, 'GET /{box}/k', { headers: { 'if-none-match': '*' } }],
      ['status 204', 204, 'DELETE /{box}/k', {}],
      ['status 206', 206, 'GET /{box}/k', { headers: { range: 'bytes=0-1' } }],
      ['status 416', 416, 'GET /{box}/k', { headers: { range: 'bytes=9-' } }],
      ['status 404', 404, 'HEAD /{box}/missing', {}],
      ['status 405', 405, 'PATCH /{box}/k', {}],
      ['status 403 to a preflight', 403, 'OPTIONS /{box}/k', { headers: PREFLIGHT }],
      ['status 400 to an invalid preflight', 400, 'OPTIONS /{box}/k', {}],
      ['status 501', 501, 'GET /{box}?analytics', {}],
    ])('a response with %s has a request id and a date', async (_, status, line, given) => {
      const answer = await wire.send(line, given);
      expect([answer.status, common(answer)]).toEqual([status, returned()]);
    });

    test('every response has a request id of its own', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => wire.send('GET /{box}/k')));
      expect(new Set(answers.map((answer) => common(answer).id)).size).toBe(3);
    });
  });

  test.each(['GET', 'HEAD'])(
    '[meta-5] a %s of an object returns the header x-rgw-object-type: Normal',
    async (method) => {
      await wire.put('k', 'text');
      for (const given of [{}, { headers: { range: 'bytes=0-1' } }]) {
        const answer = await wire.send(`${method} /{box}/k`, given);
        expect(answer.header('x-rgw-object-type')).toBe('Normal');
      }
    },
  );
});

describe('[meta-4] headers of error responses to invalid requests', () => {
  test.each([
    ['an invalid path', 'GET /b/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '400 '],
    ['bytes that are not HTTP', 'hello there\r\n\r\n', '400 Bad Request'],
    ['headers above the limit', `GET / HTTP/1.1\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`, '431 '],
  ])(
    'the error response to a request with %s has a request id and a date',
    async (_, bytes, status) => {
      const socket = bench.connect();
      socket.write(bytes);
      const text = await socket.rest();
      expect(text.startsWith(`HTTP/1.1 ${status}`)).toBe(true);
      expect(text).toMatch(/\r\nx-svc-request-id: tx[0-9a-f]+\r\n/);
      expect(text).toContain(`\r\ndate: ${formatHttpDate(bench.clock.now())}\r\n`);
    },
  );
});
