/**
 * Tests of locks with damaged data or an untrusted clock. In case of doubt, the store treats a
 * version as locked.
 */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const DAY = 24 * 3600 * 1000;
const REF = { bucket: 'bucket', key: 'k' };

/** Creates a store, calls `prepare`, changes the database with `sql`, and opens the store again. */
async function damaged(prepare: (store: ObjectStore) => Promise<unknown>, sql: string) {
  const dir = temporaryFolder('locks');
  const { engine, store } = await openTestEngine({ dir });
  await store.createBucket({ ...REF, objectLockEnabled: true });
  await prepare(store);
  await engine.close();
  const database = new Database(join(dir, 'store.sqlite'));
  database.exec(sql);
  database.close();
  return (await openTestEngine({ dir })).store;
}

const putFree = (store: ObjectStore) => store.putObject({ ...REF, body: bytesBody('x') });

test.each([
  ['an unknown retention mode', `retention_mode = 'OTHER', retain_until = 1`],
  ['a retention date without a mode', 'retain_until = 1'],
  ['a retention mode without a date', `retention_mode = 'GOVERNANCE'`],
])('the store neither returns nor changes a damaged retention that has %s', async (_, columns) => {
  const store = await damaged(putFree, `UPDATE version SET ${columns}`);
  await expect(store.getRetention(REF)).rejects.toMatchObject({ code: 'InternalError' });
  const retention = { mode: 'COMPLIANCE', retainUntil: Date.UTC(2090, 0, 1) } as const;
  const change = store.putRetention({ ...REF, retention, bypassGovernance: true });
  await expect(change).rejects.toMatchObject({ code: 'AccessDenied' });
});

test('[lock-27] the store returns a legal hold with an invalid value as on', async () => {
  const store = await damaged(putFree, 'UPDATE version SET legal_hold = 7');
  expect(await store.getLegalHold(REF)).toBe(true);
});

test.each([
  ['a retention mode without a period', `default_retention_mode = 'GOVERNANCE'`],
  ['a retention period without a mode', 'default_retention_days = 1'],
  [
    'both days and years',
    `default_retention_mode = 'GOVERNANCE', default_retention_days = 1, default_retention_years = 1`,
  ],
])(
  'the store refuses writes without an explicit retention if the default retention of the bucket is damaged: %s',
  async (_, columns) => {
    const store = await damaged(async () => {}, `UPDATE bucket SET ${columns}`);
    await expect(putFree(store)).rejects.toMatchObject({ code: 'InternalError' });
    await expect(store.headObject(REF)).rejects.toMatchObject({ code: 'NoSuchKey' });
    await store.putObjectLockConfiguration(REF);
    await expect(putFree(store)).resolves.toBeDefined();
  },
);

