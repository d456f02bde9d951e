/** A stream that ends with the signal's reason as soon as the signal is aborted, even while it waits. */

export function abortable<T>(stream: AsyncIterable<T>, signal?: AbortSignal): AsyncIterable<T> {
  return signal ? untilAborted(stream, signal) : stream;
}

async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = stream[Symbol.asyncIterator]();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
  });
  aborted.catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), aborted]);
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
