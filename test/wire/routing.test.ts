/**
 * Tests of requests that no operation serves. Each gets a specific error, and the gateway never treats it as another
 * operation.
 */

import { describe, expect, test } from 'vitest';
import { accessKey, stranger, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects, type RefusalRow } from '../helpers/wire.ts';

/** Subresources of buckets that S3 has and the gateway does not support. */
const OF_BUCKETS =
  `accelerate analytics intelligent-tiering inventory logging metadataConfiguration metadataTable
  metrics notification requestPayment session`.split(/\s+/);
/** Configurations that the service never sets. A GET returns an error code of its own for each. */
const UNSET = ['encryption', 'ownershipControls', 'replication'];
const OF_OBJECTS = 'restore select torrent'.split(' ');

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'];

inBothDialects(new WireBench(), (wire) => {
  const unsupported = (path: string, names: readonly string[], methods = METHODS): RefusalRow[] =>
    names.flatMap((name) =>
      methods.flatMap((method): RefusalRow[] => {
        const returned = { Code: 'NotImplemented', ResourceType: name.toUpperCase() };
        const refusal = { status: 501, ...(method !== 'HEAD' && returned) };
        const body = method === 'PUT' || method === 'POST' ? { body: 'x' } : {};
        return [
          [`the unsupported subresource ?${name}`, `${method} ${path}?${name}`, body, refusal],
        ];
      }),
    );

  test('an invalid ACL in a request body is rejected and never stored as an object, whatever the query contains', async () => {
    for (const ending of ['=', '=null', '&versionId=null', '&x-id=PutObject']) {
      const refused = await wire.refusal(`PUT /{box}/k?acl${ending}`, { body: 'x' });
      expect(refused).toEqual({ status: 400, Code: 'MalformedACLError' });
    }
  });

  wire.refuses(unsupported('/{box}', OF_BUCKETS));
  wire.refuses(unsupported('/{box}', UNSET, ['HEAD', 'PUT', 'POST']));
  wire.refuses(unsupported('/{box}/k', OF_OBJECTS));

  describe('[svc-10] unknown query parameters', () => {
    wire.refuses(
      [
        'PUT /{box}/k?bogus',
        'PUT /{box}/k?bogus=1',
        'DELETE /{box}/k?bogus=1',
        'PUT /{box}?bogus',
        'DELETE /{box}?bogus',
        'GET /{box}?bogus',
        'GET /{box}/k?bogus=',
      ].map((line) => [
        'an unknown query parameter',
        line,
        {},
        { status: 501, Code: 'NotImplemented', ArgumentName: 'bogus' },
      ]),
      () => wire.put('k', 'kept'),
    );

    test('a GET with x-id ignores unknown query parameters', async () => {
      await wire.put('k', 'kept');
      expect((await wire.send('GET /{box}/k?bogus=1&x-id=GetObject')).text()).toBe('kept');
    });
  });

  wire.refuses([
    ...['PATCH /', 'PATCH /{box}', 'PATCH /{box}/k', 'PUT /', 'POST /', 'DELETE /'].map(
      (line): RefusalRow => {
        const place = line.endsWith('/k') ? 'OBJECT' : line.endsWith('/') ? 'SERVICE' : 'BUCKET';
        const [Method = ''] = line.split(' ');
        return [
          'an unsupported method',
          line,
          {},
          { status: 405, Code: 'MethodNotAllowed', Method, ResourceType: place },
        ];
      },
    ),
    ...['GET', 'HEAD', 'DELETE'].map((method): RefusalRow => {
      const returned = { Code: 'InvalidArgument', ArgumentName: 'versionId', ArgumentValue: '' };
      const refusal = { status: 400, ...(method !== 'HEAD' && returned) };
      return [
        `the method ${method} with an empty version id`,
        `${method} /{box}/k?versionId=`,
        {},
        refusal,
      ];
    }),
    [
      'a form upload to an object',
      'POST /{box}/k',
      { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' },
      {
        status: 405,
        Code: 'MethodNotAllowed',
        Method: 'POST',
        ResourceType: 'OBJECT',
      },
    ],
    [
      'a POST that is not a form',
      'POST /{box}',
      { headers: { 'content-type': 'text/plain' }, body: 'x' },
      {
        status: 412,
        Code: 'PreconditionFailed',
        Condition: 'Bucket POST must be of the enclosure-type multipart/form-data',
      },
    ],
  ]);

  test.each([
    ['PUT /', 'GET'],
    ['PATCH /{box}/k', 'DELETE, GET, HEAD, PUT'],
    ['HEAD /{box}?versioning', 'GET, PUT'],
    ['GET /{box}/k?uploads', 'POST'],
  ])('the error for the method in %s lists the allowed methods %s', async (line, methods) => {
    expect((await wire.send(line)).header('allow')).toBe(methods);
  });

  describe('preflight requests without CORS rules', () => {
    const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
      const socket = wire.bench.connect();
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(wire.fill(`OPTIONS ${path} HTTP/1.1\r\nhost: h\r\n${lines.join('')}\r\n`));
      const answer = await socket.answer();
      return [answer.status, /<Code>(\w+)</.exec(answer.text())?.[1]];
    };
    const origin = { origin: 'https://app.example' };

    test.each(['/{box}/k', '/{box}', '/no-such-bucket/k', '/'])(
      'a preflight request to %s without CORS rules is rejected with AccessForbidden',
      async (path) => {
        const asked = { ...origin, 'access-control-request-method': 'PUT' };
        expect(await ask(path, asked)).toEqual([403, 'AccessForbidden']);
      },
    );

    test.each([
      ['an origin', { 'access-control-request-method': 'PUT' }],
      ['a method', origin],
      ['a supported method', { ...origin, 'access-control-request-method': 'PATCH' }],
    ])('a preflight request without %s fails with InvalidRequest', async (_, headers) => {
      expect(await ask('/{box}/k', headers)).toEqual([400, 'InvalidRequest']);
    });
  });

  test.each(['x-*-brand-new', 'x-*-telemetry-id', 'x-*-replication-status'])(
    '[svc-16] a request with the signed header %s is accepted, although S3 does not define the header',
    async (name) => {
      const headers = { [name]: 'any' };
      expect((await wire.send('PUT /{box}/k', { headers, body: 'x' })).status).toBe(200);
      expect((await wire.send('GET /{box}/k', { headers })).text()).toBe('x');
      expect((await wire.send('GET /{box}?list-type=2', { headers })).status).toBe(200);
      expect((await wire.send('DELETE /{box}/k', { headers })).status).toBe(204);
    },
  );

  describe('S3 headers that the gateway does not support', () => {
    const upload = async () => {
      const { uploadId } = await wire.store.createUpload({ bucket: wire.get('box'), key: 'k' });
      wire.name('upload', uploadId);
    };
    const lines = [
      'GET /',
      'PUT /{box}',
      'GET /{box}?list-type=2',
      'GET /{box}/k',
      'HEAD /{box}/k',
      'PUT /{box}/k',
      'DELETE /{box}/k',
      'POST /{box}/k?uploads',
      'PUT /{box}?versioning',
      'PUT /{box}/k?partNumber=1&uploadId={upload}',
      'POST /{box}?delete',
    ];
    const bodyOf = (line: string) =>
      /^PUT .*\/k/.test(line)
        ? { body: 'x' }
        : /versioning|delete/.test(line)
          ? { body: '<a/>' }
          : {};
    wire.refuses(
      lines.flatMap((line) =>
        ['x-*-mfa', 'x-*-server-side-encryption'].map((name): RefusalRow => {
          const returned = { Code: 'NotImplemented', Header: wire.spelt(name) };
          const refusal = { status: 501, ...(!line.startsWith('HEAD') && returned) };
          return [
            `the unsupported header ${name}`,
            line,
            { headers: { [name]: 'secret' }, ...bodyOf(line) },
            refusal,
          ];
        }),
      ),
      upload,
    );

    wire.refuses(
      ['GLACIER', 'STANDARD_IA', 'standard', ''].flatMap((value) =>
        ['PUT /{box}/k', 'POST /{box}/k?uploads'].map((line): RefusalRow => [
          `[svc-17] the storage class ${JSON.stringify(value)}`,
          line,
          { headers: { 'x-*-storage-class': value }, ...bodyOf(line) },
          { status: 400, Code: 'InvalidStorageClass', StorageClassRequested: value },
        ]),
      ),
    );

    test('a header that requests nothing, or only the default behavior, is ignored', async () => {
      const headers = {
        'x-*-user-agent': 'aws-sdk-js/3',
        'x-*-te': 'append-md5',
        'x-*-request-payer': 'requester',
        'x-*-acl': 'private',
        'x-*-storage-class': 'STANDARD',
        'x-*-tagging': '',
        'x-*-meta-any': 'thing',
        'x-*-tagging-count': '2',
        'x-*-expiration': 'expiry-date="Fri, 27 Nov 2026 00:00:00 GMT", rule-id="ten"',
        'amz-sdk-invocation-id': '1',
        'amz-sdk-request': 'attempt=1',
      };
      expect((await wire.send('PUT /{box}/k', { headers, body: 'x' })).status).toBe(200);
      expect((await wire.send('GET /{box}/k', { headers })).text()).toBe('x');
      expect((await wire.send('GET /{box}?list-type=2', { headers })).status).toBe(200);
    });
  });

  describe('the header x-amz-expected-bucket-owner', () => {
    const mine = accessKey.accessKeyId;
    const theirs = stranger.accessKeyId;
    const put = (headers: Readonly<Record<string, string>>) =>
      wire.send('PUT /{box}/copy', { headers });

    test.each(['GET /{box}/k', 'HEAD /{box}', 'GET /{box}?list-type=2', 'DELETE /{box}/k'])(
      'the gateway compares the expected bucket owner with the actual owner: %s',
      async (line) => {
        await wire.put('k', 'text');
        const as = (owner: string) => ({ headers: { 'x-*-expected-bucket-owner': owner } });
        expect((await wire.refusal(line, as(theirs))).status).toBe(403);
        expect((await wire.send(line, as(mine))).status).toBeLessThan(300);
      },
    );

    test('the gateway compares the expected owner of a copy source with the actual owner', async () => {
      await wire.put('k', 'text');
      const source = { 'x-*-copy-source': wire.fill('/{box}/k') };
      const expecting = (owner: string) => ({
        ...source,
        'x-*-expected-bucket-owner': mine,
        'x-*-source-expected-bucket-owner': owner,
      });
      expect((await put(expecting(theirs))).status).toBe(403);
      expect((await put(expecting(mine))).status).toBe(200);
    });

    test('a request with an expected bucket owner for a missing bucket returns 404', async () => {
      const headers = { 'x-*-expected-bucket-owner': mine };
      expect((await wire.send('GET /no-such-bucket/k', { headers })).status).toBe(404);
    });
  });
});
