/** Contract tests of the default retention of a bucket. While it is set, it locks each new version. */

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { DefaultRetention } from '../../../src/object-store/locks.ts';
import type { LockRequest, ObjectStore } from '../../../src/object-store/object-store.ts';
import { allVersions, expectRefusal, put, putVersion } from './subject.ts';
import type { Subject } from './subject.ts';

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

type Ref = { bucket: string; key: string };
type Write = (store: ObjectStore, ref: Ref, lock?: LockRequest) => Promise<unknown>;

const WRITES: [string, Write][] = [
  ['put', (store, ref, lock) => put(store, ref, 'text', lock && { lock })],
  [
    'copy',
    async (store, ref, lock) => {
      const source = { ...ref, key: `source of ${ref.key}` };
      await put(store, source, 'text');
      await store.copyObject({ source, ...ref, ...(lock && { lock }) });
    },
  ],
  [
    'multipart upload',
    async (store, ref, lock) => {
      const { uploadId } = await store.createUpload({ ...ref, ...(lock && { lock }) });
      await complete(store, { ...ref, uploadId });
    },
  ],
];

async function complete(store: ObjectStore, upload: Ref & { uploadId: string }): Promise<void> {
  const { etag } = await store.uploadPart({ ...upload, partNumber: 1, body: bytesBody('text') });
  await store.completeUpload({ ...upload, parts: [{ partNumber: 1, etag }] });
}