describe('a clock that jumped ahead and is not trusted', () => {
  async function jumped() {
    const dir = temporaryFolder('locks');
    const { engine, store, clock } = await openTestEngine({ dir });
    await store.createBucket({ ...REF, objectLockEnabled: true });
    const held = { mode: 'COMPLIANCE', retainUntil: clock.now() + 10 * DAY } as const;
    await store.putObject({ ...REF, body: bytesBody('x'), lock: { retention: held } });
    await engine.close();
    const ahead = new FakeClock(held.retainUntil + DAY);
    return { ...(await openTestEngine({ dir, clock: ahead })), held, ahead, dir };
  }

  test('[lock-28] the store keeps a retention in force if only an untrusted clock is past its end', async () => {
    const { store, held, ahead, engine } = await jumped();
    const retention = { mode: 'GOVERNANCE', retainUntil: ahead.now() + DAY } as const;
    const change = () => store.putRetention({ ...REF, retention, bypassGovernance: true });
    await expect(change()).rejects.toMatchObject({
      code: 'AccessDenied',
      message: expect.stringContaining('holdfast admin store trust-clock') as string,
    });
    expect(await store.getRetention(REF)).toEqual(held);
    await engine.upkeep.trustClock();
    await change();
    expect(await store.getRetention(REF)).toEqual(retention);
  });

  test('[clock-11] the store accepts a retention that ends after the trusted time even if the untrusted clock is already past its end', async () => {
    const { store, held } = await jumped();
    const asked = (until: number) => ({ mode: 'COMPLIANCE', retainUntil: until }) as const;
    const retention = asked(held.retainUntil - 5 * DAY);
    const lock = { retention };
    const ref = { ...REF, key: 'put' };
    const part = { ...REF, key: 'parts', partNumber: 1, body: bytesBody('x') };
    await store.putObject({ ...ref, body: bytesBody('x'), lock });
    await store.copyObject({ ...REF, key: 'copy', source: REF, lock });
    const { uploadId } = await store.createUpload({ ...REF, key: 'parts', lock });
    const { etag } = await store.uploadPart({ ...part, uploadId });
    const parts = [{ partNumber: 1, etag }];
    await store.completeUpload({ ...REF, key: 'parts', uploadId, parts });
    for (const key of ['put', 'copy', 'parts'])
      expect(await store.getRetention({ ...REF, key })).toEqual(retention);
    const later = asked(held.retainUntil - 4 * DAY);
    await store.putRetention({ ...ref, retention: later });
    expect(await store.getRetention(ref)).toEqual(later);
  });

  test('[clock-11] the store refuses a retention that ends before the trusted time', async () => {
    const { store, held } = await jumped();
    const retention = { mode: 'GOVERNANCE', retainUntil: held.retainUntil - 11 * DAY } as const;
    const put = store.putObject({ ...REF, body: bytesBody('x'), lock: { retention } });
    await expect(put).rejects.toMatchObject({ code: 'InvalidArgument' });
  });

  describe('default retention while the clock is not trusted', () => {
    /**
     * Puts a version with a default retention of two days while the clock is 11 days ahead.
     * `daysOf` returns how many days after the trusted time its retention ends.
     */
    async function putByDefault(mode: 'COMPLIANCE' | 'GOVERNANCE' = 'COMPLIANCE') {
      const { store, ahead, held, ...rest } = await jumped();
      const trusted = held.retainUntil - 10 * DAY;
      const defaultRetention = { mode, days: 2 } as const;
      await store.putObjectLockConfiguration({ ...REF, defaultRetention });
      const { versionId = '' } = await putFree(store);
      const version = { ...REF, versionId };
      const daysOf = async (from = store) => {
        const { retainUntil } = await from.getRetention(version);
        return Math.round((retainUntil - trusted) / DAY);
      };
      return { ...rest, store, ahead, version, daysOf, trusted };
    }

    test('the store starts a default retention at the trusted time, also for copies and multipart uploads', async () => {
      const { store, daysOf, version, trusted } = await putByDefault();
      expect(await daysOf()).toBe(2);
      await store.copyObject({ ...REF, key: 'copy', source: version });
      const upload = {
        ...REF,
        key: 'parts',
        ...(await store.createUpload({ ...REF, key: 'parts' })),
      };
      const { etag } = await store.uploadPart({ ...upload, partNumber: 1, body: bytesBody('x') });
      await store.completeUpload({ ...upload, parts: [{ partNumber: 1, etag }] });
      for (const key of ['copy', 'parts']) {
        const { retainUntil } = await store.getRetention({ ...REF, key });
        expect(Math.round((retainUntil - trusted) / DAY)).toBe(2);
      }
    });

    test('the store extends a default retention before the clock becomes trusted, so that the retention does not end early', async () => {
      const { store, engine, daysOf, version } = await putByDefault();
      // The two requests run concurrently.
      const [, removal] = await Promise.allSettled([
        engine.upkeep.trustClock(),
        store.deleteObject(version),
      ]);
      expect(removal).toMatchObject({ status: 'rejected', reason: { code: 'AccessDenied' } });
      expect(await daysOf()).toBe(13);
    });

    test('the store extends a default retention before the clock becomes trusted, even after the store was reopened', async () => {
      const { engine, dir, ahead, daysOf } = await putByDefault();
      await engine.close();
      const again = await openTestEngine({ dir, clock: ahead });
      expect(await daysOf(again.store)).toBe(2);
      await again.engine.upkeep.trustClock();
      expect(await daysOf(again.store)).toBe(13);
    });

    test('the store does not extend default retentions by years if the clock was years ahead only for a while', async () => {
      const { engine, store, ahead, trusted } = await putByDefault();
      ahead.jump(3_650 * DAY);
      await store.putObject({ ...REF, key: 'years', body: bytesBody('x') });
      ahead.jump(-3_650 * DAY);
      await engine.upkeep.trustClock();
      const { retainUntil } = await store.getRetention({ ...REF, key: 'years' });
      expect(Math.round((retainUntil - trusted) / DAY)).toBe(13);
    });

    test('the store does not extend a default retention if the clock is set back before it becomes trusted', async () => {
      const { engine, ahead, store, daysOf } = await putByDefault();
      ahead.jump(-11 * DAY);
      ahead.advance(60_000);
      await putFree(store);
      await engine.upkeep.trustClock();
      expect(await daysOf()).toBe(2);
    });

    test('the store does not extend a retention that a client set explicitly when the clock becomes trusted', async () => {
      const { engine, store, version, daysOf, trusted } = await putByDefault('GOVERNANCE');
      const retention = { mode: 'GOVERNANCE', retainUntil: trusted + DAY } as const;
      await store.putRetention({ ...version, retention, bypassGovernance: true });
      await engine.upkeep.trustClock();
      expect(await daysOf()).toBe(1);
    });
  });
});

test('the store starts a default retention at the trusted time if the clock was set back', async () => {
  const dir = temporaryFolder('locks');
  const first = await openTestEngine({ dir });
  const trusted = first.clock.now();
  await first.store.createBucket({ ...REF, objectLockEnabled: true });
  const defaultRetention = { mode: 'COMPLIANCE', days: 1 } as const;
  await first.store.putObjectLockConfiguration({ ...REF, defaultRetention });
  await first.engine.close();
  const { store } = await openTestEngine({ dir, clock: new FakeClock(trusted - 5 * DAY) });
  await putFree(store);
  expect((await store.getRetention(REF)).retainUntil).toBeGreaterThanOrEqual(trusted + DAY);
});
