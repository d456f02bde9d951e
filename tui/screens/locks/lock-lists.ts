/**
 * The lists on the locks screen: jobs, buckets with Object Lock, the days on which the jobs' locks expire, and the
 * versions that stay locked until then.
 */

import type { Result } from '../../../src/control/messages.ts';
import { DAY_MS } from '../../../src/base/durations.ts';
import { bar } from '../../widgets/charts.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { dayText, utcDayText } from '../../../src/text/time.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { lockTone } from '../../theme/tones.ts';
import { periodText } from '../../text/locks.ts';

export type Summary = Result<'locks.summary'>;
export type LockedJob = Summary['jobs'][number];
export type LockBucket = Summary['buckets'][number];
export type EndDay = Summary['days'][number];
export type Retained = Summary['retained'][number];

type Locks = LockedJob['locks'];

const ATTENTION: Readonly<Record<Locks['renewalRight'], Tone>> = {
  unknown: 'dim',
  proven: 'good',
  refused: 'bad',
};

const count = (
  of: (locks: Locks) => number,
  bad?: Tone,
): Pick<Column<LockedJob>, 'cell' | 'tone' | 'align'> => ({
  align: 'right',
  cell: ({ locks }) => numberText(of(locks)),
  tone: ({ locks }) => (of(locks) > 0 ? bad : undefined),
});

/** Returns the columns of the job list. `defaultOf` returns the default retention of the job's bucket. */
export function jobColumns(defaultOf: (job: LockedJob) => string): readonly Column<LockedJob>[] {
  return [
    {
      title: 'JOB',
      width: 'grow',
      cut: 'middle',
      cell: ({ name }, look) => look.name(name),
    },
    {
      title: 'MODE',
      width: 10,
      drop: 2,
      cell: ({ mode = 'none' }) => mode,
      tone: ({ mode }) => lockTone(mode) ?? 'dim',
    },
    { title: 'LOCKED', width: 9, ...count(({ locked }) => locked) },
    {
      title: 'BYTES',
      tone: 'size',
      width: 8,
      align: 'right',
      drop: 1,
      cell: ({ locks }) => bytesText(locks.bytes),
    },
    { title: 'NOT LOCKED', width: 10, ...count(({ unlocked }) => unlocked, 'attention') },
    { title: 'DUE', width: 6, drop: 0, ...count(({ renewalsDue }) => renewalsDue) },
    { title: 'FAIL', width: 5, ...count(({ failing }) => failing, 'bad') },
    { title: 'RELEASED', width: 8, drop: 6, ...count(({ released }) => released) },
    { title: 'WAIT', width: 6, drop: 3, ...count(({ retained }) => retained) },
    {
      title: 'FIRST END',
      width: 10,
      cell: ({ locks }, look) => endText(locks, look),
      tone: ({ locks }) => lapseTone(locks),
    },
    {
      title: 'RENEWAL',
      width: 8,
      drop: 5,
      cell: ({ locks }) => locks.renewalRight,
      tone: ({ locks }) => ATTENTION[locks.renewalRight],
    },
    { title: 'DEFAULT', width: 'fit', drop: 4, cell: defaultOf },
  ];
}

/** Returns the columns of the bucket list. `jobsIn` returns the names of the jobs that back up to the bucket. */
export function bucketColumns(
  jobsIn: (bucket: LockBucket) => readonly string[],
): readonly Column<LockBucket>[] {
  return [
    {
      title: 'BUCKET',
      width: 'grow',
      least: 16,
      cut: 'middle',
      cell: ({ bucket }, look) => look.name(bucket),
    },
    {
      title: 'DEFAULT LOCK',
      width: 15,
      tone: ({ defaultRetention }) => lockTone(defaultRetention?.mode) ?? 'dim',
      cell: ({ defaultRetention }) =>
        defaultRetention ? `${defaultRetention.mode} ${periodText(defaultRetention)}` : 'none',
    },
    { title: 'VERSIONS', width: 9, align: 'right', cell: ({ versions }) => numberText(versions) },
    {
      ...countedColumn('GOVERNANCE', 10, (counted) => versionsOf(counted, 'GOVERNANCE'), 1),
      tone: 'governance',
    },
    {
      ...countedColumn('COMPLIANCE', 10, (counted) => versionsOf(counted, 'COMPLIANCE'), 1),
      tone: 'compliance',
    },
    { ...countedColumn('HELD', 7, ({ held }) => numberText(held.versions), 3), tone: 'hold' },
    countedColumn('LOCKED', 8, ({ modes }) => bytesText(bytesIn(modes)), 5),
    {
      title: 'JOBS',
      width: 'fit',
      least: 16,
      most: 60,
      drop: 4,
      cut: 'middle',
      cell: (bucket, look) =>
        jobsIn(bucket)
          .map((job) => look.name(job))
          .join(', ') || look.glyphs.none,
    },
  ];
}

