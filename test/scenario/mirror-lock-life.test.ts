/**
 * Tests of the locks of a job: initial locks, lock renewals, released versions, forgotten objects, and wrong clocks.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Clock } from '../../src/base/clock.ts';
import type { LockPolicy, MirrorJob } from '../../src/mirror/model/types.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { answers, faultyStore } from '../helpers/faulty-store.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { until } from '../helpers/until.ts';

const LOCK: LockPolicy = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 };
const DAY_MS = 24 * 3_600_000;

async function daysOf({ store, bucket }: MirrorBench, key: string): Promise<number | undefined> {
  const { retention } = (await store.headObject({ bucket, key })).info;
  return retention && Math.round((retention.retainUntil - Date.now()) / DAY_MS);
}

const comesTrue = (is: () => Promise<boolean> | boolean) => until(is, (yes) => yes);

const put = ({ root }: MirrorBench, path: string, content = 'content') =>
  writeFileSync(join(root, path), content);

/** Opens a job and waits until all files are backed up and locked. */
async function openSettled(
  bench: MirrorBench,
  changes: Partial<MirrorJob> & { store?: ObjectStore; clock?: Clock },
) {
  const mirror = await bench.open(changes);
  await mirror.settled();
  return mirror;
}

describe('objects that existed before the lock policy', () => {
  test('a job locks existing objects, extends locks when the policy gets longer, and never shortens them', async () => {
    const bench = await openMirrorBench();
    put(bench, 'f');
    await openSettled(bench, {});
    expect(await daysOf(bench, 'f')).toBeUndefined();
    await openSettled(bench, { lock: LOCK });
    await comesTrue(async () => (await daysOf(bench, 'f')) === 37);
    await openSettled(bench, { lock: { ...LOCK, days: 60 } });
    await comesTrue(async () => (await daysOf(bench, 'f')) === 67);
    const mirror = await openSettled(bench, { lock: { ...LOCK, days: 10 } });
    await mirror.settled();
    expect(await daysOf(bench, 'f')).toBe(67);
    expect(await bench.history('f')).toHaveLength(1);
  });

  test('a job reports all locks that it set or extended in one activity, with the number of versions', async () => {
    const bench = await openMirrorBench();
    for (let each = 0; each < 70; each += 1) put(bench, `f${each}`);
    await openSettled(bench, {});
    await openSettled(bench, { lock: LOCK });
    const said = () => bench.activities.flatMap((each) => (each.action === 'lock' ? [each] : []));
    await comesTrue(() => said().length > 0);
    const message = 'locks of 70 versions set or extended';
    expect(said()).toEqual([{ level: 'info', action: 'lock', message }]);
  });

  test('a job raises the lock mode from GOVERNANCE to COMPLIANCE and never lowers it', async () => {
    const bench = await openMirrorBench();
    put(bench, 'f');
    await openSettled(bench, { lock: LOCK });
    const modeOf = async () =>
      (await bench.store.headObject({ bucket: bench.bucket, key: 'f' })).info.retention?.mode;
    await (await bench.open({ lock: { ...LOCK, mode: 'COMPLIANCE', days: 31 } })).settled();
    await comesTrue(async () => (await modeOf()) === 'COMPLIANCE');
    await (await bench.open({ lock: { ...LOCK, days: 40 } })).settled();
    await comesTrue(async () => (await daysOf(bench, 'f')) === 47);
    expect(await modeOf()).toBe('COMPLIANCE');
  });
});

test('a job locks keys by pattern, or by the default retention of the bucket if that is longer', async () => {
  const bench = await openMirrorBench();
  const { store, bucket } = bench;
  for (const path of ['a.txt', 'a.log', 'a.tmp']) put(bench, path);
  const patterns = [
    { match: '*.log', days: 1 },
    { match: '*.tmp', days: 0 },
  ];
  await openSettled(bench, { lock: { ...LOCK, patterns } });
  expect(await daysOf(bench, 'a.txt')).toBe(37);
  expect(await daysOf(bench, 'a.log')).toBe(8);
  expect(await daysOf(bench, 'a.tmp')).toBeUndefined();
  const defaultRetention = { mode: 'GOVERNANCE', days: 100 } as const;
  await store.putObjectLockConfiguration({ bucket, defaultRetention });
  const mirror = await openSettled(bench, { lock: LOCK });
  await comesTrue(() => mirror.locks.report().status?.renewalRight !== undefined);
  await comesTrue(
    async () =>
      (await mirror.locks.why('a.txt', AbortSignal.timeout(5_000))).bucketDefault !== undefined,
  );
  put(bench, 'b.txt');
  await mirror.settled();
  expect(await daysOf(bench, 'b.txt')).toBe(100);
});