export function testDefaultRetention(subject: Subject): void {
  let bucket: string;
  let ref: Ref;
  let keys = 0;
  beforeAll(async () => {
    bucket = await subject.lockBucket();
  });
  /**
   * Each test has a new key and starts without a default retention, because locked versions cannot be removed from the
   * shared bucket.
   */
  beforeEach(async () => {
    ref = { bucket, key: `${(keys += 1)} by default` };
    await setDefault();
  });
  const setDefault = (defaultRetention?: DefaultRetention) =>
    subject.store.putObjectLockConfiguration({
      bucket,
      ...(defaultRetention && { defaultRetention }),
    });
  const returned = async () => (await subject.store.headObject(ref)).info.retention;

  describe('default retention of a bucket', () => {
    test.each<DefaultRetention>([
      { mode: 'GOVERNANCE', days: 1 },
      { mode: 'COMPLIANCE', days: 36_500 },
      { mode: 'COMPLIANCE', years: 1 },
      { mode: 'GOVERNANCE', years: 100 },
    ])(
      'the store returns the default retention %j, lets it replace the previous one, and can remove it',
      async (defaultRetention) => {
        await setDefault({ mode: 'GOVERNANCE', days: 7 });
        await setDefault(defaultRetention);
        const configuration = await subject.store.getObjectLockConfiguration({ bucket });
        expect(configuration).toEqual({ defaultRetention });
        await setDefault();
        expect(await subject.store.getObjectLockConfiguration({ bucket })).toEqual({});
      },
    );

    test.each([
      ['InvalidRetentionPeriod', { mode: 'GOVERNANCE', days: 0 }],
      ['InvalidRetentionPeriod', { mode: 'GOVERNANCE', days: -1 }],
      ['InvalidRetentionPeriod', { mode: 'GOVERNANCE', days: 36_501 }],
      ['InvalidRetentionPeriod', { mode: 'GOVERNANCE', years: 101 }],
      ['MalformedXML', { mode: 'GOVERNANCE', days: 1, years: 1 }],
      ['MalformedXML', { mode: 'GOVERNANCE' }],
      ['MalformedXML', { mode: 'governance', days: 1 }],
    ] as const)('an invalid default retention is rejected with %s: %j', async (code, refused) => {
      const before: DefaultRetention = { mode: 'GOVERNANCE', days: 7 };
      await setDefault(before);
      await expectRefusal(setDefault(refused as DefaultRetention), code);
      const configuration = await subject.store.getObjectLockConfiguration({ bucket });
      expect(configuration).toEqual({ defaultRetention: before });
    });

    test('a default retention is rejected for a bucket without Object Lock, even if it has versioning', async () => {
      const plain = await subject.bucket('Enabled');
      const defaultRetention = { mode: 'GOVERNANCE', days: 1 } as const;
      for (const request of [{ bucket: plain, defaultRetention }, { bucket: plain }]) {
        const attempt = subject.store.putObjectLockConfiguration(request);
        await expectRefusal(attempt, 'InvalidBucketState');
      }
      const inPlain = { bucket: plain, key: 'k' };
      await put(subject.store, inPlain, 'text');
      const { info } = await subject.store.headObject(inPlain);
      expect(info.retention).toBeUndefined();
    });

    test('the default retention of a bucket does not lock delete markers', async () => {
      await setDefault({ mode: 'COMPLIANCE', days: 1 });
      const { versionId } = await subject.store.deleteObject(ref);
      await subject.store.deleteObject({ ...ref, versionId: String(versionId) });
      expect(await allVersions(subject.store, { bucket, prefix: ref.key })).toEqual([]);
    });

    test('[lock-15] setting or removing a default retention does not change existing versions', async ({
      skip,
    }) => {
      const clock = subject.opened.clock ?? skip('its clock cannot be moved');
      const free = await putVersion(subject.store, ref, 'free');
      await setDefault({ mode: 'GOVERNANCE', days: 2 });
      await subject.store.deleteObject({ ...ref, versionId: free });
      const versionId = await putVersion(subject.store, ref, 'locked');
      const retention = { mode: 'GOVERNANCE', retainUntil: clock.now() + 2 * DAY };
      for (const later of [{ mode: 'COMPLIANCE', years: 9 } as const, undefined]) {
        await setDefault(later);
        expect(await returned()).toEqual(retention);
        const removal = subject.store.deleteObject({ ...ref, versionId });
        await expectRefusal(removal, 'AccessDenied');
      }
    });

    test('[lock-31] a multipart object gets the default retention at the time of its completion', async ({
      skip,
    }) => {
      const clock = subject.opened.clock ?? skip('its clock cannot be moved');
      await setDefault({ mode: 'COMPLIANCE', days: 1 });
      const { uploadId } = await subject.store.createUpload(ref);
      await setDefault({ mode: 'GOVERNANCE', days: 3 });
      clock.advance(HOUR);
      await complete(subject.store, { ...ref, uploadId });
      expect(await returned()).toEqual({ mode: 'GOVERNANCE', retainUntil: clock.now() + 3 * DAY });
    });
  });

  describe.each(WRITES)('versions written by a %s under a default retention', (_, write) => {
    test('[lock-2] a default retention in days locks a new version for that number of days', async ({
      skip,
    }) => {
      const clock = subject.opened.clock ?? skip('its clock cannot be moved');
      await setDefault({ mode: 'COMPLIANCE', days: 1 });
      await write(subject.store, ref);
      const retainUntil = clock.now() + DAY;
      expect(await returned()).toEqual({ mode: 'COMPLIANCE', retainUntil });
      expect(await subject.store.getRetention(ref)).toEqual({ mode: 'COMPLIANCE', retainUntil });
      const [version] = await allVersions(subject.store, { bucket, prefix: ref.key });
      const remove = () =>
        subject.store.deleteObject({
          ...ref,
          versionId: String(version?.versionId),
          bypassGovernance: true,
        });
      clock.advance(DAY - 1);
      await expectRefusal(remove(), 'AccessDenied');
      clock.advance(1);
      await remove();
    });

    test('[lock-29] a default retention in years locks a new version for that number of calendar years', async ({
      skip,
    }) => {
      const clock = subject.opened.clock ?? skip('its clock cannot be moved');
      await setDefault({ mode: 'GOVERNANCE', years: 3 });
      await write(subject.store, ref);
      const end = new Date(clock.now());
      end.setUTCFullYear(end.getUTCFullYear() + 3);
      expect(await returned()).toEqual({ mode: 'GOVERNANCE', retainUntil: end.getTime() });
    });

    test('[lock-14] a retention in the request replaces the default retention, even if it is shorter', async () => {
      await setDefault({ mode: 'COMPLIANCE', years: 1 });
      const retention = { mode: 'GOVERNANCE', retainUntil: subject.now() + HOUR } as const;
      await write(subject.store, ref, { retention });
      expect(await returned()).toEqual(retention);
    });

    test('a version that is written with a legal hold also gets the default retention', async () => {
      await setDefault({ mode: 'GOVERNANCE', days: 1 });
      await write(subject.store, ref, { legalHold: true });
      const { info } = await subject.store.headObject(ref);
      expect(info).toMatchObject({ legalHold: true, retention: { mode: 'GOVERNANCE' } });
    });
  });
}
