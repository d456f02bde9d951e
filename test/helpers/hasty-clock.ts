/** The clock of the system with short timers, for a test of work that a daemon repeats. */

import { type Clock, systemClock } from '../../src/base/clock.ts';

/** Returns a clock with the times of the system. Its timers take at most `longestMs` milliseconds. */
export const hastyClock = (longestMs: number): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, longestMs), signal),
  after: (ms, run) => systemClock.after(Math.min(ms, longestMs), run),
});
