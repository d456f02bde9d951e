/**
 * Tests that a job renews each object's lock (its retention) when the renewal is due, and that a
 * failed renewal does not delay the others.
 */

import { join } from 'node:path';

import { array, assert, constant, integer, property, record, string } from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import { controlLocks } from '../../../src/retention/control-locks.ts';
import { JobLocks } from '../../../src/retention/job-locks.ts';
import { lockSettings } from '../../../src/mirror/objects/lock-rules.ts';
import { renewDue } from '../../../src/retention/renew-locks.ts';
import { neededUntil, renewalTime } from '../../../src/retention/renewal-time.ts';
import { reschedule } from '../../../src/retention/reschedule.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import type { BaselineEntry, LockPolicy, MirrorJob } from '../../../src/mirror/model/types.ts';
import { TransportError } from '../../../src/object-store/transport-error.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { ETAG, lockStore, VERSION } from '../../helpers/lock-store.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const DAY_MS = 24 * 3_600_000;
const LOCK: LockPolicy = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 };

const keyOf = (number: number) => `folder ${number % 97}/file ${number}`;

function baselineOf(path: string, retainUntil: number | undefined): BaselineEntry {
  return {
    path,
    kind: 'file',
    sizeBytes: 10,
    mtimeMs: 1,
    ctimeMs: 1,
    inode: 1,
    mode: 0o644,
    uid: 1,
    gid: 1,
    sha256: 'a'.repeat(64),
    etag: ETAG,
    versionId: VERSION,
    ...(retainUntil !== undefined && { retainUntil }),
  };
}

function openLocks(lock: LockPolicy | undefined = LOCK) {
  const clock = new FakeClock();
  const fake = lockStore(() => clock.now());
  const state = openStateFile(join(temporaryFolder('renewals'), 'state.sqlite'));
  const changes = { count: 0 };
  const onChange = () => (changes.count += 1);
  const tracker = new Tracker({ onChange, onActivity: () => undefined });
  const job: MirrorJob = {
    id: 'job',
    name: 'job',
    root: '/nowhere',
    bucket: 'bucket',
    prefix: '',
    exclude: [],
    conflict: 'keep-both',
    drift: 'report',
    conflictWindowDays: 30,
    rescanMinutes: 60,
    unguarded: false,
    ...(lock && { lock }),
  };
  const { store } = fake;
  const locks = new JobLocks(
    { job, store, clock, logger: silentLogger, onClockDiffers: () => undefined },
    state,
    tracker,
  );
  onTestFinished(async () => {
    await locks.close();
    state.close();
  });
  const destination = { store, bucket: 'bucket', prefix: '' };
  const context = {
    destination,
    state,
    clock,
    logger: silentLogger,
    tracker,
    settingsOf: lockSettings(lock),
  };
  /** Renews all locks whose renewal is due now. */
  const renewAll = async () => {
    const { signal } = new AbortController();
    while ((await renewDue(context, signal)).checked > 0);
  };
  /** Uploads objects with the keys at the current time, each with a lock. */
  const upload = (keys: readonly string[], policy = LOCK) => {
    const retainUntil = clock.now() + (policy.days + policy.refreshDays) * DAY_MS;
    for (const key of keys) fake.set(key, { mode: policy.mode, retainUntil });
    state.settle(keys.map((key) => ({ key, baseline: baselineOf(key, retainUntil) })));
  };
  return { clock, fake, state, tracker, locks, changes, renewAll, upload };
}

const OBJECTS = Number(process.env['HOLDFAST_YEAR_OBJECTS'] ?? 150);
const STEP_MS = 6 * 3_600_000;

