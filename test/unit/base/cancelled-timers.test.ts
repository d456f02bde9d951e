/** Tests that cancelled timers of the system clock are not kept in memory. */

import { queryObjects } from 'node:v8';

import { expect, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';

/** Returns the internal class of Node.js that lists the timers with the same duration. */
function listType(): new () => object {
  const timer = setTimeout(() => undefined, 987_654_321) as unknown as { _idlePrev: object };
  const { constructor } = timer._idlePrev;
  clearTimeout(timer as unknown as NodeJS.Timeout);
  return constructor as new () => object;
}

test('the system clock keeps nothing in memory for a cancelled timer of any duration', () => {
  const type = listType();
  expect(type.name).toBe('TimersList');
  for (let ms = 1; ms <= 2_000; ms++) systemClock.after(1_000_000 + ms, () => undefined)();
  // The query examines the whole heap of the process, so it runs only once. Other timers of the
  // process have far fewer durations.
  expect(queryObjects(type, { format: 'count' })).toBeLessThan(1_000);
});