test.each<[string, (bench: MirrorBench, mirror: Awaited<ReturnType<MirrorBench['open']>>) => void]>(
  [
    ['paused', (_bench, mirror) => mirror.pause()],
    ['without its root folder', ({ root }) => rmSync(root, { recursive: true })],
  ],
)('a job that is %s still renews its locks', async (_state, stop) => {
  const bench = await openMirrorBench();
  for (let file = 0; file < 20; file++) put(bench, `f${file}`);
  await (await openSettled(bench, { lock: LOCK })).close();
  const mirror = await bench.open({ lock: { ...LOCK, days: 60 } });
  stop(bench, mirror);
  await comesTrue(async () => (await daysOf(bench, 'f19')) === 67);
  await comesTrue(() => mirror.status().locks?.renewalsDue === 0);
  expect(mirror.status().locks).toMatchObject({ locked: 20, unlocked: 0 });
  expect(mirror.status().state).not.toBe('watching');
});

test('an object whose lock is rejected is reported as a problem, and the job extends the other locks', async () => {
  const bench = await openMirrorBench();
  const faulty = faultyStore(bench.store);
  for (const path of ['a', 'b', 'c']) put(bench, path);
  await (await openSettled(bench, { lock: LOCK })).close();
  void faulty.inject({ on: 'putRetention', key: 'b', fault: answers('AccessDenied'), times: 1e9 });
  const mirror = await bench.open({ lock: { ...LOCK, days: 60 }, store: faulty.store });
  await comesTrue(
    async () => (await daysOf(bench, 'c')) === 67 && (await daysOf(bench, 'a')) === 67,
  );
  await comesTrue(() => mirror.status().problems.length > 0);
  expect(mirror.status().problems).toMatchObject([{ path: 'b', code: 'not-locked' }]);
  expect(mirror.status().locks).toMatchObject({ locked: 3, failing: 1 });
  expect(await daysOf(bench, 'b')).toBe(37);
});

test('a job verifies a retention date after 2106 with a HEAD request, because services may store it wrongly', async () => {
  const bench = await openMirrorBench();
  const faulty = faultyStore(bench.store);
  const lock = { ...LOCK, patterns: [{ match: 'late', days: 36_500 }] };
  put(bench, 'f');
  put(bench, 'late');
  const mirror = await openSettled(bench, { lock, store: faulty.store });
  expect(faulty.calls.filter((call) => call.startsWith('headObject'))).toEqual(['headObject late']);
  expect(mirror.status().locks).toMatchObject({ locked: 2, unlocked: 0 });
});

