/** The locks of a job in words. */

import { DAY_MS } from '../../base/durations.ts';
import type { Result } from '../../control/messages.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { bytesText, countText, timeText, visible } from './text.ts';

type Locks = NonNullable<JobStatus['locks']>;
export type JobReport = Result<'jobs.locks'> & { readonly job: string };

/** More days than these are told by the week. */
const MOST_DAYS = 14;

/** For the status of a job; nothing for one that locks nothing. */
export function lockLines({ locks }: JobStatus): string[] {
  return locks ? [locksText(locks), ...lockNotes(locks)] : [];
}

/** `12 versions locked, 3.1 MB, the first until 2026-12-28 (37 days); 1 renewal due`. */
export function locksText(locks: Locks): string {
  const { locked, bytes, earliestUntil, firstLapseDays = 0, renewalsDue, released } = locks;
  const first =
    earliestUntil === undefined
      ? ''
      : `, the first until ${dayText(earliestUntil)} (${countText(firstLapseDays, 'day')})`;
  const due = renewalsDue > 0 ? `; ${countText(renewalsDue, 'renewal')} due` : '';
  const ended = released > 0 ? `; ${countText(released, 'version')} released` : '';
  return `${countText(locked, 'version')} locked, ${bytesText(bytes)}${first}${due}${ended}`;
}

/** What a person should look at, or knows to wait for. */
export function lockNotes(locks: Locks): string[] {
  const { unlocked, failing, deferred, deferredUntil, retained, retainedUntil, reason } = locks;
  const notes: string[] = [];
  if (unlocked > 0) notes.push(`${countText(unlocked, 'version')} to be locked, and not locked`);
  if (failing > 0) notes.push(`${countText(failing, 'lock')} could not be extended; tried again`);
  if (reason !== undefined) notes.push(`locks cannot be extended: ${visible(reason)}`);
  if (deferred > 0 && deferredUntil !== undefined)
    notes.push(`${countText(deferred, 'change')} deferred until ${timeText(deferredUntil)}`);
  if (retained > 0 && retainedUntil !== undefined)
    notes.push(
      `${countText(retained, 'version')} retained, the first until ${timeText(retainedUntil)}`,
    );
  return notes;
}

export function locksLines({ job, locks, days, retained }: JobReport, now: number): string[] {
  if (!locks) return [`${job}: locks nothing`];
  return [
    `${job}: ${locksText(locks)}`,
    ...lockNotes(locks).map((note) => `  ${note}`),
    ...endLines(days, now),
    ...retained.map(
      ({ key, until, what }) => `  ${visible(key)}: ${what}, until ${timeText(until)}`,
    ),
  ];
}

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
    const when = isWeekly ? `week of ${dayText(start)}` : dayText(start);
    return `  end ${when}: ${countText(versions, 'version')}, ${bytesText(bytes)}`;
  });
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