test(
  `a job renews ${OBJECTS} locks for a year, each once per interval and before it expires, although one renewal always fails`,
  { timeout: 3_600_000 },
  async () => {
    const { clock, fake, state, tracker, renewAll, upload } = openLocks();
    const keys = Array.from({ length: OBJECTS }, (_, number) => keyOf(number));
    upload(keys);
    const refused = keyOf(7);
    fake.refuse(refused);
    const last = new Map<string, number>();
    let renewals = 0;
    const wrong: string[] = [];
    fake.onSet = (key, before, after) => {
      renewals++;
      const now = clock.now();
      const sinceMs = now - (last.get(key) ?? Number.NEGATIVE_INFINITY);
      if (Math.abs(sinceMs - intervalMs) > STEP_MS && last.has(key))
        wrong.push(`${key}: again after ${sinceMs} ms`);
      if (!before || before.retainUntil <= now) wrong.push(`${key}: had lapsed`);
      if (before && before.retainUntil >= neededUntil(LOCK, now)) wrong.push(`${key}: not due`);
      if (after.retainUntil !== now + 37 * DAY_MS) wrong.push(`${key}: to ${after.retainUntil}`);
      last.set(key, now);
    };
    const intervalMs = LOCK.refreshDays * DAY_MS;
    const most = { inStep: 0 };
    for (let at = 0; at < 365 * DAY_MS; at += STEP_MS) {
      clock.advance(STEP_MS);
      const before = renewals;
      await renewAll();
      if (at > 20 * DAY_MS) most.inStep = Math.max(most.inStep, renewals - before);
    }
    expect(wrong).toEqual([]);
    const now = clock.now();
    const ends = keys
      .filter((key) => key !== refused)
      .map((key) => fake.retentions.get(key)?.retainUntil ?? 0);
    expect(Math.min(...ends)).toBeGreaterThan(now + 29 * DAY_MS);
    expect(renewals).toBeLessThanOrEqual(OBJECTS * Math.ceil(365 / 7));
    expect(renewals).toBeGreaterThanOrEqual((OBJECTS - 1) * Math.floor(350 / 7));
    // All keys were uploaded at once, but their renewals are spread over the week in 28 steps of
    // six hours.
    expect(most.inStep).toBeLessThan((OBJECTS / 28) * 2.5);
    expect([...tracker.allProblems()]).toMatchObject([{ path: refused, code: 'not-locked' }]);
    expect(state.locks.totals(now)).toEqual({
      locked: OBJECTS - 1,
      bytes: (OBJECTS - 1) * 10,
      unlocked: 1,
    });
  },
);

describe('renewing the lock of an object', () => {
  test('a job does not repeat a lock renewal whose response was lost, because the next check finds the new date', async () => {
    const { clock, fake, state, tracker, renewAll, upload } = openLocks();
    upload(['a']);
    clock.advance(20 * DAY_MS);
    let sets = 0;
    fake.onSet = () => {
      sets++;
      throw new TransportError('ConnectionLost', 'read answer: lost', { sent: true });
    };
    await expect(renewAll()).rejects.toThrow('lost');
    const until = fake.retentions.get('a')?.retainUntil;
    expect(until).toBe(clock.now() + 37 * DAY_MS);
    expect([...tracker.allProblems()]).toEqual([]);
    clock.advance(DAY_MS);
    await renewAll();
    expect(sets).toBe(1);
    expect(state.baseline.get('a')?.retainUntil).toBe(until);
    expect(state.locks.countDue(clock.now(), 10)).toBe(0);
  });

  test('a job neither shortens a longer lock nor overwrites the record of a newer upload when it renews a lock', async () => {
    const { clock, fake, state, renewAll, upload } = openLocks();
    upload(['anew', 'longer']);
    clock.advance(20 * DAY_MS);
    const far = clock.now() + 400 * DAY_MS;
    fake.set('longer', { mode: 'COMPLIANCE', retainUntil: far });
    const anew = { ...baselineOf('anew', clock.now() + 37 * DAY_MS), versionId: 'v2' };
    fake.onSet = (key) => {
      if (key === 'anew') state.settle([{ key, baseline: anew }]);
    };
    await renewAll();
    expect(state.baseline.get('anew')).toMatchObject(anew);
    expect(state.baseline.get('longer')?.retainUntil).toBe(far);
    expect(fake.retentions.get('longer')).toEqual({ mode: 'COMPLIANCE', retainUntil: far });
  });

  test('a job reschedules renewals in batches of 500 after the lock policy changed, and continues after a restart', () => {
    const { state, upload } = openLocks();
    const keys = Array.from({ length: 1_200 }, (_, number) => keyOf(number));
    upload(keys);
    const seen: string[] = [];
    state.locks.follow((key) => {
      seen.push(key);
      return 5;
    });
    expect(reschedule(state, 'new')).toBe(true);
    expect(seen).toHaveLength(500);
    while (reschedule(state, 'new'));
    expect(new Set(seen).size).toBe(1_200);
    expect(seen).toHaveLength(1_200);
    expect(reschedule(state, 'new')).toBe(false);
    expect(state.locks.countDue(5, 10_000)).toBe(1_200);
    expect(reschedule(state, 'newer')).toBe(true);
  });
});

describe('an object lock that the service refused to extend', () => {
  async function refused() {
    const all = openLocks();
    all.upload(['a']);
    all.fake.refuse('a');
    all.clock.advance(20 * DAY_MS);
    await all.renewAll();
    const touch = () => {
      const { state } = all;
      const baseline = { ...state.baseline.get('a')!, mtimeMs: 2 };
      state.settle([{ key: 'a', baseline }]);
    };
    return { ...all, touch };
  }

  test('a job keeps reporting a lock that could not be extended, with an unchanged time of the next check, if its file is touched', async () => {
    const { state, touch } = await refused();
    const before = state.locks.row('a');
    expect(before?.tries).toBe(1);
    touch();
    expect(state.locks.row('a')).toEqual(before);
    expect(state.locks.countFailing()).toBe(1);
  });

  test('a job no longer reports a lock that could not be extended once another client has extended it', async () => {
    const { clock, fake, state, touch, renewAll } = await refused();
    touch();
    fake.set('a', { mode: 'GOVERNANCE', retainUntil: clock.now() + 60 * DAY_MS });
    clock.advance(DAY_MS);
    await renewAll();
    expect(state.locks.countFailing()).toBe(0);
    expect(state.locks.countDue(clock.now() + 7 * DAY_MS, 10)).toBe(0);
  });

  test('a job makes a lock that could not be extended due at once if the lock policy requires more days', async () => {
    const { clock, state, touch } = await refused();
    touch();
    state.locks.follow(() => 5);
    while (reschedule(state, 'new'));
    expect(state.locks.countDue(clock.now(), 10)).toBe(1);
  });
});

