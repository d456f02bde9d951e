/**
 * Runs many small requests, several at a time, and returns their results in the order of the
 * requests.
 */

const AT_ONCE = 8;

export async function inTurn<T, R>(all: readonly T[], ask: (each: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < all.length; index = next++)
      answers[index] = await ask(all[index] as T);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return answers;
}
