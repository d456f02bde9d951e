/**
 * Creates actions on the selected item. If a question precedes the action, the action applies to the item that the
 * question named, even if the cursor has moved.
 */

import type { AskingAction, Question } from './command.ts';

interface Rules<Subject> {
  readonly why?: (subject: Subject) => string | undefined;
  readonly ask: (subject: Subject) => Question | undefined | Promise<Question | undefined>;
  readonly run: (subject: Subject) => void | Promise<void>;
}

/**
 * Creates an action on the item that `choose` returns. `none` is the reason if no item is selected. Items may appear
 * and disappear while a question is open.
 */
export function about<Subject>(
  choose: () => Subject | undefined,
  none: () => string,
  { why, ask, run }: Rules<Subject>,
): AskingAction {
  let asked: Subject | undefined;
  return {
    why: () => {
      const subject = choose();
      return subject === undefined ? none() : why?.(subject);
    },
    ask: () => {
      asked = choose();
      return asked === undefined ? undefined : ask(asked);
    },
    run: async () => {
      const subject = asked;
      asked = undefined;
      if (subject !== undefined) await run(subject);
    },
  };
}
