/** Tests of attacks that succeeded against other services: huge request bodies, path traversal and header injection. */

import { createHash } from 'node:crypto';

import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

import { bytesBody } from '../../src/object-store/body.ts';
import { encodeRequest, OPERATIONS, type OperationName } from '../../src/protocol/operations.ts';
import { formatQuery, parseQuery } from '../../src/protocol/paths.ts';
import { FreeSigner, type FreeRequest } from '../helpers/free-signer.ts';
import type { RawAnswer } from '../helpers/http-socket.ts';
import { EXAMPLES } from '../helpers/operation-examples.ts';
import { accessKey, dialects, REGION, stranger, WireBench } from '../helpers/wire-bench.ts';

const MIB = 1024 * 1024;
const bench = new WireBench();
const operations = Object.keys(OPERATIONS) as OperationName[];
const codeOf = (answer: RawAnswer) => /<Code>(\w+)</.exec(answer.text())?.[1];

describe.each(Object.values(dialects))('requests with x-$name- headers', (dialect) => {
  let box: string;
  let signer: FreeSigner;

  beforeEach(async () => {
    box = await bench.bucket();
    await bench.store.putObject({ bucket: box, key: 'k', body: bytesBody('hello') });
    signer = new FreeSigner({
      dialect,
      host: `127.0.0.1:${bench.gateway.port}`,
      region: REGION,
      credentials: accessKey,
      now: () => bench.clock.now(),
    });
  });

  function exchange(text: string, method?: string): Promise<RawAnswer> {
    const socket = bench.connect();
    socket.write(text);
    return socket.answer(method);
  }
  const send = (wish: FreeRequest) => exchange(signer.sign(wish).text, wish.method);

  /**
   * Returns all versions and the versioning state of the bucket as text. Tests compare the text
   * before and after an attack.
   */
  const picture = async () => {
    const { versions } = await bench.store.listVersions({ bucket: box });
    const versioning = await bench.store.getVersioning({ bucket: box });
    return JSON.stringify([versions, versioning]);
  };

  /** Returns a valid request of the operation for the bucket of the test. */
  const requestOf = (name: OperationName) =>
    requestFor(name, fc.sample(EXAMPLES[name].input, { numRuns: 1, seed: 7 })[0]);

  function requestFor(
    name: OperationName,
    input: unknown,
  ): FreeRequest & { readonly method: string } {
    const named = { ...(input as object), bucket: box } as never;
    const {
      method,
      path,
      query,
      headers,
      body: document = '',
    } = encodeRequest(name, named, dialect);
    // The signer expects one character for each byte.
    const body = Buffer.from(document, 'utf8').toString('latin1');
    const url = [path, formatQuery(query)].filter(Boolean).join('?');
    const own = headers.map(([header, value]) => [header, value] as const);
    return { method, url, headers: [...own, ...digestOf(body)], body };
  }

  describe.each(operations.filter((name) => typeof OPERATIONS[name].request.body === 'object'))(
    'large request bodies of %s',
    (name) => {
      test('a request body of 100 MB is rejected soon after its first bytes exceed the size limit', async () => {
        const { method, url: ofVersion } = requestOf(name);
        // The service would reject a random version id before it reads the body.
        const url = ofVersion.replace(/versionId=[^&]*/, 'versionId=null');
        const headers = [
          ['content-length', String(100 * MIB)],
          ['content-md5', 'AAAAAAAAAAAAAAAAAAAAAA=='],
        ] as const;
        const { text } = signer.sign({ method, url, headers, payloadHash: 'UNSIGNED-PAYLOAD' });
        const socket = bench.connect();
        socket.write(text);
        // The client sends no more bytes, so the service must respond without waiting for them.
        socket.write(Buffer.alloc(3 * MIB + 64 * 1024, ' '));
        const answer = await socket.answer(method);
        expect([answer.status, codeOf(answer)]).toEqual([400, 'MaxMessageLengthExceeded']);
        expect(answer.header('connection')).toBe('close');
      });
    },
  );

  describe('path traversal in keys', () => {
    beforeEach(async () => {
      await send({ method: 'PUT', url: `/${box}-theirs`, credentials: stranger });
      await send({ method: 'PUT', url: `/${box}-theirs/k`, credentials: stranger, body: 'secret' });
    });

    test.each([
      (own: string) => `/${own}/../${own}-theirs/k`,
      (own: string) => `/${own}/%2e%2e/${own}-theirs/k`,
      (own: string) => `/${own}/..%2f${own}-theirs%2fk`,
      (own: string) => `/${own}/./../${own}-theirs/k`,
      (own: string) => `/${own}/..%5c${own}-theirs%5ck`,
      (own: string) => `/${own}/../../../../etc/passwd`,
    ])('a key with path traversal is a literal name in its own bucket: %s', async (path) => {
      const url = path(box);
      expect(codeOf(await send({ url }))).toBe('NoSuchKey');
      expect((await send({ method: 'PUT', url, body: 'mine' })).status).toBe(200);
      expect((await send({ url })).text()).toBe('mine');
      const theirs = await send({ url: `/${box}-theirs/k`, credentials: stranger });
      expect(theirs.text()).toBe('secret');
    });

    test.each([
      (own: string) => `/${own}/../${own}-theirs/k`,
      (own: string) => `/${own}/%2e%2e/${own}-theirs/k`,
      (own: string) => `${own}/..%2F${own}-theirs%2Fk`,
    ])('a copy source with path traversal does not reach another bucket: %s', async (source) => {
      const headers = [['x-*-copy-source', source(box)]] as const;
      const copied = await send({ method: 'PUT', url: `/${box}/copy`, body: '', headers });
      expect(codeOf(copied)).toBe('NoSuchKey');
    });

    test('CopyObject and UploadPartCopy require permission to read the source', async () => {
      const created = await send({ method: 'POST', url: `/${box}/copy?uploads`, body: '' });
      const uploadId = /<UploadId>(.*?)</.exec(created.text())?.[1] ?? '';
      const headers = [['x-*-copy-source', `/${box}-theirs/k`]] as const;
      for (const url of [`/${box}/copy`, `/${box}/copy?partNumber=1&uploadId=${uploadId}`]) {
        expect(codeOf(await send({ method: 'PUT', url, body: '', headers }))).toBe('AccessDenied');
      }
    });
  });

  test.each(['', ' ', '/', '//', '?', '/?versionId=x', '?versionId'])(
    'a PUT with the invalid copy source %j is rejected, and stores nothing',
    async (source) => {
      const headers = [['x-*-copy-source', source]] as const;
      const answer = await send({ method: 'PUT', url: `/${box}/k`, body: '', headers });
      expect(answer.status).toBe(400);
      expect((await send({ url: `/${box}/k` })).text()).toBe('hello');
    },
  );

  test.each(['', '//', '//k', '*', '?', '#', '\\', '..', 'http://elsewhere/box/k', 'box/k', '/%'])(
    'the gateway rejects the request target %j, and still serves other requests',
    async (target) => {
      const socket = bench.connect();
      socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
      expect((await socket.answer()).status).toBeGreaterThanOrEqual(400);
      expect((await send({ url: `/${box}/k` })).text()).toBe('hello');
    },
  );

  test('user metadata named like internal fields is stored as ordinary metadata', async () => {
    const names = [
      'etag',
      'size',
      'version-id',
      'owner',
      'object-lock-mode',
      '__proto__',
      'holdfast',
    ];
    const headers = names.map((name) => [`x-*-meta-${name}`, 'injected'] as const);
    const body = 'hello';
    expect((await send({ method: 'PUT', url: `/${box}/m`, body, headers })).status).toBe(200);
    const { info } = await bench.store.headObject({ bucket: box, key: 'm' });
    expect(info).toMatchObject({ sizeBytes: 5, etag: '5d41402abc4b2a76b9719d911017c592' });
    expect(info.retention).toBeUndefined();
    expect(Object.keys(info.metadata ?? {}).sort()).toEqual([...names].sort());
    const answer = await send({ method: 'HEAD', url: `/${box}/m` });
    expect(answer.header('etag')).toBe('"5d41402abc4b2a76b9719d911017c592"');
    for (const name of names) {
      expect(answer.header(`${dialect.headerPrefix}meta-${name}`)).toBe('injected');
    }
  });

  test.each(['x-*-meta-a', 'content-disposition', 'cache-control', 'content-type'])(
    'an encoded line break in the value of %s does not add a header to the response',
    async (name) => {
      const value = '=?UTF-8?Q?a=0D=0Aset-cookie:_b=0D=0A=0D=0Aowned?=';
      const headers = [[name, value]] as const;
      await send({ method: 'PUT', url: `/${box}/m`, body: 'x', headers });
      const answer = await send({ url: `/${box}/m` });
      expect(answer.header('set-cookie')).toBeUndefined();
      if (answer.status === 200) expect(answer.text()).toBe('x');
      else expect(codeOf(answer)).toBe('NoSuchKey');
    },
  );

  test.each(['/metrics', '/debug/pprof', '/minio/health/live', '/admin', '/.env', '/favicon.ico'])(
    'the gateway treats the path %s only as a bucket name',
    async (path) => {
      const answer = await exchange(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(['InvalidBucketName', 'NoSuchBucket']).toContain(codeOf(answer));
    },
  );

  test.each(operations)(
    '[sign-7] %s without a signature changes nothing and returns no data',
    async (name) => {
      const before = await picture();
      const { method, url, headers = [], body = '' } = requestOf(name);
      const lines = headers.map(([header, value]) => `${header}: ${value}\r\n`).join('');
      const text = `${method} ${url} HTTP/1.1\r\nhost: x\r\n${lines}content-length: ${body.length}\r\n\r\n`;
      const socket = bench.connect();
      socket.write(text);
      socket.write(Buffer.from(body, 'latin1'));
      const answer = await socket.answer(method);
      // The service may report malformed requests and missing resources before it checks the signature.
      expect([400, 403, 404]).toContain(answer.status);
      expect(await picture()).toBe(before);
    },
  );

  /** Returns requests of the operation that together use all its query parameters. */
  function requestsWithParameters(name: OperationName) {
    const found = new Map<
      string,
      FreeRequest & { readonly url: string; readonly method: string }
    >();
    for (const input of fc.sample(EXAMPLES[name].input, { numRuns: 60, seed: 7 })) {
      const request = requestFor(name, input);
      const query = parseQuery(request.url.split('?')[1] ?? '');
      for (const [parameter] of query) found.set(parameter, request);
    }
    return [...found];
  }

  test.each(operations)(
    '[bad-8] %s with an invalid query parameter is rejected and changes nothing',
    async (name) => {
      const before = await picture();
      const taken: string[] = [];
      for (const [parameter, request] of requestsWithParameters(name)) {
        const values = BAD_PARAMETERS[parameter];
        if (values === undefined) throw new Error(`declare invalid values of ${parameter}`);
        for (const value of [...values, '%ff', '%']) {
          const given = new RegExp(`([?&])${parameter}(=[^&]*)?`);
          const url = request.url.replace(given, `$1${parameter}=${value}`);
          const isText = !value.startsWith('%');
          const { text } = signer.sign(isText ? { ...request, url } : request);
          const sent = isText ? text : text.replace(request.url, url);
          const { status } = await exchange(sent, request.method);
          if (status < 400 || status >= 500) taken.push(`${parameter}=${value}: ${status}`);
        }
      }
      expect(taken).toEqual([]);
      expect(await picture()).toBe(before);
    },
  );

  describe.each(operations.filter((name) => OPERATIONS[name].target === 'object'))(
    '[bad-7] %s with an invalid key',
    (name) => {
      const sendTo = (path: string, request = requestOf(name)) =>
        send({ ...request, url: [path, ...request.url.split('?').slice(1)].join('?') });

      test.each([
        ['a NUL character', 'a%00b'],
        ['bytes that are not valid UTF-8', 'a%ffb'],
        ['an incomplete percent-encoding', 'a%2'],
      ])('a request for a key with %s is rejected and changes nothing', async (_, key) => {
        const before = await picture();
        const { url, ...request } = requestOf(name);
        const [path = ''] = url.split('?');
        // The signer cannot sign such a path, so the test changes the path after signing.
        const { text } = signer.sign({ url, ...request });
        const answer = await exchange(text.replace(path, `/${box}/${key}`), request.method);
        const returned = name === 'HeadObject' ? undefined : 'InvalidURI';
        expect([answer.status, codeOf(answer)]).toEqual([400, returned]);
        expect(await picture()).toBe(before);
      });

      test('a request for a key of 1,025 bytes is rejected or returns 404, and changes nothing', async () => {
        const before = await picture();
        const answer = await sendTo(`/${box}/${'k'.repeat(1025)}`);
        expect([400, 404]).toContain(answer.status);
        expect(await picture()).toBe(before);
      });

      test('a key with path traversal gives no access to the bucket of another project', async () => {
        const theirs = { bucket: await bench.bucket(), key: 'k' };
        await bench.store.putObject({ ...theirs, body: bytesBody('secret') });
        const before = JSON.stringify(await bench.store.listVersions(theirs));
        for (const climbing of ['../', '%2e%2e/', '..%2f', './../', '/../', '//']) {
          const answer = await sendTo(`/${box}/${climbing}${theirs.bucket}/k`);
          expect(answer.text()).not.toContain('secret');
          expect(answer.status).toBeLessThan(500);
        }
        expect(JSON.stringify(await bench.store.listVersions(theirs))).toBe(before);
      });
    },
  );
});

const COUNT = ['-1', '1.5', 'x', '1e3', '99999999999999999999'];

/**
 * Invalid values of each query parameter. The list is empty if any text is valid, or if the parameter only selects
 * the operation.
 */
const BAD_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.values(OPERATIONS).map(({ subresource }) => [subresource ?? '', []]),
  ),
  attributes: [],
  versionId: ['', '../x', 'x'.repeat(2000)],
  prefix: [],
  delimiter: [],
  'encoding-type': ['', 'xml', 'URL'],
  'start-after': [],
  'continuation-token': ['x', 'AAAA'],
  'fetch-owner': ['maybe'],
  'max-keys': COUNT,
  marker: [],
  'key-marker': [],
  'version-id-marker': ['../x'],
  'upload-id-marker': [],
  'max-uploads': COUNT,
  'max-parts': COUNT,
  'part-number-marker': COUNT,
  partNumber: ['', '0', '10001', ...COUNT],
  uploadId: ['', '../../x', 'forged'],
};

/** Returns the Content-MD5 header of the body. A bulk delete requires the header, and other requests may have it. */
function digestOf(body: string): readonly (readonly [string, string])[] {
  return [['content-md5', md5(body)]];
}

function md5(body: string): string {
  return createHash('md5').update(body, 'latin1').digest('base64');
}
