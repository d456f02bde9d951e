/** Tests of bucket websites: the requests of a browser, and the bytes of the responses. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { silentLogger } from '../../src/base/logger.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { openEngine, type Engine } from '../../src/engine/engine.ts';
import type { Listener } from '../../src/http/listener.ts';
import { openWebsites } from '../../src/gateway/website/website.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller, type Caller } from '../../src/object-store/caller.ts';
import type { ObjectAttributes, ObjectStore } from '../../src/object-store/object-store.ts';
import type { WebsiteConfiguration } from '../../src/object-store/website.ts';
import { svcDialect } from '../../src/protocol/dialect.ts';
import { formatHttpDate } from '../../src/protocol/dates.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { HttpSocket, type RawAnswer } from '../helpers/http-socket.ts';

const OWNER: UserPrincipal = {
  kind: 'user',
  project: 'p1',
  user: 'ada',
  customer: 'c1',
  fullAccess: true,
};
const INDEX: WebsiteConfiguration = { indexSuffix: 'index.html', errorKey: 'error.html' };
const HTML = { contentType: 'text/html' };

const clock = new FakeClock();
const dir = mkdtempSync(join(tmpdir(), 'website-'));
let engine: Engine;
let store: ObjectStore;
let websites: Listener;
let bucket: string;
let callers: Caller[] = [];
let sockets: HttpSocket[] = [];
let buckets = 0;

beforeAll(async () => {
  engine = await openEngine({
    dir,
    clock,
    logger: silentLogger,
    region: 'us-east-1',
    quotas: { bucketsPerProject: 1000 },
  });
  store = engine.as(internalCaller(OWNER, clock.now()));
  websites = await openWebsites({
    host: '127.0.0.1',
    port: 0,
    baseNames: ['localhost', 'sites.test'],
    browserConfig: engine.browserConfig,
    store: (caller) => {
      callers.push(caller);
      return engine.as(caller);
    },
    dialect: svcDialect(),
    clock,
    logger: silentLogger,
  });
});

afterAll(async () => {
  await websites.close();
  await engine.close();
  rmSync(dir, { recursive: true });
});

beforeEach(async () => {
  callers = [];
  bucket = `site-${++buckets}`;
  await store.createBucket({ bucket });
  await store.putWebsite({ bucket, website: INDEX });
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

function connect(): HttpSocket {
  const socket = new HttpSocket(websites.port);
  sockets.push(socket);
  return socket;
}

interface Asked {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function visit(path: string, asked: Asked = {}, socket = connect()): Promise<RawAnswer> {
  const {
    method = 'GET',
    host = `${bucket}.localhost:${websites.port}`,
    headers = {},
    body = '',
  } = asked;
  const lines = Object.entries({ host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket.answer(method);
}

/** Allows everyone to list the bucket, so that missing and private objects get different errors. */
const openListing = () => store.putBucketAcl({ bucket, acl: { canned: 'public-read' } });

/** Puts an object that everyone may read. */
async function put(
  key: string,
  content: string,
  attributes: ObjectAttributes = HTML,
): Promise<void> {
  const body = bytesBody(content);
  await store.putObject({ bucket, key, body, attributes, acl: { canned: 'public-read' } });
}

async function configure(website: WebsiteConfiguration): Promise<void> {
  await store.putWebsite({ bucket, website });
}

const returned = async (path: string, asked: Asked = {}) => {
  const answer = await visit(path, asked);
  return [answer.status, answer.header('location') ?? answer.text()];
};

