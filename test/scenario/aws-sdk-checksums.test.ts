/**
 * Tests of checksums with the AWS SDK. The SDK sends checksums, and throws if the checksum of a response does not
 * match.
 */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type ChecksumAlgorithm as SdkAlgorithm,
  type CompletedPart,
  type CreateMultipartUploadCommandInput,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';

import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm } from '../../src/object-store/checksum.ts';
import { checksumOf, runningChecksum } from '../../src/object-store/checksums/running-checksum.ts';
import { sdkBench } from '../helpers/sdk-bench.ts';

const MIB = 1024 * 1024;
const END = randomBytes(100_000);
const PIECES = [randomBytes(5 * MIB), END];
const WHOLE = Buffer.concat(PIECES);

const bench = sdkBench();
const Bucket = 'checksums';
let s3: S3Client;

beforeAll(async () => {
  s3 = bench.client;
  await s3.send(new CreateBucketCommand({ Bucket }));
});

/** Returns the checksum of the algorithm from a response of the SDK. */
function checksumIn(from: object, algorithm: ChecksumAlgorithm): unknown {
  return (from as Record<string, unknown>)[`Checksum${algorithm}`];
}

/**
 * Reads an object, or a part of it, with checksum validation. The SDK throws if the content does not match the
 * checksum.
 */
async function readValidated(Key: string, more: { PartNumber?: number } = {}) {
  const input = { Bucket, Key, ChecksumMode: 'ENABLED', ...more } as const;
  const { Body, ...head } = await s3.send(new GetObjectCommand(input));
  return { head, bytes: Buffer.from((await Body?.transformToByteArray()) ?? []) };
}

describe.each(CHECKSUM_ALGORITHMS)('%s checksums', (algorithm) => {
  const ChecksumAlgorithm: SdkAlgorithm = algorithm;
  const of = (bytes: Uint8Array) => checksumOf(algorithm, bytes);

  test.each([
    ['in a header', () => ({ Body: WHOLE.subarray(0, 1000) })],
    ['in a header of a large body', () => ({ Body: END })],
    [
      'in a trailer',
      () => ({
        Body: Readable.from([WHOLE.subarray(0, 700), WHOLE.subarray(700, 200_000)]),
        ContentLength: 200_000,
      }),
    ],
  ] as const)('GetObject returns the checksum that was put %s', async (_, body) => {
    const input: PutObjectCommandInput = { Bucket, Key: 'k', ...body(), ChecksumAlgorithm };
    const put = await s3.send(new PutObjectCommand(input));
    const { head, bytes } = await readValidated('k');
    expect(checksumIn(put, algorithm)).toBe(of(bytes));
    expect(put.ChecksumType).toBe('FULL_OBJECT');
    expect(checksumIn(head, algorithm)).toBe(of(bytes));
    const plain = await s3.send(new HeadObjectCommand({ Bucket, Key: 'k' }));
    expect(checksumIn(plain, algorithm)).toBeUndefined();
  });

  test('CopyObject calculates the checksum of the copy with the requested algorithm', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'from', Body: 'text' }));
    const CopySource = `${Bucket}/from`;
    const copy = new CopyObjectCommand({ Bucket, Key: 'to', CopySource, ChecksumAlgorithm });
    const { CopyObjectResult = {} } = await s3.send(copy);
    expect(checksumIn(CopyObjectResult, algorithm)).toBe(of(Buffer.from('text')));
    expect((await readValidated('to')).bytes.toString()).toBe('text');
  });
});

async function upload(Key: string, more: Partial<CreateMultipartUploadCommandInput>) {
  const created = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
  const { UploadId } = created;
  const Parts: CompletedPart[] = [];
  for (const [index, Body] of PIECES.entries()) {
    const PartNumber = index + 1;
    const { ChecksumAlgorithm } = more;
    const part = { Bucket, Key, UploadId, PartNumber, Body };
    const { $metadata: _, ...done } = await s3.send(
      new UploadPartCommand(ChecksumAlgorithm ? { ...part, ChecksumAlgorithm } : part),
    );
    Parts.push({ PartNumber, ...done });
  }
  return { created, UploadId, Parts };
}

