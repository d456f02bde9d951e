/**
 * Tests of the headers, responses and errors for objects encrypted with customer-provided keys (SSE-C). See
 * test/SPECIFICATION.md, semantics B.10.
 */

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';

import type { LogFields, Logger } from '../../src/base/logger.ts';
import { guardCustomerKeys } from '../../src/gateway/customer-keys.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import { customerKeyBytes, customerKeyHeaders, customerKeyMd5 } from '../helpers/customer-keys.ts';
import { FreeSigner } from '../helpers/free-signer.ts';
import { accessKey, REGION, WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects, type Refusal, type RefusalRow } from '../helpers/wire.ts';
import { Headers } from '../../src/protocol/headers.ts';

const logged: unknown[] = [];
const log = (fields: LogFields, message: string) => void logged.push({ ...fields, message });
const logger: Logger = { debug: log, info: log, warn: log, error: log };

const OURS = customerKeyHeaders('ours');
const ECHO = {
  'x-*-server-side-encryption-customer-algorithm': 'AES256',
  'x-*-server-side-encryption-customer-key-md5': customerKeyMd5('ours'),
};
const ALGORITHM = 'x-*-server-side-encryption-customer-algorithm';
const KEY = 'x-*-server-side-encryption-customer-key';
const MD5 = 'x-*-server-side-encryption-customer-key-md5';

