/**
 * Tests of the cached offset between the clock of a storage service and the local clock, after a
 * clock correction.
 */

import { expect, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import { DAY_MS } from '../../../src/base/durations.ts';
import { AgreedTime } from '../../../src/retention/agreed-time.ts';
import type { ServiceTime } from '../../../src/object-store/service-clock.ts';
import type { Destination } from '../../../src/mirror/objects/destination.ts';

const { signal } = new AbortController();

/**
 * Creates a destination whose requests for the service's time stay pending until the test answers
 * them.
 */
function askedDestination() {
  const questions: ((answer: ServiceTime) => void)[] = [];
  const serviceTime = () => new Promise<ServiceTime>((resolve) => void questions.push(resolve));
  const destination = { store: { serviceTime }, bucket: 'b', prefix: '' } as unknown as Destination;
  const answer = (index: number, aheadMs: number) =>
    questions[index]?.({ now: systemClock.now() + aheadMs, isTrusted: true });
  return { destination, answer };
}

test("a job ignores a late response with the service's time that was requested before a clock correction", async () => {
  const { destination, answer } = askedDestination();
  const time = new AgreedTime(destination, systemClock);
  const before = time.ofService(signal);
  time.forget();
  const after = time.ofService(signal);
  answer(1, 0);
  await after;
  answer(0, -10 * DAY_MS);
  await before;
  const behindMs = systemClock.now() - (await time.ofService(signal));
  expect(behindMs).toBeLessThan(DAY_MS);
});
