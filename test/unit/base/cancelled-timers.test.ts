/** Tests that cancelled timers of the system clock are not kept in memory. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const CLOCK = join(import.meta.dirname, '../../../src/base/clock.ts');
/**
 * Prints the number of the lists in which Node.js keeps the timers with the same duration. The query examines the
 * whole heap, so the script has a process of its own.
 */
const SCRIPT = `
import { queryObjects } from 'node:v8';
import { systemClock } from ${JSON.stringify(CLOCK)};
const timer = setTimeout(() => undefined, 987_654_321);
const { constructor } = timer._idlePrev;
clearTimeout(timer);
const count = () => queryObjects(constructor, { format: 'count' });
const kept = [];
for (let ms = 1; ms <= 2_000; ms++) kept.push(systemClock.after(1_000_000 + ms, () => undefined));
const running = count();
for (const cancel of kept) cancel();
console.log(JSON.stringify([constructor.name, running, count()]));
`;

test('the system clock keeps nothing in memory for a cancelled timer of any duration', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [name, running, cancelled] = JSON.parse(output) as [string, number, number];
  expect(name).toBe('TimersList');
  expect(running).toBeGreaterThanOrEqual(2_000);
  expect(cancelled).toBeLessThan(1_000);
});