/** Returns the three customer key headers with changes. A value of `undefined` removes a header. */
function changed(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const all = Object.entries({ ...OURS, ...changes });
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const bench = new WireBench({ logger, tls: makeCertificate() });

inBothDialects(bench, (wire) => {
  const bucket = () => wire.get('box');
  const putOurs = (key: string, content = 'secret text') =>
    wire.send(`PUT /{box}/${key}`, { body: content, headers: OURS });

  test('[ssec-1] a PUT with a customer key returns 200 with the algorithm and the key MD5, and ranges can be read', async () => {
    expect(await wire.ask('PUT /{box}/a', { body: 'hello', headers: OURS })).toEqual({
      status: 200,
      headers: {
        etag: `"${createHash('md5').update('hello').digest('hex')}"`,
        'content-length': '0',
        'accept-ranges': 'bytes',
        'x-*-checksum-crc32': 'NhCmhg==',
        'x-*-checksum-type': 'FULL_OBJECT',
        ...ECHO,
      },
      body: '',
    });
  });

  test('[ssec-3] a GET with the customer key headers returns the decrypted bytes and their size', async () => {
    await putOurs('a');
    const got = await wire.ask('GET /{box}/a', { headers: OURS });
    expect(got).toMatchObject({ status: 200, body: 'secret text' });
    expect(got.headers).toMatchObject({ 'content-length': '11', ...ECHO });
    const head = await wire.ask('HEAD /{box}/a', { headers: OURS });
    expect(head.headers).toMatchObject({
      'content-length': '11',
      etag: got.headers['etag'],
      ...ECHO,
    });
    const range = await wire.ask('GET /{box}/a', { headers: { ...OURS, range: 'bytes=7-10' } });
    expect(range).toMatchObject({ status: 206, body: 'text', headers: ECHO });
    const attributes = await wire.ask('GET /{box}/a?attributes', {
      headers: { ...OURS, 'x-*-object-attributes': 'ObjectSize' },
    });
    expect(attributes.body).toContain('<ObjectSize>11</ObjectSize>');
  });

  const refusals: readonly (readonly [
    claim: string,
    changes: Readonly<Record<string, string | undefined>>,
    code: string,
    message: string,
  ])[] = [
    ...['AES128', 'aes256', 'aws:kms', 'AES256, AES256'].map(
      (algorithm) =>
        [
          `[ssec-4] the algorithm ${algorithm}`,
          { [ALGORITHM]: algorithm },
          'InvalidEncryptionAlgorithmError',
          'The requested encryption algorithm is not valid, must be AES256.',
        ] as const,
    ),
    ...[undefined, ''].map(
      (algorithm) =>
        [
          `[ssec-5] the algorithm ${JSON.stringify(algorithm)}`,
          { [ALGORITHM]: algorithm },
          'InvalidArgument',
          'Requests specifying Server Side Encryption with Customer provided keys must provide a valid encryption algorithm.',
        ] as const,
    ),
    ...[
      undefined,
      '',
      'not base64!',
      customerKeyBytes('ours').subarray(1).toString('base64'),
      Buffer.concat([customerKeyBytes('ours'), Buffer.alloc(1)]).toString('base64'),
      customerKeyBytes('ours').toString('base64').replace('=', ''),
      customerKeyBytes('ours').toString('hex'),
    ].map(
      (key) =>
        [
          `[ssec-5] the key ${JSON.stringify(key)}`,
          { [KEY]: key },
          'InvalidArgument',
          'Requests specifying Server Side Encryption with Customer provided keys must provide an appropriate secret key.',
        ] as const,
    ),
    ...[undefined, '', 'AAAA', 'not base64!', customerKeyBytes('ours').toString('base64')].map(
      (md5) =>
        [
          `[ssec-5] the digest ${JSON.stringify(md5)}`,
          { [MD5]: md5 },
          'InvalidArgument',
          'Requests specifying Server Side Encryption with Customer provided keys must provide an appropriate secret key md5.',
        ] as const,
    ),
    [
      '[ssec-5] the MD5 of the base64 text of the key',
      {
        [MD5]: createHash('md5')
          .update(customerKeyBytes('ours').toString('base64'))
          .digest('base64'),
      },
      'InvalidArgument',
      'The calculated MD5 hash of the key did not match the hash that was provided.',
    ],
    [
      '[ssec-11] a second kind of encryption',
      { 'x-*-server-side-encryption': 'AES256' },
      'InvalidArgument',
      'Server Side Encryption with Customer provided key is incompatible with the encryption method specified',
    ],
  ];

  test.each(refusals)(
    'a PUT whose customer key headers have %s is rejected',
    async (_, changes, code, message) => {
      const headers = changed(changes);
      const put = await wire.send('PUT /{box}/a', { body: 'x', headers });
      expect(put.status).toBe(400);
      expect(put.text()).toContain(`<Code>${code}</Code><Message>${message}</Message>`);
      const others: Refusal[] = [
        await wire.refusal('GET /{box}/a', { headers }),
        await wire.refusal('POST /{box}/a?uploads', { headers }),
        await wire.refusal('PUT /{box}/b', {
          headers: { ...headers, 'x-*-copy-source': '/{box}/a' },
        }),
      ];
      for (const refusal of others) expect(refusal).toEqual({ status: 400, Code: code });
      expect(await wire.refusal('HEAD /{box}/a', { headers })).toEqual({ status: 400 });
    },
  );

  test('[ssec-5] the customer key headers for a copy source are validated like those of a PUT', async () => {
    await wire.put('a', 'x');
    const source = customerKeyHeaders('ours', 'copy-source-');
    const [, key = ''] = Object.keys(source);
    const headers = { ...source, [key]: 'AAAA', 'x-*-copy-source': '/{box}/a' };
    const expected = { status: 400, Code: 'InvalidArgument' };
    expect(await wire.refusal('PUT /{box}/b', { headers })).toEqual(expected);
  });

  const NEEDED =
    '<Code>InvalidRequest</Code><Message>The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.</Message>';
  const NOT_APPLICABLE =
    '<Code>InvalidRequest</Code><Message>The encryption parameters are not applicable to this object.</Message>';
  const other = customerKeyHeaders('other');

  describe('encrypted objects, encrypted uploads and unencrypted objects', () => {
    let uploadId: string;
    beforeEach(async () => {
      await putOurs('sealed');
      await wire.put('plain', 'text');
      const created = await wire.ask('POST /{box}/sealed?uploads', { headers: OURS });
      expect(created.headers).toMatchObject(ECHO);
      uploadId = /<UploadId>(.*?)</.exec(created.body)?.[1] ?? '';
      wire.name('upload', uploadId);
    });

    const reads = [
      'GET /{box}/KEY',
      'GET /{box}/KEY?attributes',
      'PUT /{box}/copy',
      'PUT /{box}/sealed?uploadId={upload}&partNumber=1',
    ] as const;
    const asked = (line: string, headers: Readonly<Record<string, string>>, key = 'sealed') => {
      const copies = line.startsWith('PUT /{box}/copy')
        ? { 'x-*-copy-source': `/{box}/${key}` }
        : {};
      const describes = line.endsWith('attributes') ? { 'x-*-object-attributes': 'ETag' } : {};
      return wire.send(line.replace('KEY', key), {
        ...(line.includes('uploadId') && { body: 'part' }),
        headers: { ...headers, ...copies, ...describes },
      });
    };

    test.each(reads)(
      '[ssec-3] %s of an encrypted object without the customer key is rejected',
      async (line) => {
        const answer = await asked(line, {});
        expect(answer.status).toBe(400);
        expect(answer.text()).toContain(NEEDED);
      },
    );

    const NOT_THE_UPLOADS = 'did not match the ones used originally';

    test.each([{}, { 'x-*-copy-source': '/{box}/plain' }])(
      '[ssec-24] a part with another customer key than its multipart upload fails with InvalidRequest: headers %o',
      async (copies) => {
        const line = 'PUT /{box}/sealed?uploadId={upload}&partNumber=1';
        const isCopy = 'x-*-copy-source' in copies;
        const headers = { ...other, ...copies };
        const answer = await wire.send(line, { headers, ...(!isCopy && { body: 'part' }) });
        expect(answer.status).toBe(400);
        expect(answer.text()).toContain('<Code>InvalidRequest</Code>');
        expect(answer.text()).toContain(NOT_THE_UPLOADS);
      },
    );

    test.each(reads.slice(0, 3))(
      '[ssec-6] %s with a wrong customer key is rejected',
      async (line) => {
        const source = line.includes('/copy') ? customerKeyHeaders('other', 'copy-source-') : other;
        const answer = await asked(line, source);
        expect(answer.status).toBe(403);
        expect(answer.text()).toContain('<Code>AccessDenied</Code>');
      },
    );

    test.each(reads.slice(0, 3))(
      '[ssec-7] %s of an unencrypted object with a customer key is rejected',
      async (line) => {
        const source = line.includes('/copy') ? customerKeyHeaders('ours', 'copy-source-') : OURS;
        const answer = await asked(line, source, 'plain');
        expect(answer.status).toBe(400);
        expect(answer.text()).toContain(NOT_APPLICABLE);
      },
    );

    test('a HEAD with a missing, wrong or inapplicable customer key returns an error status without a body', async () => {
      expect(await wire.refusal('HEAD /{box}/sealed')).toEqual({ status: 400 });
      expect(await wire.refusal('HEAD /{box}/sealed', { headers: other })).toEqual({ status: 403 });
      expect(await wire.refusal('HEAD /{box}/plain', { headers: OURS })).toEqual({ status: 400 });
    });

    test('[ssec-14] responses to part uploads repeat the customer key headers, and the completion needs no customer key', async () => {
      const part = await wire.ask('PUT /{box}/sealed?uploadId={upload}&partNumber=1', {
        body: 'part',
        headers: OURS,
      });
      expect(part).toMatchObject({ status: 200, headers: ECHO });
      const copied = await wire.ask('PUT /{box}/sealed?uploadId={upload}&partNumber=2', {
        headers: {
          ...OURS,
          ...customerKeyHeaders('ours', 'copy-source-'),
          'x-*-copy-source': '/{box}/sealed',
        },
      });
      expect(copied).toMatchObject({ status: 200, headers: ECHO });
      const etag = /<ETag>&quot;(.*?)&quot;/.exec(copied.body)?.[1] ?? '';
      const listed = await wire.ask('GET /{box}/sealed?uploadId={upload}', { headers: OURS });
      expect(listed.body).toContain('<Size>11</Size>');
      const body = `<CompleteMultipartUpload><Part><PartNumber>2</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
      expect(await wire.ask('POST /{box}/sealed?uploadId={upload}', { body })).toMatchObject({
        status: 200,
      });
      expect(await wire.ask('GET /{box}/sealed', { headers: OURS })).toMatchObject({
        body: 'secret text',
      });
    });

    test('[ssec-13] a copy of an object onto itself with a new customer key encrypts it with the new key', async () => {
      const copy = await wire.ask('PUT /{box}/sealed', {
        headers: {
          'x-*-copy-source': '/{box}/sealed',
          ...customerKeyHeaders('ours', 'copy-source-'),
          ...other,
        },
      });
      expect(copy.headers).toMatchObject({ ...ECHO, [MD5]: customerKeyMd5('other') });
      expect(await wire.ask('GET /{box}/sealed', { headers: other })).toMatchObject({
        body: 'secret text',
      });
      expect(await wire.refusal('GET /{box}/sealed', { headers: OURS })).toMatchObject({
        Code: 'AccessDenied',
      });
    });

    test('[ssec-10] tagging, locking and deleting an encrypted object needs no customer key', async () => {
      const tagging = '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>';
      expect((await wire.send('PUT /{box}/sealed?tagging', { body: tagging })).status).toBe(200);
      expect((await wire.send('GET /{box}/sealed?tagging')).text()).toContain('<Key>a</Key>');
      expect((await wire.send('DELETE /{box}/sealed')).status).toBe(204);
    });
  });

  const rows: readonly RefusalRow[] = [
    [
      '[ssec-16] a customer key in the URL',
      `GET /{box}/a?${wire.spelt(KEY)}=${encodeURIComponent(OURS[KEY] ?? '')}`,
      {},
      { status: 400, Code: 'InvalidRequest' },
    ],
    [
      '[ssec-15] a customer key header that is not signed',
      'PUT /{box}/a',
      {
        body: 'x',
        unsigned: Object.fromEntries(
          Object.entries(OURS).map(([name, value]) => [wire.spelt(name), value]),
        ),
      },
      {
        status: 403,
        Code: 'AccessDenied',
        HeadersNotSigned: Object.keys(OURS)
          .map((name) => wire.spelt(name))
          .join(', '),
      },
    ],
  ];
  wire.refuses(rows);

  test('[ssec-15] a presigned URL for a customer key works only with the customer key headers that its signature covers', async () => {
    await putOurs('a');
    const signer = new FreeSigner({
      dialect: wire.dialect,
      host: `127.0.0.1:${bench.gateway.port}`,
      region: REGION,
      credentials: accessKey,
      now: () => bench.clock.now(),
    });
    const url = `/${bucket()}/a`;
    const headers = Object.entries(OURS);
    const send = async (text: string) => {
      const socket = bench.connect();
      socket.write(text);
      return socket.answer('GET');
    };
    const signed = signer.sign({ url, presigned: {}, headers });
    expect((await send(signed.text)).text()).toBe('secret text');
    const withoutHeaders = signer.sign({ url, presigned: {} });
    expect((await send(withoutHeaders.text)).status).toBe(400);
    const unsigned = signer.sign({
      url,
      presigned: {},
      unsigned: headers.map(([name, value]) => [wire.spelt(name), value] as const),
    });
    expect((await send(unsigned.text)).status).toBe(403);
    const inQuery = headers.map(
      ([name, value]) => `${wire.spelt(name)}=${encodeURIComponent(value)}`,
    );
    const leaked = signer.sign({ url: `${url}?${inQuery.join('&')}`, presigned: {} });
    expect((await send(leaked.text)).text()).toContain('<Code>InvalidRequest</Code>');
  });

  test('[ssec-16] neither the log nor any response contains the customer key', async () => {
    const answers = [
      await putOurs('a'),
      await wire.send('GET /{box}/a', { headers: OURS }),
      await wire.send('GET /{box}/a', { headers: other }),
      await wire.send('GET /{box}/a', { headers: changed({ [MD5]: 'AAAA' }) }),
      await wire.send('GET /{box}/a', { headers: changed({ [ALGORITHM]: 'DES' }) }),
      await wire.send('GET /{box}/a', {
        headers: OURS,
        as: { ...accessKey, secretAccessKey: 'a wrong secret' },
      }),
      await wire.send('DELETE /{box}/a', { headers: OURS }),
    ];
    const returned = answers
      .map((answer) => [...answer.headers, answer.text()].join('\n'))
      .join('\n');
    for (const name of ['ours', 'other']) {
      const bytes = customerKeyBytes(name);
      for (const encoding of ['base64', 'hex', 'latin1'] as const) {
        expect(returned).not.toContain(bytes.toString(encoding));
        expect(JSON.stringify(logged)).not.toContain(bytes.toString(encoding));
      }
      expect(JSON.stringify(logged)).not.toContain(customerKeyMd5(name));
    }
    expect(logged.length).toBeGreaterThan(0);
  });

  test('[ssec-8] a PUT and a GET with a customer key work over TLS', async () => {
    const socket = bench.connectTls();
    const url = `/${bucket()}/a`;
    const put = { method: 'PUT', url, body: 'secret', headers: OURS };
    expect((await bench.send(wire.dialect, put, socket)).status).toBe(200);
    const get = { method: 'GET', url, headers: OURS };
    expect((await bench.send(wire.dialect, get, socket)).text()).toBe('secret');
  });
});

describe('[ssec-8] customer keys over plain HTTP', () => {
  const query: readonly [] = [];
  const unified = new Headers([['x-amz-server-side-encryption-customer-algorithm', 'AES256']]);
  const ofSource = new Headers([['x-amz-copy-source-server-side-encryption-customer-key', 'x']]);
  const head = { query, unified };
  const far = { secure: false, sourceIp: '192.0.2.7' };
  const guard = (
    request: Parameters<typeof guardCustomerKeys>[0],
    peer: Parameters<typeof guardCustomerKeys>[1],
    options = {},
  ) => guardCustomerKeys(request, peer, options);
  const refusal = expect.objectContaining({
    code: 'InvalidRequest',
    message:
      'Requests specifying Server Side Encryption with Customer provided keys must be made over a secure connection.',
  }) as Error;

  test('a request with a customer key from another machine is rejected over plain HTTP', () => {
    expect(() => guard(head, far)).toThrowError(refusal);
    expect(() => guard({ ...head, unified: ofSource }, far)).toThrowError(refusal);
  });

  test.each([
    ['over TLS', { ...far, secure: true }, {}],
    ['over the loopback address', { secure: false, sourceIp: '127.0.0.1' }, {}],
    ['over the IPv6 loopback address', { secure: false, sourceIp: '::1' }, {}],
    ['over plain HTTP if the configuration allows it', far, { customerKeysOverHttp: true }],
  ])('a request with a customer key is accepted %s', (_, peer, options) => {
    expect(() => guard(head, peer, options)).not.toThrow();
  });

  test('a request without a customer key from another machine is accepted over plain HTTP', () => {
    expect(() => guard({ ...head, unified: new Headers([]) }, far)).not.toThrow();
  });
});
