/** The outcome of an action of an alarm. */

export interface Outcome {
  readonly ok: boolean;
  /** Result or reason of the failure, for the history: a few lines, without secrets. */
  readonly said: string;
  /** Whether a retry may succeed. */
  readonly mayRetry?: boolean;
}

/** Limit for the output of a program or the response of a service, which the history keeps. */
const MAX_SAID_CHARACTERS = 1000;

export function done(said: string): Outcome {
  return { ok: true, said: bounded(said) };
}

export function failed(said: string): Outcome {
  return { ok: false, said: bounded(said) };
}

export function failedForNow(said: string): Outcome {
  return { ok: false, said: bounded(said), mayRetry: true };
}

function bounded(text: string): string {
  const trimmed = text.trim().toWellFormed();
  return trimmed.length <= MAX_SAID_CHARACTERS
    ? trimmed
    : `${trimmed.slice(0, MAX_SAID_CHARACTERS)}…`.toWellFormed();
}
