/**
 * Tests of lifecycle runs on a real store: what they delete, when they run, what they record, and
 * their preview.
 */

import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { LifecycleRun } from '../../../src/engine/schema/lifecycle-run.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { NewLifecycleRule } from '../../../src/object-store/lifecycle.ts';
import type { Versioning } from '../../../src/object-store/buckets.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, TEST_USER, type TestEngineOptions } from '../../helpers/test-engine.ts';

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const STEP = 5 * 60 * 1000;

async function bench(versioning?: Versioning | 'lock', options: TestEngineOptions = {}) {
  // The tests start each run themselves. Daily runs would not start in time when a test advances
  // the clock by days.
  const opened = await openTestEngine({ passive: true, ...options });
  const { store, engine, clock } = opened;
  const bucket = 'bucket';
  await store.createBucket({ bucket, objectLockEnabled: versioning === 'lock' });
  if (versioning !== undefined && versioning !== 'lock') {
    await store.putVersioning({ bucket, versioning });
  }
  return {
    ...opened,
    put: async (key: string, given: object = {}) =>
      (await store.putObject({ bucket, key, body: bytesBody('12345'), ...given })).versionId ?? '',
    rules: (...rules: Partial<NewLifecycleRule>[]) =>
      store.putLifecycle({
        bucket,
        rules: rules.map((rule) => Object.assign({ enabled: true, filter: {} }, rule)),
      }),
    /** Lists the versions of all keys, newest first, for example as `a null marker latest`. */
    listed: async () => {
      const { versions } = await store.listVersions({ bucket });
      return versions.map(({ key, kind, versionId, isLatest }) => {
        const what = kind === 'version' ? 'version' : 'marker';
        return `${key} ${versionId === 'null' ? 'null ' : ''}${what}${isLatest ? ' latest' : ''}`;
      });
    },
    run: () => engine.lifecycle.run(),
    after: async (days: number) => {
      clock.advance(days * DAY);
      return engine.lifecycle.run();
    },
  };
}

const expires = { expiration: { days: 1 } };

