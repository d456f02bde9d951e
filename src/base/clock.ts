/** Time as a dependency: the only file of the project that reads a clock or starts a timer. */

import { isAbort } from './errors.ts';

export interface Clock {
  /** Wall time, milliseconds since 1970 UTC. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start; never negative. Never goes back. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms`; the returned function cancels it. Does not keep the process alive. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => {
      // Node keeps the list of an unreferenced timer until the timer is due. Without `ref`, a timer of an hour that is
      // cancelled at each event would leave thousands of lists.
      timer.ref();
      clearTimeout(timer);
    };
  },
};

/** Resolves after `ms`, or when aborted. The caller then checks the signal. */
export async function restUnlessAborted(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}
