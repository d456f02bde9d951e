/**
 * Tests of the gateway and the storage engine with the unmodified AWS SDK, its default checksums and its chunked
 * bodies.
 */

import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectLegalHoldCommand,
  GetObjectLockConfigurationCommand,
  GetObjectRetentionCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListPartsCommand,
  paginateListObjectsV2,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectLockConfigurationCommand,
  PutObjectRetentionCommand,
  ListObjectVersionsCommand,
  type S3Client,
  UploadPartCommand,
  type ListObjectsCommandOutput,
  type ObjectLockRule,
} from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';
import { sdkBench } from '../helpers/sdk-bench.ts';
import { REGION } from '../helpers/wire-bench.ts';

const bench = sdkBench();
let s3: S3Client;

beforeAll(() => {
  s3 = bench.client;
});

async function newBucket(Bucket: string): Promise<string> {
  await s3.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

async function textOf(
  Bucket: string,
  Key: string,
  more: { VersionId?: string; Range?: string } = {},
) {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Body?.transformToString();
}

test('[svc-2] the AWS SDK creates, finds, lists and deletes buckets', async () => {
  const Bucket = await newBucket('sdk-buckets');
  expect(await s3.send(new HeadBucketCommand({ Bucket }))).toMatchObject({ BucketRegion: REGION });
  const { Buckets } = await s3.send(new ListBucketsCommand({}));
  expect(Buckets?.map(({ Name }) => Name)).toContain(Bucket);
  expect((await s3.send(new GetBucketLocationCommand({ Bucket }))).LocationConstraint).toBe(REGION);
  await s3.send(new DeleteBucketCommand({ Bucket }));
  await expect(s3.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 404 },
  });
  await expect(s3.send(new ListObjectsCommand({ Bucket }))).rejects.toMatchObject({
    name: 'NoSuchBucket',
  });
});

test.each([
  ['a string', 'hello', 5],
  ['an empty buffer', Buffer.alloc(0), 0],
  ['a buffer', Buffer.from('hello'), 5],
])('the AWS SDK puts %s as an object and reads it back', async (_, Body, length) => {
  const Bucket = await newBucket(`sdk-put-${length}-${typeof Body}`);
  const put = await s3.send(
    new PutObjectCommand({ Bucket, Key: 'a b/ü+%.txt', Body, Metadata: { colour: 'blue' } }),
  );
  expect(put.ETag).toBe(`"${createHash('md5').update(Body).digest('hex')}"`);
  expect(await textOf(Bucket, 'a b/ü+%.txt')).toBe(Body.toString());
  expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'a b/ü+%.txt' }))).toMatchObject({
    ContentLength: length,
    ETag: put.ETag,
    Metadata: { colour: 'blue' },
  });
});

test('the AWS SDK puts a stream of known length in chunks with a trailing checksum', async () => {
  const Bucket = await newBucket('sdk-stream');
  const bytes = randomBytes(3_000_000);
  const Body = Readable.from([
    bytes.subarray(0, 100),
    bytes.subarray(100, 2_000_000),
    bytes.subarray(2_000_000),
  ]);
  await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body, ContentLength: bytes.byteLength }));
  const { Body: read, ContentEncoding } = await s3.send(new GetObjectCommand({ Bucket, Key: 'k' }));
  expect(Buffer.from((await read?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
  expect(ContentEncoding).toBeUndefined();
});

test('the service honours range requests, conditional reads and conditional writes of the AWS SDK', async () => {
  const Bucket = await newBucket('sdk-ranges');
  const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'hello' }));
  expect(await textOf(Bucket, 'k', { Range: 'bytes=1-3' })).toBe('ell');
  await expect(
    s3.send(new GetObjectCommand({ Bucket, Key: 'k', Range: 'bytes=9-' })),
  ).rejects.toMatchObject({
    name: 'InvalidRange',
  });
  await expect(
    s3.send(new GetObjectCommand({ Bucket, Key: 'k', IfNoneMatch: ETag })),
  ).rejects.toMatchObject({
    $metadata: { httpStatusCode: 304 },
  });
  await expect(
    s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', IfNoneMatch: '*' })),
  ).rejects.toMatchObject({
    name: 'PreconditionFailed',
  });
  await expect(s3.send(new GetObjectCommand({ Bucket, Key: 'none' }))).rejects.toMatchObject({
    name: 'NoSuchKey',
  });
});

