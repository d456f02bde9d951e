/** Tests of ACLs, bucket policies and public access blocks with the unmodified AWS SDK. */

import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  DeletePublicAccessBlockCommand,
  GetBucketAclCommand,
  GetBucketEncryptionCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  GetBucketReplicationCommand,
  GetObjectAclCommand,
  GetPublicAccessBlockCommand,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';

import { sdkBench } from '../helpers/sdk-bench.ts';
import { accessKey } from '../helpers/wire-bench.ts';

const bench = sdkBench();
const Bucket = 'sdk-access';
const Key = 'k';
const ALL_USERS = 'http://acs.amazonaws.com/groups/global/AllUsers';
const OWNER = { ID: accessKey.accessKeyId, DisplayName: accessKey.accessKeyId };
const own = { Grantee: { Type: 'CanonicalUser', ...OWNER }, Permission: 'FULL_CONTROL' };
const everyoneReads = { Grantee: { Type: 'Group', URI: ALL_USERS }, Permission: 'READ' } as const;

test('[acl-25] the AWS SDK sets an ACL as a canned ACL, as grant headers and as an XML body, and reads it back', async () => {
  const { client } = bench;
  await client.send(new CreateBucketCommand({ Bucket, ACL: 'public-read' }));
  const created = await client.send(new GetBucketAclCommand({ Bucket }));
  expect(created).toMatchObject({ Owner: OWNER, Grants: [everyoneReads, own] });
  await client.send(
    new PutBucketAclCommand({
      Bucket,
      GrantRead: `uri="${ALL_USERS}"`,
      GrantWriteACP: 'id="p2@c1"',
    }),
  );
  const granted = await client.send(new GetBucketAclCommand({ Bucket }));
  expect(granted.Grants).toMatchObject([
    everyoneReads,
    { Grantee: { Type: 'CanonicalUser', ID: 'p2@c1' }, Permission: 'WRITE_ACP' },
  ]);
  await client.send(
    new PutObjectCommand({ Bucket, Key, Body: 'x', ACL: 'bucket-owner-full-control' }),
  );
  const before = await client.send(new GetObjectAclCommand({ Bucket, Key }));
  expect(before.Grants).toMatchObject([own]);
  const { Owner, Grants = [] } = before;
  await client.send(
    new PutObjectAclCommand({
      Bucket,
      Key,
      AccessControlPolicy: { Owner, Grants: [...Grants, everyoneReads] },
    }),
  );
  const after = await client.send(new GetObjectAclCommand({ Bucket, Key }));
  expect(after.Grants).toMatchObject([everyoneReads, own]);
  expect((await fetch(`${bench.gateway.url}/${Bucket}/${Key}`)).status).toBe(200);
});

test('[policy-32] the AWS SDK puts and reads a bucket policy, its status and a public access block', async () => {
  const { client } = bench;
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${Bucket}/*`,
      },
    ],
  });
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  expect((await client.send(new GetBucketPolicyCommand({ Bucket }))).Policy).toBe(Policy);
  const { PolicyStatus } = await client.send(new GetBucketPolicyStatusCommand({ Bucket }));
  expect(PolicyStatus).toEqual({ IsPublic: true });
  await client.send(new DeleteBucketPolicyCommand({ Bucket }));
  const PublicAccessBlockConfiguration = { BlockPublicPolicy: true, IgnorePublicAcls: true };
  await client.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }));
  const block = await client.send(new GetPublicAccessBlockCommand({ Bucket }));
  expect(block.PublicAccessBlockConfiguration).toMatchObject(PublicAccessBlockConfiguration);
  const refused = client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  await expect(refused).rejects.toMatchObject({ name: 'AccessDenied' });
  await client.send(new DeletePublicAccessBlockCommand({ Bucket }));
});

test('[acl-13] a GET of a bucket configuration that is not set returns the S3 error code that tools expect', async () => {
  const { client } = bench;
  const unset = [
    [new GetBucketPolicyCommand({ Bucket }), 'NoSuchBucketPolicy'],
    [new GetPublicAccessBlockCommand({ Bucket }), 'NoSuchPublicAccessBlockConfiguration'],
    [new GetBucketOwnershipControlsCommand({ Bucket }), 'OwnershipControlsNotFoundError'],
    [new GetBucketEncryptionCommand({ Bucket }), 'ServerSideEncryptionConfigurationNotFoundError'],
    [new GetBucketReplicationCommand({ Bucket }), 'ReplicationConfigurationNotFoundError'],
  ] as const;
  for (const [command, name] of unset) {
    const asked = client.send(command);
    await expect(asked).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 404 } });
  }
});
