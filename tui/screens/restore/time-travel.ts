/** Selects the times at which a folder changed. All functions are pure. */

import type { Result } from '../../../src/control/messages.ts';
import { countText } from '../../../src/text/amounts.ts';
import { durationText, timeText } from '../../../src/text/time.ts';

export type Moments = Pick<Result<'history.moments'>, 'moments' | 'isComplete' | 'undated'>;

/** The selected time. Undefined means now. */
export type At = number | undefined;

/**
 * Returns the index of the last change at or before the time. Returns the number of changes if all changes are later.
 */
function indexAt({ moments }: Moments, at: At): number {
  if (at === undefined) return 0;
  const index = moments.findIndex((moment) => moment.at <= at);
  return index < 0 ? moments.length : index;
}

/**
 * Returns the time of the previous change. The time just before the first change can also be selected. Returns
 * undefined if there is no earlier time.
 */
export function earlier(known: Moments, at: At): number | undefined {
  const { moments } = known;
  const index = indexAt(known, at);
  if (index >= moments.length) return undefined;
  return moments[index + 1]?.at ?? (moments[index]?.at ?? 0) - 1;
}

/** Returns the time of the next change, or `now` after the last change. */
export function later(known: Moments, at: At): number | 'now' {
  return known.moments[indexAt(known, at) - 1]?.at ?? 'now';
}

/**
 * Returns the time shifted by `ms` milliseconds, which may be negative. Returns undefined (now) if the result is not in
 * the past.
 */
export function shifted(at: At, ms: number, now: number): At {
  const time = (at ?? now) + ms;
  return time < now ? time : undefined;
}

/** Returns whether nothing has changed since the time. */
export function isNow(known: Moments, at: At): boolean {
  return indexAt(known, at) === 0;
}

/** Returns the heading: `as of 2026-11-20 14:03:22 (22 h 4 min ago)   time 12 of 14: 3 changes`. */
export function headingText(
  known: Moments | undefined,
  { at, now, hasAge = true }: { readonly at: At; readonly now: number; readonly hasAge?: boolean },
): string {
  const age = at !== undefined && hasAge ? ` (${durationText(now - at)} ago)` : '';
  const when = at === undefined ? 'as it is now' : `as of ${timeText(at)}${age}`;
  if (!known) return when;
  const { moments, isComplete, undated } = known;
  const count = `${moments.length}${isComplete ? '' : '+'}`;
  if (moments.length === 0) return `${when}   no change is recorded`;
  const index = indexAt(known, at);
  const moment = moments[index];
  if (!moment) return `${when}   before the first of ${count} times`;
  const unsure = undated > 0 ? '   some dates are not reliable' : '';
  return `${when}   time ${moments.length - index} of ${count}: ${countText(moment.changes, 'change')}${unsure}`;
}