describe('the lock status of a job', () => {
  test('a job reports a status change when locks are set outside sync rounds', async () => {
    const { clock, state, locks, changes } = openLocks();
    state.settle([{ key: 'a', baseline: baselineOf('a', undefined) }]);
    clock.advance(2 * 60_000);
    expect(locks.status({ count: 0 })).toMatchObject({ locked: 0, unlocked: 1, renewalsDue: 1 });
    await locks.lockDue();
    expect(locks.status({ count: 0 })).toMatchObject({ locked: 1, unlocked: 0, renewalsDue: 0 });
    expect(changes.count).toBeGreaterThan(0);
  });

  test('a job tests within seconds of its first upload whether it may extend locks', async () => {
    const { clock, fake, locks, upload } = openLocks();
    locks.start({ hasSession: true });
    await until(
      () => clock.timers,
      (timers) => timers > 0,
    );
    fake.refuse('a');
    upload(['a']);
    const startedAt = clock.now();
    await until(
      () => {
        clock.advance(100);
        return locks.status({ count: 0 })?.renewalRight;
      },
      (right) => right === 'refused',
    );
    expect(clock.now() - startedAt).toBeLessThan(30_000);
  });

  test('a job reports a status change when the user ends the lock renewals of a key', () => {
    const { locks, changes, upload } = openLocks();
    upload(['a']);
    const before = changes.count;
    const status = () => locks.status({ count: 0 });
    const excluder = createExcluder({ root: '/nowhere', patterns: [], protectedFolders: [] });
    const control = controlLocks({
      ...locks.control,
      status,
      excluder,
      startRound: () => undefined,
    });
    expect(control.release('a')).toMatchObject({ versions: 1 });
    expect(changes.count).toBe(before + 1);
  });
});

describe('the time of a lock renewal', () => {
  const terms = record({
    mode: constant('GOVERNANCE' as const),
    days: integer({ min: 1, max: 400 }),
    refreshDays: integer({ min: 1, max: 400 }),
  });

  test('property: a job renews a lock when it is due and while at least half of its days remain', () => {
    assert(
      property(string(), terms, integer({ min: 0, max: 4e12 }), (key, some, start) => {
        const lengthMs = (some.days + some.refreshDays) * DAY_MS;
        let at = start;
        for (let round = 0; round < 5; round++) {
          const next = renewalTime(key, at + lengthMs, some);
          expect(next).toBeGreaterThan(at + 0.75 * some.refreshDays * DAY_MS);
          expect(at + lengthMs - next).toBeGreaterThanOrEqual((some.days * DAY_MS) / 2);
          // Services compare lock dates in whole seconds.
          expect(at + lengthMs).toBeLessThanOrEqual(neededUntil(some, next) - 1_000);
          at = next;
        }
      }),
    );
  });

  test('property: a job schedules renewals refreshDays apart even if each renewal runs hours late', () => {
    const late = integer({ min: 0, max: DAY_MS });
    assert(
      property(string(), array(late, { minLength: 8, maxLength: 8 }), (key, lateness) => {
        const lengthMs = (LOCK.days + LOCK.refreshDays) * DAY_MS;
        const times = [renewalTime(key, lengthMs, LOCK)];
        for (const lateMs of lateness)
          times.push(renewalTime(key, times.at(-1)! + lateMs + lengthMs, LOCK));
        const intervals = times.slice(1).map((time, index) => time - times[index]!);
        const [first, ...others] = intervals.map((each) => Math.abs(each - 7 * DAY_MS));
        expect(Math.max(...others)).toBeLessThanOrEqual(1_000);
        expect(first).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});

describe('the lock policy of a key', () => {
  const settingsOf = lockSettings({
    ...LOCK,
    patterns: [
      { match: '*.log', days: 1 },
      { match: 'cache/', days: 0 },
      { match: '/cache/keep.log', days: 90 },
    ],
  });
  test.each([
    ['a.txt', 30],
    ['deep/a.log', 1],
    ['cache/a.txt', undefined],
    ['cache/', undefined],
    ['cache/keep.log', 90],
  ])('a job applies the last lock policy whose pattern matches %s: %s days', (key, days) => {
    expect(settingsOf(key)?.days).toBe(days);
  });
});
