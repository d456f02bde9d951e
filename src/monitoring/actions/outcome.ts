/** Declares the outcome of an action of an alarm. */

export interface Outcome {
  readonly ok: boolean;
  /** The result, or the reason for the failure, as a short text for the history. */
  readonly said: string;
  /** Whether a retry may succeed. Absent means false. */
  readonly mayRetry?: boolean;
}

/**
 * Maximum length of `said`. It may contain the output of a program or the response of a service,
 * which the history keeps.
 */
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
