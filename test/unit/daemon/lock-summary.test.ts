import { expect, it } from 'vitest';

import { LockCounts } from '../../../daemon/usage/lock-counts.ts';
import { DAY_MS } from '../../../src/base/durations.ts';
import { type ReportOfJob, summaryOf } from '../../../daemon/handlers/jobs/lock-summary.ts';

const status = {
  locked: 2,
  bytes: 20,
  unlocked: 0,
  renewalsDue: 1,
  failing: 0,
  released: 0,
  deferred: 0,
  retained: 3,
  renewalRight: 'proven',
} as const;

it('the daemon adds up the locks of all jobs by mode and by day, and sorts retained objects by date', () => {
  const reports: ReportOfJob[] = [
    {
      name: 'a',
      mode: 'GOVERNANCE',
      status,
      days: [{ day: 5, versions: 2, bytes: 20 }],
      retained: [{ key: 'late', until: 9, what: 'x' }],
    },
    {
      name: 'b',
      mode: 'GOVERNANCE',
      status,
      days: [
        { day: 4, versions: 1, bytes: 10 },
        { day: 5, versions: 1, bytes: 10 },
      ],
      retained: [{ key: 'soon', until: 3, what: 'x' }],
    },
    { name: 'without locks', days: [], retained: [] },
  ];
  const defaultRetention = { mode: 'GOVERNANCE', days: 7 } as const;
  const isCounting = false;
  const count = { isCounting, listed: 0 };
  const { modes, days, retained, jobs, buckets, unopened, ...sums } = summaryOf(reports, {
    lockable: [{ name: 'x', versions: 7, defaultRetention, count }],
    unopened: ['c'],
  });
  expect(modes).toEqual([
    { mode: 'COMPLIANCE', versions: 0, bytes: 0 },
    { mode: 'GOVERNANCE', versions: 4, bytes: 40 },
  ]);
  expect(days).toEqual([
    { day: 4, versions: 1, bytes: 10 },
    { day: 5, versions: 3, bytes: 30 },
  ]);
  expect(retained.map(({ job, key }) => `${job} ${key}`)).toEqual(['b soon', 'a late']);
  expect(jobs.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(buckets).toEqual([{ bucket: 'x', versions: 7, defaultRetention, isCounting }]);
  expect(unopened).toEqual(['c']);
  expect(sums).toEqual({ renewalsDue: 2, retainedCount: 6 });
});

it('the daemon reports the locks that it counted in a bucket instead of the locks that the jobs of the bucket set', () => {
  const locks = new LockCounts(DAY_MS);
  const version = { kind: 'version', key: 'k', versionId: 'v', isLatest: true } as const;
  const stored = { ...version, lastModifiedAt: 0, sizeBytes: 100, etag: '' };
  const retained = (retainUntil: number) => ({ mode: 'COMPLIANCE', retainUntil }) as const;
  locks.add({ ...stored, retention: retained(3 * DAY_MS + 1) });
  locks.add({ ...stored, retention: retained(DAY_MS), legalHold: true });
  locks.add(stored);
  const last = { tally: locks, listed: 3, countedAt: 5, hasChanged: true };
  const report = {
    mode: 'GOVERNANCE',
    status,
    days: [{ day: 9, versions: 2, bytes: 20 }],
  } as const;
  const { modes, days, buckets } = summaryOf(
    [
      { ...report, name: 'local', bucket: 'x', retained: [] },
      { ...report, name: 'remote', retained: [] },
    ],
    {
      lockable: [{ name: 'x', versions: 3, count: { isCounting: false, listed: 3, last } }],
      unopened: [],
    },
  );
  const compliance = { mode: 'COMPLIANCE', versions: 1, bytes: 100 };
  expect(modes).toEqual([compliance, { mode: 'GOVERNANCE', versions: 2, bytes: 20 }]);
  expect(days).toEqual([
    { day: 9, versions: 2, bytes: 20 },
    { day: 3 * DAY_MS, versions: 1, bytes: 100 },
  ]);
  expect(buckets[0]?.counted).toEqual({
    at: 5,
    hasChanged: true,
    modes: [compliance, { mode: 'GOVERNANCE', versions: 0, bytes: 0 }],
    held: { versions: 1, bytes: 100 },
  });
});
