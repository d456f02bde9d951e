/** Defines the findings of checks such as those of `holdfast doctor`, with their severity and fix. */

import { errorMessage } from './errors.ts';

/**
 * How severe a finding is. `failed`: something does not work. `attention`: it works now, but may fail later or behave
 * unexpectedly.
 */
export type Severity = 'failed' | 'attention' | 'note' | 'good';

export interface Finding {
  /** What was checked, such as `credentials` or `job folders`. */
  readonly check: string;
  readonly severity: Severity;
  readonly message: string;
  /** A command line that fixes the problem. */
  readonly fix?: string;
}

/** Returns the finding for an error. If the error message ends with `; run: COMMAND`, the fix is this command. */
export function failedFinding(check: string, error: unknown, fix?: string): Finding {
  const [message = '', command] = errorMessage(error).split('; run: ');
  const way = command ?? fix;
  return { check, severity: 'failed', message, ...(way === undefined ? {} : { fix: way }) };
}

export function good(check: string, message: string): Finding {
  return { check, severity: 'good', message };
}
