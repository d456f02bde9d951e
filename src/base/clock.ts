/** Defines the clock that all code uses. Only this file reads the time of the system or starts timers. */

import { isAbort } from './errors.ts';

export interface Clock {
  /** Returns the wall time in milliseconds since 1970 UTC. It can jump ahead and back. */
  now(): number;
  /** Returns milliseconds since an arbitrary start. The value is never negative and never decreases. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `run` once after `ms` milliseconds. The returned function cancels the call. A pending call does not keep the
   * process alive.
   */
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
      // Node keeps the timer list of an unreferenced timer until the timer is due. Without `ref`, a timer of one hour
      // that is cancelled at each event would leave thousands of timer lists in memory.
      timer.ref();
      clearTimeout(timer);
    };
  },
};

/** Resolves after `ms` milliseconds, or when the signal is aborted. The caller must then check the signal. */
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
