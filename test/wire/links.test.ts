/**
 * Tests that each presigned URL allows one operation on one object, and that no change to the URL allows more.
 */

import { expect, test } from 'vitest';

import { formatPath } from '../../src/protocol/paths.ts';
import type { LinkScope } from '../../src/protocol/signing/link-keys.ts';
import { presign } from '../../src/protocol/signing/presign.ts';
import { SigningKeys } from '../../src/protocol/signing/signing-key.ts';
import type { WireQuery } from '../../src/protocol/wire.ts';
import { REGION, stranger, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects } from '../helpers/wire.ts';

const DAY_SECONDS = 86_400;
const bench = new WireBench();

inBothDialects(bench, (wire) => {
  const { dialect } = wire;

  /** Returns the path and query of a presigned URL for the bucket `box`. */
  const link = (
    given: Partial<Omit<LinkScope, 'bucket'>> & { readonly seconds?: number } = {},
  ): string => {
    const { seconds = DAY_SECONDS, ...named } = given;
    const scope = { does: 'get', bucket: wire.get('box'), key: 'a b', ...named } as const;
    const { does, versionId } = scope;
    const query: WireQuery = versionId === undefined ? [] : [['versionId', versionId]];
    const origin = `http://127.0.0.1:${bench.gateway.port}`;
    const url = presign(
      {
        method: does === 'get' ? 'GET' : 'PUT',
        origin,
        path: formatPath(scope),
        query,
        expiresSeconds: seconds,
      },
      {
        dialect,
        region: REGION,
        credentials: bench.links.keyFor(scope),
        keys: new SigningKeys(),
        now: bench.clock.now(),
      },
    );
    return url.slice(origin.length);
  };

  /**
   * Requests a presigned URL like a browser, with no header but Host. Returns the status with the text or the error
   * code.
   */
  const follow = async (
    url: string,
    given: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    } = {},
  ) => {
    const { method = 'GET', headers = {}, body } = given;
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const host = `127.0.0.1:${bench.gateway.port}`;
    const lines = Object.entries({ host, ...length, ...headers }).map(
      ([name, value]) => `${wire.spelt(name)}: ${value}\r\n`,
    );
    const socket = bench.connect();
    socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
    const answer = await socket.answer(method);
    const code = /<Code>(\w+)/.exec(answer.text())?.[1];
    return { status: answer.status, text: code ?? answer.text() };
  };

  test('[link-1] a presigned URL returns its object without credentials, for GET, HEAD and ranges', async () => {
    await wire.put('a b', 'hello');
    expect(await follow(link())).toEqual({ status: 200, text: 'hello' });
    expect(await follow(link(), { method: 'HEAD' })).toEqual({ status: 200, text: '' });
    expect(await follow(link(), { headers: { range: 'bytes=1-2' } })).toEqual({
      status: 206,
      text: 'el',
    });
  });

  test('[link-2] a presigned URL for a version returns the bytes of that version, even after later writes', async () => {
    await wire.versioning('Enabled');
    await wire.put('a b', 'old', { name: 'v1' });
    await wire.put('a b', 'new');
    expect(await follow(link({ versionId: wire.get('v1') }))).toEqual({ status: 200, text: 'old' });
    expect(await follow(link())).toEqual({ status: 200, text: 'new' });
  });

  test('[link-3] a presigned PUT URL stores one object and cannot read anything', async () => {
    const url = link({ does: 'put' });
    expect(await follow(url, { method: 'PUT', body: 'sent' })).toMatchObject({ status: 200 });
    expect(await follow(link())).toEqual({ status: 200, text: 'sent' });
    expect(await follow(url)).toEqual({ status: 403, text: 'InvalidAccessKeyId' });
  });

  test('[link-4] a presigned URL expires at its time, and at the latest after seven days', async () => {
    await wire.put('a b', 'hello');
    const [day, week] = [link(), link({ seconds: 7 * DAY_SECONDS })];
    bench.clock.advance(DAY_SECONDS * 1000 + 1000);
    expect(await follow(day)).toEqual({ status: 403, text: 'AccessDenied' });
    expect(await follow(week)).toMatchObject({ status: 200 });
    bench.clock.advance(6 * DAY_SECONDS * 1000);
    expect(await follow(week)).toEqual({ status: 403, text: 'AccessDenied' });
    expect(() => link({ seconds: 7 * DAY_SECONDS + 1 })).toThrow('seven days');
  });

  test.each([
    ['another method', { method: 'DELETE' }, (url: string) => url, 'InvalidAccessKeyId'],
    ['a PUT', { method: 'PUT', body: 'x' }, (url: string) => url, 'InvalidAccessKeyId'],
    ['another key', {}, (url: string) => url.replace('a%20b', 'b'), 'InvalidAccessKeyId'],
    ['another bucket', {}, (url: string) => url.replace('/box', '/xob'), 'InvalidAccessKeyId'],
    [
      'the path of the bucket',
      {},
      (url: string) => url.replace('/a%20b', ''),
      'InvalidAccessKeyId',
    ],
    ['a version id', {}, (url: string) => `${url}&versionId=null`, 'InvalidAccessKeyId'],
    ['a subresource', {}, (url: string) => `${url}&tagging`, 'SignatureDoesNotMatch'],
    [
      'a changed response header',
      {},
      (url: string) => `${url}&response-content-type=text/html`,
      'SignatureDoesNotMatch',
    ],
    [
      'a later expiry',
      {},
      (url: string) => url.replace('Expires=86400', 'Expires=604800'),
      'SignatureDoesNotMatch',
    ],
    [
      'another host',
      { headers: { host: 'localhost' } },
      (url: string) => url,
      'SignatureDoesNotMatch',
    ],
    [
      'an unsigned header',
      { headers: { 'x-*-checksum-mode': 'ENABLED' } },
      (url: string) => url,
      'AccessDenied',
    ],
  ])(
    '[link-5] the service rejects a presigned URL that is used with %s',
    async (_, given, changed, code) => {
      await wire.put('a b', 'hello');
      await wire.put('b', 'secret');
      const before = await wire.content();
      expect(await follow(changed(link()), given)).toEqual({ status: 403, text: code });
      expect(await wire.content()).toEqual(before);
    },
  );

  test.each([
    ['an ACL', 'x-*-acl', 'public-read'],
    ['a copy source', 'x-*-copy-source', '/box/secret'],
    ['tags', 'x-*-tagging', 'a=b'],
    ['a lock', 'x-*-object-lock-legal-hold', 'ON'],
    ['user metadata', 'x-*-meta-a', 'b'],
  ])(
    '[link-6] the service rejects a presigned PUT URL if the request adds %s without a signature',
    async (_, name, value) => {
      const url = link({ does: 'put' });
      const sent = { method: 'PUT', body: '', headers: { [name]: value } };
      expect(await follow(url, sent)).toEqual({ status: 403, text: 'AccessDenied' });
      expect(await wire.content()).toMatchObject({ versions: [] });
    },
  );

  test('[link-7] a new link secret revokes all presigned URLs, and a URL with an unknown link id is rejected', async () => {
    await wire.put('a b', 'hello');
    const url = link();
    bench.links.replaceSecret(Buffer.alloc(32, 'other'));
    expect(await follow(url)).toEqual({ status: 403, text: 'InvalidAccessKeyId' });
    expect(await follow(link())).toMatchObject({ status: 200 });
    bench.links.replaceSecret(Buffer.alloc(32, 'link'));
    const madeUp = url.replace(/link%3A[\w-]{22}/, `link%3A${'A'.repeat(22)}`);
    expect(await follow(madeUp)).toEqual({ status: 403, text: 'InvalidAccessKeyId' });
  });

  test('[link-11] a presigned URL returns an object that its creator may not read, unless a policy denies the read', async () => {
    const bucket = wire.get('box');
    const as = { ...stranger };
    await wire.ask('PUT /{box}?acl', { headers: { 'x-*-acl': 'public-read-write' } });
    await wire.ask('PUT /{box}/a%20b', { as, body: 'of a stranger' });
    expect((await wire.ask('GET /{box}/a%20b')).status).toBe(403);
    expect(await follow(link())).toEqual({ status: 200, text: 'of a stranger' });
    const statement = {
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:GetObject',
      Resource: `arn:aws:s3:::${bucket}/*`,
    };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    await wire.store.putBucketPolicy({ bucket, policy });
    expect(await follow(link())).toEqual({ status: 403, text: 'AccessDenied' });
  });

  test('[link-16] a presigned URL stays invalid after its bucket is deleted and created again', async () => {
    const bucket = wire.get('box');
    const [get, put] = [link(), link({ does: 'put' })];
    await wire.store.deleteBucket({ bucket });
    expect(await follow(get)).toEqual({ status: 403, text: 'InvalidAccessKeyId' });
    const as = { ...stranger };
    await wire.ask('PUT /{box}', { as });
    await wire.ask('PUT /{box}/a%20b', { as, body: 'of a stranger' });
    expect(await follow(get)).toEqual({ status: 403, text: 'InvalidAccessKeyId' });
    const sent = { method: 'PUT', body: 'over it' };
    expect(await follow(put, sent)).toEqual({ status: 403, text: 'InvalidAccessKeyId' });
    expect((await wire.ask('GET /{box}/a%20b', { as })).body).toBe('of a stranger');
  });

  test('[link-12] an object stored through a presigned URL belongs to the bucket owner', async () => {
    const url = link({ does: 'put' });
    expect(await follow(url, { method: 'PUT', body: 'sent' })).toMatchObject({ status: 200 });
    const { versions } = await wire.store.listVersions({ bucket: wire.get('box') });
    expect(versions.map(({ owner }) => owner)).toEqual(['p1:ada@c1']);
  });
});
