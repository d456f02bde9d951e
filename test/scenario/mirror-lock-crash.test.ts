/**
 * Tests of locks that the service dropped from copies and multipart uploads, where the job stopped before it set them
 * again.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Mirror } from '../../src/mirror/mirror.ts';
import type { LockPolicy } from '../../src/mirror/model/types.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import {
  answers,
  type Fault,
  faultyStore,
  hangsAfterWriting,
  hangsBeforeSending,
} from '../helpers/faulty-store.ts';
import { forgetfulStore, overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { until } from '../helpers/until.ts';

const LOCK: LockPolicy = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 };
const DAY_MS = 24 * 3_600_000;
/** File content that is large enough for a multipart upload. */
const LARGE = Buffer.alloc(17 * 1024 * 1024, 'x');
const ALWAYS = Number.POSITIVE_INFINITY;

/** Returns the keys of all versions without a lock, including superseded versions. */
async function unlocked({ store, bucket }: MirrorBench): Promise<readonly string[]> {
  const { versions } = await store.listVersions({ bucket });
  const keys: string[] = [];
  for (const { kind, key, versionId } of versions) {
    if (kind !== 'version' || key.startsWith('.holdfast/')) continue;
    const { retention } = (await store.headObject({ bucket, key, versionId })).info;
    if (retention === undefined) keys.push(key);
    else expect(retention.retainUntil - Date.now()).toBeLessThanOrEqual(37 * DAY_MS);
  }
  return keys;
}

async function openLocked() {
  const bench = await openMirrorBench();
  const faulty = faultyStore(forgetfulStore(bench.store));
  const open = () => bench.open({ store: faulty.store, lock: LOCK });
  return { bench, faulty, open };
}

/** Moves `a/f` to `b/f` by a copy that the service does not lock, and stops the job at the request `on`. */
async function stopAfterMove(on: keyof ObjectStore, fault: Fault) {
  const { bench, faulty, open } = await openLocked();
  mkdirSync(join(bench.root, 'a'));
  writeFileSync(join(bench.root, 'a/f'), 'content');
  writeFileSync(join(bench.root, 'other'), 'content of another file');
  const mirror = await open();
  await mirror.settled();
  const met = faulty.inject({ on, key: 'b/f', fault });
  renameSync(join(bench.root, 'a'), join(bench.root, 'b'));
  void mirror.settled();
  await met;
  await mirror.close();
  expect(await unlocked(bench)).toEqual(['b/f']);
  return { bench, faulty, open };
}

const STOPS: readonly [string, keyof ObjectStore, Fault][] = [
  ['before the response to the copy', 'copyObject', hangsAfterWriting],
  ['between the copy and its lock', 'putRetention', hangsBeforeSending],
];

describe.each(STOPS)('a job that was stopped %s', (_when, on, fault) => {
  test.each<[string, (root: string) => void]>([
    ['renamed again', (root) => renameSync(join(root, 'b'), join(root, 'c'))],
    ['deleted', (root) => rmSync(join(root, 'b'), { recursive: true })],
    ['changed', (root) => writeFileSync(join(root, 'b/f'), 'changed')],
  ])(
    'the job locks a superseded copy after a restart if its file was %s in the meantime',
    async (_what, change) => {
      const { bench, open } = await stopAfterMove(on, fault);
      change(bench.root);
      const mirror = await open();
      await mirror.settled();
      expect(await unlocked(bench)).toEqual([]);
      expect(mirror.status()).toMatchObject({ problems: [], locks: { unlocked: 0, failing: 0 } });
    },
  );

  test('a job locks a copy after a restart even while its folder is missing', async () => {
    const { bench, open } = await stopAfterMove(on, fault);
    rmSync(bench.root, { recursive: true });
    const mirror = await open();
    await until(
      () => unlocked(bench),
      (keys) => keys.length === 0,
    );
    expect(mirror.status().state).toBe('root missing');
  });

  test('a job locks a copy after a restart even outside its configured hours', async () => {
    const { bench, faulty } = await stopAfterMove(on, fault);
    const hour = new Date().getHours();
    const window = { fromMinute: ((hour + 2) % 24) * 60, toMinute: ((hour + 3) % 24) * 60 };
    const mirror = await bench.open({ store: faulty.store, lock: LOCK, window });
    await until(
      () => unlocked(bench),
      (keys) => keys.length === 0,
    );
    expect(mirror.status().state).toBe('waiting');
  });

  test('a job locks a copy after a restart even while it is paused', async () => {
    const { bench, open } = await stopAfterMove(on, fault);
    const mirror = await open();
    mirror.pause();
    await until(
      () => unlocked(bench),
      (keys) => keys.length === 0,
    );
    expect(mirror.status().state).toBe('paused');
  });
});

