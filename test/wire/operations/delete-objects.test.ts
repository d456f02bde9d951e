/** Tests of DeleteObjects over HTTP. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusesForgers, sendUnsigned } from '../../helpers/strangers.ts';
import { colleague, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '5d41402abc4b2a76b9719d911017c592';
const base64 = (name: string, text: string) => createHash(name).update(text).digest('base64');

const object = (key: string, versionId?: string) =>
  `<Object><Key>${key}</Key>${versionId === undefined ? '' : `<VersionId>${versionId}</VersionId>`}</Object>`;
const time = (at: string) => `<LastModifiedTime>${at}</LastModifiedTime>`;
const list = (...objects: readonly string[]) => ({ body: `<Delete>${objects.join('')}</Delete>` });

inBothDialects(new WireBench(), (wire) => {
  const line = 'POST /{box}/?delete';
  const keys = async () =>
    (await wire.store.listObjects({ bucket: wire.get('box') })).objects.map(({ key }) => key);
  const result = (...each: readonly string[]) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<DeleteResult xmlns="${wire.dialect.xmlNamespace}">${each.join('')}</DeleteResult>`,
  });
  const deleted = (inside: string) => `<Deleted>${inside}</Deleted>`;

  test('[bulk-1] [bulk-2] DeleteObjects returns results in request order, and reports a missing key as deleted', async () => {
    for (const key of ['a', 'b &', 'kept']) await wire.put(key, 'x');
    const asked = list(object('b &amp;'), object('none'), object('a'), object('a'));
    expect(await wire.ask(line, asked)).toEqual(
      result(
        deleted('<Key>b &amp;</Key>'),
        deleted('<Key>none</Key>'),
        deleted('<Key>a</Key>'),
        deleted('<Key>a</Key>'),
      ),
    );
    expect(await keys()).toEqual(['kept']);
  });

  test('[bulk-3] the response of DeleteObjects says which delete markers were created and which were removed', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1' });
    const made = await wire.send(line, list(object('a')));
    wire.nameElement('m', made, 'DeleteMarkerVersionId');
    expect(wire.show(line, made)).toEqual(
      result(
        deleted(
          '<Key>a</Key><DeleteMarker>true</DeleteMarker><DeleteMarkerVersionId>{m}</DeleteMarkerVersionId>',
        ),
      ),
    );
    const asked = list(object('a', '{v1}'), object('a', '{m}'), object('a', 'null'));
    expect(await wire.ask(line, asked)).toEqual(
      result(
        deleted('<Key>a</Key><VersionId>{v1}</VersionId>'),
        deleted(
          '<Key>a</Key><VersionId>{m}</VersionId><DeleteMarker>true</DeleteMarker>' +
            '<DeleteMarkerVersionId>{m}</DeleteMarkerVersionId>',
        ),
        deleted('<Key>a</Key><VersionId>null</VersionId>'),
      ),
    );
    expect((await wire.content()) as object).toMatchObject({ versions: [] });
  });

  test('[bulk-4] DeleteObjects returns deleted objects and failures, and in quiet mode only the failures', async () => {
    await wire.box({ objectLockEnabled: true });
    await wire.put('held', 'x', { name: 'held', lock: { legalHold: true } });
    await wire.put('free', 'x', { name: 'free' });
    const failure =
      /<Error><Key>held<\/Key><VersionId>\{held\}<\/VersionId><Code>AccessDenied<\/Code><Message>[^<]+<\/Message><\/Error>/;
    const loud = await wire.ask(line, list(object('held', '{held}'), object('free', '{free}')));
    expect(loud.status).toBe(200);
    expect(loud.body).toMatch(failure);
    expect(loud.body).toContain(deleted('<Key>free</Key><VersionId>{free}</VersionId>'));
    const quiet = await wire.ask(
      line,
      list('<Quiet>true</Quiet>', object('none'), object('held', '{held}')),
    );
    expect(quiet.body).toMatch(failure);
    expect(quiet.body).not.toContain('<Deleted>');
    const silent = list('<Quiet>true</Quiet>', object('none'));
    expect((await wire.ask(line, silent)).body).toBe(
      `<DeleteResult xmlns="${wire.dialect.xmlNamespace}"/>`,
    );
  });

  test('[bulk-5] a governance bypass applies to all objects of DeleteObjects', async () => {
    await wire.box({ objectLockEnabled: true });
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.UTC(2027, 0, 1) } as const;
    await wire.put('a', 'x', { name: 'v1', lock: { retention } });
    await wire.put('a', 'x', { name: 'v2', lock: { retention } });
    const asked = list(object('a', '{v1}'), object('a', '{v2}'));
    const denied = await wire.ask(line, asked);
    expect(denied.body.match(/<Code>\w+/g)).toEqual(['<Code>AccessDenied', '<Code>AccessDenied']);
    const headers = { 'x-*-bypass-governance-retention': 'true' };
    expect((await wire.ask(line, { ...asked, headers })).body).not.toContain('<Error>');
  });

  test('DeleteObjects returns an error for each version that belongs to another user', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1' });
    const answer = await wire.ask(line, { ...list(object('a', '{v1}')), as: colleague });
    expect(answer.body).toContain('<Code>AccessDenied</Code>');
  });

  test.each([
    ['InvalidArgument', object('a', 'x')],
    ['KeyTooLongError', object('k'.repeat(1025))],
    ['InvalidArgument', object('')],
    ['PreconditionFailed', '<Object><Key>a</Key><ETag>"0"</ETag></Object>'],
    ['NoSuchKey', '<Object><Key>none</Key><ETag>*</ETag></Object>'],
  ])(
    'the error %s in DeleteObjects applies to one object, and the other objects are deleted',
    async (code, each) => {
      await wire.put('a', 'hello');
      await wire.put('b', 'x');
      const { body } = await wire.ask(line, list(each, object('b')));
      expect(body).toContain(`<Code>${code}</Code>`);
      expect(body).toContain(deleted('<Key>b</Key>'));
      expect(await keys()).toEqual(['a']);
    },
  );

  test.each([
    ['another size than the object has', () => '<Size>4</Size>', '<Code>PreconditionFailed</Code>'],
    ['the size of the object', () => '<Size>5</Size>', '<Deleted>'],
    ['the time of the object', (at: number) => time(new Date(at).toUTCString()), '<Deleted>'],
    [
      'the time of the object in ISO 8601',
      (at: number) => time(new Date(at).toISOString()),
      '<Deleted>',
    ],
    [
      'another time than the object has',
      (at: number) => time(new Date(at - 1000).toISOString()),
      '<Code>PreconditionFailed</Code>',
    ],
  ])(
    '[bulk-6] DeleteObjects checks the condition of each object: %s',
    async (_, condition, returned) => {
      await wire.put('a', 'hello');
      const asked = list(`<Object><Key>a</Key>${condition(wire.bench.clock.now())}</Object>`);
      expect((await wire.ask(line, asked)).body).toContain(returned);
      expect(await keys()).toEqual(returned === '<Deleted>' ? [] : ['a']);
    },
  );

  test('[bulk-6] DeleteObjects with the right ETag deletes the object', async () => {
    await wire.put('a', 'hello');
    const asked = list(`<Object><Key>a</Key><ETag>"${HELLO}"</ETag></Object>`);
    expect(await wire.ask(line, asked)).toEqual(result(deleted('<Key>a</Key>')));
  });

  test('[bulk-7] DeleteObjects accepts 1,000 keys of 1,024 bytes', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => String(index).padEnd(1024, 'k'));
    const answer = await wire.send(line, list(...names.map((key) => object(key))));
    expect(answer.text().match(/<Deleted>/g)).toHaveLength(1000);
  });

  test.each([
    ['its signed SHA-256', {}],
    ['Content-MD5', { 'content-md5': base64('md5', list(object('a')).body) }],
    ['a checksum', { 'x-*-checksum-sha256': base64('sha256', list(object('a')).body) }],
  ])('DeleteObjects accepts a request body that is protected by %s', async (_, headers) => {
    await wire.put('a', 'x');
    const contentSha256 =
      Object.keys(headers).length > 0 ? { contentSha256: 'UNSIGNED-PAYLOAD' } : {};
    const answer = await wire.send(line, { ...list(object('a')), headers, ...contentSha256 });
    expect(answer.status).toBe(200);
    expect(await keys()).toEqual([]);
  });

  refusesForgers(wire, line, list(object('a')));

  test('DeleteObjects in a missing bucket fails with NoSuchBucket', async () => {
    const elsewhere = line.replace('/{box}', '/no-such-bucket');
    const returned = { status: 404, Code: 'NoSuchBucket' };
    expect(await wire.refusal(elsewhere, list(object('a')))).toEqual(returned);
  });

  test('[bulk-8] DeleteObjects without permission fails for each object, and an anonymous request fails as a whole', async () => {
    await wire.put('a', 'x');
    const before = await wire.content();
    const denied = /<Error><Key>a<\/Key><Code>AccessDenied<\/Code>/;
    expect((await wire.ask(line, { ...list(object('a')), as: stranger })).body).toMatch(denied);
    const headers = { 'content-md5': base64('md5', list(object('a')).body) };
    const unsigned = await sendUnsigned(wire, line, { ...list(object('a')), headers });
    expect([unsigned.status, unsigned.text()]).toEqual([
      403,
      expect.stringContaining('<Error><Code>AccessDenied</Code>') as string,
    ]);
    expect(await wire.content()).toEqual(before);
  });

  const malformed = { status: 400, Code: 'MalformedXML' };
  const miscounted = { ...malformed, MaxKeysAllowed: '1000' };
  const tooLong = { status: 400, Code: 'MaxMessageLengthExceeded' };
  wire.refuses(
    [
      [
        'a body without SHA-256, Content-MD5 or checksum',
        line,
        { ...list(object('a')), contentSha256: 'UNSIGNED-PAYLOAD' },
        { status: 400, Code: 'InvalidRequest' },
      ],
      [
        'a wrong Content-MD5',
        line,
        { ...list(object('a')), headers: { 'content-md5': base64('md5', '') } },
        {
          status: 400,
          Code: 'BadDigest',
          ExpectedDigest: base64('md5', ''),
          CalculatedDigest: base64('md5', list(object('a')).body),
        },
      ],
      ['a list without objects', line, { body: '<Delete/>' }, miscounted],
      ['a missing body', line, { body: '' }, malformed],
      ['a body that is not XML', line, { body: 'hello' }, malformed],
      ['an XML document with another root element', line, { body: '<Other/>' }, malformed],
      ['an object without a key', line, list('<Object/>'), malformed],
      ['a list of 1,001 objects', line, list(object('a').repeat(1001)), miscounted],
      ['a body of more than 2 MiB', line, list(' '.repeat(2 * 1024 * 1024)), tooLong],
      [
        'a misspelled VersionId element, which would delete the current version',
        line,
        list('<Object><Key>a</Key><VersionID>x</VersionID></Object>'),
        malformed,
      ],
      ...['LastModifiedTime', 'Size'].map(
        (name) =>
          [
            `an invalid ${name}`,
            line,
            list(`<Object><Key>a</Key><${name}>soon</${name}></Object>`),
            malformed,
          ] as const,
      ),
      [
        'a duplicate condition',
        line,
        list('<Object><Key>a</Key><Size>1</Size><Size>2</Size></Object>'),
        malformed,
      ],
      [
        'a parameter of another operation',
        'POST /{box}/?delete&versionId=null',
        list(object('a')),
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'versionId', ArgumentValue: 'null' },
      ],
    ],
    () => wire.put('a', 'x'),
  );
});
