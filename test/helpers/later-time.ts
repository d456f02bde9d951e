/** Lets time pass between two steps of a test that compares their times. */

import { setImmediate } from 'node:timers/promises';

import { systemClock } from '../../src/base/clock.ts';

/** Resolves as soon as the system clock shows a later millisecond: stored times are whole milliseconds. */
export async function laterMillisecond(): Promise<void> {
  const now = systemClock.now();
  while (systemClock.now() <= now) await setImmediate();
}
