import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { TrustedTime } from '../../../src/engine/upkeep/trusted-time.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 21, 12);
const MAX_JUMP = 7 * DAY;

/** A wall clock that jumps, beside a monotonic one that does not. */
class JumpyClock {
  wall = START;
  monotonicMs = 0;

  pass(ms: number): void {
    this.wall += ms;
    this.monotonicMs += ms;
  }

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.monotonicMs;
  }
}

function open(jumpy: JumpyClock, trustedAt?: number): TrustedTime {
  return new TrustedTime(jumpy, MAX_JUMP, trustedAt);
}

describe('the time that is trusted', () => {
  test('is the wall time while that goes on as it should, and in a store that never ran', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.pass(HOUR);
    expect(time.read()).toEqual({ trustedNow: START + HOUR, clockAheadMs: 0 });
  });

  test.each([
    ['a jump ahead within the limit is followed', MAX_JUMP, MAX_JUMP, 0],
    ['a longer one is not', MAX_JUMP + 1, 0, MAX_JUMP + 1],
    ['a jump back is not', -DAY, 0, 0],
  ])('%s', (_, jump, followed, ahead) => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.wall += jump;
    expect(time.read()).toEqual({ trustedNow: START + followed, clockAheadMs: ahead });
  });

  test('goes on at its own pace while the wall clock is not believed, and believes it when it is back', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.wall += 30 * DAY;
    jumpy.pass(HOUR);
    expect(time.read()).toEqual({ trustedNow: START + HOUR, clockAheadMs: 30 * DAY });
    jumpy.wall -= 30 * DAY;
    jumpy.pass(HOUR);
    expect(time.read()).toEqual({ trustedNow: START + 2 * HOUR, clockAheadMs: 0 });
  });

  test('keeps its own pace however often it is read', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.wall += 30 * DAY;
    for (const stepMs of [0.3, 0.6]) {
      const before = time.read().trustedNow;
      for (let look = 0; look < 10_000; look++) {
        jumpy.pass(stepMs);
        time.read();
      }
      expect(Math.abs(time.read().trustedNow - before - 10_000 * stepMs)).toBeLessThanOrEqual(1);
    }
  });

  test('is compared with that of the last run', () => {
    const jumpy = new JumpyClock();
    expect(open(jumpy, START - MAX_JUMP - 1).read().clockAheadMs).toBe(MAX_JUMP + 1);
    expect(open(jumpy, START - MAX_JUMP).read().clockAheadMs).toBe(0);
    expect(open(jumpy, START + DAY).read().trustedNow).toBe(START + DAY);
  });

  test('is the wall time again when somebody says that it is right, be it ahead or behind', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    for (const jump of [30 * DAY, -60 * DAY]) {
      jumpy.wall += jump;
      time.read();
      time.trustClock();
      expect(time.read()).toEqual({ trustedNow: jumpy.wall, clockAheadMs: 0 });
    }
  });

  test('never goes back, and never runs ahead of its own pace by more than a jump at each look', () => {
    const step = fc.record({
      passMs: fc.integer({ min: 0, max: 30 * DAY }),
      jumpMs: fc.integer({ min: -400 * DAY, max: 400 * DAY }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const jumpy = new JumpyClock();
        const time = open(jumpy);
        let before = time.read().trustedNow;
        for (const { passMs, jumpMs } of steps) {
          jumpy.pass(passMs);
          jumpy.wall += jumpMs;
          const { trustedNow, clockAheadMs } = time.read();
          expect(trustedNow).toBeGreaterThanOrEqual(before + passMs);
          expect(trustedNow).toBeLessThanOrEqual(before + passMs + MAX_JUMP);
          if (clockAheadMs > 0) expect(trustedNow + clockAheadMs).toBe(jumpy.wall);
          before = trustedNow;
        }
      }),
    );
  });
});

/** A version whose retention ends ten days after the store last ran. */
async function lockedVersion() {
  const dir = temporaryFolder('clock');
  const { engine, store, clock } = await openTestEngine({ dir });
  await store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
  const retention = { mode: 'GOVERNANCE', retainUntil: clock.now() + 10 * DAY } as const;
  const ref = { bucket: 'bucket', key: 'k' };
  const { versionId = '' } = await store.putObject({
    ...ref,
    body: bytesBody('kept'),
    lock: { retention },
  });
  await engine.close();
  return { dir, version: { ...ref, versionId }, ...retention };
}

describe('a lock', () => {
  test('does not end by a clock that jumped ahead, until somebody says that it is right', async () => {
    const { dir, version, retainUntil } = await lockedVersion();
    const { store, engine } = await openTestEngine({
      dir,
      clock: new FakeClock(retainUntil + DAY),
    });
    expect(engine.upkeep.health().clockAheadMs).toBe(11 * DAY);
    await expect(store.deleteObject(version)).rejects.toMatchObject({
      code: 'AccessDenied',
      message: expect.stringContaining('holdfast store trust-clock') as string,
    });
    await engine.upkeep.trustClock();
    await expect(store.deleteObject(version)).resolves.toMatchObject({ deleteMarker: false });
  });

  test('can be bypassed by who may, whatever the clock says', async () => {
    const { dir, version, retainUntil } = await lockedVersion();
    const { store } = await openTestEngine({ dir, clock: new FakeClock(retainUntil + DAY) });
    const removed = store.deleteObject({ ...version, bypassGovernance: true });
    await expect(removed).resolves.toMatchObject({ deleteMarker: false });
  });

  test('ends by a clock that is believed, and stays ended when the clock goes back', async () => {
    const { dir, version, retainUntil } = await lockedVersion();
    const upkeep = { maxClockJumpMs: 20 * DAY };
    const first = await openTestEngine({ dir, upkeep, clock: new FakeClock(retainUntil + DAY) });
    await first.engine.close();
    const clock = new FakeClock(retainUntil - DAY);
    const { store } = await openTestEngine({ dir, upkeep, clock });
    await expect(store.deleteObject(version)).resolves.toMatchObject({ deleteMarker: false });
  });

  test('cannot be asked for until an instant that is over by the time that is trusted', async () => {
    const { dir, retainUntil } = await lockedVersion();
    const upkeep = { maxClockJumpMs: 20 * DAY };
    const first = await openTestEngine({ dir, upkeep, clock: new FakeClock(retainUntil) });
    await first.engine.close();
    const { store } = await openTestEngine({ dir, clock: new FakeClock(retainUntil - 5 * DAY) });
    const lock = { retention: { mode: 'GOVERNANCE', retainUntil: retainUntil - DAY } } as const;
    const put = store.putObject({ bucket: 'bucket', key: 'late', body: bytesBody('x'), lock });
    await expect(put).rejects.toMatchObject({ code: 'InvalidArgument' });
  });
});
