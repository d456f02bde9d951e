/** Runs tasks concurrently, up to a limit. */

/**
 * Calls `work` for each item in order, with at most `limit` calls at the same time. Requests the next item from the
 * source when a call ends. Rejects with the first error of `work` or of the source, after all started calls have ended.
 */
export async function eachAtOnce<T>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { readonly reason: unknown } | undefined;
  const begin = (item: T) => {
    const task = work(item)
      .catch((reason: unknown) => {
        failure ??= { reason };
      })
      .finally(() => running.delete(task));
    running.add(task);
  };
  try {
    for await (const item of items) {
      if (failure !== undefined) break;
      begin(item);
      if (running.size >= limit) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  if (failure !== undefined) throw failure.reason;
}