describe('content that a bucket website serves', () => {
  test('[web-18] a website serves its index document for the root with the object headers, and ignores the query', async () => {
    await put('index.html', '<p>hello</p>', {
      ...HTML,
      cacheControl: 'no-cache',
      metadata: { a: 'b' },
    });
    for (const path of [
      '/',
      '/?acl',
      '/index.html',
      '/?versionId=1&partNumber=2',
      '/%69ndex.html',
    ]) {
      const answer = await visit(path);
      expect([answer.status, answer.text()]).toEqual([200, '<p>hello</p>']);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html',
        'content-length': '12',
        'cache-control': 'no-cache',
        etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) as unknown,
        'last-modified': formatHttpDate(clock.now()),
        'accept-ranges': 'bytes',
        'x-svc-meta-a': 'b',
        'x-svc-request-id': expect.stringMatching(/^tx[0-9a-f]+$/) as unknown,
        date: formatHttpDate(clock.now()),
      });
    }
  });

  test('[web-19] a website serves the index document of a folder, and redirects a folder name without its slash', async () => {
    await put('docs/index.html', 'docs');
    await put('docs/a b.txt', 'file');
    expect(await returned('/docs/')).toEqual([200, 'docs']);
    expect(await returned('/docs/a%20b.txt')).toEqual([200, 'file']);
    expect(await returned('/docs')).toEqual([302, '/docs/']);
    await openListing();
    expect(await returned('/docs')).toEqual([302, '/docs/']);
    await put('docs', 'an object of that name');
    expect(await returned('/docs')).toEqual([200, 'an object of that name']);
  });

  test('[web-20] a website responds to HEAD like to GET, without the body', async () => {
    await put('index.html', 'hello');
    const answer = await visit('/', { method: 'HEAD' });
    expect([answer.status, answer.header('content-length'), answer.text()]).toEqual([200, '5', '']);
    const missing = await visit('/nothing', { method: 'HEAD' });
    expect([missing.status, missing.text()]).toEqual([403, '']);
  });

  test('[web-21] a website treats keys literally, and never as file paths', async () => {
    await put('a/../b', 'dots');
    await put('/lead', 'lead');
    await put('x//y', 'slashes');
    await put('plus+?#', 'signs');
    expect(await returned('/a/../b')).toEqual([200, 'dots']);
    expect(await returned('/a/%2e%2e/b')).toEqual([200, 'dots']);
    expect(await returned('//lead')).toEqual([200, 'lead']);
    expect(await returned('/x//y')).toEqual([200, 'slashes']);
    expect(await returned('/plus+%3F%23')).toEqual([200, 'signs']);
    expect((await visit('/b')).status).toBe(403);
  });

  test.each([
    ['a range', { range: 'bytes=1-2' }, 206, 'el', 'bytes 1-2/5'],
    ['an invalid range', { range: 'bytes=x' }, 200, 'hello', undefined],
    ['a range beyond the end', { range: 'bytes=9-' }, 416, undefined, 'bytes */5'],
    ['If-Match with another ETag', { 'if-match': '"0"' }, 412, undefined, undefined],
    [
      'an earlier If-Modified-Since date',
      { 'if-modified-since': formatHttpDate(0) },
      200,
      'hello',
      undefined,
    ],
    [
      'a range and If-Range with another ETag',
      { range: 'bytes=1-2', 'if-range': '"0"' },
      200,
      'hello',
      undefined,
    ],
    [
      'S3 headers',
      { 'x-svc-acl': 'private', authorization: 'x', 'x-amz-date': 'y' },
      200,
      'hello',
      undefined,
    ],
  ])(
    '[web-22] a website request with %s, %j, returns %i',
    async (_, headers, status, text, contentRange) => {
      await put('index.html', 'hello');
      const answer = await visit('/', { headers });
      expect([answer.status, answer.header('content-range')]).toEqual([status, contentRange]);
      if (text !== undefined) expect(answer.text()).toBe(text);
    },
  );

  test('[web-22] a website returns 304 for an object that has not changed', async () => {
    await put('index.html', 'hello', { ...HTML, cacheControl: 'max-age=5' });
    const etag = (await visit('/')).header('etag') ?? '';
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-modified-since': formatHttpDate(clock.now()) },
    ]) {
      const answer = await visit('/', { headers });
      expect([answer.status, answer.text(), answer.header('etag')]).toEqual([304, '', etag]);
      expect(answer.header('cache-control')).toBe('max-age=5');
    }
  });

  test('a website sends a large object whole, and its connection serves the next request', async () => {
    const content = 'x'.repeat(1_000_000);
    await put('large', content);
    const socket = connect();
    expect((await visit('/large', {}, socket)).text()).toBe(content);
    expect((await visit('/large', { headers: { range: 'bytes=999999-' } }, socket)).text()).toBe(
      'x',
    );
  });

  test('[web-23] a website reads objects as an anonymous caller', async () => {
    await visit('/', {
      headers: {
        'user-agent': 'a browser',
        referer: 'http://a.test/',
        authorization: 'AWS p1:ada@c1:x',
      },
    });
    for (const caller of callers) {
      expect(caller).toEqual({
        principal: { kind: 'anonymous' },
        sourceIp: '127.0.0.1',
        secure: false,
        userAgent: 'a browser',
        wire: { referer: 'http://a.test/' },
        authType: 'anonymous',
        signedAt: clock.now(),
      });
    }
    expect(callers).toHaveLength(1);
  });

  test('a website adds the CORS headers that the rules of its bucket allow for another origin', async () => {
    await put('font.woff2', 'font');
    const rules = [{ allowedOrigins: ['https://a.test'], allowedMethods: ['GET'] }] as const;
    await store.putCors({ bucket, rules });
    const answer = await visit('/font.woff2', { headers: { origin: 'https://a.test' } });
    expect(answer.header('access-control-allow-origin')).toBe('https://a.test');
  });
});

