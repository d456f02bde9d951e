/** What an examination found: what it is, how bad, and the command that mends it. */

import { errorMessage } from './errors.ts';

/** `failed`: something does not work. `attention`: it works, and will not for ever, or not as one thinks. */
export type Severity = 'failed' | 'attention' | 'note' | 'good';

export interface Finding {
  /** What was looked at: `credentials`, `job folders`. */
  readonly check: string;
  readonly severity: Severity;
  readonly message: string;
  /** A command line. */
  readonly fix?: string;
}

/** Messages of ours may end in `; run: COMMAND`, which is the fix. */
export function failedFinding(check: string, error: unknown, fix?: string): Finding {
  const [message = '', command] = errorMessage(error).split('; run: ');
  const way = command ?? fix;
  return { check, severity: 'failed', message, ...(way === undefined ? {} : { fix: way }) };
}

export function good(check: string, message: string): Finding {
  return { check, severity: 'good', message };
}
