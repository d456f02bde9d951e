/** Answers in the order of their questions, some of which are on their way at once. */

/** Closes its source when it is left early. What was asked then is answered to nobody. */
export async function* askAhead<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  ask: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const answers: Promise<R>[] = [];
  for await (const item of items) {
    const answer = ask(item);
    // It is heard of when its turn comes, or not at all.
    answer.catch(() => undefined);
    answers.push(answer);
    const first = answers.length >= atOnce ? answers.shift() : undefined;
    if (first) yield first;
  }
  yield* answers;
}