describe('errors of a bucket website', () => {
  beforeEach(() => configure({ indexSuffix: 'index.html' }));

  test('[web-24] a website returns 404 for a missing object if everyone can list the bucket, and otherwise 403', async () => {
    await store.putObject({ bucket, key: 'private', body: bytesBody('secret') });
    expect((await visit('/private')).status).toBe(403);
    expect((await visit('/missing')).status).toBe(403);
    await openListing();
    expect((await visit('/private')).status).toBe(403);
    expect((await visit('/missing')).status).toBe(404);
  });

  test('[web-25] a website without an error document sends the standard error page, with all values escaped', async () => {
    await openListing();
    const answer = await visit('/%3Cscript%3Ealert(1)%3C/script%3E&"\'%0A');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'content-length': String(answer.body.byteLength),
      'x-svc-error-code': 'NoSuchKey',
      'x-svc-error-message': expect.stringMatching(/^[\x20-\x7e]+$/) as unknown,
    });
    const page = answer.text();
    expect(page).toMatch(
      /^<!DOCTYPE html>\n<html><head><title>404 Not Found<\/title><\/head><body><h1>404 Not Found<\/h1><ul>/,
    );
    expect(page).toContain('<li>Code: NoSuchKey</li>');
    expect(page).toContain(`<li>BucketName: ${bucket}</li>`);
    expect(page).toContain(
      '<li>Key: &lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;\ufffd</li>',
    );
    expect(page).toContain(`<li>RequestId: ${answer.header('x-svc-request-id')}</li>`);
    expect(
      page.replaceAll(/<\/?(?:!DOCTYPE html|html|head|title|body|h1|ul|li)>/g, ''),
    ).not.toMatch(/[<>"']/);
  });

  test('[web-25] a website error has the same headers with and without an error document', async () => {
    await openListing();
    const returned = await Promise.all(
      ['GET', 'HEAD'].map(async (method) => {
        const answer = await visit('/%C3%A4', { method });
        return Buffer.from(answer.header('x-svc-error-message') ?? '', 'latin1').toString();
      }),
    );
    expect(returned).toEqual(Array(2).fill('object "ä" does not exist'));
  });

  test('[web-26] a website sends its error document with the original error status', async () => {
    await configure(INDEX);
    await put('error.html', '<p>sorry</p>', {
      ...HTML,
      cacheControl: 'max-age=99',
      contentLanguage: 'en',
    });
    for (const [path, status] of [
      ['/missing', 404],
      ['/private', 403],
    ] as const) {
      await openListing();
      if (status === 403) await store.putObject({ bucket, key: 'private', body: bytesBody('x') });
      const answer = await visit(path, { headers: { range: 'bytes=0-1' } });
      expect([answer.status, answer.text()]).toEqual([status, '<p>sorry</p>']);
      expect(answer.header('content-type')).toBe('text/html');
      expect(answer.header('content-language')).toBe('en');
      expect(answer.header('x-svc-error-code')).toBe(status === 404 ? 'NoSuchKey' : 'AccessDenied');
      for (const name of ['etag', 'last-modified', 'cache-control', 'content-range']) {
        expect(answer.header(name)).toBeUndefined();
      }
    }
    const head = await visit('/missing', { method: 'HEAD' });
    expect([head.status, head.header('content-length'), head.text()]).toEqual([404, '12', '']);
  });

  test.each([
    ['does not exist', () => openListing(), 'NoSuchKey'],
    [
      'is not public',
      () => store.putObject({ bucket, key: 'error.html', body: bytesBody('x') }).then(openListing),
      'AccessDenied',
    ],
  ])(
    '[web-27] a website sends the standard error page if its error document %s',
    async (_, setUp, code) => {
      await configure(INDEX);
      await setUp();
      const answer = await visit('/missing');
      expect(answer.status).toBe(404);
      expect(answer.text()).toMatch(
        new RegExp(
          `<li>Code: NoSuchKey</li>.*Retrieve a Custom Error Document</h3><ul><li>Code: ${code}</li>`,
        ),
      );
    },
  );

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    '[web-28] a website returns 405 for %s',
    async (method) => {
      await put('index.html', 'hello');
      const answer = await visit('/', { method, headers: { 'content-length': '3' }, body: 'abc' });
      expect([answer.status, answer.header('allow')]).toEqual([405, 'GET, HEAD']);
      expect(answer.text()).toContain('<li>Code: MethodNotAllowed</li>');
      expect((await returned('/'))[1]).toBe('hello');
    },
  );

  test.each([
    ['a path that is not valid UTF-8', '/%ff', 400, 'InvalidURI'],
    ['a NUL character in the path', '/a%00b', 400, 'InvalidURI'],
    ['a URL of another host in place of a path', 'http://x/y', 400, 'InvalidURI'],
    ['a key that is too long', `/${'x'.repeat(1025)}`, 400, 'KeyTooLongError'],
  ])('a website rejects %s', async (_, path, status, code) => {
    const answer = await visit(path);
    expect([answer.status, answer.header('x-svc-error-code')]).toEqual([status, code]);
  });
});

