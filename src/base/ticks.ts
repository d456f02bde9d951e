/** Adds regular ticks to a stream, so that its consumer can report progress while a value takes long. */

import type { Clock } from './clock.ts';

export const TICK = Symbol('tick');

/** Yields the values, and a `TICK` every `everyMs` milliseconds, also between two values. */
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
    // If the consumer stops early, the rejection of the value that it does not take must not count as unhandled.
    next.catch(() => undefined);
    await values.return();
  }
}

function tickAfter(ms: number, clock: Clock) {
  const { promise, resolve } = Promise.withResolvers<typeof TICK>();
  return { promise, cancel: clock.after(ms, () => resolve(TICK)) };
}