type Counted = NonNullable<LockBucket['counted']>;

const NOTHING: ReadonlySet<string> = new Set([numberText(0), bytesText(0)]);

function countedColumn(
  title: string,
  width: number,
  text: (counted: Counted) => string,
  drop: number,
): Column<LockBucket> {
  return {
    title,
    width,
    align: 'right',
    drop,
    cell: ({ counted, isCounting }, look) => {
      // If the bucket has changed since the last count, a count of zero would hide new locks.
      if (counted?.hasChanged && NOTHING.has(text(counted))) return look.glyphs.ellipsis;
      if (counted) return text(counted);
      return isCounting ? look.glyphs.ellipsis : look.glyphs.none;
    },
  };
}

function versionsOf({ modes }: Counted, mode: 'COMPLIANCE' | 'GOVERNANCE'): string {
  return numberText(modes.find((each) => each.mode === mode)?.versions ?? 0);
}

function bytesIn(modes: Counted['modes']): number {
  return modes.reduce((sum, { bytes }) => sum + bytes, 0);
}

function endText({ earliestUntil }: Locks, look: Look): string {
  return earliestUntil === undefined ? look.glyphs.none : dayText(earliestUntil);
}

/** A lock that expires within this number of days should already have been renewed. */
const SOON_DAYS = 3;

function lapseTone({ firstLapseDays }: Locks): Tone | undefined {
  return firstLapseDays !== undefined && firstLapseDays < SOON_DAYS ? 'bad' : undefined;
}

/** Returns the columns for the list of days. `most` is the number of bytes for a full bar. */
export function dayColumns(most: number, now: number): readonly Column<EndDay>[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return [
    // The day is a UTC day and is not converted to the local time zone.
    { title: 'ENDS', width: 10, cell: ({ day }) => utcDayText(day) },
    {
      title: '',
      width: 6,
      align: 'right',
      drop: 2,
      cell: ({ day }) => `${Math.max(0, (day - today) / DAY_MS)} d`,
    },
    {
      title: '',
      width: 'grow',
      least: 6,
      cell: ({ bytes }, look, width) =>
        bar(bytes / Math.max(1, most), Math.min(BAR, width), look).replaceAll(
          look.glyphs.empty,
          ' ',
        ),
      tone: 'chart',
    },
    { title: 'VERSIONS', width: 8, align: 'right', cell: ({ versions }) => numberText(versions) },
    {
      title: 'BYTES',
      tone: 'size',
      width: 8,
      align: 'right',
      drop: 1,
      cell: ({ bytes }) => bytesText(bytes),
    },
  ];
}

const BAR = 12;

export const RETAINED_COLUMNS: readonly Column<Retained>[] = [
  { title: 'JOB', width: 'fit', drop: 2, cell: ({ job }, look) => look.name(job), cut: 'middle' },
  {
    title: 'WAITS',
    width: 'grow',
    least: 20,
    cut: 'middle',
    cell: ({ key }, look) => look.name(key),
  },
  { title: 'UNTIL', tone: 'date', width: 10, cell: ({ until }) => dayText(until) },
  { title: 'WHAT', width: 'fit', drop: 1, cell: ({ what }, look) => look.name(what) },
];
