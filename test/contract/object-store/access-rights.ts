/**
 * Contract tests of the permissions that ACLs and bucket policies grant to other users, and of public access
 * blocks.
 */

import { describe, expect, onTestFinished, test } from 'vitest';

import type { AclRequest } from '../../../src/object-store/access.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import type { Grant } from '../../../src/object-store/rules/access/acl.ts';
import { expectRefusal, newBucketName, put, putVersion, readText } from './subject.ts';
import type { Subject } from './subject.ts';

const key = 'k';
const body = bytesBody('x');

type Statement = Readonly<Record<string, unknown>>;

export function testAccessRights(subject: Subject): void {
  // `store` is a function, because the store is open only while a test runs.
  const store = () => subject.store;
  const people = () => subject.opened.people;
  const all = (grantee: string): Grant => ({ grantee, permission: 'FULL_CONTROL' });
  /**
   * Returns grants for the user of another project, or for that project if the store has projects. The owner keeps
   * FULL_CONTROL.
   */
  const to = (
    permission: Grant['permission'],
    grantee = people().strangersProject ?? people().stranger,
  ): { readonly grants: readonly Grant[] } => ({
    grants: [all(people().owner), { grantee, permission }],
  });
  const byGrantee = (one: Grant, other: Grant) => (one.grantee < other.grantee ? -1 : 1);
  const grantsOf = async (ref: { bucket: string; key: string; versionId?: string }) =>
    (await store().getObjectAcl(ref)).grants.toSorted(byGrantee);

  describe('access control lists', () => {
    test('[acl-1] the ACL of a new bucket or object grants FULL_CONTROL to its owner, and nothing to other users', async () => {
      const bucket = await subject.bucket();
      await put(store(), { bucket, key }, 'text');
      const { owner } = people();
      expect(await store().getBucketAcl({ bucket })).toEqual({ owner, grants: [all(owner)] });
      expect(await store().getObjectAcl({ bucket, key })).toEqual({ owner, grants: [all(owner)] });
    });

    test('[acl-7] an ACL can be set as a canned ACL or as grants, and persists when the store is reopened', async () => {
      const bucket = await subject.bucket();
      await put(store(), { bucket, key }, 'text');
      const { grants } = to('READ_ACP');
      await store().putBucketAcl({ bucket, acl: { canned: 'authenticated-read' } });
      await store().putObjectAcl({ bucket, key, acl: { grants, owner: people().owner } });
      await subject.reopen();
      const read = { grantee: 'AuthenticatedUsers', permission: 'READ' };
      const shown = (await store().getBucketAcl({ bucket })).grants.toSorted(byGrantee);
      expect(shown).toEqual([read, all(people().owner)]);
      expect(await grantsOf({ bucket, key })).toEqual(grants.toSorted(byGrantee));
    });

    test('an owner keeps access to an object whose ACL has no grant for the owner', async () => {
      const bucket = await subject.bucket();
      const acl = { grants: to('READ').grants.slice(1) };
      await put(store(), { bucket, key }, 'text', { acl });
      await store().putBucketAcl({ bucket, acl });
      onTestFinished(() => store().putBucketAcl({ bucket, acl: { canned: 'private' } }));
      expect((await store().listObjects({ bucket })).objects).toHaveLength(1);
      expect(await readText(store(), { bucket, key })).toBe('text');
    });

    test('[acl-14] a put, a copy and a multipart upload can set the ACL of the new object', async () => {
      const bucket = await subject.bucket();
      const acl: AclRequest = { canned: 'public-read' };
      const shown = [{ grantee: 'AllUsers', permission: 'READ' }, all(people().owner)];
      await put(store(), { bucket, key }, 'text', { acl });
      await store().copyObject({ bucket, key: 'copy', source: { bucket, key }, acl });
      const upload = { bucket, key: 'upload' };
      const { uploadId } = await store().createUpload({ ...upload, acl });
      const part = await store().uploadPart({ ...upload, uploadId, partNumber: 1, body });
      await store().completeUpload({
        ...upload,
        uploadId,
        parts: [{ partNumber: 1, etag: part.etag }],
      });
      for (const each of [key, 'copy', 'upload'])
        expect(await grantsOf({ bucket, key: each })).toEqual(shown);
    });

    test('[acl-10] a put, a copy and a multipart upload onto an existing key reset its ACL', async () => {
      const bucket = await subject.bucket();
      const acl: AclRequest = { canned: 'public-read' };
      await put(store(), { bucket, key: 'source' }, 'text', { acl });
      const onto = [
        () => put(store(), { bucket, key }, 'text'),
        () => store().copyObject({ bucket, key, source: { bucket, key: 'source' } }),
        async () => {
          const { uploadId } = await store().createUpload({ bucket, key });
          const part = await store().uploadPart({ bucket, key, uploadId, partNumber: 1, body });
          await store().completeUpload({
            bucket,
            key,
            uploadId,
            parts: [{ partNumber: 1, etag: part.etag }],
          });
        },
      ];
      for (const overwrite of onto) {
        await put(store(), { bucket, key }, 'text', { acl });
        await overwrite();
        expect(await grantsOf({ bucket, key })).toEqual([all(people().owner)]);
      }
    });

    test('[acl-9] each version of an object has its own ACL', async () => {
      const bucket = await subject.bucket('Enabled');
      const versionId = await putVersion(store(), { bucket, key }, 'one', { acl: to('READ') });
      await putVersion(store(), { bucket, key }, 'two');
      await store().putObjectAcl({ bucket, key, acl: to('WRITE') });
      const given = (permission: Grant['permission']) => to(permission).grants.toSorted(byGrantee);
      expect(await grantsOf({ bucket, key, versionId })).toEqual(given('READ'));
      expect(await grantsOf({ bucket, key })).toEqual(given('WRITE'));
    });

    test('[acl-24] the ACL of a missing key or delete marker cannot be read or set, and an ACL cannot change the owner', async () => {
      const bucket = await subject.bucket('Enabled');
      const acl = to('READ');
      await expectRefusal(store().putObjectAcl({ bucket, key, acl }), 'NoSuchKey');
      await expectRefusal(store().getObjectAcl({ bucket, key }), 'NoSuchKey');
      await put(store(), { bucket, key }, 'text');
      const owner = people().stranger;
      await expectRefusal(
        store().putObjectAcl({ bucket, key, acl: { grants: [], owner } }),
        'AccessDenied',
      );
      await expectRefusal(
        store().putBucketAcl({ bucket, acl: { grants: [], owner } }),
        'AccessDenied',
      );
      await store().deleteObject({ bucket, key });
      await expectRefusal(store().putObjectAcl({ bucket, key, acl }), 'MethodNotAllowed');
    });
  });

  describe('grants to a user of another project', () => {
    test('[acl-16] READ on a bucket permits listing the bucket, but not reading its objects', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await put(store(), { bucket, key }, 'text');
      await store().putBucketAcl({ bucket, acl: to('READ') });
      expect((await stranger.listObjects({ bucket })).objects).toHaveLength(1);
      expect((await stranger.listVersions({ bucket })).versions).toHaveLength(1);
      await stranger.listUploads({ bucket });
      await stranger.getBucketLocation({ bucket });
      await stranger.headBucket({ bucket });
      await expectRefusal(stranger.getObject({ bucket, key }), 'AccessDenied');
      await expectRefusal(stranger.putObject({ bucket, key, body }), 'AccessDenied');
      await expectRefusal(stranger.getBucketAcl({ bucket }), 'AccessDenied');
      await expectRefusal(stranger.getVersioning({ bucket }), 'AccessDenied');
    });

    test('[acl-16] READ on an object permits reading this object and no other', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await put(store(), { bucket, key }, 'text', { acl: to('READ', people().stranger) });
      await put(store(), { bucket, key: 'other' }, 'text');
      expect(await readText(stranger, { bucket, key })).toBe('text');
      await expectRefusal(stranger.headObject({ bucket, key: 'other' }), 'AccessDenied');
      await expectRefusal(stranger.listObjects({ bucket }), 'AccessDenied');
      await expectRefusal(stranger.deleteObject({ bucket, key }), 'AccessDenied');
      await expectRefusal(stranger.putObject({ bucket, key, body }), 'AccessDenied');
    });

    test('[auth-7] a user of another project gets NoSuchKey for a missing key only with permission to list the bucket', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      const missing = { bucket, key: 'missing' };
      const questions: ((store: ObjectStore) => Promise<unknown>)[] = [
        (each) => each.getObject(missing),
        (each) => each.headObject(missing),
        (each) => each.getObjectAcl(missing),
        (each) => each.getObjectTags(missing),
      ];
      for (const ask of questions) await expectRefusal(ask(stranger), 'AccessDenied');
      await store().putBucketAcl({ bucket, acl: to('READ') });
      for (const ask of questions) await expectRefusal(ask(stranger), 'NoSuchKey');
    });

    test('[acl-17] WRITE on a bucket permits adding objects, and each object belongs to its writer', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await store().putBucketAcl({ bucket, acl: to('WRITE') });
      await put(stranger, { bucket, key }, 'theirs');
      expect(await readText(stranger, { bucket, key })).toBe('theirs');
      const { owner } = await stranger.getObjectAcl({ bucket, key });
      expect(owner).toBe(people().stranger);
      // The owner of the bucket can neither read nor delete the object, but can overwrite it.
      await expectRefusal(store().getObject({ bucket, key }), 'AccessDenied');
      await expectRefusal(store().getObjectAcl({ bucket, key }), 'AccessDenied');
      await expectRefusal(store().deleteObject({ bucket, key }), 'AccessDenied');
      await put(store(), { bucket, key }, 'ours');
      expect(await readText(store(), { bucket, key })).toBe('ours');
      await expectRefusal(stranger.getObject({ bucket, key }), 'AccessDenied');
      await stranger.deleteObject({ bucket, key });
      await expectRefusal(stranger.listObjects({ bucket }), 'AccessDenied');
    });

    test.for(['bucket-owner-read', 'bucket-owner-full-control'] as const)(
      '[acl-3] a writer from another project can give the bucket owner access with the canned ACL %s',
      async (canned, { skip }) => {
        const stranger = subject.opened.stranger ?? skip('it has one user only');
        const bucket = await subject.bucket();
        await store().putBucketAcl({ bucket, acl: to('WRITE') });
        await put(stranger, { bucket, key }, 'theirs', { acl: { canned } });
        expect(await readText(store(), { bucket, key })).toBe('theirs');
        if (canned === 'bucket-owner-read') {
          await expectRefusal(store().deleteObject({ bucket, key }), 'AccessDenied');
          await stranger.deleteObject({ bucket, key });
        } else await store().deleteObject({ bucket, key });
      },
    );

    test('[acl-23] WRITE on an object permits overwriting it, but not creating another object', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await put(store(), { bucket, key }, 'text', { acl: to('WRITE') });
      await put(stranger, { bucket, key }, 'changed');
      expect(await readText(stranger, { bucket, key })).toBe('changed');
      await expectRefusal(stranger.putObject({ bucket, key: 'other', body }), 'AccessDenied');
      await put(store(), { bucket, key }, 'text', { acl: to('WRITE') });
      const source = { bucket: await ownBucket(stranger), key };
      await put(stranger, source, 'copied');
      await stranger.copyObject({ bucket, key, source });
      expect(await readText(stranger, { bucket, key })).toBe('copied');
      await removeOwn(stranger, source);
      await put(store(), { bucket, key }, 'ours');
    });

    test('[auth-5] FULL_CONTROL on a bucket and an object does not permit deleting versions of another owner', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket('Enabled');
      await store().putBucketAcl({ bucket, acl: to('FULL_CONTROL') });
      const ours = await putVersion(store(), { bucket, key }, 'ours', { acl: to('FULL_CONTROL') });
      await expectRefusal(stranger.deleteObject({ bucket, key, versionId: ours }), 'AccessDenied');
      const marker = await stranger.deleteObject({ bucket, key });
      expect(marker.deleteMarker).toBe(true);
      const theirs = await putVersion(stranger, { bucket, key }, 'theirs');
      await expectRefusal(store().deleteObject({ bucket, key, versionId: theirs }), 'AccessDenied');
      await stranger.deleteObject({ bucket, key, versionId: theirs });
      await stranger.deleteObject({ bucket, key, versionId: marker.versionId ?? '' });
      expect(await readText(store(), { bucket, key })).toBe('ours');
    });

    test('[auth-6] WRITE on a bucket permits multipart uploads, but not aborting the uploads of other users', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await store().putBucketAcl({ bucket, acl: to('WRITE') });
      const ours = { bucket, key, ...(await store().createUpload({ bucket, key })) };
      await expectRefusal(stranger.abortUpload(ours), 'AccessDenied');
      await expectRefusal(stranger.listParts(ours), 'AccessDenied');
      const { uploadId } = await stranger.createUpload({ bucket, key });
      const theirs = { bucket, key, uploadId };
      await stranger.uploadPart({ ...theirs, partNumber: 1, body });
      expect((await stranger.listParts(theirs)).parts).toHaveLength(1);
      await stranger.abortUpload(theirs);
      await store().abortUpload(ours);
    });
  });

  describe('bucket policies', () => {
    const statement = (bucket: string, more: Statement): Statement => ({
      Effect: 'Allow',
      Principal: { AWS: `arn:aws:iam:::user/${people().stranger}` },
      Action: 's3:*',
      Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
      ...more,
    });
    const putPolicy = (bucket: string, ...statements: Statement[]) =>
      store().putBucketPolicy({
        bucket,
        policy: JSON.stringify({
          Version: '2012-10-17',
          Statement: statements.map((each) => statement(bucket, each)),
        }),
      });

    test('[policy-1] the store returns a bucket policy as it was put, also after a restart, and can delete it', async () => {
      const bucket = await subject.bucket();
      await expectRefusal(store().getBucketPolicy({ bucket }), 'NoSuchBucketPolicy');
      expect(await store().isBucketPublic({ bucket })).toBe(false);
      await store().deleteBucketPolicy({ bucket });
      await putPolicy(bucket, { Principal: '*' });
      await subject.reopen();
      expect(JSON.parse(await store().getBucketPolicy({ bucket }))).toMatchObject({
        Version: '2012-10-17',
      });
      expect(await store().isBucketPublic({ bucket })).toBe(true);
      await store().deleteBucketPolicy({ bucket });
      await expectRefusal(store().getBucketPolicy({ bucket }), 'NoSuchBucketPolicy');
    });

    test('[policy-5] an invalid bucket policy is rejected and does not replace the previous policy', async () => {
      const bucket = await subject.bucket();
      await putPolicy(bucket, {});
      const before = await store().getBucketPolicy({ bucket });
      await expectRefusal(store().putBucketPolicy({ bucket, policy: '{}' }), 'MalformedPolicy');
      await expectRefusal(
        putPolicy(bucket, { Resource: 'arn:aws:s3:::another' }),
        'MalformedPolicy',
      );
      expect(await store().getBucketPolicy({ bucket })).toBe(before);
    });

    test('[policy-22] a bucket policy allows only the actions and resources that it names', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await put(store(), { bucket, key: 'open/a' }, 'text');
      await put(store(), { bucket, key: 'closed' }, 'text');
      await putPolicy(bucket, {
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${bucket}/open/*`,
      });
      expect(await readText(stranger, { bucket, key: 'open/a' })).toBe('text');
      await expectRefusal(stranger.getObject({ bucket, key: 'closed' }), 'AccessDenied');
      await expectRefusal(stranger.getObject({ bucket, key: 'open/missing' }), 'AccessDenied');
      await expectRefusal(stranger.putObject({ bucket, key: 'open/a', body }), 'AccessDenied');
      await expectRefusal(stranger.deleteObject({ bucket, key: 'open/a' }), 'AccessDenied');
      await expectRefusal(stranger.listObjects({ bucket }), 'AccessDenied');
    });

    test('[policy-9] a Deny in a bucket policy also applies to the bucket owner, until the policy is deleted', async () => {
      const bucket = await subject.bucket();
      await put(store(), { bucket, key }, 'text');
      await putPolicy(bucket, {
        Effect: 'Deny',
        Principal: '*',
        Action: ['s3:GetObject', 's3:PutObject'],
      });
      await expectRefusal(store().getObject({ bucket, key }), 'AccessDenied');
      await expectRefusal(store().putObject({ bucket, key, body }), 'AccessDenied');
      await expectRefusal(store().createUpload({ bucket, key }), 'AccessDenied');
      await store().listObjects({ bucket });
      await store().deleteBucketPolicy({ bucket });
      expect(await readText(store(), { bucket, key })).toBe('text');
    });

    test('[policy-23] s3:GetObject does not permit reads by version id, and s3:ListBucket does not permit version listings', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket('Enabled');
      const versionId = await putVersion(store(), { bucket, key }, 'one');
      await putPolicy(bucket, { Action: ['s3:GetObject', 's3:ListBucket'] });
      expect(await readText(stranger, { bucket, key })).toBe('one');
      await stranger.listObjects({ bucket });
      await expectRefusal(stranger.getObject({ bucket, key, versionId }), 'AccessDenied');
      await expectRefusal(stranger.headObject({ bucket, key, versionId }), 'AccessDenied');
      await expectRefusal(stranger.listVersions({ bucket }), 'AccessDenied');
      await putPolicy(bucket, { Action: ['s3:GetObjectVersion', 's3:ListBucketVersions'] });
      expect(await readText(stranger, { bucket, key, versionId })).toBe('one');
      await stranger.listVersions({ bucket });
      await expectRefusal(stranger.getObject({ bucket, key }), 'AccessDenied');
      await expectRefusal(stranger.listObjects({ bucket }), 'AccessDenied');
    });

    test('[policy-23] GetObjectAttributes requires both s3:GetObject and s3:GetObjectAttributes', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await put(store(), { bucket, key }, 'text');
      const describe = () => stranger.getObjectAttributes({ bucket, key, wanted: ['ETag'] });
      for (const Action of ['s3:GetObject', 's3:GetObjectAttributes']) {
        await putPolicy(bucket, { Action });
        await expectRefusal(describe(), 'AccessDenied');
      }
      await putPolicy(bucket, { Action: ['s3:GetObject', 's3:GetObjectAttributes'] });
      await describe();
    });

    test('[policy-23] s3:ListBucket and s3:GetObject do not permit reading locks, ACLs or tags of objects', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.lockBucket();
      await put(store(), { bucket, key }, 'text', { lock: { legalHold: false } });
      await putPolicy(bucket, { Action: ['s3:ListBucket', 's3:GetObject'] });
      await expectRefusal(stranger.getLegalHold({ bucket, key }), 'AccessDenied');
      await expectRefusal(stranger.getRetention({ bucket, key }), 'AccessDenied');
      await expectRefusal(stranger.getObjectAcl({ bucket, key }), 'AccessDenied');
      await expectRefusal(stranger.getObjectTags({ bucket, key }), 'AccessDenied');
      const info = async () => (await stranger.headObject({ bucket, key })).info;
      expect(await info()).not.toHaveProperty('legalHold');
      await putPolicy(bucket, { Action: ['s3:GetObject', 's3:GetObjectLegalHold'] });
      expect(await info()).toMatchObject({ legalHold: false });
      await putPolicy(bucket, { Action: ['s3:GetObjectLegalHold', 's3:ListBucket'] });
      expect(await stranger.getLegalHold({ bucket, key })).toBe(false);
      await expectRefusal(stranger.getLegalHold({ bucket, key: 'missing' }), 'NoSuchKey');
    });

    test('[policy-24] a put with an ACL or tags also requires the permission to set an ACL or tags', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      const attempt = {
        's3:PutObjectAcl': () =>
          put(stranger, { bucket, key }, 'x', { acl: { canned: 'public-read' } }),
        's3:PutObjectTagging': () =>
          put(stranger, { bucket, key }, 'x', { tags: [{ key: 'a', value: 'b' }] }),
      };
      for (const [action, bring] of Object.entries(attempt)) {
        await putPolicy(bucket, { Action: 's3:PutObject' });
        await put(stranger, { bucket, key }, 'x');
        await put(stranger, { bucket, key }, 'x', { acl: { canned: 'private' } });
        await expectRefusal(bring(), 'AccessDenied');
        await putPolicy(bucket, { Action: ['s3:PutObject', action] });
        await bring();
        await putPolicy(
          bucket,
          { Action: 's3:PutObject' },
          { Effect: 'Deny', Principal: '*', Action: action },
        );
        await expectRefusal(put(store(), { bucket, key }, 'x', bringing(action)), 'AccessDenied');
      }
      await store().deleteBucketPolicy({ bucket });
      await put(store(), { bucket, key }, 'ours');
    });

    test('[policy-24] a put with a retention or a legal hold also requires the permission to set the lock', async () => {
      const bucket = await subject.lockBucket();
      const retention = { mode: 'GOVERNANCE', retainUntil: subject.now() + 3_600_000 } as const;
      const bring = {
        's3:PutObjectRetention': { retention },
        's3:PutObjectLegalHold': { legalHold: false },
      };
      for (const [action, lock] of Object.entries(bring)) {
        await putPolicy(bucket, { Effect: 'Deny', Principal: '*', Action: action });
        await put(store(), { bucket, key }, 'x');
        await expectRefusal(put(store(), { bucket, key }, 'x', { lock }), 'AccessDenied');
        await expectRefusal(store().createUpload({ bucket, key, lock }), 'AccessDenied');
        await store().deleteBucketPolicy({ bucket });
      }
    });

    test('[policy-25] a Deny of s3:BypassGovernanceRetention also applies to an owner with full access', async () => {
      const bucket = await subject.lockBucket();
      const retention = { mode: 'GOVERNANCE', retainUntil: subject.now() + 3_600_000 } as const;
      const versionId = await putVersion(store(), { bucket, key }, 'x', { lock: { retention } });
      const ref = { bucket, key, versionId, bypassGovernance: true };
      await putPolicy(bucket, {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:BypassGovernanceRetention',
      });
      await expectRefusal(store().deleteObject(ref), 'AccessDenied');
      const shorter = { ...retention, retainUntil: subject.now() + 60_000 };
      await expectRefusal(store().putRetention({ ...ref, retention: shorter }), 'AccessDenied');
      await store().deleteBucketPolicy({ bucket });
      await store().deleteObject(ref);
    });

    test('[auth-8] a user with full access to another project cannot change locks, whatever the policy allows', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.lockBucket();
      const retention = { mode: 'GOVERNANCE', retainUntil: subject.now() + 3_600_000 } as const;
      const versionId = await putVersion(store(), { bucket, key }, 'x', { lock: { retention } });
      await putPolicy(bucket, {});
      const ref = { bucket, key, versionId };
      await expectRefusal(stranger.putLegalHold({ ...ref, legalHold: true }), 'AccessDenied');
      const shorter = { ...retention, retainUntil: subject.now() + 60_000 };
      const change = { ...ref, retention: shorter, bypassGovernance: true };
      await expectRefusal(stranger.putRetention(change), 'AccessDenied');
      await expectRefusal(
        stranger.deleteObject({ ...ref, bypassGovernance: true }),
        'AccessDenied',
      );
      const hold = put(stranger, { bucket, key }, 'x', { lock: { legalHold: true } });
      await expectRefusal(hold, 'AccessDenied');
    });

    test('[policy-26] a copy requires permission to read the source object, its version and its tags', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket('Enabled');
      const own = await ownBucket(stranger);
      const versionId = await putVersion(store(), { bucket, key }, 'x');
      const copy = (source: { bucket: string; key: string; versionId?: string }) =>
        stranger.copyObject({ bucket: own, key, source });
      await expectRefusal(copy({ bucket, key }), 'AccessDenied');
      await putPolicy(bucket, { Action: 's3:GetObject' });
      await copy({ bucket, key });
      await expectRefusal(copy({ bucket, key, versionId }), 'AccessDenied');
      const upload = { bucket: own, key, ...(await stranger.createUpload({ bucket: own, key })) };
      const part = { ...upload, partNumber: 1 };
      await stranger.copyPart({ ...part, source: { bucket, key } });
      await expectRefusal(
        stranger.copyPart({ ...part, source: { bucket, key, versionId } }),
        'AccessDenied',
      );
      await stranger.abortUpload(upload);
      await put(store(), { bucket, key }, 'x', { tags: [{ key: 'a', value: 'b' }] });
      await expectRefusal(copy({ bucket, key }), 'AccessDenied');
      await putPolicy(bucket, { Action: ['s3:GetObject', 's3:GetObjectTagging'] });
      await copy({ bucket, key });
      await removeOwn(stranger, { bucket: own, key });
    });

    test('[policy-27] a bulk delete evaluates the bucket policy separately for each key', async () => {
      const bucket = await subject.bucket();
      for (const each of ['a', 'b']) await put(store(), { bucket, key: each }, 'x');
      const Resource = `arn:aws:s3:::${bucket}/b`;
      await putPolicy(bucket, {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:DeleteObject',
        Resource,
      });
      const objects = [{ key: 'a' }, { key: 'b' }];
      const { deleted, failed } = await store().deleteObjects({ bucket, objects });
      expect(deleted.map((each) => each.key)).toEqual(['a']);
      expect(failed.map((each) => [each.key, each.code])).toEqual([['b', 'AccessDenied']]);
      await store().deleteBucketPolicy({ bucket });
    });

    test('[policy-28] policy conditions are evaluated on the parsed request', async ({ skip }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await putPolicy(
        bucket,
        {
          Action: 's3:ListBucket',
          Condition: {
            StringLike: { 's3:prefix': 'open/*' },
            NumericLessThanEquals: { 's3:max-keys': 10 },
          },
        },
        {
          Action: 's3:PutObject',
          Condition: { StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control' } },
        },
        { Action: 's3:PutObjectAcl' },
      );
      await stranger.listObjects({ bucket, prefix: 'open/', maxKeys: 10 });
      await expectRefusal(
        stranger.listObjects({ bucket, prefix: 'open/', maxKeys: 11 }),
        'AccessDenied',
      );
      await expectRefusal(stranger.listObjects({ bucket, prefix: 'open/' }), 'AccessDenied');
      await expectRefusal(stranger.listObjects({ bucket, maxKeys: 1 }), 'AccessDenied');
      await expectRefusal(stranger.putObject({ bucket, key, body }), 'AccessDenied');
      const acl: AclRequest = { canned: 'bucket-owner-full-control' };
      await put(stranger, { bucket, key }, 'x', { acl });
      // The client states the ACL only when it creates the upload. The condition then also holds for the
      // parts.
      const upload = { bucket, key, ...(await stranger.createUpload({ bucket, key, acl })) };
      const part = await stranger.uploadPart({ ...upload, partNumber: 1, body });
      const { bucket: _, ...rest } = upload;
      await stranger.completeUpload({
        ...rest,
        bucket,
        parts: [{ partNumber: 1, etag: part.etag }],
      });
      await expectRefusal(stranger.createUpload({ bucket, key: 'other' }), 'AccessDenied');
      await store().deleteObject({ bucket, key });
    });

    test('[policy-28] policy conditions can depend on the existing tags of an object and on the tags in the request', async ({
      skip,
    }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      const tags = [{ key: 'open', value: 'yes' }];
      await put(store(), { bucket, key: 'tagged' }, 'text', { tags });
      await put(store(), { bucket, key: 'other' }, 'text');
      await putPolicy(
        bucket,
        {
          Action: 's3:GetObject',
          Condition: { StringEquals: { 's3:ExistingObjectTag/open': 'yes' } },
        },
        {
          Action: ['s3:PutObject', 's3:PutObjectTagging', 's3:DeleteObject'],
          Condition: {
            'ForAllValues:StringEquals': { 's3:RequestObjectTagKeys': ['open'] },
            StringEqualsIfExists: { 's3:RequestObjectTag/open': 'yes' },
          },
        },
      );
      expect(await readText(stranger, { bucket, key: 'tagged' })).toBe('text');
      await expectRefusal(stranger.getObject({ bucket, key: 'other' }), 'AccessDenied');
      await put(stranger, { bucket, key }, 'x', { tags });
      for (const wrong of [
        { key: 'open', value: 'no' },
        { key: 'closed', value: 'yes' },
      ]) {
        await expectRefusal(put(stranger, { bucket, key }, 'x', { tags: [wrong] }), 'AccessDenied');
      }
      await stranger.deleteObject({ bucket, key });
    });
  });

  describe('public access blocks', () => {
    const off = {
      blockPublicAcls: false,
      ignorePublicAcls: false,
      blockPublicPolicy: false,
      restrictPublicBuckets: false,
    };

    test('[acl-11] the store returns a public access block as it was put, and can delete it', async () => {
      const bucket = await subject.bucket();
      const none = 'NoSuchPublicAccessBlockConfiguration';
      await expectRefusal(store().getPublicAccessBlock({ bucket }), none);
      const block = { ...off, ignorePublicAcls: true };
      await store().putPublicAccessBlock({ bucket, block });
      expect(await store().getPublicAccessBlock({ bucket })).toEqual(block);
      await store().deletePublicAccessBlock({ bucket });
      await store().deletePublicAccessBlock({ bucket });
      await expectRefusal(store().getPublicAccessBlock({ bucket }), none);
    });

    test('[acl-12] with IgnorePublicAcls, grants to groups permit nothing', async ({ skip }) => {
      const stranger = subject.opened.stranger ?? skip('it has one user only');
      const bucket = await subject.bucket();
      await store().putBucketAcl({ bucket, acl: { canned: 'authenticated-read' } });
      await stranger.listObjects({ bucket });
      await store().putPublicAccessBlock({ bucket, block: { ...off, ignorePublicAcls: true } });
      await expectRefusal(stranger.listObjects({ bucket }), 'AccessDenied');
    });
  });
}

function bringing(action: string) {
  return action === 's3:PutObjectAcl'
    ? { acl: { canned: 'public-read' } as const }
    : { tags: [{ key: 'a', value: 'b' }] };
}

async function ownBucket(store: ObjectStore): Promise<string> {
  const bucket = newBucketName();
  await store.createBucket({ bucket });
  return bucket;
}

async function removeOwn(
  store: ObjectStore,
  { bucket, key: each }: { bucket: string; key: string },
) {
  await store.deleteObject({ bucket, key: each });
  await store.deleteBucket({ bucket });
}
