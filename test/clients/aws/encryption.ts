/**
 * Checks of objects that are encrypted with customer keys (SSE-C), with `aws s3 --sse-c` and `aws
 * s3api`.
 */

import assert from 'node:assert/strict';

import { assertSameBytes, assertSameFile, bytesOf, md5, MIB, writeContent } from '../content.ts';
import type { Aws, Options } from './aws.ts';

/** Size in bytes of an object that aws uploads in parts, because it is larger than 8 MiB. */
const LARGE_BYTES = 20 * MIB;

export async function checkEncryption(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('encryption');
  const url = (key = '') => `s3://${bucket}/${key}`;
  const file = (name: string) => `fileb://${lane.path(name)}`;
  const quiet = '--no-progress';
  const by = (name: string) => ['--sse-c', 'AES256', '--sse-c-key', file(name)];
  const from = (name: string) =>
    `--sse-c-copy-source AES256 --sse-c-copy-source-key ${file(name)}`.split(' ');
  const keyOf = (name: string): Options => ({
    sseCustomerAlgorithm: 'AES256',
    sseCustomerKey: file(name),
  });
  const content = bytesOf(LARGE_BYTES, 5);
  writeContent(lane.path('one.key'), bytesOf(32, 11), 0o600);
  writeContent(lane.path('two.key'), bytesOf(32, 12), 0o600);
  writeContent(lane.path('up'), content);
  await aws.api('create-bucket', { bucket });

  await lane.check(
    'put-object with a customer key returns its MD5, and get-object needs the same key',
    async () => {
      const object = { bucket, key: 'small' };
      writeContent(lane.path('small'), 'secret');
      const body = lane.path('small');
      const put = await aws.api('put-object', { ...object, body, ...keyOf('one.key') });
      assert.equal(put['ETag'], `"${md5(Buffer.from('secret'))}"`);
      const digest = Buffer.from(md5(bytesOf(32, 11)), 'hex').toString('base64');
      assert.equal(put['SSECustomerKeyMD5'], digest);
      assertSameBytes(await aws.read({ ...object, ...keyOf('one.key') }), 'secret');
      await aws.refused('InvalidRequest', 'get-object', object);
      await aws.refused('AccessDenied', 'get-object', { ...object, ...keyOf('two.key') });
    },
  );

  await lane.check(
    's3 cp --sse-c uploads a file in parts and downloads the same bytes',
    async () => {
      await aws.s3('cp', quiet, lane.path('up'), url('large'), ...by('one.key'));
      await aws.s3('cp', quiet, url('large'), lane.path('down'), ...by('one.key'));
      assertSameFile(lane.path('down'), content);
      const head = await aws.api('head-object', { bucket, key: 'large', ...keyOf('one.key') });
      assert.match(String(head['ETag']), /-\d+"$/);
    },
  );

  await lane.check(
    's3 cp --sse-c-copy-source copies a large object in parts to another customer key',
    async () => {
      const keys = [...from('one.key'), ...by('two.key')];
      await aws.s3('cp', quiet, url('large'), url('rotated'), ...keys);
      await aws.s3('cp', quiet, url('rotated'), lane.path('down'), ...by('two.key'));
      assertSameFile(lane.path('down'), content);
    },
  );

  await lane.check('copy-object of an object onto itself replaces its customer key', async () => {
    const object = { bucket, key: 'small' };
    const source = {
      copySource: `${bucket}/small`,
      copySourceSseCustomerAlgorithm: 'AES256',
      copySourceSseCustomerKey: file('one.key'),
    };
    await aws.api('copy-object', { ...object, ...source, ...keyOf('two.key') });
    assertSameBytes(await aws.read({ ...object, ...keyOf('two.key') }), 'secret');
    await aws.refused('AccessDenied', 'get-object', { ...object, ...keyOf('one.key') });
  });

  await lane.check(
    'upload-part accepts only the customer key of its multipart upload',
    async () => {
      const object = { bucket, key: 'parts' };
      const body = lane.path('part');
      const sizeBytes = 5 * MIB;
      writeContent(body, content.subarray(0, sizeBytes));
      type Output = { UploadId: string; ETag: string };
      const { UploadId: uploadId } = await aws.api<Output>('create-multipart-upload', {
        ...object,
        ...keyOf('one.key'),
      });
      const part = { ...object, uploadId, partNumber: 1, body };
      await aws.refused('InvalidRequest', 'upload-part', part);
      await aws.refused('InvalidRequest', 'upload-part', { ...part, ...keyOf('two.key') });
      const { ETag } = await aws.api<Output>('upload-part', { ...part, ...keyOf('one.key') });
      const copied = await aws.api<{ CopyPartResult: { ETag: string } }>('upload-part-copy', {
        ...object,
        uploadId,
        partNumber: 2,
        copySource: `${bucket}/rotated`,
        copySourceSseCustomerAlgorithm: 'AES256',
        copySourceSseCustomerKey: file('two.key'),
        ...keyOf('one.key'),
      });
      const Parts = [
        { PartNumber: 1, ETag },
        { PartNumber: 2, ETag: copied.CopyPartResult.ETag },
      ];
      await aws.api('complete-multipart-upload', {
        ...object,
        uploadId,
        multipartUpload: { Parts },
      });
      const range = `bytes=${sizeBytes - 10}-${sizeBytes + 9}`;
      const whole = Buffer.concat([content.subarray(0, sizeBytes), content]);
      const read = await aws.read({ ...object, ...keyOf('one.key'), range });
      assertSameBytes(read, whole.subarray(sizeBytes - 10, sizeBytes + 10));
      assertSameBytes(await aws.read({ ...object, ...keyOf('one.key') }), whole);
      await aws.refused('AccessDenied', 'get-object', { ...object, ...keyOf('two.key') });
    },
  );
}
