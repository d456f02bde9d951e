/**
 * Tests of objects that another client writes again with the same content, so that the new version has no lock.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { Mirror } from '../../src/mirror/mirror.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import type { LockPolicy } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { faultyStore } from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';

const DAY_MS = 24 * 3_600_000;
const LOCK: LockPolicy = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 };

async function mirrored() {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ clock });
  for (const name of ['f', 'other']) writeFileSync(join(bench.root, name), name);
  const mirror = await bench.open({ lock: LOCK });
  await mirror.settled();
  return { clock, bench, mirror };
}

async function rewrite({ store, bucket }: MirrorBench, key: string): Promise<void> {
  const { info } = await store.headObject({ bucket, key });
  const attributes = { metadata: { ...info.metadata } };
  await store.putObject({ bucket, key, body: bytesBody(key), attributes });
}

async function daysLocked({ store, bucket }: MirrorBench, clock: ShiftedClock, key: string) {
  const { retention } = (await store.headObject({ bucket, key })).info;
  return retention && Math.round((retention.retainUntil - clock.now()) / DAY_MS);
}

async function findings(mirror: Mirror): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const row of mirror.verification.verify({}))
    if (row.is === 'finding') found.push(`${row.code} ${row.path}`);
  return found;
}

test('a job locks an object that another client rewrote, at the next listing of the bucket', async () => {
  const { clock, bench, mirror } = await mirrored();
  clock.putForward(60_000);
  await rewrite(bench, 'f');
  await mirror.runNow();
  await mirror.settled();
  expect(await daysLocked(bench, clock, 'f')).toBe(37);
  expect(await findings(mirror)).toEqual([]);
  expect(mirror.status()).toMatchObject({ locks: { locked: 2, unlocked: 0 }, problems: [] });
});

test('a job locks an object that another client rewrote, even after the lock policy became shorter', async () => {
  const { clock, bench, mirror } = await mirrored();
  await rewrite(bench, 'f');
  await mirror.runNow();
  await mirror.settled();
  expect(await daysLocked(bench, clock, 'f')).toBe(37);
  await mirror.close();
  const shorter = await bench.open({ lock: { ...LOCK, days: 1, refreshDays: 1 } });
  await shorter.settled();
  clock.putForward(60_000);
  await rewrite(bench, 'other');
  await shorter.runNow();
  await shorter.settled();
  expect(await daysLocked(bench, clock, 'other')).toBe(2);
  expect(await findings(shorter)).toEqual([]);
});

test('verify reports a rewritten object without a lock until the job locks it', async () => {
  const { clock, bench, mirror } = await mirrored();
  await rewrite(bench, 'f');
  expect(await findings(mirror)).toEqual(['not-locked f']);
  expect(mirror.status().locks).toMatchObject({ locked: 1, unlocked: 1 });
  await mirror.settled();
  expect(await daysLocked(bench, clock, 'f')).toBe(37);
  expect(await findings(mirror)).toEqual([]);
  expect(mirror.status().locks).toMatchObject({ locked: 2, unlocked: 0 });
});

test('after a restart, a lock renewal locks the rewritten current version instead of the superseded one', async () => {
  const { clock, bench, mirror } = await mirrored();
  await mirror.close();
  await rewrite(bench, 'f');
  clock.putForward(23 * DAY_MS);
  const again = await bench.open({ lock: LOCK });
  await again.settled();
  expect(await daysLocked(bench, clock, 'f')).toBe(37);
  expect(await findings(again)).toEqual([]);
});

test('a job does not apply the upload time of the superseded version to an object that another client rewrote', async () => {
  const { clock, bench, mirror } = await mirrored();
  await mirror.close();
  await bench.writeForeign('f', 'f');
  clock.putForward(23 * DAY_MS);
  const again = await bench.open({ lock: LOCK });
  await again.settled();
  expect(await daysLocked(bench, clock, 'f')).toBe(37);
  await again.close();
  const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
  onTestFinished(() => state.close());
  const { store, bucket } = bench;
  const { versionId } = (await store.headObject({ bucket, key: 'f' })).info;
  expect(state.baseline.get('f')).toMatchObject({ versionId });
  expect(state.baseline.get('f')?.uploadedAt).toBeUndefined();
  expect(state.baseline.get('other')?.uploadedAt).toBeDefined();
});

test('a job uploads a changed file over an object that another client rewrote', async () => {
  const { clock, bench, mirror } = await mirrored();
  clock.putForward(60_000);
  await rewrite(bench, 'f');
  writeFileSync(join(bench.root, 'f'), 'changed');
  await mirror.runNow();
  expect(await bench.history('f')).toEqual(['put f', 'put f', 'put changed']);
  expect(await daysLocked(bench, clock, 'f')).toBe(37);
});

test('a job sends no request for an object whose version is unchanged', async () => {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ clock });
  const faulty = faultyStore(bench.store);
  writeFileSync(join(bench.root, 'f'), 'f');
  const mirror = await bench.open({ lock: LOCK, store: faulty.store });
  await mirror.settled();
  clock.putForward(60_000);
  const before = faulty.calls.length;
  await mirror.runNow();
  const later = faulty.calls.slice(before);
  expect(later).toContainEqual(expect.stringMatching(/^listVersions/));
  expect(later.filter((call) => call.endsWith(' f'))).toEqual([]);
});
