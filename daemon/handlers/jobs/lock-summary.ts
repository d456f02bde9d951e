/** Summarizes the locks of all jobs and of the buckets of the embedded store. */

import type { Result } from '../../../src/control/messages.ts';
import type { LockableBucket } from '../../../src/engine/reads/bucket-metrics.ts';
import type { LockReport } from '../../../src/retention/lock-control.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { BucketCount } from '../../usage/bucket-counts.ts';
import type { Amount, LockCounts } from '../../usage/lock-counts.ts';

type Summary = Result<'locks.summary'>;
type Mode = Summary['modes'][number]['mode'];

export interface ReportOfJob extends LockReport {
  readonly name: string;
  readonly mode?: Mode;
  /** The job's bucket in the embedded store. Absent if the job uses another service. */
  readonly bucket?: string;
}

/** The parts of the summary that the lock reports do not contain. */
interface Others {
  readonly lockable: readonly (LockableBucket & { readonly count: BucketCount<LockCounts> })[];
  readonly unopened: readonly string[];
}

const MODES = ['COMPLIANCE', 'GOVERNANCE'] as const satisfies readonly Mode[];
const MAX_DAYS = 366;
const MAX_RETAINED = 100;

export function reportsOf(jobs: Pick<Jobs, 'all'>): ReportOfJob[] {
  return jobs.all().flatMap(({ config: { name, lock, target, bucket }, opened }) => {
    if (!opened) return [];
    const place = target === LOCAL_TARGET ? { bucket } : {};
    return [{ name, ...(lock && { mode: lock.mode }), ...place, ...opened.locks.report() }];
  });
}

/** Returns the names of jobs that are not open. Their locks are unknown. */
export function unopened(jobs: Pick<Jobs, 'all'>): string[] {
  return jobs.all().flatMap(({ config: { name }, opened }) => (opened ? [] : [name]));
}

export function summaryOf(
  reports: readonly ReportOfJob[],
  { lockable, unopened: unknown }: Others,
): Summary {
  const locking = reports.flatMap(({ name, mode, status }) =>
    status ? [{ name, ...(mode && { mode }), locks: status }] : [],
  );
  const counted = lockable.flatMap(({ count: { last } }) => (last ? [last.tally] : []));
  const isCounted = new Set(lockable.filter(({ count }) => count.last).map(({ name }) => name));
  const others = reports.filter(({ bucket }) => bucket === undefined || !isCounted.has(bucket));
  const modes = MODES.map((mode) => {
    const own = others
      .filter((report) => report.mode === mode)
      .flatMap(({ status }) => status ?? []);
    const amounts = [
      ...own.map(({ locked: versions, bytes }) => ({ versions, bytes })),
      ...counted.map((tally) => tally.modes[mode]),
    ];
    return { mode, ...added(amounts) };
  });
  const retained = reports.flatMap(({ name: job, retained: own }) =>
    own.map((each) => Object.assign({ job }, each)),
  );
  return {
    modes,
    jobs: locking,
    days: daysOf([
      ...others.flatMap(({ days }) => days),
      ...counted.flatMap(({ days }) =>
        [...days].map(([day, amount]) => Object.assign({ day }, amount)),
      ),
    ]),
    retained: retained.toSorted((a, b) => a.until - b.until).slice(0, MAX_RETAINED),
    renewalsDue: sum(locking.map(({ locks }) => locks.renewalsDue)),
    retainedCount: sum(locking.map(({ locks }) => locks.retained)),
    unopened: [...unknown],
    buckets: lockable.map(({ name: bucket, count, ...lock }) => {
      return { bucket, ...lock, isCounting: count.isCounting, ...countedOf(count) };
    }),
  };
}

function countedOf({ last }: BucketCount<LockCounts>): Pick<Summary['buckets'][number], 'counted'> {
  if (!last) return {};
  const { tally, countedAt: at, hasChanged = false } = last;
  const modes = MODES.map((mode) => Object.assign({ mode }, tally.modes[mode]));
  return { counted: { at, hasChanged, modes, held: tally.held } };
}

type Day = Summary['days'][number];

function daysOf(amounts: readonly Day[]): Day[] {
  const days = new Map<number, Day>();
  for (const { day, ...amount } of amounts)
    days.set(day, { day, ...added([amount, days.get(day) ?? NONE]) });
  return [...days.values()].toSorted((a, b) => a.day - b.day).slice(0, MAX_DAYS);
}

const NONE: Amount = { versions: 0, bytes: 0 };

function added(amounts: readonly Amount[]): Amount {
  const versions = sum(amounts.map((amount) => amount.versions));
  return { versions, bytes: sum(amounts.map(({ bytes }) => bytes)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
