/** Adds regular ticks to a stream, so that its consumer can report progress while it waits for a value. */

import type { Clock } from './clock.ts';

export const TICK = Symbol('tick');

/**
 * Yields the values, and additionally `TICK` every `everyMs` milliseconds, even while the next value is not available.
 */
export async function* withTicks<T>(
  values: AsyncGenerator<T, void>,
  { clock, everyMs }: { readonly clock: Clock; readonly everyMs: number },
): AsyncGenerator<T | typeof TICK, void> {
  let next = values.next();
  let tick = tickAfter(everyMs, clock);
  try {
    for (;;) {
      const step = await Promise.race([next, tick.promise]);
      if (step === TICK) {
        tick = tickAfter(everyMs, clock);
        yield TICK;
        continue;
      }
      if (step.done) return;
      yield step.value;
      next = values.next();
    }
  } finally {
    tick.cancel();
    // If the consumer stops early, no code awaits the next value. Node must not report its rejection as unhandled.
    next.catch(() => undefined);
    await values.return();
  }
}

function tickAfter(ms: number, clock: Clock) {
  const { promise, resolve } = Promise.withResolvers<typeof TICK>();
  return { promise, cancel: clock.after(ms, () => resolve(TICK)) };
}
