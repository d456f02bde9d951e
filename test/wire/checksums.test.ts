/** Tests of checksum headers, and of GET requests for single parts of an object. */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../src/object-store/body.ts';
import type { UploadChecksum } from '../../src/object-store/multipart.ts';
import { WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects } from '../helpers/wire.ts';

const HELLO = '5d41402abc4b2a76b9719d911017c592';
const CRC32C = 'mnG7TA==';
/**
 * Composite checksum of an object with one part: the CRC32C of the decoded checksum above, in
 * base64.
 */
const COMPOSITE = 'VwS2rA==';

inBothDialects(new WireBench(), (wire) => {
  const checked = { headers: { 'x-*-checksum-mode': 'ENABLED' } };
  const shown = { 'x-*-checksum-crc32c': CRC32C, 'x-*-checksum-type': 'FULL_OBJECT' };
  const put = () =>
    wire.ask('PUT /{box}/a', { body: 'hello', headers: { 'x-*-checksum-crc32c': CRC32C } });
  /** Returns the checksum headers of a response. */
  const checksumOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.includes('checksum')));

  test('[sum-2] GET and HEAD return the checksum only with the header x-amz-checksum-mode: ENABLED', async () => {
    expect(checksumOf(await put())).toEqual(shown);
    for (const method of ['GET', 'HEAD']) {
      expect(checksumOf(await wire.ask(`${method} /{box}/a`, checked))).toEqual(shown);
      expect(checksumOf(await wire.ask(`${method} /{box}/a`))).toEqual({});
      for (const value of ['DISABLED', 'enabled', '']) {
        const headers = { 'x-*-checksum-mode': value };
        expect(checksumOf(await wire.ask(`${method} /{box}/a`, { headers }))).toEqual({});
      }
    }
  });

  test('the response to a range request has no checksum, because the client could not verify it', async () => {
    await put();
    const headers = { ...checked.headers, range: 'bytes=1-3' };
    expect(checksumOf(await wire.ask('GET /{box}/a', { headers }))).toEqual({});
    const conditional = { ...headers, 'if-range': '"other"' };
    expect(checksumOf(await wire.ask('GET /{box}/a', { headers: conditional }))).toEqual(shown);
  });

  test('the checksum of an object from a single PUT always has the type FULL_OBJECT', async () => {
    const headers = { 'x-*-checksum-crc32c': CRC32C, 'x-*-checksum-type': 'FULL_OBJECT' };
    expect((await wire.ask('PUT /{box}/a', { body: 'hello', headers })).status).toBe(200);
    const composite = { headers: { ...headers, 'x-*-checksum-type': 'COMPOSITE' }, body: 'hello' };
    expect((await wire.ask('PUT /{box}/a', composite)).status).toBe(501);
  });

  test('a copy returns the checksum of its source, or of the algorithm that the request names', async () => {
    await put();
    const source = { 'x-*-copy-source': '/{box}/a' };
    const same = await wire.ask('PUT /{box}/b', { headers: source });
    expect(same.body).toContain(`<ChecksumCRC32C>${CRC32C}</ChecksumCRC32C>`);
    const headers = { ...source, 'x-*-checksum-algorithm': 'sha1' };
    const other = await wire.ask('PUT /{box}/b', { headers });
    expect(other.body).toContain('<ChecksumSHA1>qvTGHdzF6KLavt4PO0gs2a6pQ00=</ChecksumSHA1>');
    expect(other.body).toContain('<ChecksumType>FULL_OBJECT</ChecksumType>');
  });

  describe('multipart uploads with a checksum algorithm', () => {
    const begin = (headers: Readonly<Record<string, string>> = {}) =>
      wire.ask('POST /{box}/k?uploads', { headers });

    test.each([
      [{ 'x-*-checksum-algorithm': 'CRC32' }, 'CRC32', 'COMPOSITE'],
      [{ 'x-*-checksum-algorithm': 'crc64nvme' }, 'CRC64NVME', 'FULL_OBJECT'],
      [
        { 'x-*-checksum-algorithm': 'CRC32C', 'x-*-checksum-type': 'FULL_OBJECT' },
        'CRC32C',
        'FULL_OBJECT',
      ],
    ])(
      'CreateMultipartUpload with %o returns the checksum algorithm and type, and ListMultipartUploads shows them',
      async (headers, algorithm, type) => {
        const { headers: returned } = await begin(headers);
        const asked = { 'x-*-checksum-algorithm': algorithm, 'x-*-checksum-type': type };
        expect(returned).toMatchObject(asked);
        const { body } = await wire.ask('GET /{box}?uploads');
        expect(body).toContain(
          `<ChecksumAlgorithm>${algorithm}</ChecksumAlgorithm><ChecksumType>${type}</ChecksumType>`,
        );
      },
    );

    test.each([
      { 'x-*-checksum-algorithm': 'MD5' },
      { 'x-*-checksum-algorithm': '' },
      { 'x-*-checksum-algorithm': 'CRC32', 'x-*-checksum-type': 'HALF' },
      { 'x-*-checksum-algorithm': 'SHA256', 'x-*-checksum-type': 'FULL_OBJECT' },
      { 'x-*-checksum-algorithm': 'CRC64NVME', 'x-*-checksum-type': 'COMPOSITE' },
      { 'x-*-checksum-type': 'COMPOSITE' },
    ])('CreateMultipartUpload with %o is rejected', async (headers) => {
      expect(await wire.refusal('POST /{box}/k?uploads', { headers })).toEqual({
        status: 400,
        Code: 'InvalidRequest',
      });
    });
  });

  describe('CompleteMultipartUpload with a checksum', () => {
    const line = 'POST /{box}/k?uploadId={id}';
    const begin = async (checksum: UploadChecksum) => {
      const ref = { bucket: wire.get('box'), key: 'k' };
      const { uploadId } = await wire.store.createUpload({ ...ref, ...checksum });
      wire.name('id', uploadId);
      const part = { ...ref, uploadId, partNumber: 1, body: bytesBody('hello') };
      await wire.store.uploadPart(part);
    };
    const complete = (
      headers: Readonly<Record<string, string>> = {},
      element = `<ChecksumCRC32C>${CRC32C}</ChecksumCRC32C>`,
    ) => ({
      headers,
      body: `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${HELLO}</ETag>${element}</Part></CompleteMultipartUpload>`,
    });

    test.each([
      ['COMPOSITE', `${COMPOSITE}-1`, {}],
      ['COMPOSITE', `${COMPOSITE}-1`, { 'x-*-checksum-crc32c': COMPOSITE }],
      ['COMPOSITE', `${COMPOSITE}-1`, { 'x-*-checksum-crc32c': `${COMPOSITE}-1` }],
      ['FULL_OBJECT', CRC32C, { 'x-*-checksum-crc32c': CRC32C }],
      [
        'FULL_OBJECT',
        CRC32C,
        { 'x-*-checksum-crc32c': CRC32C, 'x-*-sdk-checksum-algorithm': 'CRC32C' },
      ],
      ['FULL_OBJECT', CRC32C, { 'x-*-checksum-type': 'FULL_OBJECT', 'x-*-mp-object-size': '5' }],
    ] as const)(
      'CompleteMultipartUpload of type %s returns the checksum %s, with the headers %o',
      async (checksumType, value, headers) => {
        await begin({ checksumAlgorithm: 'CRC32C', checksumType });
        const { status, body } = await wire.ask(line, complete(headers));
        expect(status).toBe(200);
        expect(body).toContain(
          `<ChecksumCRC32C>${value}</ChecksumCRC32C><ChecksumType>${checksumType}</ChecksumType>`,
        );
        const { headers: read } = await wire.ask('GET /{box}/k', checked);
        expect(checksumOf({ headers: read })).toEqual({
          'x-*-checksum-crc32c': value,
          'x-*-checksum-type': checksumType,
        });
      },
    );

    test('CompleteMultipartUpload accepts 10,000 parts with the longest checksums', async () => {
      await begin({ checksumAlgorithm: 'SHA256' });
      const parts = Array.from(
        { length: 10_000 },
        (_, index) =>
          `  <Part>\n    <ETag>&quot;${HELLO}&quot;</ETag>\n    <PartNumber>${index + 1}</PartNumber>\n` +
          `    <ChecksumSHA256>LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=</ChecksumSHA256>\n  </Part>\n`,
      );
      const body = `<CompleteMultipartUpload>\n${parts.join('')}</CompleteMultipartUpload>`;
      expect(await wire.refusal(line, { body })).toMatchObject({
        Code: 'InvalidPart',
        PartNumber: '2',
      });
    });

    wire.refuses(
      [
        [
          'a wrong checksum of the whole object',
          line,
          complete({ 'x-*-checksum-crc32c': 'AAAAAA==' }),
          { status: 400, Code: 'BadDigest', ExpectedDigest: 'AAAAAA==', CalculatedDigest: CRC32C },
        ],
        [
          'a checksum of another algorithm',
          line,
          complete({ 'x-*-checksum-crc32': 'NhCmhg==' }),
          { status: 400, Code: 'InvalidRequest' },
        ],
        [
          'two checksums',
          line,
          complete({ 'x-*-checksum-crc32': 'NhCmhg==', 'x-*-checksum-crc32c': CRC32C }),
          { status: 400, Code: 'InvalidRequest' },
        ],
        [
          'another checksum type',
          line,
          complete({ 'x-*-checksum-type': 'COMPOSITE' }),
          { status: 400, Code: 'InvalidRequest' },
        ],
        [
          'a wrong object size',
          line,
          complete({ 'x-*-mp-object-size': '6' }),
          { status: 400, Code: 'InvalidRequest' },
        ],
        [
          'an invalid object size',
          line,
          complete({ 'x-*-mp-object-size': 'x' }),
          {
            status: 400,
            Code: 'InvalidArgument',
            ArgumentName: 'mp-object-size',
            ArgumentValue: 'x',
          },
        ],
        [
          'a wrong checksum of a part',
          line,
          complete({}, '<ChecksumCRC32C>AAAAAA==</ChecksumCRC32C>'),
          { status: 400, Code: 'InvalidPart', PartNumber: '1', ETag: HELLO },
        ],
        [
          'two checksums of a part',
          line,
          complete({}, '<ChecksumCRC32>a</ChecksumCRC32><ChecksumSHA1>b</ChecksumSHA1>'),
          { status: 400, Code: 'MalformedXML' },
        ],
      ],
      () => begin({ checksumAlgorithm: 'CRC32C', checksumType: 'FULL_OBJECT' }),
    );
  });

  test('a part with another checksum algorithm than its multipart upload is rejected', async () => {
    const ref = { bucket: wire.get('box'), key: 'k' };
    const { uploadId } = await wire.store.createUpload({ ...ref, checksumAlgorithm: 'CRC32' });
    wire.name('id', uploadId);
    const headers = { 'x-*-checksum-crc32c': CRC32C };
    const line = 'PUT /{box}/k?partNumber=1&uploadId={id}';
    expect(await wire.refusal(line, { body: 'hello', headers })).toEqual({
      status: 400,
      Code: 'InvalidRequest',
    });
  });

  describe('GET requests for a part of an object', () => {
    /** Creates a multipart object with part 3 of 5 MiB and part 7 with the text `hello`. */
    const inParts = async (upload: UploadChecksum = { checksumAlgorithm: 'CRC32C' }) => {
      const ref = { bucket: wire.get('box'), key: 'k' };
      const { uploadId } = await wire.store.createUpload({ ...ref, ...upload });
      const parts = [];
      for (const [partNumber, text] of [
        [3, 'x'.repeat(5 * 1024 ** 2)],
        [7, 'hello'],
      ] as const) {
        const part = { ...ref, uploadId, partNumber, body: bytesBody(text) };
        parts.push({ partNumber, ...(await wire.store.uploadPart(part)) });
      }
      await wire.store.completeUpload({ ...ref, uploadId, parts });
    };

    test('[read-4] a GET with partNumber returns 206 with the number of parts and the checksum of the part', async () => {
      await inParts();
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await wire.ask(
          `${method} /{box}/k?partNumber=7`,
          checked,
        );
        expect([status, body]).toEqual([206, method === 'GET' ? 'hello' : '']);
        expect(headers).toMatchObject({
          'content-length': '5',
          'content-range': 'bytes 5242880-5242884/5242885',
          'x-*-mp-parts-count': '2',
          'x-*-checksum-crc32c': CRC32C,
        });
      }
    });

    test.each([
      ['COMPOSITE', { checksumAlgorithm: 'CRC32C' }],
      ['FULL_OBJECT', { checksumAlgorithm: 'CRC32C', checksumType: 'FULL_OBJECT' }],
      ['COMPOSITE', { checksumAlgorithm: 'SHA1' }],
    ] as const)(
      '[sum-4] a GET of a part of a %s object returns its checksum type: %o',
      async (type, upload: UploadChecksum) => {
        await inParts(upload);
        for (const method of ['GET', 'HEAD']) {
          const { headers } = await wire.ask(`${method} /{box}/k?partNumber=7`, checked);
          expect(headers['x-*-checksum-type']).toBe(type);
        }
      },
    );

    test('a GET of part 1 of an object from a single PUT returns 206 with the whole object and no number of parts', async () => {
      await put();
      const { status, headers, body } = await wire.ask('GET /{box}/a?partNumber=1', checked);
      expect([status, body]).toEqual([206, 'hello']);
      expect(headers).toMatchObject({ ...shown, 'content-range': 'bytes 0-4/5' });
      expect(headers).not.toHaveProperty('x-*-mp-parts-count');
    });

    test('a GET of part 1 of an empty object returns 200', async () => {
      await wire.put('empty', '');
      const { status, headers } = await wire.ask('GET /{box}/empty?partNumber=1');
      expect([status, headers['content-length']]).toEqual([200, '0']);
    });

    const noPart = { status: 416, Code: 'InvalidPartNumber', ActualPartCount: '1' };
    const noNumber = (ArgumentValue: string) => ({
      status: 400,
      Code: 'InvalidArgument',
      ArgumentName: 'partNumber',
      ArgumentValue,
    });
    wire.refuses(
      [
        [
          'a part number that does not exist',
          'GET /{box}/a?partNumber=2',
          {},
          { ...noPart, PartNumberRequested: '2' },
        ],
        ['the part number 0', 'GET /{box}/a?partNumber=0', {}, noNumber('0')],
        ['the part number 10001', 'GET /{box}/a?partNumber=10001', {}, noNumber('10001')],
        ['the part number x', 'GET /{box}/a?partNumber=x', {}, noNumber('x')],
        ['an empty part number', 'GET /{box}/a?partNumber=', {}, noNumber('')],
        [
          'a part number together with a range',
          'GET /{box}/a?partNumber=1',
          { headers: { range: 'bytes=0-1' } },
          { status: 400, Code: 'InvalidRequest' },
        ],
        ['a HEAD of a part that does not exist', 'HEAD /{box}/a?partNumber=2', {}, { status: 416 }],
      ],
      async () => {
        await put();
      },
    );
  });
});
