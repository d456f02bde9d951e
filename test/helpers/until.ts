/** Waits for a condition by polling. */

import { systemClock } from '../../src/base/clock.ts';

const POLL_MS = 25;
/** Timeout in milliseconds, far longer than any condition that tests wait for. */
const PATIENCE_MS = 30_000;

/**
 * Calls `ask` until `isReached` accepts its answer, and returns that answer. The error after the timeout contains the
 * last answer.
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
      throw new Error(`wait: not reached within ${PATIENCE_MS} ms: ${JSON.stringify(answer)}`);
    await systemClock.sleep(POLL_MS);
  }
}
