/** Tests of object attributes in HTTP headers (test/SPECIFICATION.md, semantics B.16). */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FreeSigner } from '../helpers/free-signer.ts';
import { accessKey, REGION, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects, type RefusalRow } from '../helpers/wire.ts';

const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const bodyOf = (line: string) => (line.startsWith('PUT') ? { body: 'x' } : {});
const md5 = (text: string) => createHash('md5').update(text).digest('base64');

inBothDialects(new WireBench(), (wire) => {
  const put = (headers: Readonly<Record<string, string>>) =>
    wire.send('PUT /{box}/a', { body: 'x', headers });
  const returned = async (name: string, method = 'HEAD') =>
    (await wire.send(`${method} /{box}/a`)).header(wire.spelt(name));

  const signer = () =>
    new FreeSigner({
      dialect: wire.dialect,
      host: `127.0.0.1:${wire.bench.gateway.port}`,
      region: REGION,
      credentials: accessKey,
      now: () => wire.bench.clock.now(),
    });

  test.each([
    ['content-type', 'text/plain; charset=utf-8'],
    ['content-encoding', 'gzip'],
    ['content-disposition', 'attachment; filename="a b.txt"'],
    ['content-language', 'de, en'],
    ['cache-control', 'max-age=60, no-transform'],
    ['expires', 'Tue, 01 Jan 2030 00:00:00 GMT'],
    ['x-*-website-redirect-location', '/elsewhere'],
    ['x-*-meta-colour', 'light blue'],
  ])('[meta-6] GET and HEAD return the attribute %s: %s unchanged', async (name, value) => {
    await put({ [name]: value });
    expect([await returned(name, 'GET'), await returned(name)]).toEqual([value, value]);
  });

  test.each(['Content-Type', 'CACHE-CONTROL', 'x-*-Meta-Colour', 'x-*-META-SHAPE'])(
    '[meta-7] the header of an attribute may have any case, and HEAD returns it in lower case: %s',
    async (sent) => {
      const name = wire.spelt(sent.toLowerCase());
      const headers = [
        [name, 'some/thing'],
        ['content-length', '0'],
      ] as const;
      const { text } = signer().sign({ method: 'PUT', url: wire.fill('/{box}/a'), headers });
      const inCase = sent.replace('x-*-', wire.dialect.headerPrefix.toUpperCase());
      const socket = wire.bench.connect();
      socket.write(text.replace(`\r\n${name}:`, `\r\n${inCase}:`));
      expect((await socket.answer('PUT')).status).toBe(200);
      const answer = await wire.send('HEAD /{box}/a');
      expect(answer.headers).toContainEqual([name, 'some/thing']);
    },
  );

  test.each(['GET', 'HEAD'])(
    '[meta-8] a non-ASCII metadata value is accepted as UTF-8, and %s returns it as an RFC 2047 encoded word',
    async (method) => {
      await put({ 'x-*-meta-name': latin1('grün 東京') });
      const word = `=?UTF-8?B?${Buffer.from('grün 東京').toString('base64')}?=`;
      expect(await returned('x-*-meta-name', method)).toBe(word);
      await put({ 'x-*-meta-name': word });
      expect(await returned('x-*-meta-name', method)).toBe(word);
      const { info } = await wire.store.headObject({ bucket: wire.get('box'), key: 'a' });
      expect(info.metadata).toEqual({ name: 'grün 東京' });
    },
  );

  test('[meta-9] a metadata header with an empty value is stored and returned', async () => {
    await put({ 'x-*-meta-empty': '' });
    expect(await returned('x-*-meta-empty')).toBe('');
  });

  test.each(['__proto__', 'constructor', 'tostring', 'hasownproperty'])(
    '[meta-17] user metadata named %s is stored and returned',
    async (name) => {
      await put({ [`x-*-meta-${name}`]: 'value', 'x-*-meta-other': '1' });
      expect(await returned(`x-*-meta-${name}`)).toBe('value');
      expect(await returned('x-*-meta-other')).toBe('1');
    },
  );

  test('[meta-10] GET returns the Expires header as it was put, even if it is not a date', async () => {
    await put({ expires: 'some day' });
    expect(await returned('expires')).toBe('some day');
  });

  test.each([
    ['no Content-Type', {}],
    ['an empty Content-Type', { 'content-type': '' }],
  ])('[meta-11] an object put with %s is stored as binary/octet-stream', async (_, headers) => {
    await put(headers);
    expect(await returned('content-type')).toBe('binary/octet-stream');
  });

  describe('[meta-12] limit of 2 KB for user metadata', () => {
    const ofBytes = (sizeBytes: number) => 'v'.repeat(sizeBytes - 'one'.length - 'other'.length);

    test.each(['PUT /{box}/a', 'POST /{box}/a?uploads'])(
      '%s with exactly 2,048 bytes of user metadata is accepted',
      async (line) => {
        const headers = { 'x-*-meta-one': '', 'x-*-meta-other': ofBytes(2048) };
        expect((await wire.send(line, { headers, ...bodyOf(line) })).status).toBe(200);
      },
    );

    const beyond = {
      status: 400,
      Code: 'MetadataTooLarge',
      Size: '2049',
      MaxSizeAllowed: '2048',
    };
    wire.refuses([
      ...['PUT /{box}/a', 'POST /{box}/a?uploads'].map((line): RefusalRow => {
        const headers = { 'x-*-meta-one': '', 'x-*-meta-other': ofBytes(2049) };
        return ['2,049 bytes of user metadata', line, { headers, ...bodyOf(line) }, beyond];
      }),
      [
        '2,049 bytes of user metadata because of a two-byte character',
        'PUT /{box}/a',
        {
          body: 'x',
          headers: { 'x-*-meta-one': '', 'x-*-meta-other': latin1(`ü${ofBytes(2047)}`) },
        },
        beyond,
      ],
    ]);
  });

  test('[meta-13] the service verifies the body of a PUT against its Content-MD5', async () => {
    expect((await put({ 'content-md5': md5('x') })).status).toBe(200);
    const given = { body: 'x', headers: { 'content-md5': md5('y') } };
    expect(await wire.refusal('PUT /{box}/a', given)).toMatchObject({
      status: 400,
      Code: 'BadDigest',
    });
  });

  describe('[meta-2] a website redirect must be a path or an HTTP URL', () => {
    test.each(['/a b', 'http://example.org', 'https://example.org/a?b#c'])(
      'the website redirect %s is accepted',
      async (value) => {
        expect((await put({ 'x-*-website-redirect-location': value })).status).toBe(200);
      },
    );

    const invalid = { status: 400, Code: 'InvalidRedirectLocation' };
    wire.refuses(
      [
        'elsewhere',
        'ftp://example.org',
        'javascript:alert(1)',
        'HTTP:/x',
        `/${'x'.repeat(2048)}`,
      ].map((value): RefusalRow => [
        `the website redirect ${value.slice(0, 30)}`,
        'PUT /{box}/a',
        { body: 'x', headers: { 'x-*-website-redirect-location': value } },
        invalid,
      ]),
      () => wire.put('a', 'kept'),
    );

    test('the service rejects a website redirect with a line break, because it would inject a header', async () => {
      const attributes = { websiteRedirect: '/a\r\nSet-Cookie: b=c' };
      await expect(wire.put('a', 'x', { attributes })).rejects.toMatchObject({
        code: 'InvalidArgument',
      });
    });
  });

  describe('[meta-14] copies of an object onto itself', () => {
    const onto = (headers: Readonly<Record<string, string>>) =>
      wire.send('PUT /{box}/a', { headers: { 'x-*-copy-source': '/{box}/a', ...headers } });

    test('a copy of an object onto itself with REPLACE stores only the attributes of the request', async () => {
      await put({ 'x-*-meta-a': '1', 'cache-control': 'no-cache', 'x-*-tagging': 't=1' });
      const headers = { 'x-*-metadata-directive': 'REPLACE', 'x-*-meta-b': '2' };
      expect((await onto(headers)).status).toBe(200);
      expect([
        await returned('x-*-meta-a'),
        await returned('cache-control'),
        await returned('x-*-meta-b'),
        await returned('x-*-tagging-count'),
      ]).toEqual([undefined, undefined, '2', '1']);
    });

    test('a copy of an object onto itself with another website redirect changes only the redirect', async () => {
      await put({ 'x-*-meta-a': '1' });
      expect((await onto({ 'x-*-website-redirect-location': '/b' })).status).toBe(200);
      expect([
        await returned('x-*-meta-a'),
        await returned('x-*-website-redirect-location'),
      ]).toEqual(['1', '/b']);
    });

    test('a copy of an object onto itself without any change is rejected', async () => {
      await put({ 'x-*-meta-a': '1' });
      const given = { headers: { 'x-*-copy-source': '/{box}/a' } };
      expect(await wire.refusal('PUT /{box}/a', given)).toEqual({
        status: 400,
        Code: 'InvalidRequest',
      });
    });
  });
});