describe('what a lifecycle run deletes', () => {
  test('[lc-20] the store deletes expired objects of an unversioned bucket', async () => {
    const { put, rules, listed, after } = await bench();
    await put('old');
    await rules(expires);
    expect(await after(1)).toMatchObject({ looked: 1, expired: 0 });
    expect(await after(0.5)).toMatchObject({ looked: 1, expired: 1, bytes: 5 });
    expect(await listed()).toEqual([]);
  });

  test('[lc-21] the store adds a delete marker to expired objects of a versioned bucket', async () => {
    const { put, rules, listed, after, store } = await bench('Enabled');
    await put('a');
    await put('a');
    await rules(expires);
    expect(await after(2)).toMatchObject({ expired: 1, removedVersions: 0, bytes: 0 });
    expect(await listed()).toEqual(['a marker latest', 'a version', 'a version']);
    const { versions } = await store.listVersions({ bucket: 'bucket' });
    expect(versions[0]).toMatchObject({ owner: 'project:user@customer' });
  });

  test('[lc-22] the store replaces an expired null version with a delete marker while versioning is suspended', async () => {
    const { put, rules, listed, after, store } = await bench('Enabled');
    await put('kept');
    await store.putVersioning({ bucket: 'bucket', versioning: 'Suspended' });
    await put('null');
    await rules(expires);
    expect(await after(2)).toMatchObject({ expired: 2, bytes: 5 });
    expect(await listed()).toEqual([
      'kept null marker latest',
      'kept version',
      'null null marker latest',
    ]);
  });

  test('[lc-23] the store deletes expired noncurrent versions but keeps the configured number of newest ones', async () => {
    const { put, rules, listed, after } = await bench('Enabled');
    for (let count = 0; count < 5; count += 1) await put('a');
    await rules({ noncurrentExpiration: { days: 1, keepNewest: 2 } });
    expect(await after(2)).toMatchObject({ removedVersions: 2, bytes: 10, expired: 0 });
    expect(await listed()).toEqual(['a version latest', 'a version', 'a version']);
  });

  test('[lc-24] the store deletes an expired delete marker after it deleted the last version of the key', async () => {
    const { put, rules, listed, after, store } = await bench('Enabled');
    await put('a');
    await store.deleteObject({ bucket: 'bucket', key: 'a' });
    await rules({ noncurrentExpiration: { days: 1 }, expiration: { expiredDeleteMarker: true } });
    expect(await after(2)).toMatchObject({ removedVersions: 1, removedMarkers: 1 });
    expect(await listed()).toEqual([]);
  });

  test('[lc-25] the store aborts incomplete multipart uploads after the number of days in the lifecycle rule', async () => {
    const { rules, after, store } = await bench();
    for (const key of ['in/a', 'in/b', 'out']) {
      const { uploadId } = await store.createUpload({ bucket: 'bucket', key });
      await store.uploadPart({
        bucket: 'bucket',
        key,
        uploadId,
        partNumber: 1,
        body: bytesBody('123'),
      });
    }
    await rules({ filter: { prefix: 'in/' }, abortUploadsAfterDays: 2 });
    expect(await after(1)).toMatchObject({ abortedUploads: 0 });
    expect(await after(2)).toMatchObject({ abortedUploads: 2, bytes: 6 });
    const { uploads } = await store.listUploads({ bucket: 'bucket' });
    expect(uploads.map(({ key }) => key)).toEqual(['out']);
  });

  test('[lc-26] the store deletes an expired locked version only after its lock has ended', async () => {
    const { put, rules, listed, after, clock, store } = await bench('lock');
    const retainUntil = clock.now() + 5 * DAY;
    await put('a', { lock: { retention: { mode: 'GOVERNANCE', retainUntil } } });
    await put('a', { lock: { retention: { mode: 'COMPLIANCE', retainUntil: retainUntil + DAY } } });
    const held = await put('a', { lock: { legalHold: true } });
    await put('a');
    await rules({ noncurrentExpiration: { days: 1 }, expiration: { days: 1 } });
    expect(await after(2)).toMatchObject({ held: 3, removedVersions: 0, expired: 1 });
    expect(await after(4)).toMatchObject({ held: 1, removedVersions: 3 });
    await store.putLegalHold({ bucket: 'bucket', key: 'a', versionId: held, legalHold: false });
    expect(await after(0)).toMatchObject({ held: 0, removedVersions: 1, removedMarkers: 1 });
    expect(await listed()).toEqual([]);
  });

  test('[lc-27] the store ignores disabled lifecycle rules and rules for another prefix, tag or size', async () => {
    const { put, rules, listed, after } = await bench();
    await put('a', { tags: [{ key: 'k', value: 'v' }] });
    await put('b');
    await rules(
      { ...expires, enabled: false },
      { ...expires, filter: { prefix: 'c' } },
      { ...expires, filter: { tags: [{ key: 'k', value: 'w' }] } },
      { ...expires, filter: { sizeGreaterThan: 5 } },
    );
    expect(await after(3)).toMatchObject({ expired: 0 });
    expect(await listed()).toEqual(['a null version latest', 'b null version latest']);
    await rules({ ...expires, filter: { tags: [{ key: 'k', value: 'v' }] } });
    expect(await after(0)).toMatchObject({ expired: 1 });
    expect(await listed()).toEqual(['b null version latest']);
  });

  test('[lc-28] a lifecycle run scans all versions below the prefixes of its rules and no others', async () => {
    const { put, rules, after } = await bench('Enabled');
    for (let index = 0; index < 300; index += 1) await put(`a/${index % 7}`);
    for (const key of ['a', 'b/1', 'b0', 'c/1', '\u{1f600}/1']) await put(key);
    await rules(
      { noncurrentExpiration: { days: 1 }, filter: { prefix: 'a/' } },
      { noncurrentExpiration: { days: 1 }, filter: { prefix: 'b/' } },
      { noncurrentExpiration: { days: 1 }, filter: { prefix: 'b0' } },
      { noncurrentExpiration: { days: 1 }, filter: { prefix: '\u{1f600}/' } },
    );
    expect(await after(2)).toMatchObject({ looked: 303, removedVersions: 293 });
  });

  test('[lc-29] a second lifecycle run at the same time changes nothing', async () => {
    const { put, rules, after } = await bench('Suspended');
    for (let index = 0; index < 20; index += 1) await put(`${index}`);
    await rules(
      { ...expires, noncurrentExpiration: { days: 1 } },
      { expiration: { expiredDeleteMarker: true } },
    );
    expect(await after(2)).toMatchObject({ expired: 20 });
    expect(await after(0)).toMatchObject({ expired: 0, removedVersions: 0, removedMarkers: 0 });
  });

  test('[lc-30] the store deletes expired objects of other users in the bucket too', async () => {
    const { rules, listed, after, engine, clock, store } = await bench();
    const other = { ...TEST_USER, user: 'other' };
    const theirs = engine.as(internalCaller(other, clock.now()));
    await theirs.putObject({ bucket: 'bucket', key: 'theirs', body: bytesBody('x') });
    await rules(expires);
    expect(await after(2)).toMatchObject({ expired: 1 });
    expect(await listed()).toEqual([]);
    expect(await store.listBuckets()).toHaveLength(1);
  });

  test('a lifecycle run processes all buckets that have lifecycle rules', async () => {
    const { store, engine, clock } = await openTestEngine({ passive: true });
    for (const bucket of ['one', 'two', 'three', 'four']) {
      await store.createBucket({ bucket });
      await store.putObject({ bucket, key: 'a', body: bytesBody('x') });
      const rules = [{ enabled: true, filter: {}, expiration: { days: 1 } }];
      if (bucket !== 'two') await store.putLifecycle({ bucket, rules });
    }
    clock.advance(2 * DAY);
    expect(await engine.lifecycle.run()).toMatchObject({ expired: 3 });
    await expect(store.headObject({ bucket: 'two', key: 'a' })).resolves.toBeDefined();
    await store.deleteLifecycle({ bucket: 'one' });
    await store.deleteBucket({ bucket: 'three' });
    expect(await engine.lifecycle.run()).toMatchObject({ looked: 0 });
  });

  test('[lc-31] the store expires nothing because of a clock that was set forward until the user confirms the clock', async () => {
    const dir = temporaryFolder('lifecycle');
    const { put, rules, engine, clock } = await bench(undefined, { dir });
    await put('a');
    await rules(expires);
    await engine.close();
    const later = await openTestEngine({
      dir,
      passive: true,
      clock: new FakeClock(clock.now() + 30 * DAY),
    });
    expect(await later.engine.lifecycle.run()).toMatchObject({ looked: 1, expired: 0 });
    await later.engine.upkeep.trustClock();
    expect(await later.engine.lifecycle.run()).toMatchObject({ expired: 1 });
  });

  test('[lc-31] the store does not expire a version early that was written after the clock was set back', async () => {
    const dir = temporaryFolder('lifecycle');
    const { rules, engine, clock } = await bench(undefined, { dir });
    await rules({ expiration: { days: 100 } });
    await engine.close();
    const back = await openTestEngine({
      dir,
      passive: true,
      clock: new FakeClock(clock.now() - 365 * DAY),
    });
    await back.store.putObject({ bucket: 'bucket', key: 'a', body: bytesBody('x') });
    const { uploadId } = await back.store.createUpload({ bucket: 'bucket', key: 'a' });
    await back.store.putLifecycle({
      bucket: 'bucket',
      rules: [{ enabled: true, filter: {}, expiration: { days: 100 }, abortUploadsAfterDays: 100 }],
    });
    expect(uploadId).not.toBe('');
    expect(await back.engine.lifecycle.run()).toMatchObject({ expired: 0, abortedUploads: 0 });
  });
});

