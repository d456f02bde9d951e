/** Summarizes the locks of all jobs, and the buckets that may have other locks. Scans no versions. */

import type { Result } from '../../../src/control/messages.ts';
import type { LockableBucket } from '../../../src/engine/reads/bucket-metrics.ts';
import type { LockReport } from '../../../src/retention/lock-control.ts';
import type { Jobs } from '../../jobs/jobs.ts';

type Summary = Result<'locks.summary'>;
type Mode = Summary['modes'][number]['mode'];

export interface ReportOfJob extends LockReport {
  readonly name: string;
  readonly mode?: Mode;
}

/** Parts of the summary that are not in the reports. */
interface Others {
  readonly lockable: readonly LockableBucket[];
  readonly unopened: readonly string[];
}

const MODES = ['COMPLIANCE', 'GOVERNANCE'] as const satisfies readonly Mode[];
const MAX_DAYS = 366;
const MAX_RETAINED = 100;

export function reportsOf(jobs: Pick<Jobs, 'all'>): ReportOfJob[] {
  return jobs.all().flatMap(({ config: { name, lock }, opened }) => {
    if (!opened) return [];
    return [{ name, ...(lock && { mode: lock.mode }), ...opened.locks.report() }];
  });
}

/** Returns the names of jobs that are not open, or not yet, so that their locks are unknown. */
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
  const modes = MODES.map((mode) => {
    const own = locking.filter((job) => job.mode === mode);
    const versions = sum(own.map(({ locks }) => locks.locked));
    return { mode, versions, bytes: sum(own.map(({ locks }) => locks.bytes)) };
  });
  const retained = reports.flatMap(({ name: job, retained: own }) =>
    own.map((each) => Object.assign({ job }, each)),
  );
  return {
    modes,
    jobs: locking,
    days: daysOf(reports),
    retained: retained.toSorted((a, b) => a.until - b.until).slice(0, MAX_RETAINED),
    renewalsDue: sum(locking.map(({ locks }) => locks.renewalsDue)),
    retainedCount: sum(locking.map(({ locks }) => locks.retained)),
    unopened: [...unknown],
    buckets: lockable.map(({ name: bucket, ...lock }) => ({ bucket, ...lock })),
  };
}

function daysOf(reports: readonly ReportOfJob[]): Summary['days'] {
  const days = new Map<number, { day: number; versions: number; bytes: number }>();
  for (const { day, versions, bytes } of reports.flatMap((report) => report.days)) {
    const known = days.get(day) ?? { day, versions: 0, bytes: 0 };
    days.set(day, { day, versions: known.versions + versions, bytes: known.bytes + bytes });
  }
  return [...days.values()].toSorted((a, b) => a.day - b.day).slice(0, MAX_DAYS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
