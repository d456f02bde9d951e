/** Tests of virtual hosts, where the host name contains the bucket name: `<bucket>.localhost`. */

import { describe, expect, test } from 'vitest';
import { bytesBody } from '../../src/object-store/body.ts';
import { signatureV2Of, stringToSignV2 } from '../../src/protocol/signing/signature-v2.ts';
import { accessKey, dialects, WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench();

describe.each(Object.values(dialects))('requests with x-$name- headers', (dialect) => {
  const send = (host: string, line: string, body?: string) => {
    const [method = '', url = ''] = line.split(' ');
    return bench.send(dialect, { method, url, host, ...(body !== undefined && { body }) });
  };

  test('[svc-15] a client can put, read, list and delete an object by virtual host', async () => {
    const bucket = await bench.bucket();
    const host = `${bucket}.localhost:9010`;
    expect(await send(host, 'PUT /a/k%20y', 'by host')).toMatchObject({ status: 200 });
    expect((await send('localhost', `GET /${bucket}/a/k%20y`)).text()).toBe('by host');
    expect((await send(host, 'GET /a/k%20y')).text()).toBe('by host');
    const listing = (await send(host, 'GET /?list-type=2')).text();
    expect(listing).toContain(`<Name>${bucket}</Name>`);
    expect(listing).toContain('<Key>a/k y</Key>');
    expect(await send(host, 'HEAD /')).toMatchObject({ status: 200 });
    expect(await send(host, 'DELETE /a/k%20y')).toMatchObject({ status: 204 });
  });

  test('a client can create and delete a bucket by virtual host, and gets the location as a path', async () => {
    const host = `made.by-${dialect.name}.localhost`;
    const made = await send(host, 'PUT /');
    expect(made.status).toBe(200);
    expect(made.header('location')).toBe(`/made.by-${dialect.name}`);
    expect(await send(host, 'DELETE /')).toMatchObject({ status: 204 });
  });

  test('the location of a completed upload uses the host name of the request', async () => {
    const bucket = await bench.bucket();
    for (const [host, path] of [
      [`${bucket}.localhost:9010`, '/a%20b'],
      ['localhost:9010', `/${bucket}/a%20b`],
    ] as const) {
      const created = await send(host, `POST ${path}?uploads`);
      const id = /<UploadId>(.+)<\/UploadId>/.exec(created.text())?.[1] ?? '';
      const part = await send(host, `PUT ${path}?partNumber=1&uploadId=${id}`, 'part');
      const etag = part.header('etag') ?? '';
      const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
      const done = await send(host, `POST ${path}?uploadId=${id}`, body);
      expect(done.text()).toContain(`<Location>http://${host}${path}</Location>`);
      expect(done.text()).toContain(`<Bucket>${bucket}</Bucket><Key>a b</Key>`);
    }
  });

  describe('request targets in absolute form', () => {
    /** Sends a request whose target contains the host. The signature covers only the path and the Host header. */
    const absolute = (line: string, host: string, before = `http://${host}`) => {
      const [method = '', url = ''] = line.split(' ');
      const head = bench.head(dialect, { method, url, host });
      const socket = bench.connect();
      socket.write(
        head.replace(`${method} ${url} `, `${method} ${before}${url === '/' ? '' : url} `),
      );
      return socket.answer(method);
    };

    test.each([
      ['by path', (bucket: string) => ['localhost:9010', `/${bucket}/a%20b?x-id=GetObject`]],
      ['by host', (bucket: string) => [`${bucket}.localhost`, '/a%20b?x-id=GetObject']],
      ['by address', (bucket: string) => ['127.0.0.1:9010', `/${bucket}/a%20b?x-id=GetObject`]],
    ])('a request target in absolute form is equivalent to a request %s', async (_, addressed) => {
      const bucket = await bench.bucket();
      await bench.store.putObject({ bucket, key: 'a b', body: bytesBody('hello') });
      const [host = '', url = ''] = addressed(bucket);
      for (const before of [
        `http://${host}`,
        `HTTP://${host.toUpperCase()}`,
        `https://${host}`,
        ...(host.includes(':') ? [] : [`http://${host}:80`, `https://${host}:443`]),
      ]) {
        expect((await absolute(`GET ${url}`, host, before)).text()).toBe('hello');
      }
    });

    test('a request target in absolute form can omit the path', async () => {
      const bucket = await bench.bucket();
      expect((await absolute('GET /', 'localhost')).text()).toContain(`<Name>${bucket}</Name>`);
      const listed = await absolute('GET /', `${bucket}.localhost`);
      expect(listed.text()).toContain(`<ListBucketResult`);
    });

    test.each([
      'http://elsewhere.localhost',
      'http://localhost:9010',
      'http://localhost:443',
      'http://ann@localhost',
      'http://',
      'ftp://localhost',
    ])(
      'a request target that begins with %j is rejected if the Host header is localhost',
      async (before) => {
        const bucket = await bench.bucket();
        const answer = await absolute(`GET /${bucket}`, 'localhost', before);
        expect([answer.status, answer.text()]).toEqual([
          400,
          expect.stringContaining('<Code>InvalidURI<') as string,
        ]);
      },
    );
  });

  test('an error response contains the bucket name of the virtual host', async () => {
    const answer = await send('no-such-box.localhost', 'GET /k');
    expect(answer.status).toBe(404);
    expect(answer.text()).toContain('<BucketName>no-such-box</BucketName><Key>k</Key>');
  });

  test('a signature is valid only for the host name that it covers', async () => {
    const [one, other] = [await bench.bucket(), await bench.bucket()];
    await send(`${one}.localhost`, 'PUT /k', 'one');
    await send(`${other}.localhost`, 'PUT /k', 'other');
    const head = bench.head(dialect, { method: 'GET', url: '/k', host: `${one}.localhost` });
    const socket = bench.connect();
    socket.write(head.replace(`${one}.localhost`, `${other}.localhost`));
    expect((await socket.answer()).text()).toContain('<Code>SignatureDoesNotMatch</Code>');
  });

  test.each(['.localhost', 'a..b.localhost', 'box.localhost:80@evil.net', 'box.localhost:x'])(
    'a request to the host %s is rejected before its signature is verified',
    async (host) => {
      expect(await send(host, 'GET /k')).toMatchObject({ status: 400 });
    },
  );
});

describe('presigned URLs with signature version 2', () => {
  const linkTo = (path: string, bucketOfHost?: string) => {
    const expires = String(Math.floor(bench.clock.now() / 1000) + 60);
    const request = { method: 'GET', path, query: [], headers: [] };
    const text = stringToSignV2(request, expires, bucketOfHost);
    const signature = signatureV2Of(accessKey.secretAccessKey, text);
    const query = { AWSAccessKeyId: accessKey.accessKeyId, Expires: expires, Signature: signature };
    return `${path}?${new URLSearchParams(query).toString()}`;
  };
  const get = (url: string, host: string, method = 'GET') => {
    const socket = bench.connect();
    socket.write(`${method} ${url} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    return socket.answer(method);
  };

  test('a version 2 presigned URL returns the object by path and by virtual host, for GET and HEAD', async () => {
    const bucket = await bench.bucket();
    await bench.send(dialects.amz, { method: 'PUT', url: `/${bucket}/k`, body: 'linked' });
    const byHost = linkTo('/k', bucket);
    const answer = await get(byHost, `${bucket}.localhost`);
    expect(answer.text()).toBe('linked');
    expect(answer.header('x-amz-request-id')).toBeDefined();
    expect(await get(byHost, `${bucket}.localhost`, 'HEAD')).toMatchObject({ status: 200 });
    expect((await get(linkTo(`/${bucket}/k`), 'localhost')).text()).toBe('linked');
    expect(await get(byHost, 'localhost')).toMatchObject({ status: 403 });
    expect(await get(byHost, `${bucket}.localhost`, 'DELETE')).toMatchObject({ status: 400 });
  });
});
