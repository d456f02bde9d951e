/**
 * Tests of the run conditions of a job. The job waits for its schedule, power and free space, and resumes
 * automatically.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { FreeSpace } from '../../src/mirror/limits/free-space.ts';
import { TargetTurns } from '../../src/mirror/limits/job-priority.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';
import { overriding } from '../helpers/forgetful-store.ts';

/** A clock that shortens every delay to at most 20 ms. */
const impatient: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(Math.min(ms, 20), run),
};

const untilIts = (mirror: Mirror, state: string) =>
  until(
    () => mirror.status(),
    (status) => status.state === state,
  );

/** Returns a free-space check of a disk with `freeBytes` free bytes, which the test can change. */
function disk(freeBytes: number) {
  const current = { freeBytes };
  const freeSpace = new FreeSpace({
    folder: '/store',
    minFreeBytes: 1_000,
    freeBytes: () => current.freeBytes,
  });
  return { current, freeSpace };
}

test('a scheduled job runs only at its scheduled time or when the user starts it', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'a'), 'one');
  const mirror = await bench.open({ schedule: '0 0 29 2 *' });
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ state: 'waiting', inSync: false });
  expect(mirror.status().reason).toMatch(/^the next run is at .*-02-29 00:00 \(schedule: /);
  expect(await bench.heads()).toEqual({});

  await mirror.runNow();
  expect(await bench.heads()).toEqual({ a: 'one' });
  await untilIts(mirror, 'waiting');
  writeFileSync(join(bench.root, 'a'), 'two');
  await mirror.settled();
  expect(await bench.heads()).toEqual({ a: 'one' });
  expect(mirror.status().manners?.nextRunAt).toBeGreaterThan(systemClock.now());
});

test('a job stops its transfers when the machine switches to battery, and completes them on mains power', async () => {
  const bench = await openMirrorBench();
  const current = { battery: false };
  const machine = { isOnBattery: () => current.battery, isMetered: () => undefined };
  // The first put switches the machine to battery and hangs until the job aborts it.
  const putObject: ObjectStore['putObject'] = (request, options) => {
    if (request.key !== 'a' || current.battery) return bench.store.putObject(request, options);
    current.battery = true;
    return new Promise((_, reject) => {
      const { signal } = options ?? {};
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  const isResumed = { is: false };
  const store = overriding(bench.store, {
    putObject: (...call) => (isResumed.is ? bench.store.putObject(...call) : putObject(...call)),
  });
  writeFileSync(join(bench.root, 'a'), 'text');
  const mirror = await bench.open({ store, machine, clock: impatient, onBattery: 'pause' });
  const { reason } = await untilIts(mirror, 'waiting');
  expect(reason).toBe('the machine runs on battery');
  expect(await bench.heads()).toEqual({});

  isResumed.is = true;
  current.battery = false;
  await untilIts(mirror, 'watching');
  expect(await bench.history('a')).toEqual(['put text']);
});

test('a job uploads nothing below the free-space limit, reports the limit, and resumes when space is free', async () => {
  const bench = await openMirrorBench();
  const { current, freeSpace } = disk(999);
  writeFileSync(join(bench.root, 'a'), 'text');
  const mirror = await bench.open({ freeSpace, clock: impatient });
  await mirror.settled();
  expect(mirror.status()).toMatchObject({
    state: 'no room',
    reason: expect.stringContaining('999 B are free on the disk of /store') as string,
  });
  expect(await bench.heads()).toEqual({});
  current.freeBytes = 10_000;
  await untilIts(mirror, 'watching');
  expect(await bench.heads()).toEqual({ a: 'text' });
});

test('a job does not start if its folder exceeds the free space, unless the user starts it', async () => {
  const bench = await openMirrorBench();
  const { current, freeSpace } = disk(5_000);
  writeFileSync(join(bench.root, 'large'), Buffer.alloc(3_000));
  writeFileSync(join(bench.root, 'small'), Buffer.alloc(1_500));
  const mirror = await bench.open({ freeSpace, clock: impatient });
  const { reason } = await untilIts(mirror, 'no room');
  expect(reason).toMatch(/^the folder has 4.5 kB, but only 4 kB are available/);
  expect(await bench.heads()).toEqual({});
  await mirror.runNow();
  expect(await bench.keys()).toEqual(['large', 'small']);

  // After the first sync round, the limit applies to each file.
  current.freeBytes = 2_000;
  writeFileSync(join(bench.root, 'second'), Buffer.alloc(1_001));
  writeFileSync(join(bench.root, 'third'), Buffer.alloc(1_000));
  await mirror.settled();
  expect(mirror.status().problems).toMatchObject([
    {
      path: 'second',
      code: 'refused',
      message: expect.stringContaining('only 1 kB are available'),
    },
  ]);
  expect(await bench.keys()).toEqual(['large', 'small', 'third']);
});

test('a rate limit does not alter the content of uploaded files', async () => {
  const bench = await openMirrorBench();
  const content = Buffer.alloc(300_000, 'x').toString();
  writeFileSync(join(bench.root, 'a'), content);
  const mirror = await bench.open({ bandwidth: [{ bytesPerSecond: 10_000_000 }] });
  await mirror.settled();
  expect(await bench.heads()).toEqual({ a: content });
  expect(mirror.status()).toMatchObject({ inSync: true, manners: { bytesPerSecond: 10_000_000 } });
});

test('a low-priority job uploads nothing while a job of higher priority has pending work at the same target', async () => {
  const bench = await openMirrorBench();
  const turns = new TargetTurns(systemClock);
  const over = turns.of('high').announce();
  writeFileSync(join(bench.root, 'a'), 'text');
  const mirror = await bench.open({ turns, priority: 'low' });
  await until(
    () => mirror.status(),
    ({ counts }) => counts.pending === 1,
  );
  expect(await bench.heads()).toEqual({});
  over();
  await mirror.settled();
  expect(await bench.heads()).toEqual({ a: 'text' });
});
