/** A mirror with manners: it waits for its time, for power and for room, and goes on by itself. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { FreeSpace } from '../../src/mirror/limits/free-space.ts';
import { TargetTurns } from '../../src/mirror/limits/turns.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

/** What looks now and then looks often. */
const impatient: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(Math.min(ms, 20), run),
};

const untilIts = (mirror: Mirror, state: string) =>
  until(
    () => mirror.status(),
    (status) => status.state === state,
  );

/** Of a store whose disk says what a test wants it to. */
function disk(freeBytes: number) {
  const told = { freeBytes };
  const room = new FreeSpace({
    folder: '/store',
    minFreeBytes: 1_000,
    freeBytes: () => told.freeBytes,
  });
  return { told, room };
}

test('a job with a schedule works when it is due or asked for by name, and then waits', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'a'), 'one');
  const mirror = await bench.open({ schedule: '0 0 29 2 *' });
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ state: 'waiting', inSync: false });
  expect(mirror.status().reason).toMatch(/^until .*-02-29 00:00, by its schedule/);
  expect(await bench.heads()).toEqual({});

  await mirror.runNow();
  expect(await bench.heads()).toEqual({ a: 'one' });
  await untilIts(mirror, 'waiting');
  writeFileSync(join(bench.root, 'a'), 'two');
  await mirror.settled();
  expect(await bench.heads()).toEqual({ a: 'one' });
  expect(mirror.status().manners?.nextRunAt).toBeGreaterThan(systemClock.now());
});

test('power that goes interrupts the work, and what was open is done when it is back', async () => {
  const bench = await openMirrorBench();
  const told = { battery: false };
  const machine = { isOnBattery: () => told.battery, isMetered: () => undefined };
  // The first put hangs until the mirror wants it no more; the power goes with it.
  const putObject: ObjectStore['putObject'] = (request, options) => {
    if (request.key !== 'a' || told.battery) return bench.store.putObject(request, options);
    told.battery = true;
    return new Promise((_, reject) => {
      const { signal } = options ?? {};
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  const store = new Proxy(bench.store, {
    get: (target, name: keyof ObjectStore) =>
      name === 'putObject' && !wentOn.is ? putObject : (target[name] as () => unknown).bind(target),
  });
  const wentOn = { is: false };
  writeFileSync(join(bench.root, 'a'), 'text');
  const mirror = await bench.open({ store, machine, clock: impatient, onBattery: 'pause' });
  const { reason } = await untilIts(mirror, 'waiting');
  expect(reason).toBe('the machine runs on battery');
  expect(await bench.heads()).toEqual({});

  wentOn.is = true;
  told.battery = false;
  await untilIts(mirror, 'watching');
  expect(await bench.history('a')).toEqual(['put text']);
});

test('nothing is put on a disk that is nearly full; the job says so, and goes on when there is room', async () => {
  const bench = await openMirrorBench();
  const { told, room } = disk(999);
  writeFileSync(join(bench.root, 'a'), 'text');
  const mirror = await bench.open({ room, clock: impatient });
  await mirror.settled();
  expect(mirror.status()).toMatchObject({
    state: 'no room',
    reason: expect.stringContaining('999 B are free on the disk of /store') as string,
  });
  expect(await bench.heads()).toEqual({});
  told.freeBytes = 10_000;
  await untilIts(mirror, 'watching');
  expect(await bench.heads()).toEqual({ a: 'text' });
});

test('a folder that would not fit is not begun, unless it is asked for by name', async () => {
  const bench = await openMirrorBench();
  const { told, room } = disk(5_000);
  writeFileSync(join(bench.root, 'large'), Buffer.alloc(3_000));
  writeFileSync(join(bench.root, 'small'), Buffer.alloc(1_500));
  const mirror = await bench.open({ room, clock: impatient });
  const { reason } = await untilIts(mirror, 'no room');
  expect(reason).toMatch(/^the folder has 4.5 kB, and 4 kB are free for it/);
  expect(await bench.heads()).toEqual({});
  await mirror.runNow();
  expect(Object.keys(await bench.heads())).toEqual(['large', 'small']);

  // From the second round on each file is asked about by itself.
  told.freeBytes = 2_000;
  writeFileSync(join(bench.root, 'second'), Buffer.alloc(1_001));
  writeFileSync(join(bench.root, 'third'), Buffer.alloc(1_000));
  await mirror.settled();
  expect(mirror.status().problems).toMatchObject([
    { path: 'second', code: 'refused', message: expect.stringContaining('1 kB are free') },
  ]);
  expect(Object.keys(await bench.heads())).toEqual(['large', 'small', 'third']);
});

test('a limit on bytes changes nothing but the time', async () => {
  const bench = await openMirrorBench();
  const content = Buffer.alloc(300_000, 'x').toString();
  writeFileSync(join(bench.root, 'a'), content);
  const mirror = await bench.open({ bandwidth: [{ bytesPerSecond: 10_000_000 }] });
  await mirror.settled();
  expect(await bench.heads()).toEqual({ a: content });
  expect(mirror.status()).toMatchObject({ inSync: true, manners: { bytesPerSecond: 10_000_000 } });
});

test('a job of low priority begins nothing while one of a higher has work at the same target', async () => {
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
