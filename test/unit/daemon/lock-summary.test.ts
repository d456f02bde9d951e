import { expect, it } from 'vitest';

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

it('the lock summary adds up all jobs by mode and by day and sorts retained objects by date', () => {
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
  const { modes, days, retained, jobs, buckets, unopened, ...sums } = summaryOf(reports, {
    lockable: [{ name: 'x', versions: 7, defaultRetention }],
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
  expect(buckets).toEqual([{ bucket: 'x', versions: 7, defaultRetention }]);
  expect(unopened).toEqual(['c']);
  expect(sums).toEqual({ renewalsDue: 2, retainedCount: 6 });
});
