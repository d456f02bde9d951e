/** Runs several requests at the same time and returns their results in order. */

/**
 * Calls `ask` for up to `atOnce` items at the same time, and yields the results in the order of the items. If the consumer
 * stops early, the source is closed and the results of running calls are discarded.
 */
export async function* askAhead<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  ask: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const answers: Promise<R>[] = [];
  for await (const item of items) {
    const answer = ask(item);
    // A failed request is reported when its result is yielded, or discarded. Until then, Node must not report the
    // rejection as unhandled.
    answer.catch(() => undefined);
    answers.push(answer);
    const first = answers.length >= atOnce ? answers.shift() : undefined;
    if (first) yield first;
  }
  yield* answers;
}
