/** Formats the locks of a job as text. */

import { DAY_MS } from '../../base/durations.ts';
import type { Result } from '../../control/messages.ts';
import { RENEWAL_FIX } from '../../base/renewal-fix.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { bytesText, countText } from '../../text/amounts.ts';
import { messageText, visible } from './text.ts';
import { dayText, timeText, utcDayText } from '../../text/time.ts';

type Locks = NonNullable<JobStatus['locks']>;
export type JobReport = Result<'jobs.locks'> & { readonly job: string };

/** The maximum number of days to list individually. More days are grouped by week. */
const MOST_DAYS = 14;

/** Returns the lines about locks in the status of a job. Returns no lines for a job without locks. */
export function lockLines({ locks }: JobStatus): string[] {
  return locks ? [locksText(locks), ...lockNotes(locks)] : [];
}

/**
 * Returns a summary, such as `12 current versions locked, 3.1 MB, the first until 2026-12-28 (37 days); 1 renewal due`.
 */
export function locksText(locks: Locks): string {
  const { locked, bytes, earliestUntil, firstLapseDays = 0, renewalsDue, released } = locks;
  const first =
    earliestUntil === undefined
      ? ''
      : `, the first until ${dayText(earliestUntil)} (${countText(firstLapseDays, 'day')})`;
  const due = renewalsDue > 0 ? `; ${countText(renewalsDue, 'renewal')} due` : '';
  const ended = released > 0 ? `; ${countText(released, 'version')} released` : '';
  return `${countText(locked, 'current version')} locked, ${bytesText(bytes)}${first}${due}${ended}`;
}

/** Returns notes about locks that need attention, about deferred changes, and about versions that locks retain. */
export function lockNotes(locks: Locks): string[] {
  const { unlocked, failing, deferred, deferredUntil, retained, retainedUntil, reason } = locks;
  const notes: string[] = [];
  if (unlocked > 0) notes.push(`${countText(unlocked, 'version')} not locked as configured`);
  if (failing > 0) notes.push(`${countText(failing, 'lock')} could not be extended; will retry`);
  if (reason !== undefined)
    notes.push(
      `locks cannot be extended: ${messageText(reason)}`,
      `to have them extended: ${RENEWAL_FIX}`,
    );
  if (deferred > 0 && deferredUntil !== undefined)
    notes.push(`${countText(deferred, 'change')} deferred until ${timeText(deferredUntil)}`);
  if (retained > 0 && retainedUntil !== undefined)
    notes.push(
      `${countText(retained, 'version')} retained, the first until ${timeText(retainedUntil)}`,
    );
  return notes;
}

/** Returns the lines of `holdfast lock list` for a job. `now` is in milliseconds since 1970. */
export function locksLines({ job, locks, days, retained }: JobReport, now: number): string[] {
  if (!locks) return [`${job}: sets no locks`];
  return [
    `${job}: ${locksText(locks)}`,
    ...lockNotes(locks).map((note) => `  ${note}`),
    ...endLines(days, now),
    ...retained.map(
      ({ key, until, what }) => `  ${visible(key)}: ${what}, until ${timeText(until)}`,
    ),
  ];
}

/** Returns the number of locks that end on each day. If there are many days, returns the number per week. */
function endLines(days: JobReport['days'], now: number): string[] {
  const ahead = days.filter(({ day }) => day + DAY_MS > now).toSorted((a, b) => a.day - b.day);
  const isWeekly = ahead.length > MOST_DAYS;
  const spans = new Map<number, { versions: number; bytes: number }>();
  for (const { day, versions, bytes } of ahead) {
    const start = isWeekly ? day - (day % (7 * DAY_MS)) : day;
    const before = spans.get(start) ?? { versions: 0, bytes: 0 };
    spans.set(start, { versions: before.versions + versions, bytes: before.bytes + bytes });
  }
  return [...spans].map(([start, { versions, bytes }]) => {
    const when = isWeekly ? `week of ${utcDayText(start)}` : utcDayText(start);
    return `  end ${when}: ${countText(versions, 'version')}, ${bytesText(bytes)}`;
  });
}