describe('a lifecycle whose days are shortened for tests', () => {
  const dayMs = 10_000;
  const short = () => bench('Enabled', { upkeep: { lifecycleDayMs: dayMs } });

  test('[lc-59] the store expires versions, noncurrent versions and uploads after the configured number of short days', async () => {
    const { put, rules, listed, clock, run, store } = await short();
    await put('a');
    await put('a');
    await store.createUpload({ bucket: 'bucket', key: 'u' });
    await rules({
      ...expires,
      noncurrentExpiration: { days: 1 },
      abortUploadsAfterDays: 1,
    });
    const { info } = await store.headObject({ bucket: 'bucket', key: 'a' });
    const expiresAt = Math.ceil((clock.now() + dayMs) / dayMs) * dayMs;
    expect(info.expiration?.expiresAt).toBe(expiresAt);
    clock.advance(expiresAt - clock.now() - 1);
    expect(await run()).toMatchObject({ expired: 0, removedVersions: 0, abortedUploads: 0 });
    clock.advance(1);
    expect(await run()).toMatchObject({ expired: 1, removedVersions: 1, abortedUploads: 1 });
    expect(await listed()).toEqual(['a marker latest', 'a version']);
  });

  test('[lc-59] the store runs the lifecycle once in each short day', async () => {
    const { put, rules, clock, engine } = await bench(undefined, {
      passive: false,
      upkeep: { lifecycleDayMs: dayMs },
    });
    const runs: LifecycleRun[] = [];
    engine.lifecycle.onRun((run) => runs.push(run));
    await put('a');
    await rules(expires);
    while (runs.length < 3) {
      clock.advance(1000);
      await engine.sweep();
    }
    const days = runs.map(({ judgedAt }) => Math.floor(judgedAt / dayMs));
    expect(new Set(days).size).toBe(3);
    expect(runs.reduce((sum, { expired }) => sum + expired, 0)).toBe(1);
  });
});

