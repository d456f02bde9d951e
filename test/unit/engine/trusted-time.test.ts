import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type RememberedTime, TrustedTime } from '../../../src/engine/clock/trusted-time.ts';
import { readUptime } from '../../../src/engine/clock/uptime.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 21, 12);
const MAX_JUMP = HOUR;

/** A wall clock that can jump and a monotonic clock that cannot, on a machine that may sleep. */
class JumpyClock {
  wall = START;
  monotonicMs = 0;
  boot: { id: string; upMs: number } | undefined = { id: 'one', upMs: 5 * HOUR };

  pass(ms: number): void {
    this.sleep(ms);
    this.monotonicMs += ms;
  }

  /**
   * Simulates sleep of the machine: the wall clock and the uptime advance, but not the monotonic
   * clock.
   */
  sleep(ms: number): void {
    this.wall += ms;
    if (this.boot) this.boot = { ...this.boot, upMs: this.boot.upMs + ms };
  }

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.monotonicMs;
  }
}

function open(jumpy: JumpyClock, remembered?: RememberedTime): TrustedTime {
  const uptime = () => jumpy.boot;
  return new TrustedTime({ clock: jumpy, uptime, maxJumpMs: MAX_JUMP, remembered });
}

describe('the time that the store trusts for locks', () => {
  test('trusted time equals the wall clock in a new store and while the clock runs normally', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.pass(HOUR);
    expect(time.read()).toMatchObject({ trustedNow: START + HOUR, clockAheadMs: 0 });
  });

  test.each([
    ['[clock-1] trusted time follows a clock that jumps ahead by one hour', MAX_JUMP, MAX_JUMP, 0],
    [
      '[clock-1] trusted time does not follow a clock that jumps ahead by more than one hour',
      MAX_JUMP + 1,
      0,
      MAX_JUMP + 1,
    ],
    ['[clock-2] trusted time does not follow a clock that jumps back', -DAY, 0, 0],
  ])('%s', (_, jump, followed, ahead) => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.wall += jump;
    expect(time.read()).toMatchObject({ trustedNow: START + followed, clockAheadMs: ahead });
  });

  test('[clock-3] trusted time advances with the monotonic clock while the wall clock is wrong and follows it again after a correction', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.wall += 30 * DAY;
    jumpy.pass(HOUR);
    expect(time.read()).toMatchObject({ trustedNow: START + HOUR, clockAheadMs: 30 * DAY });
    jumpy.wall -= 30 * DAY;
    jumpy.pass(HOUR);
    expect(time.read()).toMatchObject({ trustedNow: START + 2 * HOUR, clockAheadMs: 0 });
  });

  test("[clock-4] trusted time follows the wall clock after 20 days of sleep if the machine's uptime confirms the sleep", () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.sleep(20 * DAY);
    jumpy.pass(1000);
    expect(time.read()).toMatchObject({ trustedNow: START + 20 * DAY + 1000, clockAheadMs: 0 });
  });

  test('[clock-4] trusted time advances only by the uptime if the clock was set ahead during sleep', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    jumpy.sleep(2 * DAY);
    jumpy.wall += 5 * DAY;
    expect(time.read()).toMatchObject({ trustedNow: START + 2 * DAY, clockAheadMs: 5 * DAY });
    jumpy.pass(100);
    jumpy.sleep(DAY);
    jumpy.pass(1000);
    expect(time.read().trustedNow).toBe(START + 3 * DAY + 1100);
  });

  test('[clock-5] trusted time advances by the uptime while the store is closed and the machine stays on', () => {
    const jumpy = new JumpyClock();
    const remembered = open(jumpy).remember();
    jumpy.sleep(40 * DAY);
    jumpy.monotonicMs = 17;
    expect(open(jumpy, remembered).read()).toMatchObject({
      trustedNow: START + 40 * DAY,
      clockAheadMs: 0,
    });
    jumpy.wall += 2 * HOUR;
    expect(open(jumpy, remembered).read()).toMatchObject({
      trustedNow: START + 40 * DAY,
      clockAheadMs: 2 * HOUR,
    });
  });

  test.each([
    ['was rebooted', { id: 'two', upMs: 900 * DAY }],
    ['reports no uptime', undefined],
    ['was restored to an earlier state', { id: 'one', upMs: 0 }],
  ])(
    '[clock-6] trusted time does not follow a clock that is eight hours ahead if the machine %s',
    (_, boot) => {
      const jumpy = new JumpyClock();
      const remembered = open(jumpy).remember();
      jumpy.wall += 8 * HOUR;
      jumpy.boot = boot;
      expect(open(jumpy, remembered).read()).toMatchObject({
        trustedNow: START,
        clockAheadMs: 8 * HOUR,
      });
    },
  );

  test('trusted time loses no time even if it is read 10,000 times', () => {
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

  test('[clock-7] the store does not trust a clock that is more than one hour ahead of the trusted time of the last run', () => {
    const jumpy = new JumpyClock();
    const last = (trustedAt: number) => open(jumpy, { trustedAt }).read();
    expect(last(START - MAX_JUMP - 1).clockAheadMs).toBe(MAX_JUMP + 1);
    expect(last(START - MAX_JUMP).clockAheadMs).toBe(0);
    expect(last(START + DAY).trustedNow).toBe(START + DAY);
  });

  test('[clock-8] trusted time equals the wall clock again after the user confirms the clock', () => {
    const jumpy = new JumpyClock();
    const time = open(jumpy);
    for (const jump of [30 * DAY, -60 * DAY]) {
      jumpy.wall += jump;
      time.read();
      time.trustClock();
      expect(time.read()).toMatchObject({ trustedNow: jumpy.wall, clockAheadMs: 0 });
    }
  });

  test('[clock-2] trusted time never decreases, and a read adds at most one hour more than the elapsed time', () => {
    const step = fc.record({
      passMs: fc.integer({ min: 0, max: 30 * DAY }),
      sleepMs: fc.integer({ min: 0, max: 30 * DAY }),
      jumpMs: fc.integer({ min: -400 * DAY, max: 400 * DAY }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const jumpy = new JumpyClock();
        const time = open(jumpy);
        let before = time.read().trustedNow;
        let unseenMs = 0;
        for (const { passMs, sleepMs, jumpMs } of steps) {
          jumpy.pass(passMs);
          jumpy.sleep(sleepMs);
          jumpy.wall += jumpMs;
          const { trustedNow, clockAheadMs } = time.read();
          expect(trustedNow).toBeGreaterThanOrEqual(before + passMs);
          expect(trustedNow).toBeLessThanOrEqual(before + passMs + sleepMs + unseenMs + MAX_JUMP);
          if (clockAheadMs > 0) expect(trustedNow + clockAheadMs).toBe(jumpy.wall);
          // A read may not count all of a sleep. A later read may then add the missing time.
          unseenMs += before + passMs + sleepMs - trustedNow;
          before = trustedNow;
        }
      }),
    );
  });
});

