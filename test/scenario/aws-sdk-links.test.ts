/**
 * Tests of presigned URLs, browser forms and bulk deletes. The AWS SDK signs them, and a plain HTTP client sends
 * the URLs and forms.
 */

import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { beforeAll, describe, expect, test } from 'vitest';

import { sdkBench } from '../helpers/sdk-bench.ts';

const bench = sdkBench();
const Bucket = 'links';

beforeAll(async () => {
  await bench.client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
});

const put = async (Key: string, more: object = {}) =>
  bench.client.send(new PutObjectCommand({ Bucket, Key, Body: 'hello', ...more }));

describe('presigned URLs', () => {
  test('[link-13] a presigned GET URL returns the object with the signed response headers', async () => {
    await put('a b/ü.txt');
    const command = new GetObjectCommand({
      Bucket,
      Key: 'a b/ü.txt',
      ResponseContentDisposition: 'attachment; filename="u.txt"',
    });
    const url = await getSignedUrl(bench.client, command, { expiresIn: 604_800 });
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([200, 'hello']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="u.txt"');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(url.replace('.txt', '.txd'))).status).toBe(403);
  });

  test('[link-14] a presigned PUT URL accepts a body and only the headers that its signature covers', async () => {
    const command = new PutObjectCommand({
      Bucket,
      Key: 'sent',
      ContentType: 'text/plain',
      Metadata: { by: 'link' },
    });
    const url = await getSignedUrl(bench.client, command, { expiresIn: 60 });
    const headers = { 'content-type': 'text/plain' };
    const answer = await fetch(url, { method: 'PUT', body: 'by link', headers });
    expect(answer.status).toBe(200);
    const head = await bench.client.send(new HeadObjectCommand({ Bucket, Key: 'sent' }));
    expect(head).toMatchObject({
      ContentLength: 7,
      ContentType: 'text/plain',
      Metadata: { by: 'link' },
    });
    const withMore = { ...headers, 'x-amz-acl': 'public-read' };
    expect((await fetch(url, { method: 'PUT', body: 'x', headers: withMore })).status).toBe(403);
  });
});

describe('browser forms', () => {
  /**
   * Submits a form like a browser: with its own boundary and field order, and with the file as the last field.
   */
  const submit = (
    { url, fields }: { url: string; fields: Readonly<Record<string, string>> },
    file: Blob,
    name = 'photo.jpg',
  ) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', file, name);
    return fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  };

  test('[form-26] the service accepts a form that the AWS SDK signed with all its conditions', async () => {
    const post = await createPresignedPost(bench.client, {
      Bucket,
      Key: 'up/${filename}',
      Conditions: [
        ['content-length-range', 1, 1000],
        ['starts-with', '$Content-Type', 'image/'],
        { 'x-amz-meta-by': 'form' },
      ],
      Fields: { 'x-amz-meta-by': 'form', success_action_status: '201' },
      Expires: 600,
    });
    const fields = { ...post.fields, 'Content-Type': 'image/jpeg' };
    const answer = await submit({ ...post, fields }, new Blob(['picture']));
    expect([answer.status, await answer.text()]).toEqual([
      201,
      expect.stringContaining('<Key>up/photo.jpg</Key>'),
    ]);
    const head = await bench.client.send(new HeadObjectCommand({ Bucket, Key: 'up/photo.jpg' }));
    expect(head).toMatchObject({ ContentType: 'image/jpeg', Metadata: { by: 'form' } });
  });

  test.each([
    ['a file that is too large', { size: 1001 }, 400],
    ['a file that is too small', { size: 0 }, 400],
    ['another type', { size: 5, fields: { 'Content-Type': 'text/html' } }, 403],
    ['an additional field', { size: 5, fields: { acl: 'public-read' } }, 403],
  ])(
    '[form-27] the service rejects a signed form with %s',
    async (_, { size, fields = {} }: Tried, status) => {
      const post = await createPresignedPost(bench.client, {
        Bucket,
        Key: 'refused',
        Conditions: [
          ['content-length-range', 1, 1000],
          ['starts-with', '$Content-Type', 'image/'],
        ],
        Expires: 600,
      });
      const given = { ...post.fields, 'Content-Type': 'image/png', ...fields };
      const answer = await submit({ ...post, fields: given }, new Blob(['x'.repeat(size)]));
      expect(answer.status).toBe(status);
      const missing = bench.client.send(new HeadObjectCommand({ Bucket, Key: 'refused' }));
      await expect(missing).rejects.toMatchObject({ name: 'NotFound' });
    },
  );

  test('the service accepts a browser form with a large file', async () => {
    const post = await createPresignedPost(bench.client, { Bucket, Key: 'large', Expires: 600 });
    const answer = await submit(post, new Blob([Buffer.alloc(9_000_000, 'ab\r\n--')]));
    expect(answer.status).toBe(204);
    const head = await bench.client.send(new HeadObjectCommand({ Bucket, Key: 'large' }));
    expect(head.ContentLength).toBe(9_000_000);
  });
});

interface Tried {
  readonly size: number;
  readonly fields?: Readonly<Record<string, string>>;
}

describe('bulk deletes', () => {
  test('[bulk-9] DeleteObjects deletes 1,000 keys in one request, except for a version under legal hold', async () => {
    const held = await put('d/held', { ObjectLockLegalHoldStatus: 'ON' });
    const free = await put('d/free');
    const Objects = [
      { Key: 'd/held', VersionId: held.VersionId },
      { Key: 'd/free', VersionId: free.VersionId },
      ...Array.from({ length: 998 }, (_, index) => ({ Key: `d/missing-${index}` })),
    ];
    const loud = await bench.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(loud.Deleted).toHaveLength(999);
    const error = { Code: 'AccessDenied', Key: 'd/held', VersionId: held.VersionId };
    expect(loud.Errors).toMatchObject([error]);
    const Quiet = true;
    const quiet = await bench.client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: Objects.slice(0, 2), Quiet } }),
    );
    expect([quiet.Deleted, quiet.Errors]).toMatchObject([undefined, [error]]);
    const left = await bench.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'd/' }));
    expect(left.Contents?.map(({ Key }) => Key)).toEqual(['d/held']);
  });

  test('[bulk-10] DeleteObjects deletes an object only if its ETag, size and time match the request', async () => {
    const { ETag } = await put('known');
    const Key = 'known';
    const { LastModified, ContentLength: Size } = await bench.client.send(
      new HeadObjectCommand({ Bucket, Key }),
    );
    const remove = (condition: object) =>
      bench.client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key, ...condition }] } }),
      );
    expect((await remove({ Size: 1 })).Errors).toMatchObject([{ Code: 'PreconditionFailed' }]);
    expect((await remove({ ETag, Size, LastModifiedTime: LastModified })).Errors).toBeUndefined();
  });
});
