/** Waits for a condition by polling. */

import { systemClock } from '../../src/base/clock.ts';

const POLL_MS = 25;
/** Share of the waiting time after which the condition is checked again. Each check costs CPU time. */
const POLL_SHARE = 0.05;
/** Timeout in milliseconds, far longer than tests normally wait for a condition. */
const PATIENCE_MS = 30_000;

/**
 * Calls `ask` until `isReached` accepts the returned value, and returns that value. After the
 * timeout, it throws an error that contains the last value.
 */
export async function until<T>(
  ask: () => Promise<T> | T,
  isReached: (answer: T) => boolean,
): Promise<T> {
  const startedAt = systemClock.monotonic();
  for (;;) {
    const answer = await ask();
    if (isReached(answer)) return answer;
    const waitedMs = systemClock.monotonic() - startedAt;
    if (waitedMs > PATIENCE_MS)
      throw new Error(
        `the condition was not met within ${PATIENCE_MS} ms: ${JSON.stringify(answer)}`,
      );
    await systemClock.sleep(Math.max(POLL_MS, waitedMs * POLL_SHARE));
  }
}
