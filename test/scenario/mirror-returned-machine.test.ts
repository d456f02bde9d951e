/**
 * Tests of a machine whose clock the store does not trust, after a long power-off or a clock jump. Backups must
 * continue with locks.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { type Engine, openEngine } from '../../src/engine/engine.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import type { LockPolicy } from '../../src/mirror/model/types.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { TEST_USER } from '../helpers/test-engine.ts';
import { until } from '../helpers/until.ts';

const DAY_MS = 24 * 3_600_000;
const LOCK: LockPolicy = { mode: 'COMPLIANCE', days: 30, refreshDays: 7 };
const FILES = ['a', 'b', 'c', 'd', 'e'];
const bucket = 'mirrored';

/** Opens a store on a simulated machine that can be switched off and booted again later. */
async function openMachine() {
  const dir = temporaryFolder('returned');
  const clock = new ShiftedClock();
  let start = 0;
  let engine: Engine | undefined;
  onTestFinished(async () => engine?.close());
  const open = async () => {
    const boot = { id: `start ${++start}`, upMs: 0 };
    const uptime = () => ({ ...boot, upMs: clock.monotonic() });
    engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1', uptime });
    return { store: engine.as(internalCaller(TEST_USER, clock.now())), bucket };
  };
  const service = await open();
  await service.store.createBucket({ bucket, objectLockEnabled: true });
  const bench = await openMirrorBench({ service, clock });
  return {
    bench,
    clock,
    trustClock: async () => engine?.upkeep.trustClock(),
    /** Switches the machine off for the given number of days, and returns the reopened store. */
    offFor: async (days: number) => {
      await engine?.close();
      clock.putForward(days * DAY_MS);
      return (await open()).store;
    },
  };
}

function change({ root }: MirrorBench, content: string): void {
  for (const path of FILES) writeFileSync(join(root, path), content);
}

/**
 * Returns the number of days from `now` to the end of the lock, for the current version of each
 * file.
 */
async function daysLocked({ store, bucket }: Pick<MirrorBench, 'store' | 'bucket'>, now: number) {
  const ends = await Promise.all(
    FILES.map(async (key) => (await store.headObject({ bucket, key })).info.retention),
  );
  return ends.map((retention) => Math.round(((retention?.retainUntil ?? 0) - now) / DAY_MS));
}

/** Waits until the job is in sync, even if a file event arrives late. */
async function isInSync(mirror: Pick<Mirror, 'status'>): Promise<void> {
  expect(mirror.status().problems).toEqual([]);
  await until(
    () => mirror.status(),
    ({ inSync, state }) => inSync && state === 'watching',
  );
  expect(mirror.status().problems).toEqual([]);
}

const each = (days: number) => FILES.map(() => days);

describe('a job whose machine was off for longer than its locks', () => {
  test('after a long power-off, a job locks changes by the time that the store trusts, and warns once about the clock', async () => {
    const { bench, clock, offFor } = await openMachine();
    change(bench, 'before');
    const first = await bench.open({ lock: LOCK });
    await first.settled();
    await first.close();
    const trusted = clock.now();
    const store = await offFor(40);
    change(bench, 'after the return');
    const mirror = await bench.open({ lock: LOCK, store });
    await mirror.settled();
    await mirror.settled();
    await isInSync(mirror);
    expect(mirror.status().warnings).toEqual([
      expect.stringMatching(
        /^lock: the store's time is 40 days behind .*holdfast admin store trust-clock/,
      ),
    ]);
    expect(await daysLocked({ store, bucket }, trusted)).toEqual(each(37));
    for await (const row of mirror.verification.verify({}))
      expect(row).toMatchObject({ findings: 0 });
  });

  test('a job extends every lock immediately when the user trusts the clock, without a restart', async () => {
    const { bench, clock, offFor, trustClock } = await openMachine();
    change(bench, 'before');
    await (await bench.open({ lock: LOCK })).settled();
    const store = await offFor(40);
    writeFileSync(join(bench.root, 'a'), 'after the return');
    const mirror = await bench.open({ lock: LOCK, store });
    await mirror.settled();
    expect(await daysLocked({ store, bucket }, clock.now())).toEqual(each(-3));
    await trustClock();
    mirror.clockChanged();
    await until(
      () => daysLocked({ store, bucket }, clock.now()),
      (days) => days.every((day) => day === 37),
    );
    expect(mirror.status()).toMatchObject({ problems: [], warnings: [] });
    change(bench, 'after the correction');
    await mirror.settled();
    expect(await daysLocked({ store, bucket }, clock.now())).toEqual(each(37));
  });
});

describe('a running job whose clock jumps', () => {
  async function openJumping(lock: LockPolicy) {
    const clock = new ShiftedClock();
    const bench = await openMirrorBench({ clock });
    change(bench, 'before');
    const mirror = await bench.open({ lock });
    await mirror.settled();
    return { bench, clock, mirror, trusted: clock.now() };
  }

  test('a job locks every change even if the clock jumps ahead by three days and locks last one day', async () => {
    const { bench, clock, mirror, trusted } = await openJumping({
      ...LOCK,
      days: 1,
      refreshDays: 1,
    });
    clock.jump(3 * DAY_MS);
    change(bench, 'after the jump');
    await mirror.settled();
    await isInSync(mirror);
    expect(mirror.status().warnings).toHaveLength(1);
    expect(await daysLocked(bench, trusted)).toEqual(each(2));
  });

  test('a clock jump of ten years does not make a job lock versions for years, not even in COMPLIANCE mode', async () => {
    const { bench, clock, mirror, trusted } = await openJumping(LOCK);
    clock.jump(3_650 * DAY_MS);
    change(bench, 'after the jump');
    await mirror.settled();
    await mirror.runNow();
    expect(await daysLocked(bench, trusted)).toEqual(each(37));
    await isInSync(mirror);
  });

  test("after a clock jump, a job locks another client's overwritten version by the time that the store trusts", async () => {
    const { bench, clock, mirror, trusted } = await openJumping(LOCK);
    const { store, bucket: name } = bench;
    clock.jump(3_650 * DAY_MS);
    await bench.writeForeign('a', 'of another client');
    change(bench, 'after the jump');
    await mirror.runNow();
    const { versions } = await store.listVersions({ bucket: name, prefix: 'a' });
    expect((await bench.history('a')).at(-2)).toBe('put of another client');
    const versionId = versions[1]?.versionId ?? '';
    const { retainUntil } = await store.getRetention({ bucket: name, key: 'a', versionId });
    expect(Math.round((retainUntil - trusted) / DAY_MS)).toBe(30);
  });
});
