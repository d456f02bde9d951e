/** Defines the type of the outcome of an alarm action. */

export interface Outcome {
  readonly ok: boolean;
  /** The result or the reason for the failure, as a short text for the alarm's history. */
  readonly said: string;
  /** Whether a retry may succeed. Default: false. */
  readonly mayRetry?: boolean;
}

/**
 * The maximum length of `said`. The text may contain the output of a program or the response of a service, and the
 * alarm's history stores it.
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