describe('host names of bucket websites', () => {
  beforeEach(() => put('index.html', 'hello'));

  test.each([
    ['with a port', () => `${bucket}.localhost:9012`],
    ['without a port', () => `${bucket}.localhost`],
    ['in upper case', () => `${bucket.toUpperCase()}.LOCALHOST`],
    ['with a trailing dot', () => `${bucket}.localhost.`],
    ['below a second base name', () => `${bucket}.sites.test`],
  ])('[web-29] a website request finds its bucket by a host name %s', async (_, host) => {
    expect(await returned('/', { host: host() })).toEqual([200, 'hello']);
  });

  test.each([
    ['without a bucket of that name', () => 'no-such-bucket.localhost', 'NoSuchBucket'],
    ['that is a base name', () => 'localhost', 'NoSuchBucket'],
    ['that is an IP address', () => '127.0.0.1', 'NoSuchBucket'],
    ['below an unknown base name', () => `${bucket}.other.test`, 'NoSuchBucket'],
    ['without a dot before the base name', () => `${bucket}localhost`, 'NoSuchBucket'],
    ['with an invalid bucket name', () => '..localhost', 'NoSuchBucket'],
    ['with a path in it', () => `${bucket}.localhost/<b>`, 'NoSuchBucket'],
    ['with a user name in it', () => `x@${bucket}.localhost`, 'NoSuchBucket'],
  ])('[web-30] a website request to a host name %s returns 404', async (_, host, code) => {
    const answer = await visit('/', { host: host() });
    expect([answer.status, answer.header('x-svc-error-code')]).toEqual([404, code]);
    expect(answer.text()).not.toContain('<b>');
  });

  test('[web-31] the host name of a bucket without a website returns 404 until the bucket has one', async () => {
    await store.deleteWebsite({ bucket });
    const answer = await visit('/');
    expect([answer.status, answer.header('x-svc-error-code')]).toEqual([
      404,
      'NoSuchWebsiteConfiguration',
    ]);
    await configure(INDEX);
    expect(await returned('/')).toEqual([200, 'hello']);
  });
});

