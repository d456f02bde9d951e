/** Waits for a condition by polling. */

import { systemClock } from '../../src/base/clock.ts';

const POLL_MS = 25;
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
  const giveUpAt = systemClock.monotonic() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (isReached(answer)) return answer;
    if (systemClock.monotonic() > giveUpAt)
      throw new Error(
        `the condition was not met within ${PATIENCE_MS} ms: ${JSON.stringify(answer)}`,
      );
    await systemClock.sleep(POLL_MS);
  }
}
