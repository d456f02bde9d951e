/** Creates questions whose figures are updated while the question is open. */

import type { Question } from './command.ts';

/** Returns a question that is updated while it is open. `ask` reads the current figures and returns the question. */
export async function live(
  ask: (signal?: AbortSignal) => Question | Promise<Question>,
): Promise<Question> {
  return { ...(await ask()), again: ask };
}
