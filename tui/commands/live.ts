/** Questions whose figures change while they are open. */

import type { Question } from './command.ts';

/** Asks now, and again while the question is open. `ask` takes its figures from what is known at each call. */
export async function live(
  ask: (signal?: AbortSignal) => Question | Promise<Question>,
): Promise<Question> {
  return { ...(await ask()), again: ask };
}