test.runIf(process.platform === 'linux')(
  'Holdfast reads the uptime and the boot id of the machine',
  () => {
    const [one, two] = [readUptime(), readUptime()];
    expect(one?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(two?.id).toBe(one?.id);
    expect(two?.upMs).toBeGreaterThanOrEqual(one?.upMs ?? Number.NaN);
  },
);

/** Creates a version whose retention ends ten days after the store was last open. */
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

describe('locks and trusted time', () => {
  test('[clock-9] the store keeps a version locked if the clock jumped past the end of its lock, until the user confirms the clock', async () => {
    const { dir, version, retainUntil } = await lockedVersion();
    const { store, engine } = await openTestEngine({
      dir,
      clock: new FakeClock(retainUntil + DAY),
    });
    expect(engine.upkeep.health().clockAheadMs).toBe(11 * DAY);
    await expect(store.deleteObject(version)).rejects.toMatchObject({
      code: 'AccessDenied',
      message: expect.stringContaining('holdfast admin store trust-clock') as string,
    });
    await engine.upkeep.trustClock();
    await expect(store.deleteObject(version)).resolves.toMatchObject({ deleteMarker: false });
  });

  test('the store lets a caller with permission bypass a governance lock even if the clock is not trusted', async () => {
    const { dir, version, retainUntil } = await lockedVersion();
    const { store } = await openTestEngine({ dir, clock: new FakeClock(retainUntil + DAY) });
    const removed = store.deleteObject({ ...version, bypassGovernance: true });
    await expect(removed).resolves.toMatchObject({ deleteMarker: false });
  });

  test('[clock-10] the store does not lock a version again whose lock ended by a trusted clock if the clock is set back', async () => {
    const { dir, version, retainUntil } = await lockedVersion();
    const upkeep = { maxClockJumpMs: 20 * DAY };
    const first = await openTestEngine({ dir, upkeep, clock: new FakeClock(retainUntil + DAY) });
    await first.engine.close();
    const clock = new FakeClock(retainUntil - DAY);
    const { store } = await openTestEngine({ dir, upkeep, clock });
    await expect(store.deleteObject(version)).resolves.toMatchObject({ deleteMarker: false });
  });

  test('the store refuses a put with a retention that ends before the trusted time', async () => {
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
