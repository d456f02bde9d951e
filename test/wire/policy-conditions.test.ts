/**
 * Tests of policy conditions. The service evaluates conditions on the parsed request, never on arbitrary headers
 * (test/SPECIFICATION.md, semantics B.6).
 */

import { describe, expect, test } from 'vitest';
import { bytesBody } from '../../src/object-store/body.ts';
import { sendUnsigned } from '../helpers/strangers.ts';
import { stranger, WireBench } from '../helpers/wire-bench.ts';
import { type Given, inBothDialects, type Wire } from '../helpers/wire.ts';

/** Puts a policy that allows everyone all operations on the bucket while the condition is met. */
async function allowing(wire: Wire, condition: object): Promise<void> {
  const bucket = wire.get('box');
  const statement = { Effect: 'Allow', Principal: '*', Action: 's3:*', Condition: condition };
  const resource = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
  const policy = { Version: '2012-10-17', Statement: { ...statement, Resource: resource } };
  await wire.store.putBucketPolicy({ bucket, policy: JSON.stringify(policy) });
}

inBothDialects(new WireBench(), (wire) => {
  const reads = async (given: Given = {}, line = 'GET /{box}/a') =>
    (await wire.send(line, { ...given, as: stranger })).status === 200;
  const readsUnsigned = async (given: Given = {}) =>
    (await sendUnsigned(wire, 'GET /{box}/a', given)).status === 200;
  const now = () => wire.bench.clock.now();

  test.each([
    ['aws:UserName', { StringEquals: { 'aws:UserName': 'eve' } }, true, false],
    ['aws:userid', { StringEquals: { 'aws:userid': 'p2:eve@c1' } }, true, false],
    [
      'aws:PrincipalArn',
      { ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam:::user/p2:*' } },
      true,
      false,
    ],
    ['aws:PrincipalType', { StringEquals: { 'aws:PrincipalType': 'Anonymous' } }, false, true],
    ['aws:SecureTransport', { Bool: { 'aws:SecureTransport': 'false' } }, true, true],
    ['s3:TlsVersion', { Null: { 's3:TlsVersion': 'true' } }, true, true],
    ['aws:SourceIp', { IpAddress: { 'aws:SourceIp': '127.0.0.0/8' } }, true, true],
    ['aws:SourceIp', { NotIpAddress: { 'aws:SourceIp': '127.0.0.1' } }, false, false],
    ['s3:authType', { StringEquals: { 's3:authType': 'REST-HEADER' } }, true, false],
    [
      's3:signatureversion',
      { StringEquals: { 's3:signatureversion': 'AWS4-HMAC-SHA256' } },
      true,
      false,
    ],
    [
      's3:x-amz-content-sha256',
      { StringNotEquals: { 's3:x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } },
      true,
      true,
    ],
    ['s3:signatureAge', { Null: { 's3:signatureAge': 'true' } }, true, true],
    ['s3:VersionId', { Null: { 's3:VersionId': 'true' } }, true, true],
    ['s3:prefix', { Null: { 's3:prefix': 'true' } }, true, true],
  ])(
    '[policy-29] with a condition on %s, %j, a signed GET is allowed: %s, and an anonymous GET: %s',
    async (_, condition, signed, unsigned) => {
      await wire.put('a', 'x');
      await allowing(wire, condition);
      expect([await reads(), await readsUnsigned()]).toEqual([signed, unsigned]);
    },
  );

  test('[policy-29] the current time in a condition is the time at which the request arrives, not that of its signature', async () => {
    await wire.put('a', 'x');
    await allowing(wire, {
      DateLessThan: { 'aws:CurrentTime': new Date(now() + 1000).toISOString() },
    });
    expect(await reads({ signedAt: now() + 60_000 })).toBe(true);
    await allowing(wire, {
      NumericGreaterThan: { 'aws:EpochTime': String(Math.floor(now() / 1000) + 30) },
    });
    expect(await reads({ signedAt: now() + 60_000 })).toBe(false);
    wire.bench.clock.advance(60_000);
    expect(await reads()).toBe(true);
  });

  test('[policy-29] a policy condition can use the User-Agent and Referer headers', async () => {
    await wire.put('a', 'x');
    await allowing(wire, { StringLike: { 'aws:UserAgent': 'tool/*' } });
    expect([await reads(), await reads({ headers: { 'user-agent': 'tool/1' } })]).toEqual([
      false,
      true,
    ]);
    await allowing(wire, { StringLike: { 'aws:Referer': ['https://example.com/*'] } });
    const from = (referer: string) => readsUnsigned({ headers: { referer } });
    expect([
      await reads(),
      await from('https://example.com/a'),
      await from('https://example.org/'),
    ]).toEqual([false, true, false]);
  });

  test('[policy-30] a request header named like a condition key does not satisfy a condition (RustFS GHSA-6r96)', async () => {
    await wire.put('a', 'x');
    await allowing(wire, { StringEquals: { 'aws:username': 'ada', 's3:prefix': 'x' } });
    const headers = { username: 'ada', 'aws:username': 'ada', prefix: 'x', 's3:prefix': 'x' };
    expect(await readsUnsigned({ headers: { username: 'ada', prefix: 'x' } })).toBe(false);
    expect(await reads({ headers: { username: headers.username } })).toBe(false);
    await allowing(wire, { IpAddress: { 'aws:SourceIp': '198.51.100.7' } });
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'sourceip']) {
      expect(await readsUnsigned({ headers: { [name]: '198.51.100.7' } })).toBe(false);
    }
  });

  test('[policy-29] a condition on a listing can use the prefix, delimiter and max-keys of the request', async () => {
    await allowing(wire, {
      StringEquals: { 's3:prefix': ['', 'home/'], 's3:delimiter': '/' },
      NumericLessThanEquals: { 's3:max-keys': '10' },
    });
    const lists = (query: string) => reads({}, `GET /{box}?list-type=2&max-keys=10${query}`);
    expect([
      await lists('&prefix=home/&delimiter=/'),
      await lists('&delimiter=/'),
      await lists('&prefix=&delimiter=/'),
      await lists('&prefix=other/&delimiter=/'),
      await lists('&prefix=home/'),
      await reads({}, 'GET /{box}?prefix=home/&delimiter=/&max-keys=11'),
    ]).toEqual([true, true, true, false, false, false]);
  });

  test('[policy-29] a condition on a write can use the ACL, grants, conditional headers and copy source of the request', async () => {
    const puts = async (headers: Given['headers'] = {}) =>
      (await wire.send('PUT /{box}/k', { headers, body: 'x', as: stranger })).status === 200;
    const cases = [
      [
        { StringEquals: { 's3:x-amz-acl': 'public-read' } },
        { 'x-*-acl': 'public-read' },
        { 'x-*-acl': 'private' },
      ],
      [
        { StringEquals: { 's3:x-amz-grant-full-control': 'id=p1@c1' } },
        { 'x-*-grant-full-control': 'id="p1@c1"' },
        { 'x-*-grant-full-control': 'id="p1@c1", id="p2@c1"' },
      ],
      [{ Null: { 's3:if-none-match': 'false' } }, { 'if-none-match': '*' }, {}],
    ] as const;
    for (const [condition, meets, fails] of cases) {
      await wire.box();
      await allowing(wire, condition);
      expect([await puts(fails), await puts(meets)]).toEqual([false, true]);
    }
    await wire.box();
    await wire.put('open/a', 'x');
    await wire.put('closed', 'x');
    const bucket = wire.get('box');
    await allowing(wire, { StringLikeIfExists: { 's3:x-amz-copy-source': `${bucket}/open/*` } });
    const copies = async (key: string) => {
      const headers = { 'x-*-copy-source': `/${bucket}/${key}` };
      return (await wire.send(`PUT /{box}/to-${key}`, { headers, as: stranger })).status === 200;
    };
    expect([await copies('open/a'), await copies('closed')]).toEqual([true, false]);
  });

  test.each([
    ['COPY', { 'x-*-metadata-directive': 'COPY' }, true],
    ['COPY', {}, false],
    ['COPY', { 'x-*-metadata-directive': 'REPLACE' }, false],
    ['REPLACE', { 'x-*-metadata-directive': 'REPLACE' }, true],
    ['REPLACE', {}, false],
  ])(
    '[policy-40] a policy that requires the metadata directive %s permits a copy with the headers %o: %s',
    async (directive, given, isAllowed) => {
      const bucket = wire.get('box');
      const acl = { canned: 'public-read' } as const;
      await wire.store.putObject({ bucket, key: 'source', body: bytesBody('x'), acl });
      await allowing(wire, { StringEquals: { 's3:x-amz-metadata-directive': directive } });
      const headers = { 'x-*-copy-source': '/{box}/source', ...given };
      const { status } = await wire.send('PUT /{box}/k', { headers, as: stranger });
      expect(status).toBe(isAllowed ? 200 : 403);
    },
  );

  test('[policy-29] a condition on UploadPartCopy can use the copy source', async () => {
    await wire.put('open/a', 'x');
    await wire.put('closed', 'x');
    const bucket = wire.get('box');
    const may = (Action: string, Condition: object = {}) => ({
      Effect: 'Allow',
      Principal: '*',
      Action,
      Resource: `arn:aws:s3:::${bucket}/*`,
      Condition,
    });
    const ofOpen = { StringLike: { 's3:x-amz-copy-source': `${bucket}/open/*` } };
    const policy = { Statement: [may('s3:GetObject'), may('s3:PutObject', ofOpen)] };
    await wire.store.putBucketPolicy({ bucket, policy: JSON.stringify(policy) });
    const { uploadId } = await wire.store.createUpload({ bucket, key: 'k' });
    const puts = async (headers: Given['headers'] = {}, body = '') => {
      const line = `PUT /{box}/k?partNumber=1&uploadId=${uploadId}`;
      return (await wire.send(line, { headers, body, as: stranger })).status === 200;
    };
    const copies = (key: string) => puts({ 'x-*-copy-source': `/${bucket}/${key}` });
    expect([await copies('open/a'), await copies('closed')]).toEqual([true, false]);
    expect(await puts({}, 'x')).toBe(false);
  });

  test('[policy-29] a condition on PutObjectRetention can use the mode and the remaining days', async () => {
    await wire.box({ objectLockEnabled: true });
    const bucket = wire.get('box');
    await wire.put('a', 'x');
    const policy = {
      Statement: {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:PutObjectRetention',
        Resource: `arn:aws:s3:::${bucket}/*`,
        Condition: { NumericGreaterThan: { 's3:object-lock-remaining-retention-days': 10 } },
      },
    };
    await wire.store.putBucketPolicy({ bucket, policy: JSON.stringify(policy) });
    const lock = async (days: number) => {
      const until = new Date(now() + days * 24 * 3600 * 1000).toISOString();
      const body = `<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>${until}</RetainUntilDate></Retention>`;
      return (await wire.send('PUT /{box}/a?retention', { body })).status;
    };
    expect([await lock(11), await lock(10)]).toEqual([403, 200]);
  });
});

describe('source addresses of requests through a proxy', () => {
  inBothDialects(new WireBench({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] }), (wire) => {
    const readsFrom = async (forwarded: string | undefined) => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      return (await sendUnsigned(wire, 'GET /{box}/a', { headers })).status === 200;
    };

    test.each([
      ['198.51.100.7', true],
      ['203.0.113.1, 198.51.100.7', true],
      ['198.51.100.7, 10.1.2.3', true],
      ['198.51.100.7:5555', true],
      ['[2001:db8::7]', true],
      ['[2001:db8::7]:443, 10.1.2.3:80', true],
      // The proxy cannot verify the addresses before the last untrusted address, because the client
      // at that address sent them.
      ['198.51.100.7, 203.0.113.1', false],
      ['198.51.100.7, nonsense', false],
      ['198.51.100.0/24', false],
      ['', false],
      [undefined, false],
    ])(
      '[policy-31] with X-Forwarded-For: %j, the source address is in the range of the policy: %s',
      async (forwarded, expected) => {
        await wire.put('a', 'x');
        await allowing(wire, {
          IpAddress: { 'aws:SourceIp': ['198.51.100.0/24', '2001:db8::/64'] },
        });
        expect(await readsFrom(forwarded)).toBe(expected);
      },
    );

    test.each([
      'nonsense',
      'unknown',
      '',
      '198.51.100.7,',
      '"198.51.100.7"',
      '198.51.100.7:port',
      '[198.51.100.7]:80',
      '[2001:db8::7',
      '198.51.100.7, unknown, 10.1.2.3',
    ])(
      '[policy-31] with X-Forwarded-For: %j, IpAddress never matches and NotIpAddress always matches',
      async (forwarded) => {
        await wire.put('a', 'x');
        const own = { 'aws:SourceIp': ['127.0.0.0/8', '10.0.0.0/8', '0.0.0.0/0', '::/0'] };
        await allowing(wire, { IpAddress: own });
        expect(await readsFrom(forwarded)).toBe(false);
        await allowing(wire, { IpAddressIfExists: own });
        expect(await readsFrom(forwarded)).toBe(false);
        await allowing(wire, { NotIpAddress: own });
        expect(await readsFrom(forwarded)).toBe(true);
      },
    );

    test.each([990, 1022, 3000].map((others) => [others, others < 1000 ? 403 : 431]))(
      '[policy-31] the service never overlooks X-Forwarded-For after %i other headers, and returns %i',
      async (others, status) => {
        await wire.put('a', 'x');
        await allowing(wire, { IpAddress: { 'aws:SourceIp': '127.0.0.1' } });
        const socket = wire.bench.connect();
        const before = 'X:\r\n'.repeat(others);
        socket.write(
          `GET /${wire.get('box')}/a HTTP/1.1\r\nHost: x\r\n${before}X-Forwarded-For: 203.0.113.9\r\n\r\n`,
        );
        expect((await socket.answer()).status).toBe(status);
      },
    );
  });
});
