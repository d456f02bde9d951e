/** Creates questions whose figures change while they are open. */

import type { Question } from './command.ts';

/** Returns a question that is updated while it is open. `ask` reads the current figures at each call. */
export async function live(
  ask: (signal?: AbortSignal) => Question | Promise<Question>,
): Promise<Question> {
  return { ...(await ask()), again: ask };
}
