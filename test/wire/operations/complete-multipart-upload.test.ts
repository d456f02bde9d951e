/** Tests of CompleteMultipartUpload over HTTP. */

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { expect, test } from 'vitest';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { CreateUploadRequest } from '../../../src/object-store/multipart.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '5d41402abc4b2a76b9719d911017c592';
const OTHER = '"00000000000000000000000000000000"';
const X = '"9dd4e461268c8034f5c8564e155c67a6"';
const MIN_PART_BYTES = 5 * 1024 * 1024;

const part = (number: number | string, etag = HELLO) =>
  `<Part><ETag>${etag}</ETag><PartNumber>${number}</PartNumber></Part>`;
const complete = (...parts: readonly string[]) => ({
  body: `<CompleteMultipartUpload xmlns="urn:x">${parts.join('')}</CompleteMultipartUpload>`,
});
const base64Of = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes.toString('base64');
};
/** Returns the ETag of a multipart object, computed from the MD5 digests of its parts. */
const etagOf = (...md5s: readonly string[]) => {
  const hash = createHash('md5');
  for (const md5 of md5s) hash.update(md5, 'hex');
  return `${hash.digest('hex')}-${md5s.length}`;
};

inBothDialects(new WireBench(), (wire) => {
  const line = 'POST /{box}/k%20%C3%BC?uploadId={id}';
  const upload = () => ({ bucket: wire.get('box'), key: 'k ü', uploadId: wire.get('id') });
  /** Creates a multipart upload with `hello` as part 1. */
  const begin = async (request: Partial<CreateUploadRequest> = {}) => {
    const { bucket, key } = { bucket: wire.get('box'), key: 'k ü' };
    const { uploadId } = await wire.store.createUpload({ bucket, key, ...request });
    wire.name('id', uploadId);
    await wire.store.uploadPart({ ...upload(), partNumber: 1, body: bytesBody('hello') });
  };
  const result = (
    etag: string,
    { headers = {}, crc32 = 'NhCmhg==' }: { headers?: Record<string, string>; crc32?: string } = {},
  ) => ({
    status: 200,
    headers: { 'content-type': 'application/xml', ...headers },
    body:
      `<CompleteMultipartUploadResult xmlns="${wire.dialect.xmlNamespace}">` +
      `<Location>${wire.bench.gateway.url}/{box}/k%20%C3%BC</Location><Bucket>{box}</Bucket>` +
      `<Key>k ü</Key><ETag>&quot;${etag}&quot;</ETag><ChecksumCRC32>${crc32}</ChecksumCRC32>` +
      '<ChecksumType>FULL_OBJECT</ChecksumType></CompleteMultipartUploadResult>',
  });

  test('[mpu-6] CompleteMultipartUpload returns the location and the ETag of the object', async () => {
    await begin();
    expect(await wire.ask(line, complete(part(1)))).toEqual(result(etagOf(HELLO)));
    expect((await wire.send('GET /{box}/k%20%C3%BC')).text()).toBe('hello');
  });

  test('[mpu-6] a repeated CompleteMultipartUpload returns the same response', async () => {
    await begin();
    const asked = { ...complete(part(1)), as: colleague };
    expect(await wire.ask(line, asked)).toEqual(result(etagOf(HELLO)));
    expect(await wire.ask(line, asked)).toEqual(result(etagOf(HELLO)));
  });

  test.each([
    ['a quoted ETag', complete(part(1, `"${HELLO}"`))],
    ['an ETag with escaped quotes', complete(part(1, `&quot;${HELLO}&quot;`))],
    [
      'the root element CompleteMultipartUploadRequest, as boto sends it,',
      { body: `<CompleteMultipartUploadRequest>${part(1)}</CompleteMultipartUploadRequest>` },
    ],
  ])('CompleteMultipartUpload accepts %s', async (_, asked) => {
    await begin();
    expect((await wire.ask(line, asked)).status).toBe(200);
  });

  test('CompleteMultipartUpload joins the listed parts in order and discards the other parts', async () => {
    await begin();
    const large = Buffer.alloc(MIN_PART_BYTES, 'x');
    const { etag } = await wire.store.uploadPart({
      ...upload(),
      partNumber: 2,
      body: bytesBody(large),
    });
    await wire.store.uploadPart({ ...upload(), partNumber: 9, body: bytesBody('world') });
    const last = createHash('md5').update('world').digest('hex');
    const asked = complete(part(2, etag), part(9, last));
    const whole = crc32(Buffer.concat([large, Buffer.from('world')]));
    expect(await wire.ask(line, asked)).toEqual(
      result(etagOf(etag, last), { crc32: base64Of(whole) }),
    );
    const { headers, body } = await wire.ask('GET /{box}/k%20%C3%BC');
    expect(headers['content-length']).toBe(String(MIN_PART_BYTES + 5));
    expect(body.slice(-6)).toBe('xworld');
  });

  test('a completed object has the attributes that CreateMultipartUpload set', async () => {
    await wire.box({ objectLockEnabled: true });
    const attributes = { contentType: 'text/plain', metadata: { a: '1' } };
    await begin({ attributes, lock: { legalHold: true } });
    const answer = await wire.send(line, complete(part(1)));
    wire.name('version', answer.header(wire.spelt('x-*-version-id')));
    expect(wire.show(line, answer)).toEqual(
      result(etagOf(HELLO), { headers: { 'x-*-version-id': '{version}' } }),
    );
    expect((await wire.ask('HEAD /{box}/k%20%C3%BC')).headers).toMatchObject({
      'content-type': 'text/plain',
      'x-*-meta-a': '1',
      'x-*-object-lock-legal-hold': 'ON',
      'x-*-version-id': '{version}',
    });
  });

  test('CompleteMultipartUpload creates the null version while versioning is suspended', async () => {
    await wire.versioning('Suspended');
    await begin();
    const { headers } = await wire.ask(line, complete(part(1)));
    expect(headers['x-*-version-id']).toBe('null');
  });

  test.each([
    [{ 'if-none-match': '*' }, 'none', 200],
    [{ 'if-none-match': '*' }, 'one', 412],
    [{ 'if-none-match': X }, 'none', 200],
    [{ 'if-none-match': X }, 'one', 412],
    [{ 'if-none-match': OTHER }, 'one', 200],
    [{ 'if-match': '*' }, 'none', 404],
    [{ 'if-match': '*' }, 'one', 200],
    [{ 'if-match': OTHER }, 'one', 412],
  ])(
    'CompleteMultipartUpload with the headers %o (existing objects: %s) returns %i, and can be retried',
    async (headers, is, status) => {
      await wire.put(is === 'one' ? 'k ü' : 'other', 'x');
      await begin();
      expect((await wire.send(line, { ...complete(part(1)), headers })).status).toBe(status);
      expect((await wire.send(line, complete(part(1)))).status).toBe(200);
    },
  );

  refusesStrangers(wire, 'POST /{box}/k?uploadId=x', complete(part(1)));

  const malformed = { status: 400, Code: 'MalformedXML' };
  const noUpload = (UploadId = '{id}') => ({ status: 404, Code: 'NoSuchUpload', UploadId });
  wire.refuses(
    [
      ['a list without parts', line, complete(), malformed],
      ['a missing body', line, { body: '' }, malformed],
      ['a body that is not XML', line, { body: 'hello' }, malformed],
      [
        'an XML document with another root element',
        line,
        { body: `<Other>${part(1)}</Other>` },
        malformed,
      ],
      ['a part without a number', line, complete('<Part><ETag>x</ETag></Part>'), malformed],
      [
        'a part without an ETag',
        line,
        complete('<Part><PartNumber>1</PartNumber></Part>'),
        malformed,
      ],
      ['an invalid part number', line, complete(part('x')), malformed],
      [
        'a part that was not uploaded',
        line,
        complete(part(1), part(2)),
        { status: 400, Code: 'InvalidPart', PartNumber: '2', ETag: HELLO },
      ],
      [
        'a part with another ETag',
        line,
        complete(part(1, OTHER)),
        { status: 400, Code: 'InvalidPart', PartNumber: '1', ETag: OTHER.slice(1, -1) },
      ],
      [
        'parts out of order',
        line,
        complete(part(3), part(1)),
        { status: 400, Code: 'InvalidPartOrder', PartNumber: '1' },
      ],
      [
        'the same part twice',
        line,
        complete(part(1), part(1)),
        { status: 400, Code: 'InvalidPartOrder', PartNumber: '1' },
      ],
      [
        'a part smaller than 5 MiB that is not the last',
        line,
        complete(part(1), part(3)),
        {
          status: 400,
          Code: 'EntityTooSmall',
          ProposedSize: '5',
          MinSizeAllowed: String(MIN_PART_BYTES),
          PartNumber: '1',
          ETag: HELLO,
        },
      ],
      ['an unknown upload id', 'POST /{box}/k?uploadId=x', complete(part(1)), noUpload('x')],
      [
        'a multipart upload of another key',
        'POST /{box}/other?uploadId={id}',
        complete(part(1)),
        noUpload(),
      ],
      [
        'an empty upload id',
        'POST /{box}/k?uploadId=',
        complete(part(1)),
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'uploadId', ArgumentValue: '' },
      ],
      [
        'a partNumber parameter',
        `${line}&partNumber=1`,
        complete(part(1)),
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'partNumber', ArgumentValue: '1' },
      ],
      [
        'an empty If-Match header',
        line,
        { ...complete(part(1)), headers: { 'if-match': '' } },
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'if-match', ArgumentValue: '' },
      ],
    ],
    async () => {
      await begin();
      await wire.store.uploadPart({ ...upload(), partNumber: 3, body: bytesBody('hello') });
    },
  );

  test('CompleteMultipartUpload accepts 10,000 parts with the longest checksums, and no more parts', async () => {
    await begin();
    const digest = '<ChecksumSHA256>47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=</ChecksumSHA256>';
    const parts = Array.from({ length: 10_001 }, (_, index) =>
      part(index + 1, `&quot;${HELLO}&quot;`).replace(
        '<PartNumber>',
        `\n  ${digest}\n  <PartNumber>`,
      ),
    );
    expect(await wire.refusal(line, complete(...parts.slice(1)))).toMatchObject({
      Code: 'InvalidPart',
      PartNumber: '2',
    });
    expect(await wire.refusal(line, complete(...parts))).toEqual(malformed);
  });

  test('CompleteMultipartUpload of an aborted upload is rejected', async () => {
    await begin();
    await wire.store.abortUpload(upload());
    expect(await wire.refusal(line, complete(part(1)))).toEqual(noUpload());
  });
});