test('ListObjects and ListObjectsV2 page through all keys', async () => {
  const Bucket = await newBucket('sdk-lists');
  const keys = ['a/1', 'a/2 +', 'b\u0001', 'c&<', 'ü', '😀'];
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));

  const listed: string[] = [];
  const pages = paginateListObjectsV2({ client: s3, pageSize: 2 }, { Bucket, EncodingType: 'url' });
  for await (const { Contents = [] } of pages) {
    listed.push(...Contents.map(({ Key = '' }) => decodeURIComponent(Key)));
  }
  expect(listed).toEqual(keys);

  const names: string[] = [];
  const list = { Bucket, Delimiter: '/', MaxKeys: 1, EncodingType: 'url' } as const;
  let marker: string | undefined = '';
  while (marker !== undefined) {
    const page: ListObjectsCommandOutput = await s3.send(
      new ListObjectsCommand({ ...list, Marker: marker }),
    );
    names.push(...(page.CommonPrefixes ?? []).map(({ Prefix = '' }) => Prefix));
    names.push(...(page.Contents ?? []).map(({ Key = '' }) => decodeURIComponent(Key)));
    marker = page.NextMarker === undefined ? undefined : decodeURIComponent(page.NextMarker);
  }
  expect(names).toEqual(['a/', ...keys.slice(2)]);
});

test('CopyObject creates an object with the same content and metadata', async () => {
  const Bucket = await newBucket('sdk-copy');
  await s3.send(new PutObjectCommand({ Bucket, Key: 'from +', Body: 'x', Metadata: { a: '1' } }));
  const CopySource = `${Bucket}/${encodeURIComponent('from +')}`;
  const { CopyObjectResult } = await s3.send(
    new CopyObjectCommand({ Bucket, Key: 'to', CopySource }),
  );
  expect(CopyObjectResult?.LastModified).toBeInstanceOf(Date);
  const { Metadata } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'to' }));
  expect(Metadata).toEqual({ a: '1' });
});

test('the AWS SDK lists, reads and deletes versions and delete markers', async () => {
  const Bucket = await newBucket('sdk-versions');
  await s3.send(
    new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
  );
  expect((await s3.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBe('Enabled');
  const first = await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'one' }));
  await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'two' }));
  const { DeleteMarker, VersionId } = await s3.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
  expect(DeleteMarker).toBe(true);
  expect(await textOf(Bucket, 'k', { VersionId: first.VersionId ?? '' })).toBe('one');
  const page = await s3.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 2 }));
  expect([page.IsTruncated, page.DeleteMarkers?.length, page.Versions?.length]).toEqual([
    true,
    1,
    1,
  ]);
  const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
  const rest = await s3.send(new ListObjectVersionsCommand({ Bucket, KeyMarker, VersionIdMarker }));
  expect(rest.Versions?.map(({ VersionId: id }) => id)).toEqual([first.VersionId]);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'k', VersionId }));
  expect(await textOf(Bucket, 'k')).toBe('two');
});

test('the AWS SDK deletes several objects in one request', async () => {
  const Bucket = await newBucket('sdk-deletes');
  await s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
  const Delete = { Objects: [{ Key: 'a' }, { Key: 'none' }] };
  const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete }));
  expect([Deleted?.map(({ Key }) => Key), Errors]).toEqual([['a', 'none'], undefined]);
});

async function lockBucket(Bucket: string): Promise<string> {
  await s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
  return Bucket;
}

test('the default retention of a bucket locks new objects until it is removed', async () => {
  const Bucket = await lockBucket('sdk-default-retention');
  const configure = (Rule?: ObjectLockRule) =>
    s3.send(
      new PutObjectLockConfigurationCommand({
        Bucket,
        ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled', Rule },
      }),
    );
  const current = async () =>
    (await s3.send(new GetObjectLockConfigurationCommand({ Bucket }))).ObjectLockConfiguration;
  const Rule: ObjectLockRule = { DefaultRetention: { Mode: 'COMPLIANCE', Days: 2 } };
  await configure(Rule);
  expect(await current()).toEqual({ ObjectLockEnabled: 'Enabled', Rule });

  const put = await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const version = { Bucket, Key: 'k', VersionId: put.VersionId };
  const { LastModified, ...head } = await s3.send(new HeadObjectCommand(version));
  const days = (Number(head.ObjectLockRetainUntilDate) - Number(LastModified)) / 86_400_000;
  expect([head.ObjectLockMode, Math.round(days)]).toEqual(['COMPLIANCE', 2]);
  await expect(s3.send(new DeleteObjectCommand(version))).rejects.toMatchObject({
    name: 'AccessDenied',
  });

  for (const cancelled of [{}, undefined]) {
    await configure(Rule);
    await configure(cancelled);
    expect(await current()).toEqual({ ObjectLockEnabled: 'Enabled' });
  }
  await expect(
    configure({ DefaultRetention: { Mode: 'COMPLIANCE', Days: 0 } }),
  ).rejects.toMatchObject({ name: 'InvalidRetentionPeriod' });
});

