/** Lets many abort listeners share one native listener for each signal, because native listeners are expensive. */

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `run` when the signal is aborted. The returned function cancels the call. The signal must not be aborted yet.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  listeners.add(run);
  return () => void listeners.delete(run);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  const runAll = () => {
    for (const run of listeners) run();
  };
  signal.addEventListener('abort', runAll, { once: true });
  return listeners;
}
