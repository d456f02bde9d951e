/** Many who wait for one signal: what Node's own listeners cost each of them, a signal is made to cost once. */

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `run` when the signal is aborted, unless the returned function was called before. Not for one that is aborted. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  listeners.add(run);
  return () => void listeners.delete(run);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  const tell = () => {
    for (const run of listeners) run();
  };
  signal.addEventListener('abort', tell, { once: true });
  return listeners;
}
