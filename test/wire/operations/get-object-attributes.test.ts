/** Tests of GetObjectAttributes over HTTP. */

import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '5d41402abc4b2a76b9719d911017c592';
const NOW = 'Sat, 21 Nov 2026 12:00:00 GMT';

inBothDialects(new WireBench(), (wire) => {
  const asking = (names: string, more: Readonly<Record<string, string>> = {}) => ({
    headers: { 'x-*-object-attributes': names, ...more },
  });
  const result = (inside: string, headers: Readonly<Record<string, string>> = {}) => ({
    status: 200,
    headers: { 'content-type': 'application/xml', 'last-modified': NOW, ...headers },
    body:
      inside === ''
        ? `<GetObjectAttributesResponse xmlns="${wire.dialect.xmlNamespace}"/>`
        : `<GetObjectAttributesResponse xmlns="${wire.dialect.xmlNamespace}">${inside}</GetObjectAttributesResponse>`,
  });
  const etag = `<ETag>${HELLO}</ETag>`;
  const checksum =
    '<Checksum><ChecksumCRC32>NhCmhg==</ChecksumCRC32><ChecksumType>FULL_OBJECT</ChecksumType></Checksum>';
  const size = '<ObjectSize>5</ObjectSize>';
  const storageClass = '<StorageClass>STANDARD</StorageClass>';

  test.each([
    ['ETag', etag],
    ['ObjectSize', size],
    ['ObjectParts', ''],
    ['ObjectSize,ETag', etag + size],
    [' ETag , ObjectSize ', etag + size],
    ['ETag,Checksum,ObjectParts,StorageClass,ObjectSize', etag + checksum + storageClass + size],
  ])('GetObjectAttributes of %s returns the requested attributes', async (names, inside) => {
    await wire.put('a', 'hello');
    const asked = { ...asking(names), as: colleague };
    expect(await wire.ask('GET /{box}/a?attributes', asked)).toEqual(result(inside));
  });

  test('[op-13] GetObjectAttributes with a version id returns that id', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'hello', { name: 'v1' });
    await wire.put('a', 'other');
    expect(await wire.ask('GET /{box}/a?attributes&versionId={v1}', asking('ETag'))).toEqual(
      result(etag, { 'x-*-version-id': '{v1}' }),
    );
  });

  test('GetObjectAttributes returns the parts of a multipart object in pages', async () => {
    const ref = { bucket: wire.get('box'), key: 'k' };
    const { uploadId } = await wire.store.createUpload({ ...ref, checksumAlgorithm: 'SHA1' });
    const parts = [];
    for (const [partNumber, text] of [
      [2, 'x'.repeat(5 * 1024 ** 2)],
      [5, 'hello'],
    ] as const) {
      const part = { ...ref, uploadId, partNumber, body: bytesBody(text) };
      parts.push({ partNumber, ...(await wire.store.uploadPart(part)) });
    }
    await wire.store.completeUpload({ ...ref, uploadId, parts });
    const [first, last] = parts.map(({ partNumber, checksum }, index) => {
      const sizeBytes = index === 0 ? 5 * 1024 ** 2 : 5;
      return `<Part><PartNumber>${partNumber}</PartNumber><Size>${sizeBytes}</Size><ChecksumSHA1>${checksum?.value}</ChecksumSHA1></Part>`;
    });
    const page = (more: Readonly<Record<string, string>>) =>
      wire.ask('GET /{box}/k?attributes', asking('ObjectParts', more));
    expect(await page({ 'x-*-max-parts': '1' })).toEqual(
      result(
        '<ObjectParts><PartsCount>2</PartsCount><PartNumberMarker>0</PartNumberMarker>' +
          '<NextPartNumberMarker>2</NextPartNumberMarker><MaxParts>1</MaxParts>' +
          `<IsTruncated>true</IsTruncated>${first}</ObjectParts>`,
      ),
    );
    expect(await page({ 'x-*-part-number-marker': '2' })).toEqual(
      result(
        '<ObjectParts><PartsCount>2</PartsCount><PartNumberMarker>2</PartNumberMarker>' +
          `<MaxParts>1000</MaxParts><IsTruncated>false</IsTruncated>${last}</ObjectParts>`,
      ),
    );
  });

  refusesStrangers(wire, 'GET /{box}/a?attributes', asking('ETag'));

  const invalid = (ArgumentName: string, ArgumentValue: string) => ({
    status: 400,
    Code: 'InvalidArgument',
    ArgumentName,
    ArgumentValue,
  });
  wire.refuses(
    [
      [
        'a missing list of attributes',
        'GET /{box}/a?attributes',
        {},
        invalid('object-attributes', ''),
      ],
      [
        'an unknown attribute',
        'GET /{box}/a?attributes',
        asking('ETag,Colour'),
        invalid('object-attributes', 'Colour'),
      ],
      [
        'an attribute name in lower case',
        'GET /{box}/a?attributes',
        asking('etag'),
        invalid('object-attributes', 'etag'),
      ],
      ...(['max-parts', 'part-number-marker'] as const).map(
        (name) =>
          [
            `an invalid ${name}`,
            'GET /{box}/a?attributes',
            asking('ObjectParts', { [`x-*-${name}`]: 'x' }),
            invalid(name, 'x'),
          ] as const,
      ),
      [
        'a key that does not exist',
        'GET /{box}/none?attributes',
        asking('ETag'),
        { status: 404, Code: 'NoSuchKey' },
      ],
      [
        'a PUT with ?attributes',
        'PUT /{box}/a?attributes',
        { body: 'x' },
        { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'ATTRIBUTES' },
      ],
    ],
    () => wire.put('a', 'hello'),
  );
});