describe.each([
  ['CRC32', 'COMPOSITE'],
  ['CRC32', 'FULL_OBJECT'],
  ['CRC32C', 'COMPOSITE'],
  ['CRC32C', 'FULL_OBJECT'],
  ['CRC64NVME', 'FULL_OBJECT'],
  ['SHA1', 'COMPOSITE'],
  ['SHA256', 'COMPOSITE'],
] as const)('a multipart upload with %s, %s', (algorithm, ChecksumType) => {
  test('a multipart upload with checksums completes and returns the checksum of the object', async () => {
    const Key = `${algorithm}-${ChecksumType}`;
    const asked = { ChecksumAlgorithm: algorithm, ChecksumType };
    const { created, UploadId, Parts } = await upload(Key, asked);
    expect(created).toMatchObject(asked);
    const listed = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId }));
    expect(listed).toMatchObject(asked);
    expect(listed.Parts?.map((part) => checksumIn(part, algorithm))).toEqual(
      PIECES.map((bytes) => checksumOf(algorithm, bytes)),
    );
    const whole = ChecksumType === 'FULL_OBJECT' ? checksumOf(algorithm, WHOLE) : composite();
    const done = await s3.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        ChecksumType,
        MpuObjectSize: WHOLE.length,
        MultipartUpload: { Parts },
        [`Checksum${algorithm}`]: whole,
      }),
    );
    expect([checksumIn(done, algorithm), done.ChecksumType]).toEqual([whole, ChecksumType]);
    const { head, bytes } = await readValidated(Key);
    expect([checksumIn(head, algorithm), head.ChecksumType]).toEqual([whole, ChecksumType]);
    expect(bytes.equals(WHOLE)).toBe(true);
  });

  function composite(): string {
    const checksum = runningChecksum(algorithm);
    for (const bytes of PIECES)
      checksum.update(Buffer.from(checksumOf(algorithm, bytes), 'base64'));
    return `${checksum.digest().toString('base64')}-${PIECES.length}`;
  }
});

test('a multipart upload without checksums gets a checksum of the whole object', async () => {
  const { UploadId, Parts } = await upload('plain', {});
  const complete = { Bucket, Key: 'plain', UploadId, MultipartUpload: { Parts } };
  const done = await s3.send(new CompleteMultipartUploadCommand(complete));
  expect(done).toMatchObject({
    ChecksumCRC32: checksumOf('CRC32', WHOLE),
    ChecksumType: 'FULL_OBJECT',
  });
  expect((await readValidated('plain')).bytes.equals(WHOLE)).toBe(true);
});

test('GetObjectAttributes returns all attributes, and the checksums of the parts in pages', async () => {
  const Key = 'attributes';
  const { UploadId, Parts } = await upload(Key, { ChecksumAlgorithm: 'SHA256' });
  const complete = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
  const { ETag = '' } = await s3.send(new CompleteMultipartUploadCommand(complete));
  const all = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const;
  const attributes = await s3.send(
    new GetObjectAttributesCommand({ Bucket, Key, ObjectAttributes: [...all] }),
  );
  expect(attributes.LastModified).toBeInstanceOf(Date);
  expect(attributes).toMatchObject({
    ETag: ETag.replaceAll('"', ''),
    StorageClass: 'STANDARD',
    ObjectSize: WHOLE.length,
    Checksum: { ChecksumType: 'COMPOSITE' },
    ObjectParts: { TotalPartsCount: 2, IsTruncated: false },
  });
  const page = await s3.send(
    new GetObjectAttributesCommand({
      Bucket,
      Key,
      ObjectAttributes: ['ObjectParts'],
      MaxParts: 1,
      PartNumberMarker: '1',
    }),
  );
  expect(page.ObjectParts).toMatchObject({
    TotalPartsCount: 2,
    PartNumberMarker: '1',
    MaxParts: 1,
    Parts: [
      {
        PartNumber: 2,
        Size: END.length,
        ChecksumSHA256: checksumOf('SHA256', END),
      },
    ],
  });
});

test('GetObject with a part number returns the part, its checksum and the number of parts', async () => {
  const Key = 'parts';
  const { UploadId, Parts } = await upload(Key, { ChecksumAlgorithm: 'CRC32C' });
  const complete = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
  await s3.send(new CompleteMultipartUploadCommand(complete));
  for (const [index, expected] of PIECES.entries()) {
    const { head, bytes } = await readValidated(Key, { PartNumber: index + 1 });
    expect([head.PartsCount, head.ContentLength]).toEqual([2, expected.length]);
    expect(bytes.equals(expected)).toBe(true);
  }
  await expect(s3.send(new GetObjectCommand({ Bucket, Key, PartNumber: 3 }))).rejects.toMatchObject(
    { name: 'InvalidPartNumber', $metadata: { httpStatusCode: 416 } },
  );
});

test('UploadPartCopy calculates the checksum of the part with the algorithm of its multipart upload', async () => {
  const Key = 'copied-part';
  await s3.send(new PutObjectCommand({ Bucket, Key: 'source', Body: 'hello world' }));
  const { UploadId } = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: 'SHA1' }),
  );
  const copy = { Bucket, Key, UploadId, PartNumber: 1, CopySource: `${Bucket}/source` };
  const { CopyPartResult } = await s3.send(
    new UploadPartCopyCommand({ ...copy, CopySourceRange: 'bytes=6-10' }),
  );
  expect(CopyPartResult?.ChecksumSHA1).toBe(checksumOf('SHA1', Buffer.from('world')));
});
