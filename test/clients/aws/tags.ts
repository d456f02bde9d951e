/** Checks of tags of objects, object versions and buckets with `aws s3api`. */

import assert from 'node:assert/strict';

import { bytesOf, MIB, writeContent } from '../content.ts';
import type { Aws, Options } from './aws.ts';

const BLUE = { Key: 'colour', Value: 'blue' };
const ROUND = { Key: 'shape', Value: 'round ü' };

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Key: `key-${index}`, Value: '' }));

export async function checkTags(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('tags');
  const object = { bucket, key: 'tagged' };
  const body = lane.path('tagged');
  const tagsOf = async (key: string, more: Options = {}) =>
    (await aws.api<{ TagSet: object[] }>('get-object-tagging', { bucket, key, ...more })).TagSet;
  writeContent(body, 'tagged');
  await aws.api('create-bucket', { bucket });

  await lane.check('put-object --tagging stores tags that get-object-tagging returns', async () => {
    await aws.api('put-object', { ...object, body, tagging: 'colour=blue&shape=round%20%C3%BC' });
    assert.deepEqual(await tagsOf('tagged'), [BLUE, ROUND]);
    assert.equal((await aws.api('get-object', object))['TagCount'], 2);
  });

  await lane.check(
    'put-object-tagging replaces all tags, and delete-object-tagging removes them',
    async () => {
      await aws.api('put-object-tagging', { ...object, tagging: { TagSet: [ROUND] } });
      assert.deepEqual(await tagsOf('tagged'), [ROUND]);
      await aws.api('delete-object-tagging', object);
      assert.deepEqual(await tagsOf('tagged'), []);
    },
  );

  await lane.check(
    'put-object-tagging rejects 11 tags or a duplicate key and keeps the old tags',
    async () => {
      const set = (TagSet: object[]) => ({ ...object, tagging: { TagSet } });
      await aws.api('put-object-tagging', set(numbered(10)));
      await aws.refused('InvalidTag', 'put-object-tagging', set(numbered(11)));
      await aws.refused('InvalidTag', 'put-object-tagging', set([BLUE, BLUE]));
      await aws.refused('NoSuchKey', 'get-object-tagging', { bucket, key: 'missing' });
      assert.deepEqual(await tagsOf('tagged'), numbered(10));
    },
  );

  await lane.check(
    'copy-object copies the tags, or replaces them with --tagging-directive REPLACE',
    async () => {
      await aws.api('put-object-tagging', { ...object, tagging: { TagSet: [BLUE] } });
      const copy = { bucket, key: 'copy', copySource: `${bucket}/tagged` };
      await aws.api('copy-object', copy);
      assert.deepEqual(await tagsOf('copy'), [BLUE]);
      await aws.api('copy-object', {
        ...copy,
        taggingDirective: 'REPLACE',
        tagging: 'shape=round ü',
      });
      assert.deepEqual(await tagsOf('copy'), [ROUND]);
    },
  );

  // Version 1 of aws does not copy tags in a multipart copy, whatever the service is.
  if (!aws.isNewer) {
    await lane.check('s3 cp keeps the tags of a large object that it copies in parts', async () => {
      const [from, to] = [`s3://${bucket}/large`, `s3://${bucket}/large-copy`];
      writeContent(lane.path('large'), bytesOf(9 * MIB));
      await aws.s3('cp', '--no-progress', lane.path('large'), from);
      await aws.api('put-object-tagging', { bucket, key: 'large', tagging: { TagSet: [BLUE] } });
      await aws.s3('cp', '--no-progress', from, to);
      assert.deepEqual(await tagsOf('large-copy'), [BLUE]);
    });
  }

  await lane.check('each version of an object has its own tags', async () => {
    const versioningConfiguration = { Status: 'Enabled' };
    await aws.api('put-bucket-versioning', { bucket, versioningConfiguration });
    type Output = { VersionId: string };
    const put = (tagging: string) =>
      aws.api<Output>('put-object', { bucket, key: 'versions', body, tagging });
    const { VersionId: versionId } = await put('colour=blue');
    await put('shape=round ü');
    await aws.api('delete-object-tagging', { bucket, key: 'versions' });
    assert.deepEqual(await tagsOf('versions'), []);
    assert.deepEqual(await tagsOf('versions', { versionId }), [BLUE]);
  });

  await lane.check(
    'create-multipart-upload --tagging sets the tags of the completed object',
    async () => {
      const parts = { bucket, key: 'parts' };
      type Output = { UploadId: string; ETag: string };
      const started = await aws.api<Output>('create-multipart-upload', {
        ...parts,
        tagging: 'colour=blue',
      });
      const upload = { ...parts, uploadId: started.UploadId };
      const { ETag } = await aws.api<Output>('upload-part', { ...upload, partNumber: 1, body });
      const multipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
      await aws.api('complete-multipart-upload', { ...upload, multipartUpload });
      assert.deepEqual(await tagsOf('parts'), [BLUE]);
    },
  );

  await lane.check(
    'put-bucket-tagging sets the tags of a bucket, and delete-bucket-tagging removes them',
    async () => {
      await aws.refused('NoSuchTagSet', 'get-bucket-tagging', { bucket });
      const put = (TagSet: object[]) => ({ bucket, tagging: { TagSet } });
      await aws.api('put-bucket-tagging', put([BLUE, ROUND]));
      await aws.refused('InvalidTag', 'put-bucket-tagging', put([BLUE, BLUE]));
      await aws.byGuest('AccessDenied', 'get-bucket-tagging', { bucket });
      assert.deepEqual(await aws.api('get-bucket-tagging', { bucket }), { TagSet: [BLUE, ROUND] });
      await aws.api('delete-bucket-tagging', { bucket });
      await aws.refused('NoSuchTagSet', 'get-bucket-tagging', { bucket });
    },
  );
}
