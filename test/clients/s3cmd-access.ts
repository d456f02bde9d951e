/**
 * Checks of ACLs and policies with s3cmd, for a user of another project and for anonymous users.
 */

import assert from 'node:assert/strict';

import { assertSameFile, writeContent } from './content.ts';
import type { Lane } from './lane.ts';
import type { S3cmd } from './s3cmd.ts';
import { unsigned } from './visitors.ts';

export async function checkAccess(lane: Lane, { s3cmd, refused }: S3cmd): Promise<void> {
  const bucket = lane.bucketName('access');
  const url = (key = '') => `s3://${bucket}/${key}`;
  const { accessKeyId, secretAccessKey, project, email } = lane.guest;
  const asGuest = [`--access_key=${accessKeyId}`, `--secret_key=${secretAccessKey}`];
  const file = lane.path('shared');
  writeContent(file, 'shared');
  await s3cmd('mb', url());
  await s3cmd('put', file, url('shared'));

  // s3cmd treats every grantee that contains `@` as an e-mail address.
  await lane.check('setacl --acl-grant grants READ by e-mail address', async () => {
    const denied = /403 \(AccessDenied\)/;
    assert.match(await refused(...asGuest, 'ls', url()), denied);
    await s3cmd('setacl', `--acl-grant=read:${email}`, url());
    await s3cmd('setacl', `--acl-grant=read:${email}`, url('shared'));
    const info = await s3cmd('info', url('shared'));
    assert.match(info, new RegExp(`ACL: +${project}: READ$`, 'm'));
    assert.match(await s3cmd(...asGuest, 'ls', url()), / s3:.*\/shared$/m);
    await s3cmd(...asGuest, 'get', '--force', url('shared'), lane.path('back'));
    assertSameFile(lane.path('back'), 'shared');
    assert.match(await refused(...asGuest, 'put', file, url('guest')), denied);
    assert.match(await refused(...asGuest, 'setacl', '--acl-public', url('shared')), denied);
  });

  await lane.check('setacl --acl-grant rejects an unknown grantee and keeps the ACL', async () => {
    const before = await s3cmd('info', url('shared'));
    const grant = (whom: string) => refused('setacl', `--acl-grant=read:${whom}`, url('shared'));
    assert.match(await grant('nobody@example.com'), /400 \(UnresolvableGrantByEmailAddress\)/);
    assert.match(await grant('nobody'), /400 \(InvalidArgument\)/);
    assert.equal(await s3cmd('info', url('shared')), before);
  });

  await lane.check('setacl --acl-revoke removes a permission', async () => {
    await s3cmd('setacl', `--acl-revoke=read:${project}`, url('shared'));
    const get = ['get', '--force', url('shared'), lane.path('back')];
    assert.match(await refused(...asGuest, ...get), /403 \(AccessDenied\)|403 \(Forbidden\)/);
  });

  await lane.check(
    '--acl-public makes an object public, and --acl-private makes it private',
    async () => {
      const read = (key: string) => unsigned(lane, bucket, key);
      await s3cmd('setacl', '--acl-public', url('shared'));
      assert.match(await s3cmd('info', url('shared')), /ACL: +\*anon\*: READ$/m);
      assert.equal(await read('shared'), 'shared');
      await s3cmd('setacl', '--acl-private', url('shared'));
      assert.match(await read('shared'), /<Code>AccessDenied</);
      await s3cmd('put', '--acl-public', file, url('public'));
      assert.equal(await read('public'), 'shared');
    },
  );

  await lane.check('cp of a public object creates a public copy', async () => {
    await s3cmd('cp', url('public'), url('copy'));
    assert.equal(await unsigned(lane, bucket, 'copy'), 'shared');
  });

  await lane.check(
    'setpolicy makes a prefix public, and delpolicy makes it private again',
    async () => {
      const read = (key: string) => unsigned(lane, bucket, key);
      const put = (document: object): string[] => {
        writeContent(lane.path('policy.json'), JSON.stringify(document));
        return ['setpolicy', lane.path('policy.json'), url()];
      };
      const Resource = `arn:aws:s3:::${bucket}/by-policy/*`;
      const statement = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource };
      await s3cmd('put', file, url('by-policy/a'));
      assert.match(await s3cmd('info', url()), /Policy: +none$/m);
      await s3cmd(...put({ Version: '2012-10-17', Statement: [statement] }));
      assert.match(await s3cmd('info', url()), /Policy: +\{.*by-policy/);
      assert.equal(await read('by-policy/a'), 'shared');
      const bad = { Version: '2012-10-17', Statement: [{ ...statement, Effect: 'Maybe' }] };
      assert.match(await refused(...put(bad)), /400 \(MalformedPolicy\)/);
      assert.equal(await read('by-policy/a'), 'shared');
      await s3cmd('delpolicy', url());
      assert.match(await s3cmd('info', url()), /Policy: +none$/m);
      assert.match(await read('by-policy/a'), /<Code>AccessDenied</);
    },
  );
}
