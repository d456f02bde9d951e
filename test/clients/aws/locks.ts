/**
 * Checks of Object Lock with `aws s3api`: versions that are locked by the upload, by the default
 * retention, or later.
 */

import assert from 'node:assert/strict';

import { assertSameBytes, writeContent } from '../content.ts';
import type { Aws, ObjectOptions, Options } from './aws.ts';

const RETAIN_UNTIL = '2040-01-02T03:04:05Z';

const retain = (mode: string): Options => ({
  objectLockMode: mode,
  objectLockRetainUntilDate: RETAIN_UNTIL,
});

export async function checkLocks(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('locks');
  const body = lane.path('locked');
  const put = async (key: string, lock: Options): Promise<ObjectOptions> => {
    type Output = { VersionId: string };
    const { VersionId } = await aws.api<Output>('put-object', { bucket, key, body, ...lock });
    return { bucket, key, versionId: VersionId };
  };
  const bypassing = { bypassGovernanceRetention: true } as const;
  writeContent(body, 'locked');

  await lane.check('create-bucket with Object Lock also enables versioning', async () => {
    await aws.api('create-bucket', { bucket, objectLockEnabledForBucket: true });
    const returned = await aws.api('get-object-lock-configuration', { bucket });
    assert.deepEqual(returned, { ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled' } });
    assert.deepEqual(await aws.api('get-bucket-versioning', { bucket }), { Status: 'Enabled' });
  });

  for (const mode of ['GOVERNANCE', 'COMPLIANCE']) {
    await lane.check(
      `a version in ${mode} mode cannot be deleted, but a delete marker can hide it`,
      async () => {
        const version = await put(mode, retain(mode));
        type Output = { ObjectLockMode: string; ObjectLockRetainUntilDate: string };
        const head = await aws.api<Output>('head-object', version);
        assert.equal(head.ObjectLockMode, mode);
        assert.equal(Date.parse(head.ObjectLockRetainUntilDate), Date.parse(RETAIN_UNTIL));
        await aws.refused('AccessDenied', 'delete-object', version);
        await aws.api('delete-object', { bucket, key: mode });
        assertSameBytes(await aws.read(version), 'locked');
      },
    );
  }

  await lane.check(
    '--bypass-governance-retention allows deleting a GOVERNANCE version but no COMPLIANCE version',
    async () => {
      const governed = await put('bypass', retain('GOVERNANCE'));
      await aws.api('delete-object', { ...governed, ...bypassing });
      const compliant = await put('bypass', retain('COMPLIANCE'));
      await aws.refused('AccessDenied', 'delete-object', { ...compliant, ...bypassing });
    },
  );

  await lane.check(
    'a version with a legal hold cannot be deleted, even with --bypass-governance-retention',
    async () => {
      const version = await put('held', { objectLockLegalHoldStatus: 'ON' });
      const { ObjectLockLegalHoldStatus } = await aws.api('head-object', version);
      assert.equal(ObjectLockLegalHoldStatus, 'ON');
      await aws.refused('AccessDenied', 'delete-object', { ...version, ...bypassing });
    },
  );

  await lane.check('delete-objects returns AccessDenied for a locked version', async () => {
    const { key, versionId } = await put('many', retain('COMPLIANCE'));
    const Objects = [{ Key: key, VersionId: versionId }];
    type Output = { Errors: { Code: string }[] };
    const { Errors } = await aws.api<Output>('delete-objects', { bucket, delete: { Objects } });
    assert.deepEqual(
      Errors.map(({ Code }) => Code),
      ['AccessDenied'],
    );
  });

  await lane.check(
    'the retention of a multipart upload applies to the completed version',
    async () => {
      const object = { bucket, key: 'parts' };
      type Output = { UploadId: string; ETag: string; VersionId: string };
      const started = await aws.api<Output>('create-multipart-upload', {
        ...object,
        ...retain('COMPLIANCE'),
      });
      const upload = { ...object, uploadId: started.UploadId };
      const { ETag } = await aws.api<Output>('upload-part', { ...upload, partNumber: 1, body });
      const { VersionId: versionId } = await aws.api<Output>('complete-multipart-upload', {
        ...upload,
        multipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      });
      await aws.refused('AccessDenied', 'delete-object', { ...object, versionId });
    },
  );

  await lane.check(
    'put-object-lock-configuration sets and removes the default retention of new objects',
    async () => {
      const configure = (more: object) => {
        const objectLockConfiguration = { ObjectLockEnabled: 'Enabled', ...more };
        return { bucket: defaults, objectLockConfiguration };
      };
      const defaults = lane.bucketName('locked-by-default');
      await aws.api('create-bucket', { bucket: defaults, objectLockEnabledForBucket: true });
      const Rule = { DefaultRetention: { Mode: 'COMPLIANCE', Days: 1 } };
      await aws.api('put-object-lock-configuration', configure({ Rule }));
      const returned = await aws.api('get-object-lock-configuration', { bucket: defaults });
      assert.deepEqual(returned, {
        ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled', Rule },
      });
      type Output = { VersionId: string };
      const object = { bucket: defaults, key: 'default' };
      const { VersionId: versionId } = await aws.api<Output>('put-object', { ...object, body });
      await aws.refused('AccessDenied', 'delete-object', { ...object, versionId, ...bypassing });
      await aws.api('put-object-lock-configuration', configure({ Rule: {} }));
      const free = await aws.api<Output>('put-object', { ...object, body });
      await aws.api('delete-object', { ...object, versionId: free.VersionId });
      const tooLong = configure({ Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Years: 101 } } });
      await aws.refused('InvalidRetentionPeriod', 'put-object-lock-configuration', tooLong);
    },
  );

  await lane.check(
    'put-object-retention extends a retention, and shortens it only with a bypass',
    async () => {
      const version = await put('retained', {});
      const retainUntil = (year: number) => ({
        ...version,
        retention: { Mode: 'GOVERNANCE', RetainUntilDate: `${year}-01-02T03:04:05Z` },
      });
      const code = 'ObjectLockConfigurationNotFoundError';
      await aws.refused(code, 'get-object-retention', version);
      for (const year of [2040, 2041]) await aws.api('put-object-retention', retainUntil(year));
      await aws.refused('AccessDenied', 'put-object-retention', retainUntil(2040));
      await aws.api('put-object-retention', { ...retainUntil(2040), ...bypassing });
      type Output = { Retention: { Mode: string; RetainUntilDate: string } };
      const { Retention } = await aws.api<Output>('get-object-retention', version);
      assert.equal(Retention.Mode, 'GOVERNANCE');
      assert.equal(Date.parse(Retention.RetainUntilDate), Date.parse(RETAIN_UNTIL));
      await aws.refused('InvalidArgument', 'put-object-retention', retainUntil(2000));
      await aws.refused('AccessDenied', 'delete-object', version);
    },
  );

  await lane.check('put-object-legal-hold sets and lifts the legal hold of a version', async () => {
    const version = await put('hold', {});
    const code = 'ObjectLockConfigurationNotFoundError';
    await aws.refused(code, 'get-object-legal-hold', version);
    for (const Status of ['ON', 'OFF']) {
      await aws.api('put-object-legal-hold', { ...version, legalHold: { Status } });
      const returned = await aws.api('get-object-legal-hold', version);
      assert.deepEqual(returned, { LegalHold: { Status } });
      if (Status === 'ON') {
        await aws.refused('AccessDenied', 'delete-object', { ...version, ...bypassing });
      }
    }
    await aws.api('delete-object', version);
  });

  await lane.check(
    'put-bucket-versioning cannot suspend versioning of a bucket with Object Lock',
    async () => {
      const versioningConfiguration = { Status: 'Suspended' };
      const suspended = { bucket, versioningConfiguration };
      await aws.refused('InvalidBucketState', 'put-bucket-versioning', suspended);
    },
  );

  await lane.check(
    'put-object with a retention fails in a bucket without Object Lock',
    async () => {
      const plain = lane.bucketName('unlocked');
      await aws.api('create-bucket', { bucket: plain });
      const locked = { bucket: plain, key: 'key', body, ...retain('COMPLIANCE') };
      await aws.refused('InvalidRequest', 'put-object', locked);
      const code = 'ObjectLockConfigurationNotFoundError';
      await aws.refused(code, 'get-object-lock-configuration', { bucket: plain });
    },
  );
}