describe('the times of lifecycle runs', () => {
  test('[lc-32] the store runs the lifecycle once a day after midnight UTC, and only for buckets with lifecycle rules', async () => {
    const returned: LifecycleRun[] = [];
    const { put, rules, clock, engine } = await bench(undefined, {
      passive: false,
    });
    engine.lifecycle.onRun((run) => returned.push(run));
    const idle = async (ms: number) => {
      for (let left = ms; left > 0; left -= STEP) {
        clock.advance(Math.min(left, STEP));
        await setImmediate();
      }
    };
    /**
     * Advances the fake clock in small steps until the next run. A garbage collection in each step
     * gives the run the real time that it needs.
     */
    const untilNextRun = async () => {
      const before = returned.length;
      while (returned.length === before) {
        clock.advance(1000);
        await engine.sweep();
      }
    };
    const toMidnight = () => DAY - (clock.now() % DAY) - 1000;
    await put('a');
    await idle(2 * DAY);
    expect(engine.lifecycle.runs(9)).toEqual([]);
    await rules({ expiration: { days: 3 } });
    await idle(HOUR);
    await untilNextRun();
    for (const _ of [1, 2]) {
      await idle(toMidnight());
      await untilNextRun();
    }
    expect(returned.map(({ cause, expired }) => ({ cause, expired }))).toEqual([
      { cause: 'daily', expired: 0 },
      { cause: 'daily', expired: 0 },
      { cause: 'daily', expired: 1 },
    ]);
    const days = returned.map(({ judgedAt }) => Math.floor(judgedAt / DAY));
    expect(days.map((day) => day - (days[0] ?? 0))).toEqual([0, 1, 2]);
    // The first run starts as soon as lifecycle rules exist, the others after midnight.
    expect(returned.slice(1).every(({ judgedAt }) => judgedAt % DAY < STEP)).toBe(true);
    expect(engine.lifecycle.runs(9)).toEqual(returned.toReversed());
  });

  test('[lc-33] the store keeps the records of the last 200 lifecycle runs', async () => {
    const { rules, run, engine } = await bench();
    await rules(expires);
    for (let count = 0; count < 203; count += 1) await run();
    const kept = engine.lifecycle.runs(1000);
    expect([kept.length, kept.at(0)?.runId, kept.at(-1)?.runId]).toEqual([200, 203, 4]);
    expect(kept[0]).toMatchObject({ cause: 'asked', position: null });
    expect(kept[0]?.finishedAt).not.toBeNull();
  });
});

