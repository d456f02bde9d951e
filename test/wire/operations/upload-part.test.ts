/** Tests of UploadPart over HTTP. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const digest = (name: string, text: string) => createHash(name).update(text).digest();
const md5 = (text: string) => `"${digest('md5', text).toString('hex')}"`;

inBothDialects(new WireBench(), (wire) => {
  const begin = async () => {
    const { uploadId } = await wire.store.createUpload({ bucket: wire.get('box'), key: 'k' });
    wire.name('id', uploadId);
  };
  const parts = async () => {
    const upload = { bucket: wire.get('box'), key: 'k', uploadId: wire.get('id') };
    return (await wire.store.listParts(upload)).parts.map(({ partNumber, etag }) => [
      partNumber,
      `"${etag}"`,
    ]);
  };

  test('[mpu-2] UploadPart returns 200 with the quoted MD5 as ETag and without a body', async () => {
    await begin();
    expect(
      await wire.ask('PUT /{box}/k?partNumber=1&uploadId={id}&x-id=UploadPart', { body: 'hello' }),
    ).toEqual({
      status: 200,
      headers: {
        etag: md5('hello'),
        'content-length': '0',
        'x-*-checksum-crc32': 'NhCmhg==',
      },
      body: '',
    });
    expect(await parts()).toEqual([[1, md5('hello')]]);
    expect((await wire.send('HEAD /{box}/k')).status).toBe(404);
  });

  test('[mpu-4] UploadPart with the number of an existing part replaces that part', async () => {
    await begin();
    await wire.ask('PUT /{box}/k?uploadId={id}&partNumber=7', { body: 'old' });
    await wire.ask('PUT /{box}/k?uploadId={id}&partNumber=7', { body: 'new', as: colleague });
    expect(await parts()).toEqual([[7, md5('new')]]);
  });

  test.each(['1', '10000', '0002'])('UploadPart accepts the part number %s', async (number) => {
    await begin();
    const line = `PUT /{box}/k?partNumber=${number}&uploadId={id}`;
    expect((await wire.send(line, { body: '' })).status).toBe(200);
    expect(await parts()).toEqual([[Number(number), md5('')]]);
  });

  refusesStrangers(wire, 'PUT /{box}/k?partNumber=1&uploadId=x', { body: 'hello' });

  const line = 'PUT /{box}/k?partNumber=1&uploadId={id}';
  const noUpload = (UploadId = '{id}') => ({ status: 404, Code: 'NoSuchUpload', UploadId });
  wire.refuses(
    [
      ...['0', '10001', '-1', '1.5', 'x', ''].map(
        (number) =>
          [
            `the part number ${JSON.stringify(number)}`,
            `PUT /{box}/k?partNumber=${number}&uploadId={id}`,
            { body: 'x' },
            {
              status: 400,
              Code: 'InvalidArgument',
              ArgumentName: 'partNumber',
              ArgumentValue: number,
            },
          ] as const,
      ),
      [
        'a missing part number',
        'PUT /{box}/k?uploadId={id}',
        { body: 'x' },
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'partNumber', ArgumentValue: '' },
      ],
      [
        'an empty upload id',
        'PUT /{box}/k?partNumber=1&uploadId=',
        { body: 'x' },
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'uploadId', ArgumentValue: '' },
      ],
      [
        'an unknown upload id',
        'PUT /{box}/k?partNumber=1&uploadId=x',
        { body: 'x' },
        noUpload('x'),
      ],
      [
        'a multipart upload of another key',
        'PUT /{box}/other?partNumber=1&uploadId={id}',
        { body: 'x' },
        noUpload(),
      ],
      ['a part without a Content-Length', line, {}, { status: 411, Code: 'MissingContentLength' }],
      [
        'a wrong Content-MD5',
        line,
        { body: 'hello', headers: { 'content-md5': digest('md5', '').toString('base64') } },
        {
          status: 400,
          Code: 'BadDigest',
          ExpectedDigest: digest('md5', '').toString('base64'),
          CalculatedDigest: digest('md5', 'hello').toString('base64'),
        },
      ],
      [
        'a wrong SHA-256 of the body',
        line,
        { body: 'hello', contentSha256: digest('sha256', '').toString('hex') },
        {
          status: 400,
          Code: 'XAmzContentSHA256Mismatch',
          ClientComputedContentSHA256: digest('sha256', '').toString('hex'),
          S3ComputedContentSHA256: digest('sha256', 'hello').toString('hex'),
        },
      ],
      [
        'a parameter of another operation',
        `${line}&versionId=null`,
        { body: 'x' },
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'versionId', ArgumentValue: 'null' },
      ],
    ],
    begin,
  );

  test('UploadPart rejects a part of more than 5 GiB before the client sends the body', async () => {
    await begin();
    const size = String(5 * 1024 ** 3 + 1);
    const headers = { 'content-length': size, expect: '100-continue' };
    expect(await wire.refusal(line, { headers })).toEqual({
      status: 400,
      Code: 'EntityTooLarge',
      ProposedSize: size,
      MaxSizeAllowed: String(5 * 1024 ** 3),
    });
  });

  test('UploadPart to an aborted multipart upload is rejected', async () => {
    await begin();
    await wire.send('DELETE /{box}/k?uploadId={id}');
    expect(await wire.refusal(line, { body: 'x' })).toEqual(noUpload());
  });
});
