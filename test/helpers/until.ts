/** Waiting for a state that is asked for again and again. */

import { systemClock } from '../../src/base/clock.ts';

const POLL_MS = 25;
/** Far beyond what anything takes that a test waits for. */
const PATIENCE_MS = 30_000;

/** Asks until `isReached`; the last answer is in the error when it never is. */
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
