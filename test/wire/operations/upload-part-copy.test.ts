/** Tests of UploadPartCopy over HTTP. */

import { expect, test } from 'vitest';
import { refusesImpostors, refusesOthers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '5d41402abc4b2a76b9719d911017c592';
const OTHER = '"00000000000000000000000000000000"';
const BEFORE = 'Sat, 21 Nov 2026 11:59:59 GMT';

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}/k?partNumber=1&uploadId={id}';
  const begin = async () => {
    await wire.put('from', 'hello');
    const { uploadId } = await wire.store.createUpload({ bucket: wire.get('box'), key: 'k' });
    wire.name('id', uploadId);
  };
  const copy = (headers: Readonly<Record<string, string>> = {}) => ({
    headers: { 'x-*-copy-source': '/{box}/from', ...headers },
  });
  const range = (value: string) => copy({ 'x-*-copy-source-range': value });
  const partSizes = async () => {
    const upload = { bucket: wire.get('box'), key: 'k', uploadId: wire.get('id') };
    return (await wire.store.listParts(upload)).parts.map(({ sizeBytes }) => sizeBytes);
  };

  test('UploadPartCopy returns the ETag and the modification time of the part as XML', async () => {
    await begin();
    expect(await wire.ask(line, copy())).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body:
        `<CopyPartResult xmlns="${wire.dialect.xmlNamespace}">` +
        `<LastModified>2026-11-21T12:00:00.000Z</LastModified><ETag>&quot;${HELLO}&quot;</ETag>` +
        '<ChecksumCRC32>NhCmhg==</ChecksumCRC32></CopyPartResult>',
    });
    expect(await partSizes()).toEqual([5]);
  });

  test.each([
    ['bytes=1-3', 3],
    ['bytes=0-0', 1],
    ['bytes=0-4', 5],
  ])(
    '[mpu-5] UploadPartCopy of the range %s creates a part of %i bytes',
    async (asked, sizeBytes) => {
      await begin();
      expect((await wire.ask(line, { ...range(asked), as: colleague })).status).toBe(200);
      expect(await partSizes()).toEqual([sizeBytes]);
    },
  );

  test('UploadPartCopy returns the version id of the source', async () => {
    await wire.versioning('Enabled');
    await wire.put('from', 'old', { name: 'v1' });
    await begin();
    const headers = { 'x-*-copy-source': '/{box}/from?versionId={v1}' };
    const answer = await wire.ask(line, { headers });
    expect(answer.headers['x-*-copy-source-version-id']).toBe('{v1}');
    expect(await partSizes()).toEqual([3]);
  });

  test.each([
    [{ 'x-*-copy-source-if-match': HELLO }, 200],
    [{ 'x-*-copy-source-if-match': OTHER }, 412],
    [{ 'x-*-copy-source-if-none-match': OTHER }, 200],
    [{ 'x-*-copy-source-if-none-match': '*' }, 412],
    [{ 'x-*-copy-source-if-unmodified-since': BEFORE }, 412],
    [{ 'x-*-copy-source-if-modified-since': BEFORE }, 200],
  ])('UploadPartCopy with the source conditions %o returns %i', async (headers, status) => {
    await begin();
    expect((await wire.send(line, copy(headers))).status).toBe(status);
    expect(await partSizes()).toHaveLength(status === 200 ? 1 : 0);
  });

  refusesImpostors(wire, line, copy());
  refusesOthers(wire, line, copy());

  const beyond = { status: 416, Code: 'InvalidRange', ActualObjectSize: '5' };
  wire.refuses(
    [
      [
        'a range that ends beyond the source',
        line,
        range('bytes=3-9'),
        { ...beyond, RangeRequested: 'bytes=3-9' },
      ],
      [
        'a range that starts beyond the end of the source',
        line,
        range('bytes=9-10'),
        { ...beyond, RangeRequested: 'bytes=9-10' },
      ],
      ...['bytes=-2', 'bytes=2-'].map(
        (asked) =>
          [
            `the range ${asked}`,
            line,
            range(asked),
            { status: 400, Code: 'InvalidArgument', ArgumentName: 'copy-source-range' },
          ] as const,
      ),
      ...['hello', '', 'bytes=3-2', 'bytes=0-1,3-4'].map(
        (asked) =>
          [
            `the range ${JSON.stringify(asked)}`,
            line,
            range(asked),
            {
              status: 400,
              Code: 'InvalidArgument',
              ArgumentName: 'copy-source-range',
              ArgumentValue: asked,
            },
          ] as const,
      ),
      [
        'a source that does not exist',
        line,
        copy({ 'x-*-copy-source': '/{box}/none' }),
        { status: 404, Code: 'NoSuchKey', Key: 'none' },
      ],
      [
        'an empty copy source',
        line,
        copy({ 'x-*-copy-source': '' }),
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'copy-source', ArgumentValue: '' },
      ],
      [
        'an unknown upload id',
        'PUT /{box}/k?partNumber=1&uploadId=x',
        copy(),
        { status: 404, Code: 'NoSuchUpload', UploadId: 'x' },
      ],
      [
        'the part number 10001',
        'PUT /{box}/k?partNumber=10001&uploadId={id}',
        copy(),
        {
          status: 400,
          Code: 'InvalidArgument',
          ArgumentName: 'partNumber',
          ArgumentValue: '10001',
        },
      ],
      [
        'an unexpected request body',
        line,
        { ...copy(), body: 'x' },
        { status: 400, Code: 'UnexpectedContent' },
      ],
    ],
    begin,
  );

  test('UploadPartCopy of a delete marker fails with InvalidRequest if the request names its version id, else with NoSuchKey', async () => {
    await begin();
    await wire.versioning('Enabled');
    await wire.put('gone', 'hello');
    const gone = { bucket: wire.get('box'), key: 'gone' };
    wire.name('marker', (await wire.store.deleteObject(gone)).versionId);
    const byId = copy({ 'x-*-copy-source': '/{box}/gone?versionId={marker}' });
    expect(await wire.refusal(line, byId)).toEqual({ status: 400, Code: 'InvalidRequest' });
    const latest = copy({ 'x-*-copy-source': '/{box}/gone' });
    expect(await wire.refusal(line, latest)).toMatchObject({ status: 404, Code: 'NoSuchKey' });
  });
});
