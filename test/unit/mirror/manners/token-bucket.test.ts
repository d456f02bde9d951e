/** Tests that the token bucket limits the transferred bytes per second, with a fake clock. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { BURST_BYTES, TokenBucket } from '../../../../src/mirror/limits/token-bucket.ts';
import { FakeClock } from '../../../helpers/fake-clock.ts';

/**
 * Advances the clock by `ms` in small steps, because a waiting promise needs a few event loop turns
 * before its next sleep.
 */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  const until = clock.monotonic() + ms;
  while (clock.monotonic() < until) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    clock.advance(Math.min(50, until - clock.monotonic()));
  }
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('property: a token bucket never lets more than limit × time + burst bytes pass, but lets all bytes pass in the end', async () => {
  const take = fc.record({ bytes: fc.integer({ min: 1, max: BURST_BYTES }), after: fc.nat(500) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10_000, max: 1_000_000 }),
      fc.array(take, { minLength: 1, maxLength: 20 }),
      async (limit, takes) => {
        const clock = new FakeClock();
        const bucket = new TokenBucket(clock, () => limit);
        let passed = 0;
        for (const { bytes, after } of takes) {
          void bucket.take(bytes).then(() => {
            passed += bytes;
            expect(passed).toBeLessThanOrEqual(
              (limit * clock.monotonic()) / 1_000 + BURST_BYTES + 1,
            );
          });
          await pass(clock, after);
        }
        const wanted = takes.reduce((sum, { bytes }) => sum + bytes, 0);
        const dueMs = (wanted / limit) * 1_000;
        await pass(clock, 2_000 * Math.ceil(dueMs / 1_000) + 60_000);
        expect(passed).toBe(wanted);
      },
    ),
    { numRuns: 50 },
  );
});

describe('a token bucket that limits bytes per second', () => {
  test('a token bucket lets waiting bytes pass within a second after the rate limit is removed', async () => {
    const clock = new FakeClock();
    let limit: number | undefined = 1_000;
    const bucket = new TokenBucket(clock, () => limit);
    await bucket.take(BURST_BYTES);
    let passed = false;
    const waiting = bucket.take(BURST_BYTES).then(() => (passed = true));
    await pass(clock, 5_000);
    expect(passed).toBe(false);
    limit = undefined;
    await pass(clock, 1_000);
    await waiting;
    expect(bucket.isLimited).toBe(false);
  });

  test('a token bucket serves requests for bytes in the order in which they arrive', async () => {
    const clock = new FakeClock();
    const bucket = new TokenBucket(clock, () => 10_000);
    const served: number[] = [];
    for (const bytes of [BURST_BYTES, 30_000, 1])
      void bucket.take(bytes).then(() => served.push(bytes));
    await pass(clock, 2_900);
    expect(served).toEqual([BURST_BYTES]);
    await pass(clock, 200);
    expect(served).toEqual([BURST_BYTES, 30_000, 1]);
  });

  test('a token bucket rejects an aborted request for bytes and does not count its bytes', async () => {
    const clock = new FakeClock();
    const bucket = new TokenBucket(clock, () => 10_000);
    await bucket.take(BURST_BYTES);
    const abort = new AbortController();
    const waiting = bucket.take(BURST_BYTES, abort.signal);
    const outcome = waiting.catch((error: unknown) => error);
    await pass(clock, 100);
    abort.abort(new Error('enough'));
    expect(await outcome).toEqual(new Error('enough'));
    const next = bucket.take(10_000);
    await pass(clock, 1_000);
    await next;
  });
});
