/** Tests of the lifecycle configuration of buckets with the AWS SDK. */

import {
  CreateBucketCommand,
  DeleteBucketLifecycleCommand,
  GetBucketLifecycleConfigurationCommand,
  type GetBucketLifecycleConfigurationCommandOutput,
  HeadObjectCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';
import { sdkBench } from '../helpers/sdk-bench.ts';

const bench = sdkBench();
let s3: S3Client;
const Bucket = 'lifecycle';

beforeAll(async () => {
  s3 = bench.client;
  await s3.send(new CreateBucketCommand({ Bucket }));
});

const put = (Rules: LifecycleRule[], more: object = {}) =>
  s3.send(
    new PutBucketLifecycleConfigurationCommand({
      Bucket,
      LifecycleConfiguration: { Rules },
      ...more,
    }),
  );
const get = (): Promise<GetBucketLifecycleConfigurationCommandOutput> =>
  s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));

test('[lc-54] the AWS SDK puts lifecycle rules with every kind of filter and reads them back unchanged', async () => {
  const Rules: LifecycleRule[] = [
    { ID: 'whole bucket', Status: 'Enabled', Filter: {}, Expiration: { Days: 30 } },
    {
      ID: 'all of it',
      Status: 'Disabled',
      Filter: {
        And: {
          Prefix: 'logs/',
          Tags: [{ Key: 'k', Value: 'v' }],
          ObjectSizeGreaterThan: 1,
          ObjectSizeLessThan: 100,
        },
      },
      Expiration: { Date: new Date('2030-01-01T00:00:00Z') },
      NoncurrentVersionExpiration: { NoncurrentDays: 3, NewerNoncurrentVersions: 2 },
    },
    {
      ID: 'markers and uploads',
      Status: 'Enabled',
      Filter: { Prefix: 'x' },
      Expiration: { ExpiredObjectDeleteMarker: true },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
    },
    {
      ID: 'by tag',
      Status: 'Enabled',
      Filter: { Tag: { Key: 'k', Value: '' } },
      Expiration: { Days: 1 },
    },
    { ID: 'as before', Status: 'Enabled', Prefix: 'old/', Expiration: { Days: 1 } },
  ];
  await put(Rules, { TransitionDefaultMinimumObjectSize: 'varies_by_storage_class' });
  expect((await get()).Rules).toEqual(Rules);
  await put([{ Status: 'Enabled', Filter: { Prefix: '' }, Expiration: { Days: 1 } }]);
  expect((await get()).Rules).toEqual([
    { ID: expect.any(String), Status: 'Enabled', Filter: { Prefix: '' }, Expiration: { Days: 1 } },
  ]);
});

test('[lc-55] PutObject and HeadObject return the expiry date of the object and the id of its lifecycle rule', async () => {
  await put([
    { ID: 'ten days', Status: 'Enabled', Filter: { Prefix: 'a' }, Expiration: { Days: 10 } },
  ]);
  const expected =
    /^expiry-date="[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} 00:00:00 GMT", rule-id="ten%20days"$/;
  const { Expiration } = await s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
  expect(Expiration).toMatch(expected);
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'a' }));
  expect(head.Expiration).toBe(Expiration);
  const other = await s3.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'x' }));
  expect(other.Expiration).toBeUndefined();
});

test('[lc-56] invalid lifecycle rules fail with InvalidArgument, and DeleteBucketLifecycle removes the rules', async () => {
  await expect(
    put([{ Status: 'Enabled', Filter: {}, Transitions: [{ Days: 1, StorageClass: 'GLACIER' }] }]),
  ).rejects.toMatchObject({ name: 'InvalidArgument' });
  await expect(
    put([{ Status: 'Enabled', Filter: {}, Expiration: { Days: 0 } }]),
  ).rejects.toMatchObject({
    name: 'InvalidArgument',
  });
  await s3.send(new DeleteBucketLifecycleCommand({ Bucket }));
  await s3.send(new DeleteBucketLifecycleCommand({ Bucket }));
  await expect(get()).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' });
});
