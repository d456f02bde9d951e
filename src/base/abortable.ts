/** Streams and promises that reject with the reason of a signal when it is aborted, even while they wait. */

/** Returns a stream that throws the signal's reason when it is aborted. */
export function abortable<T>(stream: AsyncIterable<T>, signal?: AbortSignal): AsyncIterable<T> {
  return signal ? untilAborted(stream, signal) : stream;
}

async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]();
  // Racing each chunk against one promise for the whole stream would keep all chunks in memory until the end.
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
    // Not awaited: the return() of a source that hangs in next() would hang, too.
    if (!ended) void iterator.return?.().then(undefined, () => undefined);
  }
}

/** Returns the result of the work, or rejects with the signal's reason when it is aborted. The work itself continues. */
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
