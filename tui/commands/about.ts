/** Actions on what is chosen: what is done is done to what was asked about, wherever the cursor is by then. */

import type { AskingAction, Question } from './command.ts';

interface Rules<Subject> {
  readonly why?: (subject: Subject) => string | undefined;
  readonly ask: (subject: Subject) => Question | undefined | Promise<Question | undefined>;
  readonly run: (subject: Subject) => void | Promise<void>;
}

/** `none`: why it cannot be done where nothing is chosen. Rows come and go while a question is open. */
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
