/**
 * Tests of the conditions under which a job may run (schedule, hours, power, network, free space),
 * with a fake clock.
 */

import { renameSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { RunConditions } from '../../../../src/mirror/limits/run-conditions.ts';
import type { Machine } from '../../../../src/mirror/limits/machine.ts';
import type { JobLimitSettings } from '../../../../src/mirror/model/limit-settings.ts';
import { FreeSpace } from '../../../../src/mirror/limits/free-space.ts';
import { FakeClock } from '../../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const HOUR_MS = 3_600_000;

/** Creates the run conditions of a job with a clock that starts at noon local time. */
function bench(
  job: JobLimitSettings,
  { machine, freeSpace }: { machine?: Machine; freeSpace?: FreeSpace } = {},
) {
  const clock = new FakeClock(new Date(2026, 10, 21, 12).getTime());
  const meta = new Map<string, string>();
  const changes: (string | undefined)[] = [];
  const gate: RunConditions = new RunConditions({
    job,
    clock,
    state: {
      meta: (name) => meta.get(name),
      setMeta: (name, value) => void meta.set(name, value),
    },
    machine,
    freeSpace,
    onChange: () => changes.push(gate.standstill()?.reason),
  });
  const roundIsOver = () => {
    meta.set('first round done', String(clock.now()));
    gate.check();
  };
  const isOpen = () => gate.standstill() === undefined;
  gate.check();
  gate.start();
  return { clock, gate, changes, roundIsOver, isOpen };
}

test('Holdfast always allows a job without run conditions to run and reports no change', () => {
  const { clock, isOpen, changes } = bench({});
  expect(isOpen()).toBe(true);
  clock.advance(48 * HOUR_MS);
  expect(changes).toEqual([]);
});

describe('a job with a schedule', () => {
  const schedule = '0 2 * * *';

  test('Holdfast lets a scheduled job run from its scheduled time until its sync round ends', () => {
    const { clock, gate, isOpen, roundIsOver } = bench({ schedule });
    expect(gate.standstill()).toEqual({
      state: 'waiting',
      reason: 'the next run is at 2026-11-22 02:00 (schedule: 0 2 * * *)',
    });
    clock.advance(14 * HOUR_MS - 1);
    expect(isOpen()).toBe(false);
    clock.advance(1);
    expect(isOpen()).toBe(true);
    clock.advance(HOUR_MS);
    expect(isOpen()).toBe(true);
    roundIsOver();
    expect(gate.standstill()?.reason).toContain('at 2026-11-23 02:00');
  });

  test('Holdfast runs a job only once after two scheduled times were missed', () => {
    const { clock, isOpen, roundIsOver } = bench({ schedule });
    clock.advance(40 * HOUR_MS);
    expect(isOpen()).toBe(true);
    roundIsOver();
    expect(isOpen()).toBe(false);
  });

  test('Holdfast starts a scheduled job in its exact minute, not only at the next periodic check', () => {
    const { clock, changes } = bench({ schedule: '1 12 * * *' });
    clock.advance(59_999);
    expect(changes).toHaveLength(1);
    clock.advance(1);
    expect(changes).toHaveLength(2);
    expect(changes.at(-1)).toBeUndefined();
  });

  test('Holdfast ignores the schedule if the user runs a job by name', async () => {
    const { gate, isOpen } = bench({ schedule });
    await gate.override(async () => expect(isOpen()).toBe(true));
    expect(isOpen()).toBe(false);
  });
});

test('Holdfast runs a job with a window of hours only within that window, even across midnight', () => {
  const { clock, gate, isOpen, changes } = bench({
    window: { fromMinute: 22 * 60, toMinute: 360 },
  });
  expect(gate.standstill()?.reason).toBe('the job runs only from 22:00 to 06:00 (window)');
  const open = Array.from({ length: 24 }, () => {
    clock.advance(HOUR_MS);
    return isOpen() ? clock.now() : undefined;
  });
  const hours = open.flatMap((time) => (time === undefined ? [] : new Date(time).getHours()));
  expect(hours).toEqual([22, 23, 0, 1, 2, 3, 4, 5]);
  expect(changes).toHaveLength(3);
});

describe('power and network conditions of a job', () => {
  const machine = (current: { battery?: boolean; metered?: boolean }): Machine => ({
    isOnBattery: () => current.battery,
    isMetered: () => current.metered,
  });

  test('Holdfast stops a job on battery power or a metered network only if its settings say so', () => {
    const both = machine({ battery: true, metered: true });
    expect(bench({}, { machine: both }).isOpen()).toBe(true);
    const reasons = [{ onBattery: 'pause' }, { onMetered: 'pause' }] as const;
    expect(reasons.map((job) => bench(job, { machine: both }).gate.standstill()?.reason)).toEqual([
      'the machine runs on battery',
      'the network is metered',
    ]);
  });

  test('Holdfast checks the power supply every ten seconds', () => {
    const current: { battery?: boolean } = { battery: false };
    const { clock, isOpen, changes } = bench({ onBattery: 'pause' }, { machine: machine(current) });
    expect(isOpen()).toBe(true);
    current.battery = true;
    clock.advance(10_000);
    current.battery = false;
    clock.advance(10_000);
    expect(changes).toEqual(['the machine runs on battery', undefined]);
  });

  test('Holdfast warns that onBattery and onMetered have no effect if the power or network state is unknown', () => {
    const job = { onBattery: 'pause', onMetered: 'pause' } as const;
    const { gate, isOpen } = bench(job, { machine: machine({}) });
    expect(isOpen()).toBe(true);
    expect(gate.warnings()).toEqual([
      'cannot detect whether the machine runs on battery: onBattery has no effect',
      'cannot detect whether the network is metered: onMetered has no effect',
    ]);
  });
});

describe("the free-space limit of the store's disk", () => {
  function disk(freeBytes: number) {
    const current = { freeBytes };
    const freeSpace = new FreeSpace({
      folder: '/store',
      minFreeBytes: 1_000,
      freeBytes: () => current.freeBytes,
    });
    return { current, freeSpace };
  }

  test('Holdfast stops a job below the free-space limit, even if the user runs the job by name', async () => {
    const { current, freeSpace } = disk(2_000);
    const { clock, gate, isOpen, changes } = bench({}, { freeSpace });
    expect(isOpen()).toBe(true);
    current.freeBytes = 999;
    clock.advance(10_000);
    expect(gate.standstill()).toEqual({
      state: 'no room',
      reason:
        'only 999 B are free on the disk of /store, less than the 1 kB that must stay free (storage.minFree): free up disk space',
    });
    await gate.override(async () => expect(isOpen()).toBe(false));
    current.freeBytes = 1_000;
    expect(isOpen()).toBe(false);
    current.freeBytes = 1_100;
    clock.advance(10_000);
    expect(isOpen()).toBe(true);
    expect(changes).toHaveLength(2);
  });

  test('a job whose folder does not fit on the disk waits for free space unless the user runs the job by name', async () => {
    const { current, freeSpace } = disk(6_000);
    const { gate, isOpen } = bench({}, { freeSpace });
    freeSpace.checkFolder(5_000);
    expect(isOpen()).toBe(true);
    freeSpace.checkFolder(5_001);
    expect(gate.standstill()?.reason).toBe(
      'the folder has 5 kB, but only 5 kB are available on the disk of /store: free up disk space, or exclude files',
    );
    current.freeBytes = 6_001;
    expect(isOpen()).toBe(true);
    current.freeBytes = 6_000;
    freeSpace.checkFolder(5_001);
    await gate.override(async () => expect(isOpen()).toBe(true));
  });

  test("Holdfast stops a job while the free space of the store's disk cannot be read", () => {
    const folder = temporaryFolder('disk');
    const { clock, gate, isOpen } = bench(
      {},
      { freeSpace: new FreeSpace({ folder, minFreeBytes: 0 }) },
    );
    renameSync(folder, `${folder}.unmounted`);
    clock.advance(10_000);
    expect(gate.standstill()).toEqual({
      state: 'no room',
      reason: `the free space on the disk of ${folder} cannot be read: the folder does not exist`,
    });
    renameSync(`${folder}.unmounted`, folder);
    clock.advance(10_000);
    expect(isOpen()).toBe(true);
  });

  test('Holdfast refuses to store a single file that is larger than the free space, before its upload starts', () => {
    const { freeSpace } = disk(6_000);
    freeSpace.check(5_000);
    expect(() => freeSpace.check(5_001)).toThrow(
      'cannot store a file of 5 kB: only 5 kB are available on the disk of /store',
    );
  });
});
