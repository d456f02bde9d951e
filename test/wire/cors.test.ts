/** Tests of CORS preflight requests, and of the CORS headers in responses. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { CorsRule } from '../../src/object-store/cors.ts';
import type { RawAnswer } from '../helpers/http-socket.ts';
import { WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects } from '../helpers/wire.ts';

const ORIGIN = 'https://app.test';
const RULES: readonly CorsRule[] = [
  {
    allowedOrigins: [ORIGIN, 'https://*.app.test'],
    allowedMethods: ['GET', 'PUT'],
    allowedHeaders: ['content-type', 'x-svc-*', 'x-amz-*'],
    exposeHeaders: ['ETag', 'x-svc-version-id'],
    maxAgeSeconds: 600,
  },
  { allowedOrigins: ['*'], allowedMethods: ['GET', 'HEAD'] },
];
const VARY = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method';

/** Returns the CORS headers of the response, without the prefix `access-control-`. */
function corsOf(answer: RawAnswer): Record<string, string> {
  const shown = answer.headers.filter(([name]) => /^(access-control-|vary$)/.test(name));
  return Object.fromEntries(
    shown.map(([name, value]) => [name.replace('access-control-', ''), value]),
  );
}

const granted = {
  'allow-origin': ORIGIN,
  'allow-methods': 'GET, PUT',
  'allow-credentials': 'true',
  'expose-headers': 'ETag, x-svc-version-id',
  vary: VARY,
};
const grantedToAll = { 'allow-origin': '*', 'allow-methods': 'GET, HEAD', vary: VARY };

inBothDialects(new WireBench(), (wire) => {
  beforeEach(() => wire.store.putCors({ bucket: wire.get('box'), rules: RULES }));

  const preflight = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    more = '',
  ): Promise<RawAnswer> => {
    const socket = wire.bench.connect();
    const lines = Object.entries({ host: 'h', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(wire.fill(`OPTIONS ${path} HTTP/1.1\r\n${lines.join('')}\r\n${more}`));
    return socket.answer();
  };
  const asked = (method: string, headers?: string, origin = ORIGIN) => ({
    origin,
    'access-control-request-method': method,
    ...(headers !== undefined && { 'access-control-request-headers': headers }),
  });

  describe('CORS preflight requests', () => {
    test('[cors-15] an unsigned preflight request that a rule allows succeeds, even if the object does not exist', async () => {
      for (const path of ['/{box}/k', '/{box}', '/{box}/k?acl', '/{box}/k?X-Amz-Signature=0']) {
        const answer = await preflight(path, asked('PUT', 'Content-Type,  X-SVC-Date'));
        expect([answer.status, answer.text(), answer.header('content-length')]).toEqual([
          200,
          '',
          '0',
        ]);
        expect(corsOf(answer)).toEqual({
          ...granted,
          'allow-headers': 'content-type, x-svc-date',
          'max-age': '600',
        });
      }
    });

    test('[cors-11] a preflight request under a rule for any origin returns * without allow-credentials', async () => {
      const answer = await preflight('/{box}/k', asked('GET', undefined, 'https://other.test'));
      expect([answer.status, corsOf(answer)]).toEqual([200, grantedToAll]);
    });

    test.each([
      ['from another origin', asked('PUT', undefined, 'https://other.test')],
      [
        'from an origin that only starts like an allowed one',
        asked('PUT', undefined, 'https://app.test.other.test'),
      ],
      ['with a method that no rule allows', asked('DELETE')],
      ['with a header that its rule does not allow', asked('PUT', 'content-type, authorization')],
      ['with an invalid header name', asked('PUT', 'x-svc-a b')],
      ['with more than 100 headers', asked('PUT', Array(101).fill('x-svc-a').join())],
    ])(
      '[cors-16] a preflight request %s is rejected, and its error does not reveal the rules',
      async (_, headers) => {
        const answer = await preflight('/{box}/k', headers);
        expect(answer.status).toBe(403);
        expect(answer.text()).toContain('<Code>AccessForbidden</Code>');
        expect(corsOf(answer)).toEqual({});
      },
    );

    test('[cors-17] a preflight request gets the same error for a bucket without rules as for a missing bucket', async () => {
      await wire.store.deleteCors({ bucket: wire.get('box') });
      for (const path of ['/{box}', '/no-such-bucket']) {
        const answer = await preflight(path, asked('GET'));
        expect(answer.status).toBe(403);
        expect(answer.text()).toContain('CORSResponse: CORS is not enabled for this bucket.');
      }
    });

    test('[cors-18] a preflight request without an origin or a method fails with InvalidRequest', async () => {
      const [origin, method] = [{ origin: ORIGIN }, { 'access-control-request-method': 'GET' }];
      for (const headers of [{}, origin, method, { ...origin, ...asked('get') }]) {
        const answer = await preflight('/{box}/k', headers);
        expect([answer.status, answer.text()]).toEqual([
          400,
          expect.stringContaining('<Code>InvalidRequest</Code>'),
        ]);
      }
    });

    test('a preflight request to a virtual host is checked against the CORS rules of the bucket in its host name', async () => {
      const host = `${wire.get('box')}.localhost`;
      expect((await preflight('/k', { host, ...asked('PUT') })).status).toBe(200);
    });

    test('a connection stays usable after a preflight request with a body', async () => {
      const headers = { ...asked('GET'), 'content-length': '5' };
      expect((await preflight('/{box}/k', headers, 'hello')).status).toBe(200);
    });
  });

  describe('CORS headers in responses', () => {
    test('[cors-19] a response to an allowed origin has the CORS headers, including the exposed headers', async () => {
      await wire.put('k', 'text');
      const answer = await wire.send('GET /{box}/k', { headers: { origin: ORIGIN } });
      expect([answer.status, answer.text(), corsOf(answer)]).toEqual([200, 'text', granted]);
      const head = await wire.send('HEAD /{box}/k', { headers: { origin: ORIGIN } });
      expect([head.status, corsOf(head)]).toEqual([200, grantedToAll]);
    });

    test.each([
      ['GET /{box}/missing', 404],
      ['GET /{box}?bogus', 501],
      ['PUT /{box}?cors', 400],
    ])('[cors-20] the error response to %s has the CORS headers', async (line, status) => {
      const answer = await wire.send(line, { headers: { origin: ORIGIN } });
      expect([answer.status, corsOf(answer)]).toEqual([status, granted]);
    });

    test('[cors-20] the error response to a request with a wrong signature has the CORS headers', async () => {
      const as = { accessKeyId: 'nobody', secretAccessKey: 'x' };
      const answer = await wire.send('GET /{box}/k', { headers: { origin: ORIGIN }, as });
      expect([answer.status, corsOf(answer)]).toEqual([403, granted]);
    });

    test('[cors-21] a request from an origin that matches no rule succeeds, without CORS headers in the response', async () => {
      const headers = { origin: 'https://other.test' };
      const answer = await wire.send('PUT /{box}/k', { headers, body: 'text' });
      expect([answer.status, corsOf(answer)]).toEqual([200, { vary: VARY }]);
      expect((await wire.ask('GET /{box}/k')).body).toBe('text');
    });

    test('[cors-22] a response to a request without an Origin header still has Vary: Origin, for caches', async () => {
      expect(corsOf(await wire.send('GET /{box}'))).toEqual({ vary: VARY });
      await wire.store.deleteCors({ bucket: wire.get('box') });
      expect(corsOf(await wire.send('GET /{box}', { headers: { origin: ORIGIN } }))).toEqual({});
    });
  });
});
