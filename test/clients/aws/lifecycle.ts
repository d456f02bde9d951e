/** Checks of bucket lifecycle rules with `aws s3api`. */

import assert from 'node:assert/strict';

import { writeContent } from '../content.ts';
import type { Aws } from './aws.ts';

export async function checkLifecycle(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('lifecycle');
  await aws.api('create-bucket', { bucket });

  await lane.check(
    'put-bucket-lifecycle-configuration stores rules and rejects a transition to GLACIER',
    async () => {
      const Rules = [
        {
          ID: 'logs',
          Filter: { And: { Prefix: 'logs/', Tags: [{ Key: 'k', Value: 'v' }] } },
          Status: 'Enabled',
          Expiration: { Days: 7 },
          NoncurrentVersionExpiration: { NoncurrentDays: 3, NewerNoncurrentVersions: 2 },
        },
        {
          ID: 'uploads',
          Filter: { Prefix: '' },
          Status: 'Disabled',
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
        },
      ];
      const get = () => aws.api('get-bucket-lifecycle-configuration', { bucket });
      const put = (rules: object[]) => ({ bucket, lifecycleConfiguration: { Rules: rules } });
      const unset = 'NoSuchLifecycleConfiguration';
      await aws.refused(unset, 'get-bucket-lifecycle-configuration', { bucket });
      await aws.api('put-bucket-lifecycle-configuration', put(Rules));
      assert.deepEqual(await get(), { Rules });
      const archive = { Transitions: [{ Days: 1, StorageClass: 'GLACIER' }] };
      const moved = put([{ ID: 'a', Filter: {}, Status: 'Enabled', ...archive }]);
      await aws.refused('InvalidArgument', 'put-bucket-lifecycle-configuration', moved);
      assert.deepEqual(await get(), { Rules });
      await aws.api('delete-bucket-lifecycle', { bucket });
      await aws.refused(unset, 'get-bucket-lifecycle-configuration', { bucket });
    },
  );

  await lane.check(
    'put-object and head-object return the expiry date set by a lifecycle rule',
    async () => {
      const Rules = [{ ID: 'ten', Filter: {}, Status: 'Enabled', Expiration: { Days: 10 } }];
      const lifecycleConfiguration = { Rules };
      await aws.api('put-bucket-lifecycle-configuration', { bucket, lifecycleConfiguration });
      writeContent(lane.path('expiring'), 'x');
      const object = { bucket, key: 'expiring' };
      const put = await aws.api('put-object', { ...object, body: lane.path('expiring') });
      assert.match(String(put['Expiration']), /^expiry-date=".* 00:00:00 GMT", rule-id="ten"$/);
      const head = await aws.api('head-object', object);
      assert.equal(head['Expiration'], put['Expiration']);
    },
  );
}
