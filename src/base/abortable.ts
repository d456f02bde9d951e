/** Streams and work that end with the reason of a signal as soon as that is aborted, even while they wait. */

export function abortable<T>(stream: AsyncIterable<T>, signal?: AbortSignal): AsyncIterable<T> {
  return signal ? untilAborted(stream, signal) : stream;
}

async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]();
  // Not one promise for all of the stream to race with: that would hold on to every chunk until the end.
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
    // Not awaited: a source that hangs in next() would not answer its return() either.
    if (!ended) void iterator.return?.().then(undefined, () => undefined);
  }
}

/** Returns the result of the work. Rejects with the signal's reason when it is aborted, and ignores the work then. */
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
