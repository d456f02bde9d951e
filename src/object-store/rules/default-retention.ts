/** Validates a bucket's default retention, and calculates the retention of a new version from it (semantics B.4). */

import { DAY_MS } from '../../base/durations.ts';
import type { DefaultRetention } from '../locks.ts';
import type { Retention } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';
import { isRetentionMode } from './locks.ts';

/**
 * The longest retention periods. A compliance lock cannot be shortened, so a mistyped number must not lock a version
 * for a thousand years.
 */
const LIMITS = { days: 36_500, years: 100 };

/**
 * Throws `MalformedXML` if the retention is malformed, and `InvalidRetentionPeriod` if its period is too short or too
 * long.
 */
export function checkDefaultRetention({ mode, days, years }: DefaultRetention): void {
  if (!isRetentionMode(mode)) throw malformed('Mode must be GOVERNANCE or COMPLIANCE');
  if (days !== undefined && years !== undefined)
    throw malformed('it must have either Days or Years, not both');
  if (days !== undefined) checkPeriod('days', days);
  else if (years !== undefined) checkPeriod('years', years);
  else throw malformed('it must have either Days or Years');
}

function malformed(reason: string): StorageError {
  return new StorageError('MalformedXML', `set default retention: ${reason}`);
}

function checkPeriod(unit: keyof typeof LIMITS, count: number): void {
  const max = LIMITS[unit];
  if (Number.isInteger(count) && count >= 1 && count <= max) return;
  throw new StorageError(
    'InvalidRetentionPeriod',
    `set default retention: the period must be 1 to ${max} ${unit}, not ${count}`,
  );
}

/**
 * Returns the retention of a version that is written at `from` (milliseconds since 1970). Years are calendar years in
 * UTC.
 */
export function retentionFrom({ mode, days, years }: DefaultRetention, from: number): Retention {
  if (days !== undefined) return { mode, retainUntil: from + days * DAY_MS };
  const end = new Date(from);
  return { mode, retainUntil: end.setUTCFullYear(end.getUTCFullYear() + (years ?? 0)) };
}