describe('redirects of a bucket website', () => {
  test('[web-6] a website that redirects all requests keeps the path and drops the query', async () => {
    await configure({ redirectAll: { hostName: 'www.a.test:8080' } });
    expect(await returned('/a%20b/c?x=1')).toEqual([301, 'http://www.a.test:8080/a%20b/c']);
    await configure({ redirectAll: { hostName: 'www.a.test', protocol: 'https' } });
    expect(await returned('/')).toEqual([301, 'https://www.a.test/']);
    expect((await visit('/', { method: 'HEAD' })).header('location')).toBe('https://www.a.test/');
  });

  const rules: WebsiteConfiguration['routingRules'] = [
    { condition: { keyPrefix: 'docs/' }, redirect: { replaceKeyPrefixWith: 'documents/' } },
    {
      condition: { keyPrefix: 'old', errorStatus: 404 },
      redirect: { replaceKeyWith: 'new', status: 302 },
    },
    { condition: { keyPrefix: 'app/' }, redirect: { replaceKeyPrefixWith: '#!/?q=' } },
    {
      condition: { keyPrefix: 'away' },
      redirect: { hostName: 'b.test', protocol: 'https', status: 307 },
    },
    { condition: { keyPrefix: 'tls' }, redirect: { protocol: 'https' } },
    { condition: { keyPrefix: 'cut/' }, redirect: { replaceKeyPrefixWith: '' } },
  ];

  test.each([
    ['/docs/a%20b?x=1', 301, '/documents/a%20b'],
    ['/app/%23x', 301, '/#!/?q=%23x'],
    ['/away/x', 307, 'https://b.test/away/x'],
    ['/tls', 301, 'https://BUCKET.localhost/tls'],
    ['/old', 302, '/new'],
    ['/cut//evil.test/', 301, '/.//evil.test/'],
    ['/cut/%5Cevil.test', 301, '/%5Cevil.test'],
    ['/cut/a%0D%0AX:%20y', 301, '/a%0D%0AX%3A%20y'],
  ])(
    '[web-15] a routing rule redirects %s with %i to the location %s',
    async (path, status, location) => {
      await configure({ ...INDEX, routingRules: rules });
      await openListing();
      const answer = await visit(path, { host: `${bucket}.localhost` });
      expect([answer.status, answer.header('location'), answer.header('x')]).toEqual([
        status,
        location.replace('BUCKET', bucket),
        undefined,
      ]);
    },
  );

  test('[web-16] a routing rule for an error status does not redirect existing objects', async () => {
    await configure({ ...INDEX, routingRules: rules });
    await openListing();
    await put('old', 'still here');
    expect(await returned('/old')).toEqual([200, 'still here']);
  });

  test('[web-32] the redirect of a folder whose name begins with a slash stays on the same host', async () => {
    await put('/evil.test/index.html', 'x');
    expect(await returned('//evil.test')).toEqual([302, '/.//evil.test/']);
  });

  test.each([
    ['/elsewhere', '/elsewhere'],
    ['https://b.test/a?b=c#d', 'https://b.test/a?b=c#d'],
    ['/grüße und mehr', '/gr%C3%BC%C3%9Fe%20und%20mehr'],
    ['//b.test/a', '/.//b.test/a'],
    ['/\\b.test/a', '/%5Cb.test/a'],
    ['/a\\b?c=//d', '/a%5Cb?c=//d'],
  ])(
    '[web-33] an object with the website redirect %s returns 301 with the location %s',
    async (websiteRedirect, location) => {
      await put('moved', 'x'.repeat(100_000), { ...HTML, websiteRedirect });
      expect(await returned('/moved')).toEqual([301, location]);
      expect(await returned('/moved', { method: 'HEAD' })).toEqual([301, location]);
    },
  );
});

describe('connections of the website listener', () => {
  test('the website listener accepts a target in absolute form only if its host equals the Host header', async () => {
    await put('a', 'first');
    const host = `${bucket}.localhost`;
    expect(await returned(`http://${host}/a?x`, { host })).toEqual([200, 'first']);
    expect((await returned('http://other.localhost/a', { host }))[0]).toBe(400);
  });

  test('[web-34] the website listener keeps connections open, answers pipelined requests in order, and closes a connection after a request with a body', async () => {
    await put('a', 'first');
    await put('b', 'second');
    const socket = connect();
    const line = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nhost: ${bucket}.localhost\r\n${more}\r\n`;
    socket.write(line('/a') + line('/b'));
    expect((await socket.answer()).text()).toBe('first');
    expect((await socket.answer()).text()).toBe('second');
    socket.write(`${line('/a', 'content-length: 5\r\n')}GET /`);
    const last = await socket.answer();
    expect([last.text(), last.header('connection')]).toEqual(['first', 'close']);
  });

  test.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    [
      'a request with both Content-Length and Transfer-Encoding',
      'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers of 17 KiB', `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(17 * 1024)}\r\n\r\n`, 431],
  ])('[web-34] the website listener rejects %s', async (_, bytes, status) => {
    const socket = connect();
    socket.write(bytes);
    expect((await socket.answer()).status).toBe(status);
  });

  test('[web-34] the website listener sends no 100 Continue response', async () => {
    await put('a', 'first');
    const headers = { expect: '100-continue', 'content-length': '5' };
    expect(await returned('/a', { headers })).toEqual([200, 'first']);
  });
});
