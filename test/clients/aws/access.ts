/**
 * Checks of ACLs with `aws s3api` and `aws s3 cp`. They test the permissions of a user of another
 * project, and of anonymous users.
 */

import assert from 'node:assert/strict';

import { writeContent } from '../content.ts';
import { unsigned } from '../visitors.ts';
import type { Aws, ObjectOptions } from './aws.ts';

interface Acl {
  readonly Owner: object;
  readonly Grants: readonly object[];
}

const EVERYONE = {
  Grantee: { Type: 'Group', URI: 'http://acs.amazonaws.com/groups/global/AllUsers' },
  Permission: 'READ',
};

export async function checkAccess(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('access');
  const body = lane.path('shared');
  const { project, email } = lane.guest;
  const guestMay = (Permission: string) => ({
    Grantee: { DisplayName: project, ID: project, Type: 'CanonicalUser' },
    Permission,
  });
  writeContent(body, 'shared');
  await aws.api('create-bucket', { bucket });

  await lane.check('put-bucket-acl grants only READ to another project by its ID', async () => {
    await aws.byGuest('AccessDenied', 'list-objects-v2', { bucket });
    await aws.api('put-bucket-acl', { bucket, grantRead: `id="${project}"` });
    const { Grants } = await aws.api<Acl>('get-bucket-acl', { bucket });
    assert.deepEqual(Grants, [guestMay('READ')]);
    await aws.byGuest(undefined, 'list-objects-v2', { bucket });
    await aws.byGuest('AccessDenied', 'put-object', { bucket, key: 'guest', body });
    await aws.byGuest('AccessDenied', 'get-bucket-acl', { bucket });
  });

  await lane.check(
    'put-bucket-acl grants WRITE by e-mail address and rejects an unknown grantee',
    async () => {
      await aws.api('put-bucket-acl', { bucket, grantWrite: `emailaddress=${email}` });
      const { Grants } = await aws.api<Acl>('get-bucket-acl', { bucket });
      assert.deepEqual(Grants, [guestMay('WRITE')]);
      await aws.byGuest(undefined, 'put-object', { bucket, key: 'guest', body });
      await aws.byGuest('AccessDenied', 'list-objects-v2', { bucket });
      await aws.refused('AccessDenied', 'get-object', { bucket, key: 'guest' });
      for (const [code, grantRead] of [
        ['UnresolvableGrantByEmailAddress', 'emailaddress=nobody@example.com'],
        ['InvalidArgument', 'id=nobody@local'],
      ] as const) {
        await aws.refused(code, 'put-bucket-acl', { bucket, grantRead });
      }
      await aws.byGuest(undefined, 'delete-object', { bucket, key: 'guest' });
    },
  );

  await lane.check('get-object-acl returns the ACL that put-object-acl stored', async () => {
    const object = { bucket, key: 'document' };
    await aws.api('put-object', { ...object, body });
    const before = await aws.api<Acl>('get-object-acl', object);
    // The grants have the same order as in the output of get-object-acl.
    const wanted = { ...before, Grants: [EVERYONE, guestMay('READ')] };
    await aws.api('put-object-acl', { ...object, accessControlPolicy: wanted });
    assert.deepEqual(await aws.api('get-object-acl', object), wanted);
    const both = { ...object, acl: 'private', grantRead: `id=${project}` };
    await aws.refused('InvalidRequest', 'put-object-acl', both);
    assert.deepEqual(await aws.api('get-object-acl', object), wanted);
  });

  await checkPublic(aws, { bucket, key: 'public' }, body);

  await lane.check('s3 cp --acl and --grants set the ACL of the uploaded object', async () => {
    const url = `s3://${bucket}/by-cp`;
    const object = { bucket, key: 'by-cp' };
    await aws.s3('cp', '--no-progress', body, url, '--acl', 'public-read');
    assert.equal(await unsigned(lane, bucket, 'by-cp'), 'shared');
    await aws.s3('cp', '--no-progress', body, url, '--grants', `read=id=${project}`);
    assert.match(await unsigned(lane, bucket, 'by-cp'), /<Code>AccessDenied</);
    await aws.byGuest(undefined, 'head-object', object);
    await aws.byGuest('AccessDenied', 'get-object-acl', object);
  });
}

async function checkPublic(aws: Aws, object: ObjectOptions, body: string): Promise<void> {
  const { lane } = aws;
  const { bucket, key } = object;
  const read = () => unsigned(lane, bucket, key);

  await lane.check(
    'put-object --acl public-read makes an object public until it is overwritten',
    async () => {
      await aws.api('put-object', { ...object, body, acl: 'public-read' });
      assert.equal(await read(), 'shared');
      await aws.api('head-object', { ...object, noSignRequest: true });
      await aws.refused('AccessDenied', 'delete-object', { ...object, noSignRequest: true });
      await aws.api('put-object', { ...object, body });
      assert.match(await read(), /<Code>AccessDenied</);
    },
  );

  await lane.check(
    'put-public-access-block disables public access by ACLs and rejects new public ACLs',
    async () => {
      const PublicAccessBlockConfiguration = {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: true,
        RestrictPublicBuckets: true,
      };
      await aws.api('put-object-acl', { ...object, acl: 'public-read' });
      const configuration = { publicAccessBlockConfiguration: PublicAccessBlockConfiguration };
      await aws.api('put-public-access-block', { bucket, ...configuration });
      const returned = await aws.api('get-public-access-block', { bucket });
      assert.deepEqual(returned, { PublicAccessBlockConfiguration });
      assert.match(await read(), /<Code>AccessDenied</);
      await aws.refused('AccessDenied', 'put-bucket-acl', { bucket, acl: 'public-read' });
      await aws.api('delete-public-access-block', { bucket });
      const code = 'NoSuchPublicAccessBlockConfiguration';
      await aws.refused(code, 'get-public-access-block', { bucket });
      assert.equal(await read(), 'shared');
    },
  );
}
