/** Many pieces of work, a few at once. */

/**
 * Calls `work` for each item, at most `limit` at a time, in their order; the next item is asked for when there is room.
 * Rejects with the first failure, of `work` or of the source, when all that was begun is over.
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
