/** Object operations as bytes on the wire, in both dialects. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HttpSocket } from '../helpers/http-socket.ts';
import { dialects, WireBench, type RawRequest } from '../helpers/wire-bench.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe.each(Object.values(dialects))('in dialect $name', (dialect) => {
  const bench = new WireBench();
  const name = (suffix: string) => dialect.headerPrefix + suffix;
  const send = (request: RawRequest, socket?: HttpSocket) => bench.send(dialect, request, socket);

  test('a put answers 200, an empty body, the quoted ETag, a request id and the date', async () => {
    const box = await bench.bucket();
    const answer = await send({ method: 'PUT', url: `/${box}/a.txt`, body: 'hello' });
    expect(answer.status).toBe(200);
    expect(answer.header('content-length')).toBe('0');
    expect(answer.header('etag')).toBe(`"${md5('hello')}"`);
    expect(answer.header(name('request-id'))).toMatch(/^tx[0-9a-f]+$/);
    expect(answer.header('date')).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
    expect(answer.header(name('version-id'))).toBeUndefined();
  });

  test('a get answers the bytes and what the writer said of them', async () => {
    const box = await bench.bucket({ objectLockEnabled: true });
    const put = await send({
      method: 'PUT',
      url: `/${box}/a.txt`,
      body: 'hello',
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-cache',
        'content-encoding': 'gzip,aws-chunked',
        expires: 'whenever',
        'x-*-meta-colour': 'blue',
        'x-*-meta-empty': '',
      },
    });
    for (const method of ['GET', 'HEAD']) {
      const answer = await send({ method, url: `/${box}/a.txt` });
      expect(answer.status).toBe(200);
      expect(answer.text()).toBe(method === 'GET' ? 'hello' : '');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-length': '5',
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-cache',
        'content-encoding': 'gzip',
        expires: 'whenever',
        etag: `"${md5('hello')}"`,
        'accept-ranges': 'bytes',
        'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
        'x-rgw-object-type': 'Normal',
        [name('meta-colour')]: 'blue',
        [name('meta-empty')]: '',
        [name('version-id')]: put.header(name('version-id')),
      });
    }
  });

  test('the content type is binary/octet-stream when the writer said none', async () => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/a`, body: '' });
    const answer = await send({ method: 'GET', url: `/${box}/a` });
    expect(answer.header('content-type')).toBe('binary/octet-stream');
    expect(answer.header('content-length')).toBe('0');
  });

  test.each([
    ['bytes=1-3', 206, 'ell', 'bytes 1-3/5'],
    ['bytes=3-', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=0-99', 206, 'hello', 'bytes 0-4/5'],
    ['bytes=0-0,2-3', 200, 'hello', undefined],
    ['bytes=3-1', 200, 'hello', undefined],
    ['items=0-1', 200, 'hello', undefined],
  ])('the range %s answers %i', async (range, status, text, contentRange) => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/a`, body: 'hello' });
    const answer = await send({ method: 'GET', url: `/${box}/a`, headers: { range } });
    expect([answer.status, answer.text(), answer.header('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  test('an unsatisfiable range answers 416 and the size', async () => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/a`, body: 'hello' });
    const answer = await send({
      method: 'GET',
      url: `/${box}/a`,
      headers: { range: 'bytes=5-' },
    });
    expect(answer.status).toBe(416);
    expect(answer.header('content-range')).toBe('bytes */5');
    expect(answer.text()).toContain('<Code>InvalidRange</Code>');
  });

  test('a range is taken only of the object that If-Range names', async () => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/a`, body: 'hello' });
    const get = (ifRange: string) =>
      send({
        method: 'GET',
        url: `/${box}/a`,
        headers: { range: 'bytes=0-0', 'if-range': ifRange },
      });
    expect((await get(`"${md5('hello')}"`)).status).toBe(206);
    expect((await get('Sat, 21 Nov 2026 12:00:00 GMT')).status).toBe(206);
    expect((await get(`"${md5('other')}"`)).status).toBe(200);
    expect((await get('Sat, 21 Nov 2026 11:00:00 GMT')).status).toBe(200);
    expect((await get('W/"x"')).status).toBe(200);
  });

  test('an unchanged object answers 304 without a body, with its validators', async () => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/a`, body: 'hello' });
    const headers = { 'if-none-match': `"${md5('hello')}"` };
    const socket = bench.connect();
    const answer = await send({ method: 'GET', url: `/${box}/a`, headers }, socket);
    expect(answer.status).toBe(304);
    expect(answer.header('etag')).toBe(`"${md5('hello')}"`);
    expect(answer.header('last-modified')).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
    expect(answer.header('content-length')).toBeUndefined();
    expect((await send({ method: 'GET', url: `/${box}/a` }, socket)).text()).toBe('hello');
  });

  test('a put with If-None-Match: * answers 412 when the key exists', async () => {
    const box = await bench.bucket();
    const put = () =>
      send({ method: 'PUT', url: `/${box}/a`, body: 'x', headers: { 'if-none-match': '*' } });
    expect((await put()).status).toBe(200);
    const refused = await put();
    expect(refused.status).toBe(412);
    expect(refused.text()).toContain('<Condition>If-None-Match</Condition>');
  });

  test("a missing key answers 404 with the specification's elements", async () => {
    const box = await bench.bucket();
    const answer = await send({ method: 'GET', url: `/${box}/no%20such` });
    expect(answer.status).toBe(404);
    expect(answer.header('content-type')).toBe('application/xml');
    const id = answer.header(name('request-id'));
    expect(answer.text()).toMatch(
      new RegExp(
        `<Error><Code>NoSuchKey</Code><Message>.+</Message>.*<RequestId>${id}</RequestId><HostId>.+</HostId></Error>$`,
      ),
    );
    expect(answer.text()).toContain(`<BucketName>${box}</BucketName>`);
    expect(answer.text()).toContain('<Key>no such</Key>');
    const head = await send({ method: 'HEAD', url: `/${box}/no%20such` });
    expect(head.status).toBe(404);
  });

  test('a delete without a version adds a marker, which gets and heads tell of', async () => {
    const box = await bench.bucket({ objectLockEnabled: true });
    await send({ method: 'PUT', url: `/${box}/a`, body: 'x' });
    const deleted = await send({ method: 'DELETE', url: `/${box}/a` });
    expect(deleted.status).toBe(204);
    expect(deleted.header(name('delete-marker'))).toBe('true');
    const marker = deleted.header(name('version-id'));
    const get = await send({ method: 'GET', url: `/${box}/a` });
    expect([get.status, get.header(name('delete-marker')), get.header(name('version-id'))]).toEqual(
      [404, 'true', marker],
    );
    const head = await send({ method: 'HEAD', url: `/${box}/a?versionId=${marker}` });
    expect([head.status, head.header(name('delete-marker')), head.header('allow')]).toEqual([
      405,
      'true',
      'DELETE',
    ]);
    expect(head.header('last-modified')).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
    const undeleted = await send({ method: 'DELETE', url: `/${box}/a?versionId=${marker}` });
    expect([undeleted.status, undeleted.header(name('version-id'))]).toEqual([204, marker]);
    expect((await send({ method: 'GET', url: `/${box}/a` })).text()).toBe('x');
  });

  test('an empty version id is refused', async () => {
    const box = await bench.bucket();
    const answer = await send({ method: 'GET', url: `/${box}/a?versionId=` });
    expect(answer.status).toBe(400);
    expect(answer.text()).toContain('<ArgumentName>versionId</ArgumentName>');
  });

  test('a locked version is not deleted, and its lock is told', async () => {
    const box = await bench.bucket({ objectLockEnabled: true });
    const put = await send({
      method: 'PUT',
      url: `/${box}/a`,
      body: 'x',
      headers: {
        'x-*-object-lock-mode': 'COMPLIANCE',
        'x-*-object-lock-retain-until-date': '2027-01-01T00:00:00Z',
        'x-*-object-lock-legal-hold': 'ON',
      },
    });
    expect(put.status).toBe(200);
    const head = await send({ method: 'HEAD', url: `/${box}/a` });
    expect(Object.fromEntries(head.headers)).toMatchObject({
      [name('object-lock-mode')]: 'COMPLIANCE',
      [name('object-lock-retain-until-date')]: '2027-01-01T00:00:00.000Z',
      [name('object-lock-legal-hold')]: 'ON',
    });
    const url = `/${box}/a?versionId=${put.header(name('version-id'))}`;
    const headers = { 'x-*-bypass-governance-retention': 'true' };
    const refused = await send({ method: 'DELETE', url, headers });
    expect(refused.status).toBe(403);
    expect(refused.text()).toContain('<Code>AccessDenied</Code>');
  });

  test.each([
    [{ 'x-*-object-lock-mode': 'COMPLIANCE' }, 'InvalidArgument'],
    [{ 'x-*-object-lock-retain-until-date': '2027-01-01' }, 'InvalidArgument'],
    [{ 'x-*-object-lock-legal-hold': 'on' }, 'InvalidArgument'],
    [{ 'if-none-match': '"etag"' }, 'InvalidArgument'],
    [{ 'x-*-server-side-encryption': 'AES256' }, 'NotImplemented'],
    [{ 'x-*-acl': 'public-read' }, 'NotImplemented'],
    [{ 'x-*-tagging': 'a=b' }, 'NotImplemented'],
  ])('a put with %o is refused and stores nothing', async (headers, code) => {
    const box = await bench.bucket({ objectLockEnabled: true });
    const answer = await send({ method: 'PUT', url: `/${box}/a`, body: 'x', headers });
    expect(answer.text()).toContain(`<Code>${code}</Code>`);
    expect((await bench.store.listVersions({ bucket: box })).versions).toEqual([]);
  });

  test.each(['acl', 'tagging=null', 'retention', 'legal-hold'])(
    'a put of ?%s is not implemented and stores nothing',
    async (subresource) => {
      const box = await bench.bucket();
      const answer = await send({
        method: 'PUT',
        url: `/${box}/a?${subresource}`,
        body: '<x/>',
      });
      expect(answer.status).toBe(501);
      expect((await bench.store.listObjects({ bucket: box })).objects).toEqual([]);
    },
  );

  test('a copy answers its result, and takes attributes by the directive', async () => {
    const box = await bench.bucket({ objectLockEnabled: true });
    const source = {
      method: 'PUT',
      url: `/${box}/from%20%2B`,
      body: 'x',
      headers: { 'x-*-meta-a': '1' },
    };
    const put = await send(source);
    const copy = (headers: Record<string, string>) =>
      send({
        method: 'PUT',
        url: `/${box}/to`,
        headers: { 'x-*-copy-source': `/${box}/from%20%2B`, ...headers },
      });
    const copied = await copy({ 'x-*-meta-a': 'ignored' });
    expect(copied.status).toBe(200);
    expect(copied.text()).toMatch(
      /<CopyObjectResult xmlns="[^"]+"><LastModified>2026-11-21T12:00:00\.000Z<\/LastModified><ETag>&quot;[0-9a-f]{32}&quot;<\/ETag><\/CopyObjectResult>$/,
    );
    expect(copied.header(name('copy-source-version-id'))).toBe(put.header(name('version-id')));
    expect((await send({ method: 'HEAD', url: `/${box}/to` })).header(name('meta-a'))).toBe('1');
    await copy({ 'x-*-metadata-directive': 'REPLACE', 'x-*-meta-b': '2' });
    const replaced = await send({ method: 'HEAD', url: `/${box}/to` });
    expect([replaced.header(name('meta-a')), replaced.header(name('meta-b'))]).toEqual([
      undefined,
      '2',
    ]);
  });

  test.each(['', '/', 'box', '/box/', '/box/from?versionId=', '/box/%ff'])(
    'the copy source %j is refused',
    async (source) => {
      const box = await bench.bucket();
      const headers = { 'x-*-copy-source': source };
      const answer = await send({ method: 'PUT', url: `/${box}/to`, headers });
      expect(answer.status).toBe(400);
      expect((await bench.store.listObjects({ bucket: box })).objects).toEqual([]);
    },
  );

  test.each([
    '../box/x',
    'a//b',
    './c',
    'a/../b',
    '/lead',
    'a\\b',
    'new\nline',
    '%41',
    'q?r#s',
    'ü+ü',
    '😀',
  ])('the key %j is stored and read literally', async (key) => {
    const box = await bench.bucket();
    const url = `/${box}/${encodeURIComponent(key)}`;
    expect((await send({ method: 'PUT', url, body: key })).status).toBe(200);
    const { objects } = await bench.store.listObjects({ bucket: box });
    expect(objects.map((object) => object.key)).toEqual([key]);
    expect((await send({ method: 'GET', url })).text()).toBe(key);
  });

  test('user attributes beyond ASCII come back, encoded for headers', async () => {
    const box = await bench.bucket();
    const value = Buffer.from('grün', 'utf8').toString('latin1');
    await send({
      method: 'PUT',
      url: `/${box}/a`,
      body: 'x',
      headers: { 'x-*-meta-colour': value },
    });
    expect((await bench.store.headObject({ bucket: box, key: 'a' })).info.metadata).toEqual({
      colour: 'grün',
    });
    const head = await send({ method: 'HEAD', url: `/${box}/a` });
    expect(head.header(name('meta-colour'))).toBe('=?UTF-8?B?Z3LDvG4=?=');
  });

  test('a signed read may override response headers, but not split them', async () => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/a`, body: 'x' });
    const url = `/${box}/a?response-content-type=text%2Fhtml&response-content-disposition=a%0D%0AX-Evil:%201`;
    const answer = await send({ method: 'GET', url });
    expect(answer.header('content-type')).toBe('text/html');
    expect(answer.header('x-evil')).toBeUndefined();
    expect(answer.header('content-disposition')).toBe('a  X-Evil: 1');
  });

  test('an override beyond ASCII is sent as its UTF-8, whatever its characters', async () => {
    const box = await bench.bucket();
    await send({ method: 'PUT', url: `/${box}/a`, body: 'x' });
    const disposition = 'attachment; filename="Ł Ã©.txt"';
    const url = `/${box}/a?response-content-disposition=${encodeURIComponent(disposition)}`;
    const answer = await send({ method: 'GET', url });
    const bytes = Buffer.from(answer.header('content-disposition') ?? '', 'latin1');
    expect(bytes.toString('utf8')).toBe(disposition);
  });
});
