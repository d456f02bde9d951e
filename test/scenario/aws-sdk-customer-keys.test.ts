/**
 * Tests of customer keys (SSE-C) with the unmodified AWS SDK. The SDK computes the digest of the key
 * itself.
 */

import { createHash, randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';

import { customerKeyBytes, customerKeyMd5 } from '../helpers/customer-keys.ts';
import { sdkBench } from '../helpers/sdk-bench.ts';

const bench = sdkBench();
const Bucket = 'sdk-customer-keys';
let s3: S3Client;

beforeAll(async () => {
  s3 = bench.client;
  await s3.send(new CreateBucketCommand({ Bucket }));
});

const key = (name: string) => customerKeyBytes(name).toString('base64');
const by = (name: string) => ({ SSECustomerAlgorithm: 'AES256', SSECustomerKey: key(name) });
const from = (name: string) => ({
  CopySourceSSECustomerAlgorithm: 'AES256',
  CopySourceSSECustomerKey: key(name),
});
const echoed = (name: string) => ({
  SSECustomerAlgorithm: 'AES256',
  SSECustomerKeyMD5: customerKeyMd5(name),
});

async function bytesOf(Key: string, more: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

test.each([0, 1000, 300_000])(
  '[ssec-1] PutObject, HeadObject and GetObject work with a customer key for an object of %i bytes',
  async (size) => {
    const Key = `put-${size}`;
    const Body = randomBytes(size);
    const put = await s3.send(new PutObjectCommand({ Bucket, Key, Body, ...by('a') }));
    const ETag = `"${createHash('md5').update(Body).digest('hex')}"`;
    expect(put).toMatchObject({ ETag, ...echoed('a') });
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key, ...by('a') }));
    expect(head).toMatchObject({ ETag, ContentLength: size, ...echoed('a') });
    expect((await bytesOf(Key, by('a'))).equals(Body)).toBe(true);
    const attributes = await s3.send(
      new GetObjectAttributesCommand({
        Bucket,
        Key,
        ObjectAttributes: ['ObjectSize'],
        ...by('a'),
      }),
    );
    expect(attributes.ObjectSize).toBe(size);
  },
);

test('[ssec-3] GetObject of an encrypted object fails without its customer key and with another key', async () => {
  const Key = 'closed';
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'secret', ...by('a') }));
  await expect(s3.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
    name: 'InvalidRequest',
  });
  await expect(s3.send(new GetObjectCommand({ Bucket, Key, ...by('b') }))).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  await expect(s3.send(new HeadObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 400 },
  });
});

test('[ssec-14] GetObject with the customer key reads a multipart object with a copied part, whole and by range', async () => {
  const Key = 'parts';
  const first = randomBytes(5 * 1024 * 1024 + 7);
  const source = randomBytes(200_000);
  await s3.send(new PutObjectCommand({ Bucket, Key: 'source', Body: source, ...by('b') }));
  const created = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...by('a') }));
  expect(created).toMatchObject(echoed('a'));
  const { UploadId } = created;
  const one = await s3.send(
    new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: first, ...by('a') }),
  );
  expect(one).toMatchObject(echoed('a'));
  const wrong = new UploadPartCommand({
    Bucket,
    Key,
    UploadId,
    PartNumber: 2,
    Body: 'x',
    ...by('b'),
  });
  await expect(s3.send(wrong)).rejects.toMatchObject({ name: 'InvalidRequest' });
  const two = await s3.send(
    new UploadPartCopyCommand({
      Bucket,
      Key,
      UploadId,
      PartNumber: 2,
      CopySource: `${Bucket}/source`,
      CopySourceRange: 'bytes=1000-199999',
      ...from('b'),
      ...by('a'),
    }),
  );
  const Parts = [
    { PartNumber: 1, ETag: one.ETag, ChecksumCRC32: one.ChecksumCRC32 },
    { PartNumber: 2, ETag: two.CopyPartResult?.ETag },
  ];
  await s3.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
  );
  const whole = Buffer.concat([first, source.subarray(1000)]);
  expect((await bytesOf(Key, by('a'))).equals(whole)).toBe(true);
  const [begin, end] = [first.byteLength - 70_000, first.byteLength + 70_000];
  const part = await bytesOf(Key, { ...by('a'), Range: `bytes=${begin}-${end}` });
  expect(part.equals(whole.subarray(begin, end + 1))).toBe(true);
});

test('[ssec-12] CopyObject changes the customer key of an object, and can add or remove encryption', async () => {
  const Body = randomBytes(100_000);
  await s3.send(new PutObjectCommand({ Bucket, Key: 'plain', Body }));
  const copy = (Key: string, source: string, keys: Readonly<Record<string, string>>) =>
    s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${source}`, ...keys }));
  expect(await copy('encrypted', 'plain', by('a'))).toMatchObject(echoed('a'));
  await copy('other', 'encrypted', { ...from('a'), ...by('b') });
  await copy('plain again', 'other', from('b'));
  expect((await bytesOf('other', by('b'))).equals(Body)).toBe(true);
  expect((await bytesOf('plain again', {})).equals(Body)).toBe(true);
  // A copy of an object onto itself changes its customer key.
  await copy('encrypted', 'encrypted', { ...from('a'), ...by('b') });
  expect((await bytesOf('encrypted', by('b'))).equals(Body)).toBe(true);
});
