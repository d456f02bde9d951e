/**
 * Contract tests of the lifecycle rules of a bucket, and of the expiration date that the store
 * reports for an object.
 */

import { describe, expect, test } from 'vitest';

import type { LifecycleRule } from '../../../src/object-store/lifecycle.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { expectRefusal, put } from './subject.ts';
import type { Subject } from './subject.ts';

const DAY = 24 * 3600 * 1000;

const RULES: readonly LifecycleRule[] = [
  {
    id: 'a & b',
    enabled: true,
    filter: { prefix: 'logs/<1>/' },
    expiration: { days: 30 },
    noncurrentExpiration: { days: 7 },
  },
  {
    id: 'b off',
    enabled: false,
    filter: { prefix: 'x', tags: [{ key: 'k', value: 'v' }] },
    expiration: { date: Date.UTC(2030, 0, 1) },
  },
  {
    id: 'c',
    enabled: true,
    filter: { prefix: 'y' },
    expiration: { expiredDeleteMarker: true },
    abortUploadsAfterDays: 3,
  },
];
const MORE: readonly LifecycleRule[] = [
  { id: 'd', enabled: true, filter: {}, expiration: { days: 1 } },
  {
    id: 'e',
    enabled: true,
    filter: { sizeGreaterThan: 10, sizeLessThan: 20 },
    noncurrentExpiration: { days: 1, keepNewest: 5 },
  },
  { id: 'f', enabled: true, filter: { prefix: '' }, legacyPrefix: true, expiration: { days: 1 } },
];

export function testLifecycle(subject: Subject): void {
  const rule = (given: Partial<LifecycleRule>): LifecycleRule => ({
    id: 'r',
    enabled: true,
    filter: { prefix: '' },
    ...given,
  });
  const returned = async (bucket: string) => {
    const rules = await subject.store.getLifecycle({ bucket });
    return rules.toSorted((a, b) => a.id.localeCompare(b.id));
  };

  describe('lifecycle rules', () => {
    test('[lc-46] the store returns lifecycle rules as they were put, replaces them on the next put, and can delete them', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      await expectRefusal(store.getLifecycle({ bucket }), 'NoSuchLifecycleConfiguration');
      await store.putLifecycle({ bucket, rules: RULES });
      expect(await returned(bucket)).toEqual(RULES);
      await store.putLifecycle({ bucket, rules: RULES.slice(1) });
      expect(await returned(bucket)).toEqual(RULES.slice(1));
      await store.deleteLifecycle({ bucket });
      await store.deleteLifecycle({ bucket });
      await expectRefusal(store.getLifecycle({ bucket }), 'NoSuchLifecycleConfiguration');
    });

    test('[lc-46] the store returns lifecycle rules with sizes, without a filter, and with the older Prefix element', async () => {
      const bucket = await subject.bucket();
      await subject.store.putLifecycle({ bucket, rules: MORE });
      expect(await returned(bucket)).toEqual(MORE);
    });

    test('[lc-2] invalid lifecycle rules are rejected, and the previous rules remain', async () => {
      const bucket = await subject.bucket();
      await subject.store.putLifecycle({ bucket, rules: RULES });
      const rules = [rule({ expiration: { days: 0 } })];
      await expectRefusal(subject.store.putLifecycle({ bucket, rules }), 'InvalidArgument');
      expect(await returned(bucket)).toEqual(RULES);
    });

    test('DeleteBucket deletes the lifecycle rules of the bucket', async () => {
      const bucket = await subject.bucket();
      await subject.store.putLifecycle({ bucket, rules: RULES });
      await subject.store.deleteBucket({ bucket });
      await subject.store.createBucket({ bucket });
      await expectRefusal(subject.store.getLifecycle({ bucket }), 'NoSuchLifecycleConfiguration');
    });
  });

  describe('expiration by a lifecycle rule', () => {
    const dueAfter = (days: number, from: number) => Math.ceil(from / DAY + days) * DAY;

    test('[lc-47] put, GET and HEAD return the expiration date of an object and the id of its lifecycle rule', async () => {
      const bucket = await subject.bucket('Enabled');
      const { store } = subject;
      const rules = [
        rule({ id: 'ten, "days"', expiration: { days: 10 } }),
        rule({ id: 'short', filter: { prefix: 'short/' }, expiration: { days: 1 } }),
      ];
      await store.putLifecycle({ bucket, rules });
      const ref = { bucket, key: 'a' };
      const { expiration } = await put(store, ref, 'x');
      const { info } = await store.headObject(ref);
      const expiresAt = dueAfter(10, info.lastModifiedAt);
      expect(expiration).toEqual({ expiresAt, ruleId: 'ten, "days"' });
      expect(info.expiration).toEqual(expiration);
      const read = await store.getObject(ref);
      for await (const _ of read.body) continue;
      expect(read.info.expiration).toEqual(expiration);
      const short = { bucket, key: 'short/a' };
      expect((await put(store, short, 'x')).expiration?.ruleId).toBe('short');
    });

    test('[lc-47] a copy and a completion return the expiration date of the new object and the id of its lifecycle rule', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      const rules = [rule({ filter: { prefix: 'b' }, expiration: { days: 10 } })];
      await store.putLifecycle({ bucket, rules });
      const source = { bucket, key: 'a' };
      expect((await put(store, source, 'x')).expiration).toBeUndefined();
      const copy = await store.copyObject({ source, bucket, key: 'b' });
      expect(copy.expiration?.ruleId).toBe('r');
      const ref = { bucket, key: 'b2' };
      const { uploadId } = await store.createUpload(ref);
      const body = bytesBody('part');
      const part = await store.uploadPart({ ...ref, uploadId, partNumber: 1, body });
      const parts = [{ partNumber: 1, etag: part.etag }];
      const completed = await store.completeUpload({ ...ref, uploadId, parts });
      expect(completed.expiration?.ruleId).toBe('r');
    });

    test('[lc-48] a lifecycle rule that is disabled, does not match or is for noncurrent versions reports no expiration', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      const expiration = { days: 1 };
      const rules = [
        rule({ id: '1', enabled: false, expiration }),
        rule({ id: '2', filter: { prefix: 'b' }, expiration }),
        rule({ id: '3', filter: { prefix: 'a', tags: [{ key: 'k', value: 'v' }] }, expiration }),
        rule({ id: '4', noncurrentExpiration: { days: 1 } }),
      ];
      await store.putLifecycle({ bucket, rules });
      const ref = { bucket, key: 'a' };
      await put(store, ref, 'x', { tags: [{ key: 'k', value: 'w' }] });
      expect((await store.headObject(ref)).info.expiration).toBeUndefined();
      await put(store, ref, 'x', { tags: [{ key: 'k', value: 'v' }] });
      expect((await store.headObject(ref)).info.expiration?.ruleId).toBe('3');
    });
  });
}