describe('a service whose clock is an hour off', () => {
  const HOUR_MS = 3_600_000;
  const timeOff = (offMs: number) => ({ now: Date.now() + offMs, isTrusted: false });

  test('a job with locks stops before any write while the clock of the service is an hour off', async () => {
    const bench = await openMirrorBench();
    let offMs = HOUR_MS;
    const store = overriding(bench.store, { serviceTime: async () => timeOff(offMs) });
    put(bench, 'f');
    const mirror = await bench.open({ lock: LOCK, store });
    await mirror.settled();
    expect(mirror.status()).toMatchObject({
      state: 'clock',
      reason: expect.stringMatching(/clock/),
    });
    expect(await bench.heads()).toEqual({});
    offMs = 0;
    await mirror.settled();
    expect(await daysOf(bench, 'f')).toBe(37);
  });

  test('a job sets locks by the time of the embedded store, even if that time is 20 days behind', async () => {
    const bench = await openMirrorBench();
    const now = () => Date.now() - 20 * DAY_MS;
    const store = overriding(bench.store, {
      serviceTime: async () => ({ now: now(), isTrusted: true }),
    });
    put(bench, 'f');
    const mirror = await openSettled(bench, { lock: LOCK, store });
    expect(mirror.status().state).toBe('watching');
    expect(await daysOf(bench, 'f')).toBe(17);
    await mirror.settled();
    expect(await daysOf(bench, 'f')).toBe(17);
  });

  test('a job warns if the clock of the embedded store is ahead by less than a day, and sets locks by that clock', async () => {
    const bench = await openMirrorBench();
    let aheadMs = 50 * 60_000;
    const store = overriding(bench.store, {
      serviceTime: async () => ({ now: Date.now() + aheadMs, isTrusted: true }),
    });
    put(bench, 'f');
    const clock = new ShiftedClock();
    const mirror = await openSettled(bench, { lock: LOCK, store, clock });
    const { state, warnings } = mirror.status();
    expect(state).toBe('watching');
    expect(warnings).toEqual([
      expect.stringMatching(
        /^lock: the store's time is 50 minutes ahead .*holdfast admin store trust-clock/,
      ),
    ]);
    const { info } = await bench.store.headObject({ bucket: bench.bucket, key: 'f' });
    const longerMs = (info.retention?.retainUntil ?? 0) - Date.now() - 37 * DAY_MS;
    expect(Math.round(longerMs / 60_000)).toBe(50);
    // The clocks agree again, and after a minute the job requests the time of the store again.
    clock.putForward(90_000);
    aheadMs = 90_000;
    put(bench, 'g');
    await mirror.settled();
    expect(mirror.status().warnings).toEqual([]);
  });

  test('a job with locks stops if the clock of the embedded store is more than a day ahead, and names the fix', async () => {
    const bench = await openMirrorBench();
    let aheadMs = 25 * HOUR_MS;
    const store = overriding(bench.store, {
      serviceTime: async () => ({ now: Date.now() + aheadMs, isTrusted: true }),
    });
    put(bench, 'f');
    const mirror = await bench.open({ lock: LOCK, store });
    await mirror.settled();
    expect(mirror.status()).toMatchObject({
      state: 'clock',
      reason: expect.stringContaining('holdfast admin store trust-clock'),
    });
    expect(await bench.heads()).toEqual({});
    aheadMs = 0;
    await mirror.settled();
    expect(await daysOf(bench, 'f')).toBe(37);
  });

  test('a job without locks ignores a wrong clock of the service', async () => {
    const bench = await openMirrorBench();
    const store = overriding(bench.store, { serviceTime: async () => timeOff(HOUR_MS) });
    put(bench, 'f');
    const mirror = await openSettled(bench, { store });
    expect(mirror.status().state).toBe('watching');
  });
});

test('a job does not renew the locks of versions that the user released, and locks new versions of the same files', async () => {
  const bench = await openMirrorBench();
  mkdirSync(join(bench.root, 'd'));
  for (const path of ['d/a', 'd/b', 'c']) put(bench, path);
  const mirror = await openSettled(bench, { lock: LOCK });
  expect(mirror.locks.release('d')).toMatchObject({ versions: 2 });
  expect(mirror.status().locks).toMatchObject({ locked: 1, unlocked: 0, released: 2 });
  await (await mirror.close(), bench.open({ lock: { ...LOCK, days: 60 } })).then((next) =>
    next.settled(),
  );
  await comesTrue(async () => (await daysOf(bench, 'c')) === 67);
  expect(await daysOf(bench, 'd/a')).toBe(37);
  put(bench, 'd/a', 'new content');
  const again = await openSettled(bench, { lock: { ...LOCK, days: 60 } });
  expect(await daysOf(bench, 'd/a')).toBe(67);
  expect(again.status().locks).toMatchObject({ locked: 2, released: 1 });
  const { signal } = new AbortController();
  expect(await again.locks.why('d/b', signal)).toMatchObject({ released: true, isHead: true });
  expect(await again.locks.why('d/a', signal)).toMatchObject({
    released: false,
    terms: { days: 60 },
    renewedAt: expect.any(Number),
  });
});

