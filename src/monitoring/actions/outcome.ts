/** How an action of an alarm ended. */

export interface Outcome {
  readonly ok: boolean;
  /** What came of it, for people: no secret, and no more than a few lines. */
  readonly said: string;
  /** It may succeed later. */
  readonly again?: boolean;
}

/** What a program or a service says may be long, and is kept in the history. */
const MAX_SAID_CHARACTERS = 1000;

export function done(said: string): Outcome {
  return { ok: true, said: bounded(said) };
}

export function failed(said: string): Outcome {
  return { ok: false, said: bounded(said) };
}

export function failedForNow(said: string): Outcome {
  return { ok: false, said: bounded(said), again: true };
}

function bounded(text: string): string {
  const trimmed = text.trim().toWellFormed();
  return trimmed.length <= MAX_SAID_CHARACTERS
    ? trimmed
    : `${trimmed.slice(0, MAX_SAID_CHARACTERS)}…`.toWellFormed();
}
