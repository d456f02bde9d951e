/**
 * Contract tests of Object Lock. Adding versions and delete markers is always possible, and removing locked versions
 * never.
 */

import { beforeAll, describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { LockRequest, ObjectStore } from '../../../src/object-store/object-store.ts';
import { expectNoTrace, expectRefusal, put, putVersion, readText } from './subject.ts';
import type { Subject } from './subject.ts';

const HOUR = 60 * 60 * 1000;

type Ref = { bucket: string; key: string };

/** Requests that write a version with a lock. Each returns the id of the new version. */
const WRITES: [string, (store: ObjectStore, ref: Ref, lock: LockRequest) => Promise<string>][] = [
  ['put', (store, ref, lock) => putVersion(store, ref, 'text', { lock })],
  ['copy', copyWithLock],
  ['multipart upload', uploadWithLock],
];

async function copyWithLock(store: ObjectStore, ref: Ref, lock: LockRequest): Promise<string> {
  const source = { ...ref, key: `${ref.key} source` };
  await put(store, source, 'text');
  return String((await store.copyObject({ source, ...ref, lock })).versionId);
}

async function uploadWithLock(store: ObjectStore, ref: Ref, lock: LockRequest): Promise<string> {
  const { uploadId } = await store.createUpload({ ...ref, lock });
  const upload = { ...ref, uploadId };
  const { etag } = await store.uploadPart({ ...upload, partNumber: 1, body: bytesBody('text') });
  const { versionId } = await store.completeUpload({ ...upload, parts: [{ partNumber: 1, etag }] });
  return String(versionId);
}

export function testLocks(subject: Subject): void {
  let bucket: string;
  let keys = 0;
  beforeAll(async () => {
    bucket = await subject.lockBucket();
  });
  /** Returns a new key for each test, because locked versions cannot be removed from the shared bucket. */
  const fresh = (): Ref => ({ bucket, key: `k${(keys += 1)}` });
  const governance = (): LockRequest => ({
    retention: { mode: 'GOVERNANCE', retainUntil: subject.now() + HOUR },
  });
  const compliance = (): LockRequest => ({
    retention: { mode: 'COMPLIANCE', retainUntil: subject.now() + HOUR },
  });
  const remove = (ref: Ref, versionId: string, bypassGovernance?: boolean) =>
    subject.store.deleteObject({
      ...ref,
      versionId,
      ...(bypassGovernance && { bypassGovernance }),
    });

  describe('buckets with Object Lock', () => {
    test('[lock-26] a bucket with Object Lock has versioning, and its versioning cannot be suspended', async () => {
      expect(await subject.store.getVersioning({ bucket })).toBe('Enabled');
      const attempt = subject.store.putVersioning({ bucket, versioning: 'Suspended' });
      await expectRefusal(attempt, 'InvalidBucketState');
      await subject.store.putVersioning({ bucket, versioning: 'Enabled' });
      expect(await subject.store.getVersioning({ bucket })).toBe('Enabled');
    });

    test('a new bucket with Object Lock has no default retention, and a bucket without Object Lock has no lock configuration', async () => {
      expect(await subject.store.getObjectLockConfiguration({ bucket })).toEqual({});
      const plain = await subject.bucket();
      const attempt = subject.store.getObjectLockConfiguration({ bucket: plain });
      await expectRefusal(attempt, 'ObjectLockConfigurationNotFoundError');
    });

    test('CreateBucket for a bucket with Object Lock can be repeated only with Object Lock', async () => {
      await subject.store.createBucket({ bucket, objectLockEnabled: true });
      await expectRefusal(subject.store.createBucket({ bucket }), 'BucketAlreadyOwnedByYou');
    });

    test('DeleteBucket of a bucket with a locked version fails', async () => {
      await put(subject.store, fresh(), 'text', { lock: governance() });
      await expectRefusal(subject.store.deleteBucket({ bucket }), 'BucketNotEmpty');
    });

    test('an object that was put without a lock into a bucket with Object Lock can be deleted', async () => {
      const ref = fresh();
      const versionId = await putVersion(subject.store, ref, 'text');
      const { info } = await subject.store.headObject(ref);
      expect(info.retention).toBeUndefined();
      expect(info.legalHold ?? false).toBe(false);
      await remove(ref, versionId);
    });
  });

  describe.each(WRITES)('versions locked by a %s', (_, write) => {
    test('[lock-1] GET and HEAD return the retention and the legal hold of a locked version', async () => {
      const ref = fresh();
      const lock = { ...governance(), legalHold: true };
      await write(subject.store, ref, lock);
      expect((await subject.store.headObject(ref)).info).toMatchObject(lock);
      const { info, body } = await subject.store.getObject(ref);
      for await (const chunk of body) expect(chunk.byteLength).toBe(4);
      expect(info).toMatchObject(lock);
    });

    test('[lock-9] a version under GOVERNANCE retention can be removed only with a bypass', async () => {
      const ref = fresh();
      const versionId = await write(subject.store, ref, governance());
      await expectRefusal(remove(ref, versionId), 'AccessDenied');
      expect(await readText(subject.store, { ...ref, versionId })).toBe('text');
      await remove(ref, versionId, true);
      await expectRefusal(subject.store.getObject({ ...ref, versionId }), 'NoSuchVersion');
    });

    test('[lock-5] a version under COMPLIANCE retention cannot be removed, even with a bypass', async () => {
      const ref = fresh();
      const versionId = await write(subject.store, ref, compliance());
      await expectRefusal(remove(ref, versionId), 'AccessDenied');
      await expectRefusal(remove(ref, versionId, true), 'AccessDenied');
      expect(await readText(subject.store, { ...ref, versionId })).toBe('text');
    });

    test('a version under a legal hold cannot be removed, even with a bypass', async () => {
      const ref = fresh();
      const versionId = await write(subject.store, ref, { legalHold: true });
      await expectRefusal(remove(ref, versionId), 'AccessDenied');
      await expectRefusal(remove(ref, versionId, true), 'AccessDenied');
      expect(await readText(subject.store, { ...ref, versionId })).toBe('text');
    });

    test('[lock-6] new versions and delete markers can be added to a key with a locked version, and are not locked', async () => {
      const ref = fresh();
      const locked = await write(subject.store, ref, { ...compliance(), legalHold: true });
      const newer = await putVersion(subject.store, ref, 'newer');
      const marker = String((await subject.store.deleteObject(ref)).versionId);
      await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
      await remove(ref, marker);
      await remove(ref, newer);
      expect(await readText(subject.store, ref)).toBe('text');
      await expectRefusal(remove(ref, locked), 'AccessDenied');
    });

    test('[lock-33] a write with a lock into a bucket without Object Lock fails with InvalidRequest and stores nothing', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await expectRefusal(write(subject.store, ref, governance()), 'InvalidRequest');
      await expectRefusal(write(subject.store, ref, { legalHold: true }), 'InvalidRequest');
      await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
    });

    test('[lock-32] a write with a retention that ends in the past fails with InvalidArgument and stores nothing', async () => {
      const ref = fresh();
      const retention = { mode: 'GOVERNANCE' as const, retainUntil: subject.now() - HOUR };
      await expectRefusal(write(subject.store, ref, { retention }), 'InvalidArgument');
      await expectRefusal(subject.store.getObject(ref), 'NoSuchKey');
    });

    test('[lock-34] a locked version can be removed once its retention has ended, and reports the retention until then', async ({
      skip,
    }) => {
      const clock = subject.opened.clock ?? skip('its clock cannot be moved');
      const [ref, lock] = [fresh(), compliance()];
      const versionId = await write(subject.store, ref, lock);
      clock.advance(HOUR - 1);
      await expectRefusal(remove(ref, versionId), 'AccessDenied');
      clock.advance(1);
      expect((await subject.store.headObject(ref)).info).toMatchObject(lock);
      await remove(ref, versionId);
      await expectRefusal(subject.store.getObject({ ...ref, versionId }), 'NoSuchVersion');
    });
  });

  describe('Object Lock on single versions', () => {
    test('[lock-30] a copy does not copy the lock of its source', async () => {
      const source = fresh();
      const target = fresh();
      await put(subject.store, source, 'text', { lock: { ...governance(), legalHold: true } });
      const { versionId } = await subject.store.copyObject({ source, ...target });
      const { info } = await subject.store.headObject(target);
      expect(info.retention).toBeUndefined();
      expect(info.legalHold ?? false).toBe(false);
      await remove(target, String(versionId));
    });

    test('a put whose condition fails locks no version', async () => {
      const own = await subject.lockBucket();
      const attempt = put(subject.store, { bucket: own, key: 'k' }, 'text', {
        lock: governance(),
        conditions: { ifMatch: '*' },
      });
      await expectRefusal(attempt, 'NoSuchKey');
      await expectNoTrace(subject.store, own);
      await subject.store.deleteBucket({ bucket: own });
    });

    test('the store preserves the milliseconds of a retention date', async () => {
      const ref = fresh();
      const retainUntil = Math.floor(subject.now() / 1000) * 1000 + HOUR + 7;
      const lock = { retention: { mode: 'GOVERNANCE' as const, retainUntil } };
      await put(subject.store, ref, 'text', { lock });
      expect((await subject.store.headObject(ref)).info.retention).toEqual(lock.retention);
    });

    test('[lock-35] a user without full access cannot bypass a GOVERNANCE retention', async ({
      skip,
    }) => {
      const colleague = subject.opened.colleague ?? skip('it has no colleagues of one project');
      const ref = fresh();
      const versionId = await putVersion(subject.store, ref, 'text', { lock: governance() });
      const attempt = colleague.deleteObject({ ...ref, versionId, bypassGovernance: true });
      await expectRefusal(attempt, 'AccessDenied');
      expect(await readText(subject.store, { ...ref, versionId })).toBe('text');
    });

    test('a locked version survives 16 parallel attempts to remove it', async () => {
      const ref = fresh();
      const versionId = await putVersion(subject.store, ref, 'text', { lock: compliance() });
      const attempts = Array.from({ length: 16 }, () =>
        expectRefusal(remove(ref, versionId, true), 'AccessDenied'),
      );
      await Promise.all(attempts);
      expect(await readText(subject.store, { ...ref, versionId })).toBe('text');
    });
  });
}