test('a job renews the locks of excluded objects until they are forgotten, and then deletes the objects', async () => {
  const bench = await openMirrorBench();
  for (let file = 0; file < 60; file++) put(bench, `${file}.old`);
  put(bench, 'kept');
  await openSettled(bench, { lock: LOCK });
  const mirror = await openSettled(bench, { lock: LOCK, exclude: ['*.old'] });
  expect(mirror.status().locks).toMatchObject({ locked: 61 });
  expect(() => mirror.locks.forget('kept')).toThrow(/is mirrored; delete the file or exclude it/);
  expect(() => mirror.locks.forget('nothing')).toThrow('does not mirror a file or folder');
  for (let file = 0; file < 60; file++)
    expect(mirror.locks.forget(`${file}.old`)).toEqual({ objects: 1 });
  await mirror.settled();
  expect(await bench.heads()).toEqual({ kept: 'content' });
  expect(mirror.status()).toMatchObject({ state: 'watching', locks: { locked: 1 } });
});

test('a job warns of lifecycle rules that delete its objects', async () => {
  const bench = await openMirrorBench();
  const { store, bucket } = bench;
  await store.putLifecycle({
    bucket,
    rules: [
      { id: 'ends', enabled: true, filter: {}, expiration: { days: 10 } },
      { id: 'old', enabled: true, filter: {}, noncurrentExpiration: { days: 5 } },
      { id: 'else', enabled: true, filter: { prefix: 'other/' }, expiration: { days: 1 } },
      { id: 'off', enabled: false, filter: {}, expiration: { days: 1 } },
    ],
  });
  const mirror = await bench.open({ prefix: 'mine/' });
  await comesTrue(() => mirror.status().warnings.length > 0);
  expect(mirror.status().warnings).toEqual([
    expect.stringMatching(/rule ends of bucket \S+ deletes objects of this job after 10 days/),
    expect.stringMatching(
      /rule old .* 5 days after they become noncurrent, unless a lock retains them/,
    ),
  ]);
});

describe('files that programs write frequently', () => {
  test('a job uploads at most one version per interval, even after a restart, unless the user requests a sync', async () => {
    const bench = await openMirrorBench();
    const minVersionInterval = 3_600_000;
    put(bench, 'f', 'one');
    const mirror = await openSettled(bench, { minVersionInterval });
    put(bench, 'f', 'two!');
    await comesTrue(() => mirror.status().locks?.deferred === 1);
    expect(mirror.status()).toMatchObject({ inSync: false, state: 'watching' });
    expect(mirror.status().locks?.deferredUntil).toBeGreaterThan(Date.now() + 3_500_000);
    const again = await bench.open({ minVersionInterval });
    await comesTrue(() => again.status().locks?.deferred === 1);
    expect(await bench.history('f')).toEqual(['put one']);
    await again.settled();
    expect(await bench.history('f')).toEqual(['put one', 'put two!']);
    expect(again.status()).toMatchObject({ inSync: true });
    expect(again.status().locks).toBeUndefined();
  });

  test('a job defers versions by the interval of the last matching pattern', async () => {
    const bench = await openMirrorBench();
    const [hour, day] = [3_600_000, 24 * 3_600_000];
    const minVersionInterval = {
      interval: 0,
      patterns: [
        { match: '*.log', interval: hour },
        { match: '/kept/', interval: day },
        { match: 'now.log', interval: 0 },
      ],
    };
    mkdirSync(join(bench.root, 'kept'));
    const paths = ['a.log', 'now.log', 'plain', 'kept/b.log', 'kept/now.log'];
    for (const path of paths) put(bench, path, 'one');
    const mirror = await openSettled(bench, { minVersionInterval });
    for (const path of paths) put(bench, path, 'two!');
    await comesTrue(() => mirror.status().locks?.deferred === 2);
    await comesTrue(async () => {
      const heads = Object.entries(await bench.heads());
      return heads.filter(([, text]) => text === 'two!').length === 3;
    });
    const old = Object.entries(await bench.heads()).filter(([, text]) => text === 'one');
    expect(old.map(([path]) => path)).toEqual(['a.log', 'kept/b.log']);
    expect(mirror.status().locks?.deferredUntil).toBeLessThan(Date.now() + hour);
  });

  test('a job uploads a deferred version after its interval, and a new file immediately', async () => {
    const bench = await openMirrorBench();
    put(bench, 'f', 'one');
    await openSettled(bench, { minVersionInterval: 400 });
    put(bench, 'f', 'two!');
    put(bench, 'new', 'new');
    await comesTrue(async () => (await bench.history('f')).length === 2);
    expect(await bench.heads()).toEqual({ f: 'two!', new: 'new' });
  });
});
