/**
 * Contract tests of lock changes on existing versions: setting, extending and, where allowed, shortening or removing
 * a lock.
 */

import { beforeAll, describe, expect, test } from 'vitest';

import type { ObjectStore, Retention } from '../../../src/object-store/object-store.ts';
import { expectRefusal, put, putVersion, readText } from './subject.ts';
import type { Subject } from './subject.ts';

const HOUR = 60 * 60 * 1000;

type Ref = { bucket: string; key: string };
type OfVersion = (store: ObjectStore, ref: Ref & { versionId?: string }) => Promise<unknown>;

const FAR = Date.UTC(2090, 0, 1);
/** All requests that read or change the locks of a version, with their names. */
const QUESTIONS: [string, OfVersion][] = [
  ['getRetention', (store, ref) => store.getRetention(ref)],
  [
    'putRetention',
    (store, ref) => {
      const retention = { mode: 'GOVERNANCE', retainUntil: FAR } as const;
      return store.putRetention({ ...ref, retention });
    },
  ],
  ['getLegalHold', (store, ref) => store.getLegalHold(ref)],
  ['putLegalHold', (store, ref) => store.putLegalHold({ ...ref, legalHold: true })],
];

export function testLockChanges(subject: Subject): void {
  let bucket: string;
  let keys = 0;
  beforeAll(async () => {
    bucket = await subject.lockBucket();
  });
  /** Returns a new key for each test, because locked versions cannot be removed from the shared bucket. */
  const fresh = (): Ref => ({ bucket, key: `changed ${(keys += 1)}` });
  const until = (mode: Retention['mode'], hours: number): Retention => ({
    mode,
    retainUntil: subject.now() + hours * HOUR,
  });
  const remove = (ref: Ref, versionId: string) =>
    subject.store.deleteObject({ ...ref, versionId, bypassGovernance: true });

  describe.each(QUESTIONS)('%s', (_, ask) => {
    test('a lock request in a bucket without Object Lock fails with InvalidRequest', async () => {
      const ref = { bucket: await subject.bucket('Enabled'), key: 'k' };
      await put(subject.store, ref, 'text');
      await expectRefusal(ask(subject.store, ref), 'InvalidRequest');
    });

    test('a lock request for a missing object fails with NoSuchKey, and for a missing version with NoSuchVersion', async () => {
      const ref = fresh();
      await expectRefusal(ask(subject.store, ref), 'NoSuchKey');
      const versionId = await putVersion(subject.store, ref, 'text');
      await remove(ref, versionId);
      await expectRefusal(ask(subject.store, { ...ref, versionId }), 'NoSuchVersion');
      await expectRefusal(ask(subject.store, { ...ref, versionId: 'x' }), 'InvalidArgument');
    });

    test('a lock request for a delete marker fails with MethodNotAllowed, with or without its version id', async () => {
      const ref = fresh();
      await put(subject.store, ref, 'text');
      const { versionId = '' } = await subject.store.deleteObject(ref);
      for (const asked of [ref, { ...ref, versionId }]) {
        const error = await expectRefusal(ask(subject.store, asked), 'MethodNotAllowed');
        expect(error.details).toMatchObject({ DeleteMarker: true, VersionId: versionId });
      }
    });
  });

  describe('changes of a retention', () => {
    test('a retention can be set on the current version, and on an older version by its id', async () => {
      const ref = fresh();
      const older = await putVersion(subject.store, ref, 'older');
      const newer = await putVersion(subject.store, ref, 'newer');
      const [short, long] = [until('COMPLIANCE', 1), until('COMPLIANCE', 2)];
      await subject.store.putRetention({ ...ref, retention: long });
      await subject.store.putRetention({ ...ref, versionId: older, retention: short });
      expect(await subject.store.getRetention(ref)).toEqual(long);
      expect(await subject.store.getRetention({ ...ref, versionId: older })).toEqual(short);
      for (const versionId of [older, newer]) {
        await expectRefusal(remove(ref, versionId), 'AccessDenied');
      }
    });

    test('getRetention of a version without a retention fails, even under a legal hold', async () => {
      const ref = fresh();
      await put(subject.store, ref, 'text', { lock: { legalHold: true } });
      const code = 'ObjectLockConfigurationNotFoundError';
      await expectRefusal(subject.store.getRetention(ref), code);
    });

    test('a retention that ends in the past is rejected with InvalidArgument, and the existing retention remains', async () => {
      const ref = fresh();
      const retention = until('GOVERNANCE', 1);
      await put(subject.store, ref, 'text', { lock: { retention } });
      const attempt = subject.store.putRetention({
        ...ref,
        retention: until('GOVERNANCE', -1),
        bypassGovernance: true,
      });
      await expectRefusal(attempt, 'InvalidArgument');
      expect(await subject.store.getRetention(ref)).toEqual(retention);
    });

    test('[lock-4] [lock-8] a bypass can shorten a GOVERNANCE retention, but never a COMPLIANCE retention', async () => {
      for (const mode of ['GOVERNANCE', 'COMPLIANCE'] as const) {
        const ref = fresh();
        const [held, shorter] = [until(mode, 2), until(mode, 1)];
        await put(subject.store, ref, 'text', { lock: { retention: held } });
        const change = { ...ref, retention: shorter };
        await expectRefusal(subject.store.putRetention(change), 'AccessDenied');
        const bypassed = subject.store.putRetention({ ...change, bypassGovernance: true });
        if (mode === 'GOVERNANCE') await bypassed;
        else await expectRefusal(bypassed, 'AccessDenied');
        const expected = mode === 'GOVERNANCE' ? shorter : held;
        expect(await subject.store.getRetention(ref)).toEqual(expected);
      }
    });

    test('[lock-7] a user without full access can neither change nor extend a GOVERNANCE retention', async ({
      skip,
    }) => {
      const colleague = subject.opened.colleague ?? skip('it has no colleagues of one project');
      const ref = fresh();
      const held = until('GOVERNANCE', 1);
      await colleague.putRetention({
        ...ref,
        versionId: await putVersion(subject.store, ref, 'text'),
        retention: held,
      });
      for (const bypassGovernance of [false, true]) {
        const change = { ...ref, retention: until('GOVERNANCE', 2), bypassGovernance };
        await expectRefusal(colleague.putRetention(change), 'AccessDenied');
      }
      expect(await subject.store.getRetention(ref)).toEqual(held);
    });

    test('the store still returns an ended retention, and lets any new retention replace it', async ({
      skip,
    }) => {
      const clock = subject.opened.clock ?? skip('its clock cannot be moved');
      const ref = fresh();
      const ended = until('COMPLIANCE', 1);
      await put(subject.store, ref, 'text', { lock: { retention: ended } });
      clock.advance(HOUR - 1);
      const change = { ...ref, retention: until('GOVERNANCE', 1) };
      await expectRefusal(subject.store.putRetention(change), 'AccessDenied');
      clock.advance(1);
      expect(await subject.store.getRetention(ref)).toEqual(ended);
      await subject.store.putRetention(change);
      expect(await subject.store.getRetention(ref)).toEqual(change.retention);
    });

    test('[lock-3] if several COMPLIANCE retentions are set in parallel, the longest remains', async () => {
      const ref = fresh();
      await put(subject.store, ref, 'text');
      const hours = [7, 2, 12, 1, 16, 5, 9, 3, 14, 8, 4, 11, 6, 15, 10, 13];
      const retentions = hours.map((each) => until('COMPLIANCE', each));
      await Promise.allSettled(
        retentions.map((retention) => subject.store.putRetention({ ...ref, retention })),
      );
      expect(await subject.store.getRetention(ref)).toEqual(until('COMPLIANCE', 16));
    });
  });

  describe('changes of a legal hold', () => {
    test('[lock-12] a legal hold prevents removal of a version, even with a bypass, until the hold is lifted', async () => {
      const ref = fresh();
      const versionId = await putVersion(subject.store, ref, 'text');
      await subject.store.putLegalHold({ ...ref, legalHold: true });
      expect(await subject.store.getLegalHold(ref)).toBe(true);
      await expectRefusal(remove(ref, versionId), 'AccessDenied');
      expect(await readText(subject.store, ref)).toBe('text');
      await subject.store.putLegalHold({ ...ref, legalHold: false });
      expect(await subject.store.getLegalHold(ref)).toBe(false);
      await remove(ref, versionId);
    });

    test('a legal hold on an older version does not apply to the current version', async () => {
      const ref = fresh();
      const older = await putVersion(subject.store, ref, 'older');
      const newer = await putVersion(subject.store, ref, 'newer');
      await subject.store.putLegalHold({ ...ref, versionId: older, legalHold: true });
      const code = 'ObjectLockConfigurationNotFoundError';
      await expectRefusal(subject.store.getLegalHold(ref), code);
      await remove(ref, newer);
      await expectRefusal(remove(ref, older), 'AccessDenied');
    });

    test('getLegalHold fails if a hold was never set, and returns false if it was lifted', async () => {
      const ref = fresh();
      const silent = await putVersion(subject.store, ref, 'text');
      const code = 'ObjectLockConfigurationNotFoundError';
      await expectRefusal(subject.store.getLegalHold({ ...ref, versionId: silent }), code);
      await put(subject.store, ref, 'text', { lock: { legalHold: false } });
      expect(await subject.store.getLegalHold(ref)).toBe(false);
    });

    test('[lock-11] a legal hold and a retention are independent: each can change while the other is in force', async () => {
      const ref = fresh();
      const retention = until('GOVERNANCE', 1);
      const versionId = await putVersion(subject.store, ref, 'text', { lock: { retention } });
      await subject.store.putLegalHold({ ...ref, legalHold: true });
      const longer = { ...ref, retention: until('GOVERNANCE', 2) };
      await subject.store.putRetention(longer);
      await expectRefusal(remove(ref, versionId), 'AccessDenied');
      await subject.store.putLegalHold({ ...ref, legalHold: false });
      expect(await subject.store.getRetention(ref)).toEqual(longer.retention);
      await remove(ref, versionId);
    });

    test('[lock-10] a user without full access can neither set nor lift a legal hold', async ({
      skip,
    }) => {
      const colleague = subject.opened.colleague ?? skip('it has no colleagues of one project');
      const ref = fresh();
      await put(subject.store, ref, 'text');
      await expectRefusal(colleague.putLegalHold({ ...ref, legalHold: true }), 'AccessDenied');
      await subject.store.putLegalHold({ ...ref, legalHold: true });
      await expectRefusal(colleague.putLegalHold({ ...ref, legalHold: false }), 'AccessDenied');
      expect(await colleague.getLegalHold(ref)).toBe(true);
    });
  });
}
