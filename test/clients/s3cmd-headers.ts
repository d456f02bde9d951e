/**
 * Checks of features for which s3cmd has no command. Tags, locks and customer keys are sent as
 * headers with `--add-header`.
 */

import assert from 'node:assert/strict';

import { headOf, makeBucket, tagsOf } from './bucket.ts';
import { bytesOf, md5, MIB, writeContent } from './content.ts';
import type { Lane } from './lane.ts';
import type { S3cmd } from './s3cmd.ts';

const RETAIN_UNTIL = '2040-01-02T03:04:05Z';

const added = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `--add-header=x-amz-${name}:${value}`);

export async function checkHeaders(lane: Lane, { s3cmd, refused }: S3cmd): Promise<void> {
  const { service } = lane;
  const [bucket, plain] = [lane.bucketName('locked'), lane.bucketName('unlocked')];
  const url = (key: string) => `s3://${bucket}/${key}`;
  const file = lane.path('content');
  writeContent(file, 'content');
  await makeBucket(service, bucket, { objectLock: true });
  await makeBucket(service, plain);

  await lane.check(
    'put --add-header=x-amz-tagging sets the tags of small and multipart uploads',
    async () => {
      const tags = added({ tagging: 'colour=blue&shape=round' });
      writeContent(lane.path('parts'), bytesOf(6 * MIB));
      await s3cmd('put', ...tags, file, url('small'));
      await s3cmd('put', ...tags, '--multipart-chunk-size-mb=5', lane.path('parts'), url('parts'));
      for (const key of ['small', 'parts']) {
        assert.equal(await tagsOf(service, bucket, key), 'colour=blue&shape=round');
      }
      const twice = added({ tagging: 'colour=blue&colour=red' });
      assert.match(await refused('put', ...twice, file, url('small')), /400 \(InvalidTag\)/);
    },
  );

  await lane.check(
    'put sets a retention and a legal hold, and fails in a bucket without Object Lock',
    async () => {
      const lock = added({
        'object-lock-mode': 'GOVERNANCE',
        'object-lock-retain-until-date': RETAIN_UNTIL,
        'object-lock-legal-hold': 'ON',
      });
      await s3cmd('put', ...lock, file, url('locked'));
      const head = await headOf(service, bucket, 'locked');
      assert.equal(head.ObjectLockMode, 'GOVERNANCE');
      assert.equal(head.ObjectLockRetainUntilDate?.getTime(), Date.parse(RETAIN_UNTIL));
      assert.equal(head.ObjectLockLegalHoldStatus, 'ON');
      const said = await refused('put', ...lock, file, `s3://${plain}/locked`);
      assert.match(said, /400 \(InvalidRequest\)/);
    },
  );

  await lane.check(
    'modify keeps the content and tags of an object in a bucket with Object Lock',
    async () => {
      const before = await headOf(service, bucket, 'small');
      await s3cmd('modify', '--add-header=x-amz-meta-colour: blue', url('small'));
      const after = await headOf(service, bucket, 'small');
      assert.notEqual(after.VersionId, before.VersionId);
      assert.deepEqual([after.ETag, after.Metadata?.['colour']], [before.ETag, 'blue']);
      assert.equal(await tagsOf(service, bucket, 'small'), 'colour=blue&shape=round');
      await s3cmd('modify', '--add-header=x-amz-meta-colour: blue', url('locked'));
      assert.equal((await headOf(service, bucket, 'locked')).Metadata?.['colour'], 'blue');
    },
  );

  await lane.check(
    'get without the customer key fails for an object that put encrypted with one',
    async () => {
      const key = bytesOf(32, 21);
      const by = added({
        'server-side-encryption-customer-algorithm': 'AES256',
        'server-side-encryption-customer-key': key.toString('base64'),
        'server-side-encryption-customer-key-md5': Buffer.from(md5(key), 'hex').toString('base64'),
      });
      await s3cmd('put', ...by, file, url('secret'));
      assert.match(
        await refused('get', '--force', url('secret'), lane.path('back')),
        /ERROR: .*400/,
      );
    },
  );
}
