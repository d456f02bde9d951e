/** Tests of PutObject over HTTP. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { badAclHeaders } from '../../helpers/acl-questions.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { FreeSigner } from '../../helpers/free-signer.ts';
import { accessKey, colleague, REGION, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const digest = (name: string, text: string) => createHash(name).update(text).digest();
const md5 = (text: string) => `"${digest('md5', text).toString('hex')}"`;

inBothDialects(new WireBench(), (wire) => {
  const keys = async () =>
    (await wire.store.listObjects({ bucket: wire.get('box') })).objects.map(({ key }) => key);

  test('[op-8] [object-5] PutObject returns 200 with the quoted MD5 as ETag and without a body', async () => {
    expect(await wire.ask('PUT /{box}/a.txt', { body: 'hello' })).toEqual({
      status: 200,
      headers: {
        etag: md5('hello'),
        'content-length': '0',
        'x-*-checksum-crc32': 'NhCmhg==',
        'x-*-checksum-type': 'FULL_OBJECT',
      },
      body: '',
    });
    expect((await wire.send('GET /{box}/a.txt')).text()).toBe('hello');
  });

  test('[object-2] PutObject accepts an object without bytes, and a key that ends in a slash', async () => {
    expect((await wire.ask('PUT /{box}/empty', { body: '' })).headers['etag']).toBe(md5(''));
    expect((await wire.ask('PUT /{box}/folder/', { body: '' })).status).toBe(200);
    expect((await wire.ask('PUT /{box}/folder/full/', { body: 'x' })).status).toBe(200);
    expect(await keys()).toEqual(['empty', 'folder/', 'folder/full/']);
  });

  test('PutObject stores a body that is too large for memory unchanged', async () => {
    const body = 'ü'.repeat(150_000);
    expect((await wire.ask('PUT /{box}/large', { body })).headers['etag']).toBe(md5(body));
    expect((await wire.send('GET /{box}/large')).text()).toBe(body);
  });

  test('another user of the project can put objects', async () => {
    expect((await wire.send('PUT /{box}/a', { body: 'x', as: colleague })).status).toBe(200);
  });

  refusesStrangers(wire, 'PUT /{box}/a', { body: 'hello' });

  test('[object-4] PutObject returns a new version id with versioning, null while suspended, and otherwise none', async () => {
    await wire.put('k', '0');
    await wire.versioning('Enabled');
    const enabled = await wire.send('PUT /{box}/k', { body: '1' });
    wire.name('v1', enabled.header(wire.spelt('x-*-version-id')));
    expect(wire.get('v1')).toMatch(/^[\w.-]{32,}$/);
    expect(wire.show('PUT /', enabled).headers).toEqual({
      etag: md5('1'),
      'content-length': '0',
      'x-*-version-id': '{v1}',
      'x-*-checksum-crc32': 'g9zvtw==',
      'x-*-checksum-type': 'FULL_OBJECT',
    });
    await wire.versioning('Suspended');
    const suspended = await wire.ask('PUT /{box}/k', { body: '2' });
    expect(suspended.headers['x-*-version-id']).toBe('null');
    const { versions } = await wire.store.listVersions({ bucket: wire.get('box') });
    expect(versions.map(({ versionId }) => versionId)).toEqual(['null', wire.get('v1')]);
  });

  test.each([
    '../box/x',
    '..',
    '.',
    './c',
    'a/./b',
    'a/../b',
    'a//b',
    '/lead',
    '//',
    'a\\b',
    'new\nline',
    '%41',
    'q?r#s&t=u',
    'a+b c',
    '~-_.',
    'ü',
    'u\u0308',
    'Ａ😀',
    'k'.repeat(1024),
    'ü'.repeat(512),
  ])('[object-8] PutObject treats the key %j literally', async (key) => {
    wire.name('key', encodeURIComponent(key));
    expect((await wire.send('PUT /{box}/{key}', { body: key })).status).toBe(200);
    expect(await keys()).toEqual([key]);
    expect((await wire.send('GET /{box}/{key}')).text()).toBe(key);
  });

  test.each([
    ['a%2Fb', 'a/b'],
    ['a%2fb', 'a/b'],
    ['%61', 'a'],
    ['a%20b', 'a b'],
    ['a+b', 'a+b'],
    ['a//', 'a//'],
  ])('PutObject decodes the path %s to the key %j', async (written, key) => {
    await wire.send(`PUT /{box}/${written}`, { body: 'x' });
    expect(await keys()).toEqual([key]);
  });

  test('[op-1] PutObject stores the attributes in the request headers', async () => {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
      'content-disposition': 'attachment',
      'content-encoding': 'gzip,aws-chunked',
      'content-language': 'de',
      expires: 'whenever',
      'x-*-meta-colour': 'blue',
      'x-*-meta-empty': '',
      'x-*-meta-umlaut': Buffer.from('grün', 'utf8').toString('latin1'),
    };
    await wire.ask('PUT /{box}/a', { body: 'x', headers });
    const { info } = await wire.store.headObject({ bucket: wire.get('box'), key: 'a' });
    expect(info).toMatchObject({
      contentType: 'text/plain; charset=utf-8',
      cacheControl: 'no-cache',
      contentDisposition: 'attachment',
      contentEncoding: 'gzip',
      contentLanguage: 'de',
      expires: 'whenever',
      metadata: { colour: 'blue', empty: '', umlaut: 'grün' },
    });
  });

  test('[meta-15] PutObject joins the values of two headers for one attribute with a comma', async () => {
    const signer = new FreeSigner({
      dialect: wire.dialect,
      host: `127.0.0.1:${wire.bench.gateway.port}`,
      region: REGION,
      credentials: accessKey,
      now: () => wire.bench.clock.now(),
    });
    const name = wire.spelt('x-*-meta-a');
    const headers = [
      [name, '1'],
      [name, '2'],
      ['content-length', '0'],
    ] as const;
    const socket = wire.bench.connect();
    socket.write(signer.sign({ method: 'PUT', url: wire.fill('/{box}/a'), headers }).text);
    expect((await socket.answer('PUT')).status).toBe(200);
    expect((await wire.ask('HEAD /{box}/a')).headers['x-*-meta-a']).toBe('1,2');
  });

  test('PutObject replaces an empty Content-Type by the default', async () => {
    await wire.ask('PUT /{box}/a', { body: 'x', headers: { 'content-type': '' } });
    const { headers } = await wire.ask('HEAD /{box}/a');
    expect(headers['content-type']).toBe('binary/octet-stream');
  });

  test('[object-6] PutObject over an existing object removes its previous attributes', async () => {
    await wire.ask('PUT /{box}/a', { body: 'x', headers: { 'x-*-meta-a': '1', expires: 'soon' } });
    await wire.ask('PUT /{box}/a', { body: 'y' });
    const { info } = await wire.store.headObject({ bucket: wire.get('box'), key: 'a' });
    expect([info.metadata ?? {}, info.expires]).toEqual([{}, undefined]);
  });

  test('PutObject accepts 2,048 bytes of user metadata', async () => {
    const headers = { 'x-*-meta-name': 'v'.repeat(2044) };
    expect((await wire.send('PUT /{box}/a', { body: 'x', headers })).status).toBe(200);
  });

  test.each([
    ['content-md5', digest('md5', 'hello').toString('base64')],
    ['x-*-checksum-crc32', 'NhCmhg=='],
    ['x-*-checksum-crc32c', 'mnG7TA=='],
    ['x-*-checksum-crc64nvme', 'M3eFcAZSQlc='],
    ['x-*-checksum-sha1', digest('sha1', 'hello').toString('base64')],
    ['x-*-checksum-sha256', digest('sha256', 'hello').toString('base64')],
  ])('PutObject stores a body that matches its %s', async (name, value) => {
    const given = { body: 'hello', headers: { [name]: value } };
    expect((await wire.send('PUT /{box}/a', given)).status).toBe(200);
  });

  test.each([
    ['an unsigned body', { contentSha256: 'UNSIGNED-PAYLOAD' }],
    ['the canned ACL private', { headers: { 'x-*-acl': 'private' } }],
    ['the storage class STANDARD', { headers: { 'x-*-storage-class': 'STANDARD' } }],
    ['the legal hold OFF', { headers: { 'x-*-object-lock-legal-hold': 'OFF' } }],
  ])('PutObject accepts %s', async (_, given) => {
    await wire.box({ objectLockEnabled: true });
    expect((await wire.send('PUT /{box}/a', { body: 'x', ...given })).status).toBe(200);
  });

  test('[cond-3] PutObject with If-None-Match: * succeeds only once per key', async () => {
    const given = { body: 'x', headers: { 'if-none-match': '*' } };
    expect((await wire.send('PUT /{box}/a', given)).status).toBe(200);
    expect(await wire.refusal('PUT /{box}/a', given)).toEqual({
      status: 412,
      Code: 'PreconditionFailed',
      Condition: 'If-None-Match',
    });
  });

  test('[cond-3] PutObject with If-None-Match: * succeeds if the current version is a delete marker', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x');
    await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    const given = { body: 'y', headers: { 'if-none-match': '*' } };
    expect((await wire.send('PUT /{box}/a', given)).status).toBe(200);
  });

  test.each([md5('old'), md5('old').slice(1, -1), '*'])(
    '[cond-4] PutObject with If-Match: %s replaces the matching object',
    async (etag) => {
      await wire.put('a', 'old');
      const given = { body: 'new', headers: { 'if-match': etag } };
      expect((await wire.send('PUT /{box}/a', given)).status).toBe(200);
      expect((await wire.send('GET /{box}/a')).text()).toBe('new');
      const again = await wire.send('PUT /{box}/a', { ...given, body: 'newer' });
      expect(again.status).toBe(etag === '*' ? 200 : 412);
    },
  );

  test('[cond-7] PutObject with another ETag in If-None-Match replaces the object', async () => {
    await wire.put('a', 'old');
    const given = { body: 'new', headers: { 'if-none-match': md5('other') } };
    expect((await wire.send('PUT /{box}/a', given)).status).toBe(200);
    expect((await wire.send('PUT /{box}/missing', given)).status).toBe(200);
    expect((await wire.send('GET /{box}/a')).text()).toBe('new');
  });

  const refused = (headers: Record<string, string>) => ({ body: 'hello', headers });
  wire.refuses(
    [
      [
        'an object with another ETag than expected',
        'PUT /{box}/old',
        refused({ 'if-match': md5('other') }),
        { status: 412, Code: 'PreconditionFailed', Condition: 'If-Match' },
      ],
      [
        'If-Match for an object that does not exist',
        'PUT /{box}/none',
        refused({ 'if-match': '*' }),
        { status: 404, Code: 'NoSuchKey', Condition: 'If-Match' },
      ],
      ...[md5('old'), md5('old').slice(1, -1)].map(
        (etag) =>
          [
            `[cond-7] If-None-Match with the current ETag ${etag}`,
            'PUT /{box}/old',
            refused({ 'if-none-match': etag }),
            { status: 412, Code: 'PreconditionFailed', Condition: 'If-None-Match' },
          ] as const,
      ),
      ...[`W/${md5('old')}`, `${md5('x')}, ${md5('old')}`, '"*"', '"'].map(
        (etag) =>
          [
            `[cond-7] If-None-Match with ${etag}, which is not a single ETag`,
            'PUT /{box}/old',
            refused({ 'if-none-match': etag }),
            {
              status: 400,
              Code: 'InvalidArgument',
              ArgumentName: 'if-none-match',
              ArgumentValue: etag,
            },
          ] as const,
      ),
      ...['if-match', 'if-none-match'].map(
        (name) =>
          [
            `an empty ${name}`,
            'PUT /{box}/old',
            refused({ [name]: '' }),
            { status: 400, Code: 'InvalidArgument', ArgumentName: name, ArgumentValue: '' },
          ] as const,
      ),
      [
        'If-Match with a quoted *',
        'PUT /{box}/old',
        refused({ 'if-match': '"*"' }),
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'if-match', ArgumentValue: '"*"' },
      ],
    ],
    () => wire.put('old', 'old'),
  );

  wire.refuses(badAclHeaders('PUT /{box}/a', { body: 'hello' }));

  test('[acl-14] PutObject sets the ACL in the grant headers', async () => {
    const headers = { 'x-*-grant-read': 'id="p2@c1"', 'x-*-grant-full-control': 'id="p2:eve@c1"' };
    expect((await wire.send('PUT /{box}/a', { headers, body: 'x' })).status).toBe(200);
    const { grants } = await wire.store.getObjectAcl({ bucket: wire.get('box'), key: 'a' });
    expect(grants).toEqual([
      { grantee: 'p2@c1', permission: 'READ' },
      { grantee: 'p2:eve@c1', permission: 'FULL_CONTROL' },
    ]);
  });

  wire.refuses([
    [
      'a wrong Content-MD5',
      'PUT /{box}/a',
      refused({ 'content-md5': digest('md5', 'other').toString('base64') }),
      {
        status: 400,
        Code: 'BadDigest',
        ExpectedDigest: digest('md5', 'other').toString('base64'),
        CalculatedDigest: digest('md5', 'hello').toString('base64'),
      },
    ],
    [
      'an invalid Content-MD5',
      'PUT /{box}/a',
      refused({ 'content-md5': 'short' }),
      { status: 400, Code: 'InvalidDigest', 'Content-MD5': 'short' },
    ],
    [
      'a wrong SHA-256 of the body',
      'PUT /{box}/a',
      { body: 'hello', contentSha256: digest('sha256', 'other').toString('hex') },
      {
        status: 400,
        Code: 'XAmzContentSHA256Mismatch',
        ClientComputedContentSHA256: digest('sha256', 'other').toString('hex'),
        S3ComputedContentSHA256: digest('sha256', 'hello').toString('hex'),
      },
    ],
    [
      'a wrong checksum',
      'PUT /{box}/a',
      refused({ 'x-*-checksum-crc32': 'AAAAAA==' }),
      {
        status: 400,
        Code: 'BadDigest',
        ExpectedDigest: 'AAAAAA==',
        CalculatedDigest: 'NhCmhg==',
      },
    ],
    [
      'an invalid checksum',
      'PUT /{box}/a',
      refused({ 'x-*-checksum-crc32': 'no' }),
      { status: 400, Code: 'InvalidRequest' },
    ],
    [
      'two checksums',
      'PUT /{box}/a',
      refused({ 'x-*-checksum-crc32': 'NhCmhg==', 'x-*-checksum-crc32c': 'mnG7TA==' }),
      {
        status: 400,
        Code: 'InvalidRequest',
        Header: ['crc32', 'crc32c'].map((name) => wire.spelt(`x-*-checksum-${name}`)).join(', '),
      },
    ],
    [
      'a PUT without a Content-Length',
      'PUT /{box}/a',
      {},
      { status: 411, Code: 'MissingContentLength' },
    ],
    [
      'a key of 1,025 bytes',
      `PUT /{box}/${'k'.repeat(1025)}`,
      { body: 'x' },
      { status: 400, Code: 'KeyTooLongError', Size: '1025', MaxSizeAllowed: '1024' },
    ],
    [
      'a key of 513 characters of two bytes',
      `PUT /{box}/${'%C3%BC'.repeat(513)}`,
      { body: 'x' },
      { status: 400, Code: 'KeyTooLongError', Size: '1026', MaxSizeAllowed: '1024' },
    ],
    [
      'user metadata of 2,049 bytes',
      'PUT /{box}/a',
      refused({ 'x-*-meta-name': 'v'.repeat(2045) }),
      { status: 400, Code: 'MetadataTooLarge', Size: '2049', MaxSizeAllowed: '2048' },
    ],
    [
      'a lock header in a bucket without Object Lock',
      'PUT /{box}/a',
      refused({ 'x-*-object-lock-legal-hold': 'ON' }),
      { status: 400, Code: 'InvalidRequest' },
    ],
    ...Object.entries({
      'x-*-server-side-encryption': 'AES256',
      'x-*-write-offset-bytes': '0',
    }).map(
      ([name, value]) =>
        [
          `the header ${name}`,
          'PUT /{box}/a',
          refused({ [name]: value }),
          { status: 501, Code: 'NotImplemented', Header: wire.spelt(name) },
        ] as const,
    ),
    ...['restore', 'torrent'].map(
      (subresource) =>
        [
          `the subresource ?${subresource}`,
          `PUT /{box}/a?${subresource}`,
          { body: '<x/>' },
          {
            status: 501,
            Code: 'NotImplemented',
            ResourceType: (subresource.split('=')[0] ?? '').toUpperCase(),
          },
        ] as const,
    ),
    [
      'an unknown subresource',
      'PUT /{box}/a?bogus',
      { body: 'x' },
      { status: 501, Code: 'NotImplemented', ArgumentName: 'bogus' },
    ],
    ...['partNumber=1', 'versionId=null', 'prefix=a', 'part-number-marker=1'].map((parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      return [
        `the parameter ?${parameter} of another operation`,
        `PUT /{box}/a?${parameter}`,
        { body: 'x' },
        { status: 400, Code: 'InvalidArgument', ArgumentName: name, ArgumentValue: value },
      ] as const;
    }),
  ]);

  test('[mpu-14] PutObject rejects more than 5 GiB before the client sends the body', async () => {
    const size = String(5 * 1024 ** 3 + 1);
    const headers = { 'content-length': size, expect: '100-continue' };
    expect(await wire.refusal('PUT /{box}/a', { headers })).toEqual({
      status: 400,
      Code: 'EntityTooLarge',
      ProposedSize: size,
      MaxSizeAllowed: String(5 * 1024 ** 3),
    });
  });

  test('PutObject is rejected in a bucket that has the maximum number of objects', async () => {
    const database = new Database(join(wire.bench.dir, 'store.sqlite'));
    database.exec('UPDATE bucket_usage SET objects = 50000000');
    const refusal = await wire.refusal('PUT /{box}/a', { body: 'x' });
    database.exec('UPDATE bucket_usage SET objects = 0');
    database.close();
    expect(refusal).toEqual({
      status: 403,
      Code: 'QuotaExceeded',
      MaxObjectsAllowed: '50000000',
    });
  });

  test('PutObject ignores the query parameter x-id, which repeats the name of the operation', async () => {
    expect((await wire.send('PUT /{box}/a?x-id=PutObject', { body: 'x' })).status).toBe(200);
  });

  test('PutObject sets the retention and the legal hold in the headers', async () => {
    await wire.box({ objectLockEnabled: true });
    const headers = {
      'x-*-object-lock-mode': 'GOVERNANCE',
      'x-*-object-lock-retain-until-date': '2027-01-01T01:00:00.5+01:00',
      'x-*-object-lock-legal-hold': 'ON',
    };
    expect((await wire.send('PUT /{box}/a', { body: 'x', headers })).status).toBe(200);
    const { info } = await wire.store.headObject({ bucket: wire.get('box'), key: 'a' });
    expect(info.legalHold).toBe(true);
    expect(info.retention).toEqual({
      mode: 'GOVERNANCE',
      retainUntil: Date.UTC(2027, 0, 1, 0, 0, 0, 500),
    });
  });

  test('PutObject with a legal hold requires full access', async () => {
    await wire.box({ objectLockEnabled: true });
    const given = { ...refused({ 'x-*-object-lock-legal-hold': 'ON' }), as: colleague };
    expect(await wire.refusal('PUT /{box}/a', given)).toEqual({
      status: 403,
      Code: 'AccessDenied',
    });
  });

  const mode = 'x-*-object-lock-mode';
  const until = 'x-*-object-lock-retain-until-date';
  const hold = 'x-*-object-lock-legal-hold';
  wire.refuses(
    (
      [
        [
          '[lock-44] a retention mode without a date',
          { [mode]: 'COMPLIANCE' },
          'mode',
          'COMPLIANCE',
        ],
        ['[lock-44] a retention date without a mode', { [until]: '2027-01-01' }, 'mode', ''],
        [
          'an invalid retention mode',
          { [mode]: 'compliance', [until]: '2027-01-01' },
          'mode',
          'compliance',
        ],
        ['an invalid date', { [mode]: 'COMPLIANCE', [until]: 'soon' }, 'retain-until-date', 'soon'],
        [
          'a retention date equal to the current time',
          { [mode]: 'COMPLIANCE', [until]: '2026-11-21T12:00:00Z' },
          'retain-until-date',
          '2026-11-21T12:00:00.000Z',
        ],
        ['an empty retention mode', { [mode]: '', [until]: '2027-01-01' }, 'mode', ''],
        ['an empty legal hold', { [hold]: '' }, 'legal-hold', ''],
        ['a legal hold in lower case', { [hold]: 'on' }, 'legal-hold', 'on'],
      ] as const
    ).map(([claim, headers, name, value]) => [
      claim,
      'PUT /{box}/a',
      refused(headers),
      {
        status: 400,
        Code: 'InvalidArgument',
        ArgumentName: `object-lock-${name}`,
        ArgumentValue: value,
      },
    ]),
    () => wire.box({ objectLockEnabled: true }),
  );
});
