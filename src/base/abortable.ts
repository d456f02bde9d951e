/**
 * Makes streams and promises reject as soon as a signal is aborted, even while they wait. The error is the signal's
 * reason.
 */

/** Returns a stream that throws the signal's reason when it is aborted. */
export function abortable<T>(stream: AsyncIterable<T>, signal?: AbortSignal): AsyncIterable<T> {
  return signal ? untilAborted(stream, signal) : stream;
}

async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]();
  // Do not use `Promise.race` with one promise for the whole stream, because that would keep all chunks in memory until
  // the end.
  let refuse: (reason: unknown) => void = () => undefined;
  const stop = () => refuse(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  let ended = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await new Promise<IteratorResult<T>>((resolve, reject) => {
        refuse = reject;
        iterator.next().then(resolve, reject);
      });
      ended = done === true;
      if (done === true) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Do not await `return()`, because it hangs if the source hangs in `next()`.
    if (!ended) void iterator.return?.().then(undefined, () => undefined);
  }
}

/**
 * Returns the result of the work. Rejects with the signal's reason when the signal is aborted; the work itself
 * continues.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
