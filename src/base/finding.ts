/** Findings of checks, such as those of `holdfast doctor`, with severity and fix. */

import { errorMessage } from './errors.ts';

/** `failed`: something does not work. `attention`: it works now, but may fail later or behave unexpectedly. */
export type Severity = 'failed' | 'attention' | 'note' | 'good';

export interface Finding {
  /** The subject of the check: `credentials`, `job folders`. */
  readonly check: string;
  readonly severity: Severity;
  readonly message: string;
  /** A command line that fixes it. */
  readonly fix?: string;
}

/** An error message may end in `; run: COMMAND`, which is the fix. */
export function failedFinding(check: string, error: unknown, fix?: string): Finding {
  const [message = '', command] = errorMessage(error).split('; run: ');
  const way = command ?? fix;
  return { check, severity: 'failed', message, ...(way === undefined ? {} : { fix: way }) };
}

export function good(check: string, message: string): Finding {
  return { check, severity: 'good', message };
}
