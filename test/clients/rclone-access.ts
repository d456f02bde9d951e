/**
 * Checks of rclone: permissions, tags and attributes of uploads, links that expire, and a user of
 * another project.
 */

import assert from 'node:assert/strict';

import { headOf, makeBucket, tagsOf } from './bucket.ts';
import { assertSameFile, bytesOf, MIB, writeContent } from './content.ts';
import type { Lane } from './lane.ts';
import { assertBoundToItsEnd, curlLine } from './links.ts';
import { unsigned } from './visitors.ts';

export async function checkAccess(lane: Lane, provider: string): Promise<void> {
  const { service } = lane;
  const bucket = lane.bucketName(`${provider}-access`);
  const remote = (path = '') => `${provider}:${bucket}/${path}`;
  const at = (...names: string[]) => lane.path(provider, ...names);
  const rclone = async (...args: string[]): Promise<string> =>
    (await lane.run(lane.tool.path, args)).toString();
  const refused = (...args: string[]): Promise<string> => lane.fails(lane.tool.path, args);
  const check = (claim: string, body: () => Promise<void>): Promise<boolean> =>
    lane.check(`${provider}: ${claim}`, body);
  writeContent(at('shared'), 'shared');
  writeContent(at('parts'), bytesOf(6 * MIB));

  await check(
    '--s3-bucket-acl and --s3-acl let everyone read public buckets and objects, and no private object',
    async () => {
      await rclone('mkdir', '--s3-bucket-acl=public-read', remote());
      await rclone('copyto', '--s3-acl=public-read', at('shared'), remote('public'));
      await rclone('copyto', '--s3-acl=private', at('shared'), remote('private'));
      assert.match(await unsigned(lane, bucket), /<Key>public<\/Key>/);
      assert.equal(await unsigned(lane, bucket, 'public'), 'shared');
      assert.match(await unsigned(lane, bucket, 'private'), /<Code>AccessDenied</);
    },
  );

  await check('a user of another project reads public objects only', async () => {
    const { accessKeyId, secretAccessKey } = lane.guest;
    const key = [`--s3-access-key-id=${accessKeyId}`, `--s3-secret-access-key=${secretAccessKey}`];
    await rclone('copyto', ...key, remote('public'), at('back'));
    assertSameFile(at('back'), 'shared');
    assert.match(await refused('copyto', ...key, at('shared'), remote('guest')), /AccessDenied/);
    assert.match(await refused('deletefile', ...key, remote('public')), /AccessDenied|40[34]/);
    assert.equal(await unsigned(lane, bucket, 'public'), 'shared');
  });

  await check(
    '--header-upload x-amz-tagging sets the tags of an object, also in a multipart upload',
    async () => {
      const tags = (text: string) => ['--header-upload', `x-amz-tagging: ${text}`];
      const inParts = ['--s3-upload-cutoff=5M', '--s3-chunk-size=5M'];
      for (const name of ['shared', 'parts']) {
        await rclone(
          'copyto',
          ...tags('colour=blue'),
          ...inParts,
          at(name),
          remote(`tags/${name}`),
        );
        assert.equal(await tagsOf(service, bucket, `tags/${name}`), 'colour=blue');
      }
      const twice = tags('colour=blue&colour=red');
      assert.match(await refused('copyto', ...twice, at('shared'), remote('twice')), /InvalidTag/);
      assert.equal(await rclone('lsf', remote('twice')), '');
    },
  );

  await check(
    '--metadata-set sets attributes, and a copy within the store keeps them',
    async () => {
      const given = ['colour=blue', 'cache-control=no-store', 'content-type=text/x-test'];
      const options = given.flatMap((each) => ['--metadata-set', each]);
      await rclone('copyto', '--metadata', ...options, at('shared'), remote('attributes'));
      await rclone('copyto', '--metadata', remote('attributes'), remote('copied'));
      for (const key of ['attributes', 'copied']) {
        const { Metadata, CacheControl, ContentType } = await headOf(service, bucket, key);
        const found = [Metadata?.['colour'], CacheControl, ContentType];
        assert.deepEqual(found, ['blue', 'no-store', 'text/x-test']);
      }
    },
  );

  await check(
    'link --expire gives access to one object until its expiry, which cannot be changed',
    async () => {
      const link = (await rclone('link', '--expire', '24h', remote('private'))).trim();
      await assertBoundToItsEnd(lane, link);
      const other = link.replace('/private?', '/attributes?');
      const said = (await lane.run('curl', curlLine(lane, other))).toString();
      assert.match(said, /<Code>SignatureDoesNotMatch</);
    },
  );

  await check('versioning of a bucket with object lock cannot be suspended', async () => {
    const locked = lane.bucketName(`${provider}-locked`);
    await makeBucket(service, locked, { objectLock: true });
    const versioning = ['backend', 'versioning', `${provider}:${locked}`];
    assert.match(await rclone(...versioning), /Enabled/);
    assert.match(await refused(...versioning, 'Suspended'), /InvalidBucketState/);
    assert.match(await rclone(...versioning), /Enabled/);
  });
}