describe('a multipart upload that was stopped before its lock was set', () => {
  test('a job locks a superseded multipart upload after a restart if its file has changed in the meantime', async () => {
    const { bench, faulty, open } = await openLocked();
    const met = faulty.inject({ on: 'putRetention', key: 'large', fault: hangsBeforeSending });
    writeFileSync(join(bench.root, 'large'), LARGE);
    const mirror = await open();
    await met;
    await mirror.close();
    expect(await unlocked(bench)).toEqual(['large']);
    writeFileSync(join(bench.root, 'large'), 'small now');
    await (await open()).settled();
    expect(await unlocked(bench)).toEqual([]);
    expect(await bench.history('large')).toHaveLength(2);
  });
});

describe('superseded versions whose lock the service rejects', () => {
  async function supersedeRefused() {
    const { bench, faulty, open } = await openLocked();
    void faulty.inject({ on: 'putRetention', fault: answers('AccessDenied'), times: ALWAYS });
    writeFileSync(join(bench.root, 'large'), LARGE);
    const mirror = await open();
    await mirror.settled();
    writeFileSync(join(bench.root, 'large'), 'small now');
    await mirror.settled();
    expect(await unlocked(bench)).toEqual(['large']);
    return { bench, faulty, open, mirror };
  }

  test('a job counts and reports a superseded version without a lock, even after a restart', async () => {
    const { open, mirror } = await supersedeRefused();
    const expectReported = async (job: Mirror) => {
      await job.settled();
      expect(job.status().locks).toMatchObject({ unlocked: 1, failing: 1 });
      const found = [];
      for await (const row of job.verification.verify({}))
        if (row.is === 'finding') found.push(row);
      const versionId = expect.any(String);
      expect(found).toMatchObject([{ path: 'large', code: 'not-locked', versionId }]);
    };
    await expectReported(mirror);
    await expectReported(await open());
  });

  test('a job no longer counts a superseded version without a lock once its intended retention has passed', async () => {
    const { bench, faulty } = await supersedeRefused();
    const clock = new ShiftedClock();
    const serviceTime = async () => ({ now: clock.now(), isTrusted: true });
    const store = overriding(faulty.store, { serviceTime });
    clock.putForward(38 * DAY_MS);
    faulty.removeFaults();
    const later = await bench.open({ store, lock: LOCK, clock });
    await until(
      () => later.status().locks,
      (locks) => locks?.unlocked === 0,
    );
    const { versions } = await bench.store.listVersions({ bucket: bench.bucket, prefix: 'large' });
    const versionId = versions[1]?.versionId ?? '';
    const object = { bucket: bench.bucket, key: 'large', versionId };
    expect((await bench.store.headObject(object)).info.retention).toBeUndefined();
  });
});

test('a job extends every lock to a longer lock policy before the sync round ends', async () => {
  const { bench, open } = await openLocked();
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  for (const name of names) writeFileSync(join(bench.root, name), name);
  await (await open()).settled();
  const mirror = await bench.open({ lock: { ...LOCK, days: 38 } });
  await mirror.settled();
  const { store, bucket } = bench;
  for (const key of names) {
    const { retainUntil = 0 } = (await store.headObject({ bucket, key })).info.retention ?? {};
    expect(retainUntil - Date.now()).toBeGreaterThan(44 * DAY_MS);
  }
  expect(mirror.status().locks).toMatchObject({ renewalsDue: 0 });
});
