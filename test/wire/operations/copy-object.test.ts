/** Tests of CopyObject over HTTP. */

import { expect, test } from 'vitest';
import { badAclHeaders } from '../../helpers/acl-questions.ts';
import { refusesImpostors, refusesOthers } from '../../helpers/strangers.ts';
import { colleague, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '5d41402abc4b2a76b9719d911017c592';
const OTHER = '"00000000000000000000000000000000"';
const NOW = 'Sat, 21 Nov 2026 12:00:00 GMT';
const BEFORE = 'Sat, 21 Nov 2026 11:59:59 GMT';

inBothDialects(new WireBench(), (wire) => {
  const from = (source: string, headers: Readonly<Record<string, string>> = {}) => ({
    headers: { 'x-*-copy-source': source, ...headers },
  });
  const infoOf = async (key: string) =>
    (await wire.store.headObject({ bucket: wire.get('box'), key })).info;

  test('[op-4] CopyObject returns the new ETag and the modification time as XML', async () => {
    await wire.put('a', 'hello');
    expect(await wire.ask('PUT /{box}/b', from('/{box}/a'))).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body:
        `<CopyObjectResult xmlns="${wire.dialect.xmlNamespace}">` +
        `<LastModified>2026-11-21T12:00:00.000Z</LastModified><ETag>&quot;${HELLO}&quot;</ETag>` +
        '<ChecksumCRC32>NhCmhg==</ChecksumCRC32><ChecksumType>FULL_OBJECT</ChecksumType>' +
        '</CopyObjectResult>',
    });
    expect((await wire.send('GET /{box}/b')).text()).toBe('hello');
  });

  test.each([
    ['/{box}/a b+ü', 'a b+ü'],
    ['{box}/a b+ü', 'a b+ü'],
    ['/{box}/a%20b%2B%C3%BC', 'a b+ü'],
    ['{box}%2Fa%20b', 'a b'],
    ['%2F{box}%2Fa%2Fb', 'a/b'],
    ['/{box}/a//b', 'a//b'],
    ['/{box}/a/../b', 'a/../b'],
    ['/{box}/../{box}/x', '../{box}/x'],
    ['/{box}/%2541', '%41'],
    ['/{box}/q%3Fr', 'q?r'],
    ['/{box}/q?r', 'q?r'],
  ])('CopyObject decodes the copy source %s to the key %s', async (source, key) => {
    await wire.put(wire.fill(key), 'hello');
    const raw = Buffer.from(source, 'utf8').toString('latin1');
    expect((await wire.send('PUT /{box}/to', from(raw))).status).toBe(200);
    expect((await wire.send('GET /{box}/to')).text()).toBe('hello');
  });

  test('[op-10] another user of the project can copy an object to another bucket', async () => {
    await wire.put('a', 'hello');
    wire.name('other', await wire.bench.bucket());
    const copied = await wire.send('PUT /{other}/b', { ...from('/{box}/a'), as: colleague });
    expect(copied.status).toBe(200);
    expect((await wire.send('GET /{other}/b')).text()).toBe('hello');
  });

  refusesImpostors(wire, 'PUT /{box}/b', from('/{box}/a'));
  refusesOthers(wire, 'PUT /{box}/b', from('/{box}/a'));

  test('[op-5] CopyObject preserves the attributes of its source unless the metadata directive is REPLACE', async () => {
    const attributes = { contentType: 'text/plain', expires: 'soon', metadata: { a: '1' } };
    await wire.put('a', 'hello', { attributes });
    const given = { 'x-*-meta-b': '2', 'content-type': 'text/html' };
    for (const directive of [{}, { 'x-*-metadata-directive': 'COPY' }]) {
      await wire.ask('PUT /{box}/b', from('/{box}/a', { ...given, ...directive }));
      expect(await infoOf('b')).toMatchObject(attributes);
    }
    await wire.ask(
      'PUT /{box}/b',
      from('/{box}/a', { ...given, 'x-*-metadata-directive': 'REPLACE' }),
    );
    const { contentType, expires, metadata } = await infoOf('b');
    expect([contentType, expires, metadata]).toEqual(['text/html', undefined, { b: '2' }]);
  });

  test('CopyObject does not copy the lock of its source, but applies a requested lock', async () => {
    await wire.box({ objectLockEnabled: true });
    await wire.put('a', 'hello', { lock: { legalHold: true } });
    await wire.ask('PUT /{box}/b', from('/{box}/a'));
    expect((await infoOf('b')).legalHold).toBeUndefined();
    const until = '2027-01-01T00:00:00.000Z';
    await wire.ask(
      'PUT /{box}/b',
      from('/{box}/a', {
        'x-*-object-lock-mode': 'GOVERNANCE',
        'x-*-object-lock-retain-until-date': until,
      }),
    );
    expect((await infoOf('b')).retention).toEqual({
      mode: 'GOVERNANCE',
      retainUntil: Date.parse(until),
    });
  });

  test('CopyObject returns the version ids of its source and of the new version', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'one', { name: 'v1' });
    await wire.put('a', 'two', { name: 'v2' });
    const answer = await wire.send('PUT /{box}/b', from('/{box}/a?versionId={v1}'));
    wire.name('copy', answer.header(wire.spelt('x-*-version-id')));
    expect(wire.show('PUT /', answer).headers).toEqual({
      'content-type': 'application/xml',
      'x-*-version-id': '{copy}',
      'x-*-copy-source-version-id': '{v1}',
    });
    expect((await wire.send('GET /{box}/b')).text()).toBe('one');
    const latest = await wire.ask('PUT /{box}/c', from('/{box}/a'));
    expect(latest.headers['x-*-copy-source-version-id']).toBe('{v2}');
  });

  test('CopyObject creates the null version while versioning is suspended', async () => {
    await wire.put('a', 'hello');
    await wire.versioning('Suspended');
    const { headers } = await wire.ask('PUT /{box}/b', from('/{box}/a'));
    expect([headers['x-*-version-id'], headers['x-*-copy-source-version-id']]).toEqual([
      'null',
      'null',
    ]);
  });

  test('[op-12] CopyObject of an older version onto its own key makes its content current again', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'one', { name: 'v1' });
    await wire.put('a', 'two');
    const restored = await wire.ask('PUT /{box}/a', from('/{box}/a?versionId={v1}'));
    expect(restored.status).toBe(200);
    expect((await wire.send('GET /{box}/a')).text()).toBe('one');
  });

  test('CopyObject of an object onto itself with REPLACE changes the attributes but not the ETag', async () => {
    await wire.put('a', 'hello', { attributes: { metadata: { a: '1' } } });
    const headers = { 'x-*-metadata-directive': 'REPLACE', 'x-*-meta-b': '2' };
    expect((await wire.ask('PUT /{box}/a', from('/{box}/a', headers))).status).toBe(200);
    const { metadata, etag } = await infoOf('a');
    expect([metadata, etag]).toEqual([{ b: '2' }, HELLO]);
  });

  test.each([
    [{ 'x-*-copy-source-if-match': `"${HELLO}"` }, 200],
    [{ 'x-*-copy-source-if-match': '*' }, 200],
    [{ 'x-*-copy-source-if-match': OTHER }, 412],
    [{ 'x-*-copy-source-if-match': HELLO, 'x-*-copy-source-if-unmodified-since': BEFORE }, 200],
    [{ 'x-*-copy-source-if-unmodified-since': NOW }, 200],
    [{ 'x-*-copy-source-if-unmodified-since': BEFORE }, 412],
    [{ 'x-*-copy-source-if-none-match': OTHER }, 200],
    [{ 'x-*-copy-source-if-none-match': HELLO }, 412],
    [{ 'x-*-copy-source-if-modified-since': BEFORE }, 200],
    [{ 'x-*-copy-source-if-modified-since': NOW }, 412],
    [{ 'if-none-match': '*' }, 200],
    [{ 'if-none-match': `"${HELLO}"` }, 200],
    [{ 'if-match': '*' }, 404],
  ])('[cond-2] CopyObject with the source conditions %o returns %i', async (headers, status) => {
    await wire.put('a', 'hello');
    const answer = await wire.send('PUT /{box}/b', from('/{box}/a', headers));
    expect(answer.status).toBe(status);
  });

  test('[cond-7] CopyObject with an ETag in If-None-Match fails if the target has this ETag', async () => {
    await wire.put('a', 'hello');
    await wire.put('b', 'hello');
    const given = from('/{box}/a', { 'if-none-match': `"${HELLO}"` });
    expect(await wire.refusal('PUT /{box}/b', given)).toMatchObject({ status: 412 });
  });

  const invalid = (name: string, value: string) => ({
    status: 400,
    Code: 'InvalidArgument',
    ArgumentName: name,
    ArgumentValue: value,
  });
  const noKey = (key: string) => ({ status: 404, Code: 'NoSuchKey', Key: key });
  wire.refuses(
    [
      ...['', '/', '{box}', '/{box}/', '/{box}/a?versionId='].map(
        (source) =>
          [
            `the copy source ${JSON.stringify(source)}`,
            'PUT /{box}/b',
            from(source),
            invalid('copy-source', source),
          ] as const,
      ),
      ...['/{box}/%ff', '/{box}/%', '/{box}/a%00'].map(
        (source) =>
          [
            `the copy source ${source}`,
            'PUT /{box}/b',
            from(source),
            { status: 400, Code: 'InvalidURI' },
          ] as const,
      ),
      ['a source that does not exist', 'PUT /{box}/b', from('/{box}/none'), noKey('none')],
      ['a source hidden by a delete marker', 'PUT /{box}/b', from('/{box}/gone'), noKey('gone')],
      [
        'a delete marker as source',
        'PUT /{box}/b',
        from('/{box}/gone?versionId={marker}'),
        { status: 400, Code: 'InvalidRequest' },
      ],
      [
        'a version that does not exist',
        'PUT /{box}/b',
        from('/{box}/a?versionId=null'),
        { status: 404, Code: 'NoSuchVersion', Key: 'a' },
      ],
      [
        'a target bucket that does not exist',
        'PUT /no-such-bucket/b',
        from('/{box}/a'),
        { status: 404, Code: 'NoSuchBucket' },
      ],
      [
        'a source bucket that does not exist',
        'PUT /{box}/b',
        from('/no-such-bucket/a'),
        { status: 404, Code: 'NoSuchBucket', BucketName: 'no-such-bucket' },
      ],
      [
        "another project's bucket as source",
        'PUT /{box}/b',
        from('/{theirs}/a'),
        { status: 403, Code: 'AccessDenied' },
      ],
      [
        'a copy onto itself that changes nothing',
        'PUT /{box}/a',
        from('/{box}/a'),
        { status: 400, Code: 'InvalidRequest' },
      ],
      [
        'an unknown directive',
        'PUT /{box}/b',
        from('/{box}/a', { 'x-*-metadata-directive': 'replace' }),
        invalid('metadata-directive', 'replace'),
      ],
      [
        'a source with another ETag than expected',
        'PUT /{box}/b',
        from('/{box}/a', { 'x-*-copy-source-if-match': OTHER }),
        { status: 412, Code: 'PreconditionFailed', Condition: 'If-Match' },
      ],
      [
        'a source that matches If-None-Match',
        'PUT /{box}/b',
        from('/{box}/a', { 'x-*-copy-source-if-none-match': HELLO }),
        { status: 412, Code: 'PreconditionFailed', Condition: 'If-None-Match' },
      ],
      [
        'an empty If-Match header for the source',
        'PUT /{box}/b',
        from('/{box}/a', { 'x-*-copy-source-if-match': '' }),
        invalid('copy-source-if-match', ''),
      ],
      [
        'a target that exists despite If-None-Match: *',
        'PUT /{box}/old',
        from('/{box}/a', { 'if-none-match': '*' }),
        { status: 412, Code: 'PreconditionFailed', Condition: 'If-None-Match' },
      ],
      [
        'a target with another ETag than expected',
        'PUT /{box}/old',
        from('/{box}/a', { 'if-match': OTHER }),
        { status: 412, Code: 'PreconditionFailed', Condition: 'If-Match' },
      ],
      [
        'a lock header in a bucket without Object Lock',
        'PUT /{box}/b',
        from('/{box}/a', { 'x-*-object-lock-legal-hold': 'ON' }),
        { status: 400, Code: 'InvalidRequest' },
      ],
      [
        'an unexpected request body',
        'PUT /{box}/b',
        { ...from('/{box}/a'), body: 'x' },
        { status: 400, Code: 'UnexpectedContent' },
      ],
      [
        'a target key of 1,025 bytes',
        `PUT /{box}/${'k'.repeat(1025)}`,
        from('/{box}/a'),
        { status: 400, Code: 'KeyTooLongError', Size: '1025', MaxSizeAllowed: '1024' },
      ],
      [
        'a source key of 1,025 bytes',
        'PUT /{box}/b',
        from(`/{box}/${'k'.repeat(1025)}`),
        { status: 400, Code: 'KeyTooLongError', Size: '1025', MaxSizeAllowed: '1024' },
      ],
      ...badAclHeaders('PUT /{box}/b', from('/{box}/a')),
    ],
    async () => {
      await wire.versioning('Enabled');
      await wire.put('a', 'hello');
      await wire.put('old', 'old');
      const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key: 'gone' });
      wire.name('marker', versionId);
      wire.name('theirs', `theirs-${wire.get('box')}`);
      await wire.ask('PUT /{theirs}', { as: stranger });
      await wire.ask('PUT /{theirs}/a', { as: stranger, body: 'secret' });
    },
  );
});
