/** Lets time pass between two steps of a test that compares the times of these steps. */

import { setImmediate } from 'node:timers/promises';

import { systemClock } from '../../src/base/clock.ts';

/**
 * Resolves when the system clock shows a later millisecond, because Holdfast stores times in whole
 * milliseconds.
 */
export async function laterMillisecond(): Promise<void> {
  const now = systemClock.now();
  while (systemClock.now() <= now) await setImmediate();
}
