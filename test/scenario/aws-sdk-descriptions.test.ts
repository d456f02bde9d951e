/**
 * Tests of tags and object metadata with the unmodified AWS SDK, including what a copy preserves.
 */

import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketTaggingCommand,
  DeleteObjectTaggingCommand,
  GetBucketTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sdkBench } from '../helpers/sdk-bench.ts';

const bench = sdkBench();
let s3: S3Client;
let Bucket: string;
let buckets = 0;
const Key = 'a/b c+ü';

beforeAll(() => {
  s3 = bench.client;
});

beforeEach(async () => {
  Bucket = `sdk-described-${(buckets += 1)}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
});

/** The tags of the tests, sorted by key as GetObjectTagging returns them. */
const TagSet = [
  { Key: 'grün/blau @1', Value: 'a+b=c' },
  { Key: 'year', Value: '2026' },
];
const Tagging = new URLSearchParams(
  Object.fromEntries(TagSet.map(({ Key, Value }) => [Key, Value])),
).toString();
const put = (more: object = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body: 'text', ...more }));
const tags = async (more: object = {}) =>
  (await s3.send(new GetObjectTaggingCommand({ Bucket, Key, ...more }))).TagSet;

describe('tags with the AWS SDK', () => {
  test('the AWS SDK sets, reads, counts and deletes the tags of an object', async () => {
    await put();
    await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet } }));
    expect(await tags()).toEqual(TagSet);
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key }))).TagCount).toBe(2);
    expect((await s3.send(new GetObjectCommand({ Bucket, Key }))).TagCount).toBe(2);
    await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key }));
    expect(await tags()).toEqual([]);
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key }))).TagCount).toBeUndefined();
  });

  test('PutObject and CreateMultipartUpload set the tags in their request', async () => {
    await put({ Tagging });
    expect(await tags()).toEqual(TagSet);
    const begun = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, Tagging: 'a=1' }));
    const upload = { Bucket, Key, UploadId: begun.UploadId, PartNumber: 1 };
    const { ETag } = await s3.send(new UploadPartCommand({ ...upload, Body: 'part' }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }));
    expect(await tags()).toEqual([{ Key: 'a', Value: '1' }]);
  });

  test('each version of an object has its own tags', async () => {
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    const { VersionId } = await put({ Tagging: 'v=1' });
    await put({ Tagging: 'v=2' });
    const old = { Bucket, Key, VersionId };
    await s3.send(new PutObjectTaggingCommand({ ...old, Tagging: { TagSet } }));
    expect(await tags({ VersionId })).toEqual(TagSet);
    expect(await tags()).toEqual([{ Key: 'v', Value: '2' }]);
  });

  test('PutObjectTagging with invalid tags fails with InvalidTag', async () => {
    await put({ Tagging });
    for (const refused of [
      [{ Key: 'a&b', Value: '' }],
      [{ Key: 'aws:x', Value: '' }],
      Array.from({ length: 11 }, (_, index) => ({ Key: `k${index}`, Value: '' })),
    ]) {
      const command = new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet: refused } });
      await expect(s3.send(command)).rejects.toMatchObject({ name: 'InvalidTag' });
    }
    expect(await tags()).toEqual(TagSet);
  });

  test('the AWS SDK sets, reads and deletes the tags of a bucket', async () => {
    const read = () => s3.send(new GetBucketTaggingCommand({ Bucket }));
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchTagSet' });
    await s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
    expect((await read()).TagSet).toEqual(TagSet);
    await s3.send(new DeleteBucketTaggingCommand({ Bucket }));
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchTagSet' });
  });
});

const ATTRIBUTES = {
  ContentType: 'text/plain; charset=utf-8',
  ContentEncoding: 'gzip',
  ContentDisposition: 'attachment; filename="a.txt"',
  ContentLanguage: 'de',
  CacheControl: 'max-age=60',
  WebsiteRedirectLocation: 'https://example.org/a',
  Metadata: { colour: 'red', 'with-hyphen': 'x' },
};

describe('object metadata with the AWS SDK', () => {
  const head = () => s3.send(new HeadObjectCommand({ Bucket, Key }));

  test('GetObject returns the metadata of an object as it was put, with lower-case names', async () => {
    await put({ ...ATTRIBUTES, Metadata: { Colour: 'red', 'With-Hyphen': 'x' } });
    expect(await head()).toMatchObject(ATTRIBUTES);
    expect(await s3.send(new GetObjectCommand({ Bucket, Key }))).toMatchObject(ATTRIBUTES);
  });

  test('GetObject returns the Expires header of an object as it was put', async () => {
    await put({ Expires: new Date(Date.UTC(2030, 0, 1)) });
    expect((await head()).ExpiresString).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
  });

  test('CopyObject copies or replaces metadata and tags according to MetadataDirective and TaggingDirective', async () => {
    await put({ ...ATTRIBUTES, Tagging });
    const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
    const copied = { Bucket, Key: 'copy' };
    const current = async () => {
      const { Metadata, ContentType } = await s3.send(new HeadObjectCommand(copied));
      return { Metadata, ContentType, tags: await tags(copied) };
    };
    await s3.send(new CopyObjectCommand({ ...copied, CopySource }));
    const { Metadata, ContentType } = ATTRIBUTES;
    expect(await current()).toEqual({ Metadata, ContentType, tags: TagSet });
    const replaced = {
      MetadataDirective: 'REPLACE',
      Metadata: { b: '2' },
      ContentType: 'a/b',
    } as const;
    await s3.send(new CopyObjectCommand({ ...copied, CopySource, ...replaced }));
    expect(await current()).toEqual({ Metadata: { b: '2' }, ContentType: 'a/b', tags: TagSet });
    const retagged = { TaggingDirective: 'REPLACE', Tagging: 'c=3' } as const;
    await s3.send(new CopyObjectCommand({ ...copied, CopySource, ...retagged }));
    expect(await current()).toEqual({ Metadata, ContentType, tags: [{ Key: 'c', Value: '3' }] });
  });

  test('CopyObject of an object onto itself with MetadataDirective REPLACE replaces the metadata and keeps the tags', async () => {
    await put({ ...ATTRIBUTES, Tagging });
    const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
    const change = { MetadataDirective: 'REPLACE', Metadata: { only: '1' } } as const;
    await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, ...change }));
    const { Metadata, CacheControl, WebsiteRedirectLocation } = await head();
    expect([Metadata, CacheControl, WebsiteRedirectLocation]).toEqual([
      { only: '1' },
      undefined,
      undefined,
    ]);
    expect(await tags()).toEqual(TagSet);
  });

  test('UploadPartCopy copies a range of an object into a multipart upload', async () => {
    await put();
    const begun = await s3.send(
      new CreateMultipartUploadCommand({ Bucket, Key: 'parts', Tagging, ContentType: 'a/b' }),
    );
    const upload = { Bucket, Key: 'parts', UploadId: begun.UploadId, PartNumber: 1 };
    const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
    const part = { ...upload, CopySource, CopySourceRange: 'bytes=1-2' };
    const { CopyPartResult } = await s3.send(new UploadPartCopyCommand(part));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: CopyPartResult?.ETag }] };
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }));
    const { Body, ContentType } = await s3.send(new GetObjectCommand({ Bucket, Key: 'parts' }));
    expect([await Body?.transformToString(), ContentType]).toEqual(['ex', 'a/b']);
    expect(await tags({ Key: 'parts' })).toEqual(TagSet);
  });
});
