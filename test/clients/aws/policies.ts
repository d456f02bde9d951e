/** Checks of bucket policies with `aws s3api`. */

import assert from 'node:assert/strict';

import { writeContent } from '../content.ts';
import { unsigned } from '../visitors.ts';
import type { Aws } from './aws.ts';

export async function checkPolicies(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('policies');
  const arn = `arn:aws:s3:::${bucket}`;
  const guest = { AWS: `arn:aws:iam:::user/${lane.guest.accessKeyId}` };
  const mayRead = {
    Sid: 'guest',
    Effect: 'Allow',
    Principal: guest,
    Action: ['s3:GetObject'],
    Resource: [`${arn}/shared/*`],
  };
  const policy = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
  const put = (document: object) => aws.api('put-bucket-policy', { bucket, policy: document });
  const returned = async () => {
    const { Policy } = await aws.api<{ Policy: string }>('get-bucket-policy', { bucket });
    return JSON.parse(Policy) as unknown;
  };
  const isPublic = async () => {
    type Status = { PolicyStatus: { IsPublic: boolean } };
    const { PolicyStatus } = await aws.api<Status>('get-bucket-policy-status', { bucket });
    return PolicyStatus.IsPublic;
  };
  const body = lane.path('policed');
  const shared = { bucket, key: 'shared/a' };
  writeContent(body, 'policed');
  await aws.api('create-bucket', { bucket });
  for (const key of ['shared/a', 'other']) await aws.api('put-object', { bucket, key, body });

  await lane.check(
    'put-bucket-policy allows a user only the stated action on the stated keys',
    async () => {
      await aws.refused('NoSuchBucketPolicy', 'get-bucket-policy', { bucket });
      await aws.byGuest('403', 'head-object', shared);
      await put(policy(mayRead));
      assert.deepEqual(await returned(), policy(mayRead));
      assert.equal(await isPublic(), false);
      await aws.byGuest(undefined, 'head-object', shared);
      await aws.byGuest('403', 'head-object', { bucket, key: 'other' });
      await aws.byGuest('AccessDenied', 'list-objects-v2', { bucket });
      await aws.byGuest('AccessDenied', 'get-bucket-policy', { bucket });
    },
  );

  await lane.check('a Deny statement overrides an ACL and an Allow statement', async () => {
    await aws.api('put-object-acl', { ...shared, grantRead: `id=${lane.guest.project}` });
    const denied = { ...mayRead, Sid: 'never', Effect: 'Deny' };
    await put(policy(mayRead, denied));
    await aws.byGuest('403', 'head-object', shared);
    await put(
      policy({ ...denied, Condition: { IpAddress: { 'aws:SourceIp': '203.0.113.0/24' } } }),
    );
    await aws.byGuest(undefined, 'head-object', shared);
  });

  await lane.check('a condition on s3:prefix limits the keys that a user may list', async () => {
    const mayList = {
      Effect: 'Allow',
      Principal: guest,
      Action: 's3:ListBucket',
      Resource: arn,
      Condition: { StringLike: { 's3:prefix': 'shared/*' } },
    };
    await put(policy(mayList));
    await aws.byGuest(undefined, 'list-objects-v2', { bucket, prefix: 'shared/' });
    await aws.byGuest('AccessDenied', 'list-objects-v2', { bucket });
  });

  await lane.check(
    'a policy with Principal * allows anonymous reads and makes the bucket public',
    async () => {
      await put(policy({ ...mayRead, Principal: '*' }));
      assert.equal(await isPublic(), true);
      assert.equal(await unsigned(lane, bucket, 'shared/a'), 'policed');
      assert.match(await unsigned(lane, bucket, 'other'), /<Code>AccessDenied</);
    },
  );

  await lane.check(
    'put-bucket-policy rejects a malformed policy and keeps the previous one',
    async () => {
      const before = await returned();
      for (const bad of [
        policy({ ...mayRead, Effect: 'Maybe' }),
        policy({ ...mayRead, Resource: 'arn:aws:s3:::another-bucket/*' }),
        policy({ ...mayRead, Principal: { AWS: 'arn:aws:iam:::user/nobody:none@local' } }),
      ]) {
        await aws.refused('MalformedPolicy', 'put-bucket-policy', { bucket, policy: bad });
      }
      assert.deepEqual(await returned(), before);
    },
  );

  await lane.check(
    'delete-bucket-policy removes the permissions that the policy granted',
    async () => {
      await aws.api('delete-bucket-policy', { bucket });
      await aws.refused('NoSuchBucketPolicy', 'get-bucket-policy', { bucket });
      assert.match(await unsigned(lane, bucket, 'shared/a'), /<Code>AccessDenied</);
    },
  );
}
