/**
 * Implements the calendar in which a user chooses a day and a time of day: its state, its keys and its lines.
 * All functions are pure.
 */

import { dayText, minuteText, readViewTime, timeText } from '../../../../text/time.ts';
import { countText, numberText } from '../../../../text/amounts.ts';
import type { DayTotals } from '../folder-history.ts';
import type { Line, Span } from './picker.ts';

export interface Calendar {
  /** The chosen day in the local time zone, such as `2026-11-20`. */
  readonly day: string;
  /** The time of day as typed so far. If empty, it is the end of the day. */
  readonly clock: string;
  /** Why the last key had no effect. */
  readonly problem?: string;
}

export interface Known {
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  /** The days with changes that have been read so far, by date. */
  readonly days: ReadonlyMap<string, DayTotals>;
  /** The number of changes that have been read so far. Absent when all have been read. */
  readonly counted?: number;
  /** The number of changed paths whose date the service may have changed. */
  readonly undated?: number;
}

/** The result of the calendar. `at` is in milliseconds since 1970. Absent for the current time. */
export type Chosen = { readonly is: 'time'; readonly at?: number } | { readonly is: 'back' };

export function openCalendar(now: number): Calendar {
  return { day: dayText(now), clock: '' };
}

/** Returns the calendar after a key was pressed, or the choice of the user. */
export function pressCalendar(
  { day, clock }: Calendar,
  key: string,
  { now, days }: Known,
): Calendar | Chosen {
  const to = (other: string | undefined) => ({
    day: other === undefined ? day : earlier(other, dayText(now)),
    clock,
    ...(other === undefined && { problem: 'no other day with changes in that direction' }),
  });
  if (/^[\d:]$/.test(key)) return { day, clock: `${clock}${key}`.slice(0, '00:00:00'.length) };
  switch (key) {
    case 'left':
      return to(moved(day, -1));
    case 'right':
      return to(moved(day, 1));
    case 'up':
      return to(moved(day, -7));
    case 'down':
      return to(moved(day, 7));
    case 'pageup':
      return to(monthsFrom(day, -1));
    case 'pagedown':
      return to(monthsFrom(day, 1));
    case 't':
      return to(dayText(now));
    case 'p':
      return to([...days.keys()].filter((each) => each < day).reduce(later, '') || undefined);
    case 'n':
      return to([...days.keys()].filter((each) => each > day).reduce(firstOf, '') || undefined);
    case 'backspace':
      return { day, clock: clock.slice(0, -1) };
    case 'enter':
      return chosen({ day, clock }, now);
    case 'escape':
      return { is: 'back' };
    default:
      return { day, clock };
  }
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);
const firstOf = (a: string, b: string): string => (a === '' ? b : earlier(a, b));

/**
 * Returns the chosen time. If no time of day was typed, it is the end of the day. For the current day, it is
 * now.
 */
function chosen({ day, clock }: Calendar, now: number): Calendar | Chosen {
  if (clock === '' && day === dayText(now)) return { is: 'time' };
  const [hour = '', ...rest] = clock === '' ? ['23', '59', '59'] : clock.split(':');
  const typed = [hour.padStart(2, '0'), ...(rest.length === 0 ? ['00'] : rest)].join(':');
  const at = readViewTime(`${day} ${typed}`, now);
  if (at === undefined)
    return { day, clock, problem: `"${clock}" is not a time of day: write 14:00 or 14:00:30` };
  if (at > now) return { day, clock, problem: `${minuteText(at)} is in the future` };
  return { is: 'time', at };
}

function partsOf(day: string): readonly [number, number, number] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return [year, month - 1, date];
}

function moved(day: string, days: number): string {
  const [year, month, date] = partsOf(day);
  return dayText(new Date(year, month, date + days).getTime());
}

/** Returns the same day in another month. If that month is shorter, returns its last day. */
function monthsFrom(day: string, months: number): string {
  const [year, month, date] = partsOf(day);
  return dayText(
    new Date(year, month + months, Math.min(date, lengthOf(year, month + months))).getTime(),
  );
}

function lengthOf(year: number, month: number): number {
  return new Date(year, month + 1, 0).getDate();
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WEEK = '  Mo   Tu   We   Th   Fr   Sa   Su';
const WEEK_DAYS = 7;
const WEEKS = 6;
const CELLS = 5;

/** Returns 13 lines of at most 60 cells, so that the calendar fits on a small terminal. */
export function calendarLines(job: string, calendar: Calendar, known: Known): readonly Line[] {
  const [year, month] = partsOf(calendar.day);
  return [
    [{ text: `Restore ${job} as of which day?` }],
    undatedLine(known),
    [{ text: `${MONTHS[month]} ${year}`, tone: 'strong' }],
    [{ text: WEEK, tone: 'dim' }],
    ...Array.from({ length: WEEKS }, (_, week) => weekLine(week, calendar, known)),
    [{ text: `${calendar.day}: ${totalsText(known.days.get(calendar.day), known)}` }],
    clockLine(calendar, known.now),
    [{ text: KEYS, tone: 'dim' }],
  ];
}

const KEYS = 'arrows, PgUp/PgDn month, n/p changes, t today, Enter, Esc';

function undatedLine({ undated = 0 }: Known): Line {
  if (undated === 0) return [];
  const text = `the service may have changed dates of ${countText(undated, 'path')}`;
  return [{ text, tone: 'attention' }];
}

function weekLine(week: number, { day: selected }: Calendar, known: Known): Line {
  const [year, month] = partsOf(selected);
  // Weeks start on Monday, as in ISO 8601.
  const blanks = (new Date(year, month, 1).getDay() + 6) % WEEK_DAYS;
  const today = dayText(known.now);
  return Array.from({ length: WEEK_DAYS }, (_, index): Span => {
    const date = week * WEEK_DAYS + index - blanks + 1;
    if (date < 1 || date > lengthOf(year, month)) return { text: ' '.repeat(CELLS) };
    const day = dayText(new Date(year, month, date).getTime());
    const text = `${String(date).padStart(2)}${known.days.has(day) ? '*' : ' '}`;
    if (day === selected) return { text: `[${text}]`, tone: 'strong' };
    const tone = day > today ? 'dim' : known.days.has(day) ? 'good' : undefined;
    return { text: ` ${text} `, tone };
  });
}

function totalsText(totals: DayTotals | undefined, { counted }: Known): string {
  if (counted !== undefined) return `counting… ${countText(counted, 'change')} so far`;
  if (!totals) return 'no changes';
  return (
    (['added', 'changed', 'removed', 'moved'] as const)
      .filter((is) => totals[is] > 0)
      .map((is) => `${numberText(totals[is])} ${is}`)
      .join(', ') || 'only attributes changed'
  );
}

function clockLine(calendar: Calendar, now: number): Line {
  const { clock, problem } = calendar;
  if (problem !== undefined) return [{ text: problem, tone: 'attention' }];
  if (clock !== '') return [{ text: `time of day: ${clock}_` }];
  const end = chosen(calendar, now);
  const state =
    !('is' in end) || end.is === 'back' || end.at === undefined ? 'now' : timeText(end.at);
  return [{ text: `Enter: as of ${state}; or type a time of day`, tone: 'dim' }];
}