test('the AWS SDK sets, reads and extends a retention, and shortens it only under GOVERNANCE with a bypass', async () => {
  const Bucket = await lockBucket('sdk-retention');
  const { VersionId } = await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const version = { Bucket, Key: 'k', VersionId };
  const current = async () => (await s3.send(new GetObjectRetentionCommand(version))).Retention;
  await expect(current()).rejects.toMatchObject({ name: 'ObjectLockConfigurationNotFoundError' });
  const put = (year: number, more: { BypassGovernanceRetention?: boolean } = {}) => {
    const Retention = { Mode: 'GOVERNANCE', RetainUntilDate: new Date(Date.UTC(year)) } as const;
    return s3.send(new PutObjectRetentionCommand({ ...version, Retention, ...more }));
  };
  for (const year of [2040, 2041]) await put(year);
  await expect(put(2040)).rejects.toMatchObject({ name: 'AccessDenied' });
  await put(2040, { BypassGovernanceRetention: true });
  expect(await current()).toEqual({ Mode: 'GOVERNANCE', RetainUntilDate: new Date('2040-01-01') });
  await expect(put(2000)).rejects.toMatchObject({ name: 'InvalidArgument' });
});

test('the AWS SDK sets, reads and removes a legal hold, and the hold prevents deleting the version', async () => {
  const Bucket = await lockBucket('sdk-legal-hold');
  const { VersionId } = await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const version = { Bucket, Key: 'k', VersionId };
  const put = (Status: 'ON' | 'OFF') =>
    s3.send(new PutObjectLegalHoldCommand({ ...version, LegalHold: { Status } }));
  const current = async () => (await s3.send(new GetObjectLegalHoldCommand(version))).LegalHold;
  await expect(current()).rejects.toMatchObject({ name: 'ObjectLockConfigurationNotFoundError' });
  await put('ON');
  expect(await current()).toEqual({ Status: 'ON' });
  const { Errors } = await s3.send(
    new DeleteObjectsCommand({
      Bucket,
      Delete: { Objects: [{ Key: 'k', VersionId }] },
      BypassGovernanceRetention: true,
    }),
  );
  expect(Errors).toMatchObject([{ Key: 'k', VersionId, Code: 'AccessDenied' }]);
  await put('OFF');
  expect(await current()).toEqual({ Status: 'OFF' });
  await s3.send(new DeleteObjectCommand(version));
});

test('the AWS SDK creates, lists, completes and aborts multipart uploads', async () => {
  const Bucket = await newBucket('sdk-multipart');
  const Key = 'big ü';
  const bytes = randomBytes(5 * 1024 * 1024 + 7);
  const { UploadId } = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key, Metadata: { a: '1' } }),
  );
  const Parts = [];
  for (const [index, Body] of [
    bytes.subarray(0, 5 * 1024 * 1024),
    bytes.subarray(5 * 1024 * 1024),
  ].entries()) {
    const PartNumber = index + 1;
    const { ETag } = await s3.send(
      new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }),
    );
    Parts.push({ PartNumber, ETag });
  }
  const { Uploads } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(Uploads).toMatchObject([{ Key, UploadId }]);
  expect((await s3.send(new ListPartsCommand({ Bucket, Key, UploadId }))).Parts).toMatchObject(
    Parts,
  );
  const done = await s3.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
  );
  expect(done.ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
  const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
  expect(Metadata).toEqual({ a: '1' });

  const other = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: other.UploadId }));
  await expect(
    s3.send(new ListPartsCommand({ Bucket, Key, UploadId: other.UploadId })),
  ).rejects.toMatchObject({ name: 'NoSuchUpload' });
});
