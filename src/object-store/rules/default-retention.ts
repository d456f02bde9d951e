/** The default retention of a bucket: which there may be, and until when it keeps a version (semantics B.4). */

import { DAY_MS } from '../../base/durations.ts';
import type { DefaultRetention } from '../locks.ts';
import type { Retention } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';
import { isRetentionMode } from './locks.ts';

/** A lock cannot be taken back, so that a mistyped number must not become one of a thousand years. */
const LIMITS = { days: 36_500, years: 100 };

/** Throws `MalformedXML`, and `InvalidRetentionPeriod` for a period out of its limits. */
export function checkDefaultRetention({ mode, days, years }: DefaultRetention): void {
  if (!isRetentionMode(mode)) throw malformed('the mode must be GOVERNANCE or COMPLIANCE');
  if (days !== undefined && years !== undefined) throw malformed('it has days and years');
  if (days !== undefined) checkPeriod('days', days);
  else if (years !== undefined) checkPeriod('years', years);
  else throw malformed('it has neither days nor years');
}

function malformed(reason: string): StorageError {
  return new StorageError('MalformedXML', `set default retention: ${reason}`);
}

function checkPeriod(unit: keyof typeof LIMITS, count: number): void {
  const max = LIMITS[unit];
  if (Number.isInteger(count) && count >= 1 && count <= max) return;
  throw new StorageError(
    'InvalidRetentionPeriod',
    `set default retention: ${count} ${unit} are not within 1 to ${max}`,
  );
}

/** The retention of a version written at `from`, milliseconds since 1970. Years are those of the calendar, in UTC. */
export function retentionFrom({ mode, days, years }: DefaultRetention, from: number): Retention {
  if (days !== undefined) return { mode, retainUntil: from + days * DAY_MS };
  const end = new Date(from);
  return { mode, retainUntil: end.setUTCFullYear(end.getUTCFullYear() + (years ?? 0)) };
}