describe('changes between selection and deletion in a lifecycle run', () => {
  test('[lc-34] the store checks rule, version and lock again in the transaction that deletes a version', async () => {
    const { put, rules, clock, engine, store, listed } = await bench('lock');
    await rules({ noncurrentExpiration: { days: 1 } });
    const versionId = await put('locked');
    await put('locked');
    clock.advance(3 * DAY);
    const { changes } = await engine.lifecycle.preview({ limit: 9 });
    expect(changes).toMatchObject([{ key: 'locked', action: 'remove', versionId, locked: false }]);
    // Both requests reach the writer thread in one event loop turn, the legal hold first.
    const [, run] = await Promise.all([
      store.putLegalHold({ bucket: 'bucket', key: 'locked', versionId, legalHold: true }),
      engine.lifecycle.run(),
    ]);
    expect(run).toMatchObject({ removedVersions: 0, held: 1 });
    await store.putLegalHold({ bucket: 'bucket', key: 'locked', versionId, legalHold: false });
    const [, again] = await Promise.all([
      store.deleteLifecycle({ bucket: 'bucket' }),
      engine.lifecycle.run(),
    ]);
    expect(again).toMatchObject({ removedVersions: 0, held: 0 });
    expect(await listed()).toEqual(['locked version latest', 'locked version']);
  });

  test('[lc-34] a lifecycle run keeps an object that was overwritten after the run selected it', async () => {
    const { put, rules, clock, engine, listed } = await bench();
    await put('a');
    await rules(expires);
    clock.advance(3 * DAY);
    const [, run] = await Promise.all([put('a'), engine.lifecycle.run()]);
    expect(run).toMatchObject({ expired: 0 });
    expect(await listed()).toEqual(['a null version latest']);
  });
});

describe('previews of a lifecycle run', () => {
  test('[lc-35] the store lists the lifecycle actions that are due at a given date, in pages, and changes nothing', async () => {
    const { put, rules, clock, engine, listed } = await bench('lock');
    const retainUntil = clock.now() + 30 * DAY;
    for (let index = 0; index < 600; index += 1) await put(`k${String(index).padStart(3, '0')}`);
    const lock = { retention: { mode: 'COMPLIANCE', retainUntil } };
    const locked = await put('z', { lock });
    await put('z');
    await rules({ id: 'mine', expiration: { days: 10 }, noncurrentExpiration: { days: 10 } });
    const before = await listed();
    const previewAt = async (at?: number) => {
      const all = [];
      let after: string | undefined;
      do {
        const page = await engine.lifecycle.preview({
          limit: 100,
          ...(at === undefined ? {} : { at }),
          ...(after === undefined ? {} : { after }),
        });
        all.push(...page.changes);
        after = page.next;
      } while (after !== undefined);
      return all;
    };
    expect(await previewAt()).toEqual([]);
    const later = await previewAt(clock.now() + 11 * DAY);
    expect(later).toHaveLength(602);
    expect(later[0]).toMatchObject({
      bucket: 'bucket',
      key: 'k000',
      action: 'mark',
      ruleId: 'mine',
      sizeBytes: 5,
      locked: false,
    });
    expect(later.at(-1)).toMatchObject({ action: 'remove', versionId: locked, locked: true });
    const longAfter = await previewAt(retainUntil + DAY);
    expect(longAfter.at(-1)).toMatchObject({ versionId: locked, locked: false });
    expect(await listed()).toEqual(before);
    expect(engine.lifecycle.runs(1)).toEqual([]);
  });

  test('[lc-35] the store limits a lifecycle preview to a single bucket on request', async () => {
    const { store, engine, clock } = await openTestEngine();
    for (const bucket of ['one', 'two', 'three']) {
      await store.createBucket({ bucket });
      await store.putObject({ bucket, key: 'a', body: bytesBody('x') });
      const rules = [{ enabled: true, filter: {}, expiration: { days: 1 } }];
      if (bucket !== 'three') await store.putLifecycle({ bucket, rules });
    }
    const at = clock.now() + 9 * DAY;
    const of = async (bucket: string) => {
      const { changes, next } = await engine.lifecycle.preview({ at, bucket, limit: 100 });
      return [changes.map((each) => each.bucket), next];
    };
    expect(await of('one')).toEqual([['one'], undefined]);
    expect(await of('two')).toEqual([['two'], undefined]);
    expect(await of('three')).toEqual([[], undefined]);
    await expect(of('four')).rejects.toMatchObject({ code: 'NoSuchBucket' });
    for (const after of ['x', Buffer.from('{"bucketId":1}').toString('base64url')]) {
      const page = engine.lifecycle.preview({ limit: 1, after });
      await expect(page).rejects.toMatchObject({ code: 'InvalidArgument' });
    }
  });
});
