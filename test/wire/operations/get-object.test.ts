/** Tests of GetObject over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '"5d41402abc4b2a76b9719d911017c592"';
const OTHER = '"00000000000000000000000000000000"';
const NOW = 'Sat, 21 Nov 2026 12:00:00 GMT';
const BEFORE = 'Sat, 21 Nov 2026 11:59:59 GMT';

inBothDialects(new WireBench(), (wire) => {
  const plain = {
    etag: HELLO,
    'last-modified': NOW,
    'content-type': 'binary/octet-stream',
    'accept-ranges': 'bytes',
    'x-rgw-object-type': 'Normal',
  };

  test('[svc-4] [op-3] [object-7] GetObject returns the stored bytes, their length, ETag and Last-Modified', async () => {
    await wire.put('a', 'hello');
    expect(await wire.ask('GET /{box}/a')).toEqual({
      status: 200,
      headers: { ...plain, 'content-length': '5' },
      body: 'hello',
    });
  });

  test('GetObject of an empty object returns Content-Length 0 and no bytes', async () => {
    await wire.put('a', '');
    const { status, headers, body } = await wire.ask('GET /{box}/a');
    expect([status, headers['content-length'], body]).toEqual([200, '0', '']);
  });

  test('[op-3] GetObject returns the attributes of the object as headers', async () => {
    const attributes = {
      contentType: 'text/plain',
      contentEncoding: 'gzip',
      contentDisposition: 'attachment',
      contentLanguage: 'de',
      cacheControl: 'no-cache',
      expires: 'whenever',
      metadata: { colour: 'blue', empty: '', umlaut: 'grün' },
    };
    await wire.put('a', 'hello', { attributes });
    expect((await wire.ask('GET /{box}/a')).headers).toEqual({
      ...plain,
      'content-length': '5',
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
      'content-disposition': 'attachment',
      'content-language': 'de',
      'cache-control': 'no-cache',
      expires: 'whenever',
      'x-*-meta-colour': 'blue',
      'x-*-meta-empty': '',
      'x-*-meta-umlaut': '=?UTF-8?B?Z3LDvG4=?=',
    });
  });

  test('GetObject returns the retention and the legal hold of the version', async () => {
    await wire.box({ objectLockEnabled: true });
    const retention = { mode: 'COMPLIANCE', retainUntil: Date.UTC(2027, 0, 1) } as const;
    await wire.put('a', 'hello', { name: 'v1', lock: { retention, legalHold: true } });
    expect((await wire.ask('GET /{box}/a')).headers).toEqual({
      ...plain,
      'content-length': '5',
      'x-*-version-id': '{v1}',
      'x-*-object-lock-mode': 'COMPLIANCE',
      'x-*-object-lock-retain-until-date': '2027-01-01T00:00:00.000Z',
      'x-*-object-lock-legal-hold': 'ON',
    });
  });

  test.each(['a//b', './c', 'a/../b', '..', '/lead', 'ü+ %', '😀', 'k'.repeat(1024)])(
    'GetObject treats the key %j literally',
    async (key) => {
      await wire.put(key, 'x');
      expect((await wire.send(`GET /{box}/${encodeURIComponent(key)}`)).text()).toBe('x');
    },
  );

  test('another user of the project can read objects, also with the parameter x-id', async () => {
    await wire.put('a', 'hello');
    expect((await wire.ask('GET /{box}/a?x-id=GetObject', { as: colleague })).body).toBe('hello');
  });

  refusesStrangers(wire, 'GET /{box}/a');

  test.each([
    ['bytes=1-3', 206, 'ell', 'bytes 1-3/5'],
    ['bytes=3-', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=0-0', 206, 'h', 'bytes 0-0/5'],
    ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=-5', 206, 'hello', 'bytes 0-4/5'],
    ['bytes=-9', 206, 'hello', 'bytes 0-4/5'],
    ['bytes=0-99', 206, 'hello', 'bytes 0-4/5'],
    // The AWS SDK for Java sends a range like the next one to request all bytes from an offset on.
    ['bytes=3-9223372036854775806', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=-9223372036854775807', 206, 'hello', 'bytes 0-4/5'],
    ['bytes=0-0,2-3', 200, 'hello', undefined],
    ['bytes=3-1', 200, 'hello', undefined],
    ['bytes=x-', 200, 'hello', undefined],
    ['items=0-1', 200, 'hello', undefined],
    ['', 200, 'hello', undefined],
  ])('[read-1] a GET with the range %j returns %i', async (range, status, body, contentRange) => {
    await wire.put('a', 'hello');
    const answer = await wire.ask('GET /{box}/a', { headers: { range } });
    expect([answer.status, answer.body, answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ]);
    expect(answer.headers['content-length']).toBe(String(body.length));
  });

  test.each([
    ['bytes=5-', 'hello'],
    ['bytes=5-9', 'hello'],
    ['bytes=9007199254740991-', 'hello'],
    ['bytes=-0', 'hello'],
    ['bytes=0-', ''],
    ['bytes=-1', ''],
  ])('[read-2] a GET with the range %s of the object %j returns 416', async (range, content) => {
    await wire.put('a', content);
    const given = { headers: { range } };
    expect(await wire.refusal('GET /{box}/a', given)).toEqual({
      status: 416,
      Code: 'InvalidRange',
      RangeRequested: range,
      ActualObjectSize: String(content.length),
    });
    const answer = await wire.send('GET /{box}/a', given);
    expect(answer.header('content-range')).toBe(`bytes */${content.length}`);
  });

  test.each([
    [HELLO, 206],
    [NOW, 206],
    [OTHER, 200],
    [BEFORE, 200],
    [`W/${HELLO}`, 200],
    ['x', 200],
  ])(
    '[read-3] a range applies only if If-Range matches: a GET with If-Range: %s returns %i',
    async (ifRange, status) => {
      await wire.put('a', 'hello');
      const headers = { range: 'bytes=0-0', 'if-range': ifRange };
      expect((await wire.ask('GET /{box}/a', { headers })).status).toBe(status);
    },
  );

  test.each([
    [{ 'if-match': HELLO }, 200],
    [{ 'if-match': HELLO.slice(1, -1) }, 200],
    [{ 'if-match': `${OTHER}, W/${HELLO}` }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': OTHER }, 412],
    [{ 'if-match': HELLO, 'if-unmodified-since': BEFORE }, 200],
    [{ 'if-unmodified-since': NOW }, 200],
    [{ 'if-unmodified-since': BEFORE }, 412],
    [{ 'if-unmodified-since': 'whenever' }, 200],
    [{ 'if-none-match': OTHER }, 200],
    [{ 'if-none-match': HELLO }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': OTHER, 'if-modified-since': NOW }, 200],
    [{ 'if-modified-since': BEFORE }, 200],
    [{ 'if-modified-since': NOW }, 304],
    [{ 'if-modified-since': 'whenever' }, 200],
    [{ 'if-match': OTHER, 'if-none-match': HELLO }, 412],
    [{ 'if-none-match': HELLO, range: 'bytes=9-' }, 304],
    [{ 'if-match': OTHER, range: 'bytes=9-' }, 412],
  ])('[cond-1] a GET with the conditions %o returns %i', async (headers, status) => {
    await wire.put('a', 'hello');
    expect((await wire.send('GET /{box}/a', { headers })).status).toBe(status);
  });

  test('the error for a failed condition contains the name of the condition', async () => {
    await wire.put('a', 'hello');
    for (const [header, value, condition] of [
      ['if-match', OTHER, 'If-Match'],
      ['if-unmodified-since', BEFORE, 'If-Unmodified-Since'],
    ] as const) {
      expect(await wire.refusal('GET /{box}/a', { headers: { [header]: value } })).toEqual({
        status: 412,
        Code: 'PreconditionFailed',
        Condition: condition,
      });
    }
  });

  test('a conditional GET of an unchanged object returns 304 with its ETag and Last-Modified, but no body', async () => {
    await wire.versioning('Enabled');
    const attributes = { cacheControl: 'no-cache', expires: 'soon' };
    await wire.put('a', 'hello', { name: 'v1', attributes });
    const socket = wire.bench.connect();
    const request = wire.request('GET /{box}/a', { headers: { 'if-none-match': HELLO } });
    const answer = await wire.bench.send(wire.dialect, request, socket);
    expect(wire.show('GET /', answer)).toEqual({
      status: 304,
      headers: {
        etag: HELLO,
        'last-modified': NOW,
        'cache-control': 'no-cache',
        expires: 'soon',
        'x-*-version-id': '{v1}',
      },
      body: '',
    });
    const next = await wire.bench.send(wire.dialect, wire.request('GET /{box}/a'), socket);
    expect(next.text()).toBe('hello');
  });

  test('[op-2] GetObject returns the current version with its id, or the version that the request names', async () => {
    await wire.put('a', 'zero');
    await wire.versioning('Enabled');
    await wire.put('a', 'one', { name: 'v1' });
    await wire.put('a', 'two', { name: 'v2' });
    const got = async (query: string) => {
      const { body, headers } = await wire.ask(`GET /{box}/a${query}`);
      return [body, headers['x-*-version-id']];
    };
    expect(await got('')).toEqual(['two', '{v2}']);
    expect(await got('?versionId={v1}')).toEqual(['one', '{v1}']);
    expect(await got('?versionId=null')).toEqual(['zero', 'null']);
    await wire.versioning('Suspended');
    await wire.put('a', 'three');
    expect(await got('')).toEqual(['three', 'null']);
  });

  test('GetObject without versioning returns the version id null only if the request names it', async () => {
    await wire.put('a', 'hello');
    expect((await wire.ask('GET /{box}/a')).headers['x-*-version-id']).toBeUndefined();
    const asked = await wire.ask('GET /{box}/a?versionId=null');
    expect([asked.body, asked.headers['x-*-version-id']]).toEqual(['hello', 'null']);
  });

  test('[ver-8] GetObject of a key whose current version is a delete marker returns 404 with the id of the marker', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'hello', { name: 'v1' });
    const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    wire.name('marker', versionId);
    expect(await wire.refusal('GET /{box}/a')).toEqual({ status: 404, Code: 'NoSuchKey' });
    const gone = await wire.ask('GET /{box}/a');
    expect(gone.headers).toEqual({
      'content-type': 'application/xml',
      'x-*-delete-marker': 'true',
      'x-*-version-id': '{marker}',
    });
    expect((await wire.ask('GET /{box}/a?versionId={v1}')).body).toBe('hello');
  });

  test('[ver-8] GetObject of a missing key without a delete marker returns no delete marker header', async () => {
    await wire.versioning('Enabled');
    expect((await wire.ask('GET /{box}/never')).headers).toEqual({
      'content-type': 'application/xml',
    });
  });

  test('[ver-9] GetObject of a delete marker by its id returns 405', async () => {
    await wire.versioning('Enabled');
    const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    wire.name('marker', versionId);
    const line = 'GET /{box}/a?versionId={marker}';
    expect(await wire.refusal(line)).toEqual({
      status: 405,
      Code: 'MethodNotAllowed',
    });
    expect((await wire.ask(line)).headers).toEqual({
      'content-type': 'application/xml',
      'x-*-delete-marker': 'true',
      'x-*-version-id': '{marker}',
      'last-modified': NOW,
      allow: 'DELETE',
    });
  });

  wire.refuses(
    [
      ['a key that does not exist', 'GET /{box}/no%20such', {}, { status: 404, Code: 'NoSuchKey' }],
      [
        'a key that differs by a slash from an existing one',
        'GET /{box}/a/',
        {},
        { status: 404, Code: 'NoSuchKey' },
      ],
      [
        'a version that does not exist',
        'GET /{box}/a?versionId={gone}',
        {},
        { status: 404, Code: 'NoSuchVersion' },
      ],
      [
        'a version of another key',
        'GET /{box}/b?versionId={v1}',
        {},
        { status: 404, Code: 'NoSuchVersion' },
      ],
      [
        'a null version that does not exist',
        'GET /{box}/a?versionId=null',
        {},
        { status: 404, Code: 'NoSuchVersion' },
      ],
      ...['', 'x', '..%2F..', '%F0%9F%98%80'].map(
        (id) =>
          [
            `the version id ${JSON.stringify(id)}`,
            `GET /{box}/a?versionId=${id}`,
            {},
            {
              status: 400,
              Code: 'InvalidArgument',
              ArgumentName: 'versionId',
              ArgumentValue: decodeURIComponent(id),
            },
          ] as const,
      ),
      [
        'a key of 1,025 bytes',
        `GET /{box}/${'k'.repeat(1025)}`,
        {},
        { status: 400, Code: 'KeyTooLongError', Size: '1025', MaxSizeAllowed: '1024' },
      ],
      [
        'an unexpected request body',
        'GET /{box}/a',
        { body: 'x' },
        { status: 400, Code: 'UnexpectedContent' },
      ],
      ...['restore', 'torrent=null'].map(
        (subresource) =>
          [
            `the subresource ?${subresource}`,
            `GET /{box}/a?${subresource}`,
            {},
            {
              status: 501,
              Code: 'NotImplemented',
              ResourceType: (subresource.split('=')[0] ?? '').toUpperCase(),
            },
          ] as const,
      ),
      [
        'an unknown subresource',
        'GET /{box}/a?bogus',
        {},
        { status: 501, Code: 'NotImplemented', ArgumentName: 'bogus' },
      ],
    ],
    async () => {
      await wire.versioning('Enabled');
      await wire.put('a', 'hello', { name: 'v1' });
      await wire.put('gone', 'x', { name: 'gone' });
      const { store } = wire;
      await store.deleteObject({
        bucket: wire.get('box'),
        key: 'gone',
        versionId: wire.get('gone'),
      });
    },
  );

  test('[read-5] query parameters of a signed GET override response headers, and cannot inject other headers', async () => {
    await wire.put('a', 'hello', { attributes: { contentType: 'text/plain' } });
    const disposition = 'attachment; filename="Ł Ã©.txt"';
    const answer = await wire.ask(
      'GET /{box}/a?response-content-type=text%2Fhtml&response-content-language=en%0D%0AX-Evil:%201' +
        '&response-content-encoding=br&response-cache-control=no-store&response-expires=never' +
        `&response-content-disposition=${encodeURIComponent(disposition)}`,
    );
    const { 'content-disposition': returned = '', ...headers } = answer.headers;
    expect(headers).toEqual({
      ...plain,
      'content-length': '5',
      'content-type': 'text/html',
      'content-language': 'en  X-Evil: 1',
      'content-encoding': 'br',
      'cache-control': 'no-store',
      expires: 'never',
    });
    expect(Buffer.from(returned, 'latin1').toString('utf8')).toBe(disposition);
  });

  test('GetObject does not apply response header overrides to error responses', async () => {
    const answer = await wire.ask('GET /{box}/none?response-content-type=text%2Fhtml');
    expect(answer.headers).toEqual({ 'content-type': 'application/xml' });
  });
});
