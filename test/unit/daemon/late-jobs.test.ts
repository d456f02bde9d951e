/** Tests how often the daemon reports the status of a job whose changes are not in the bucket yet. */

import { expect, test } from 'vitest';

import { LateJobs } from '../../../daemon/jobs/late-jobs.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

test('the daemon reports the growing lag of a job every five seconds until the job has no lag or is stopped', () => {
  const clock = new FakeClock();
  const states: ('paused' | 'stopped' | 'watching')[] = ['paused', 'watching'];
  const reports: string[] = [];
  const late = new LateJobs(clock, (name) => {
    reports.push(name);
    const state = states.shift() ?? 'stopped';
    late.reported({ name, state, lagMs: state === 'watching' ? 0 : 1 });
  });
  late.reported({ name: 'docs', state: 'paused', lagMs: 300 });
  clock.advance(4_000);
  late.reported({ name: 'docs', state: 'paused', lagMs: 4_300 });
  clock.advance(4_999);
  expect(reports).toEqual([]);
  clock.advance(1);
  clock.advance(5_000);
  clock.advance(60_000);
  expect(reports).toEqual(['docs', 'docs']);
  late.reported({ name: 'docs', state: 'paused', lagMs: 1 });
  clock.advance(60_000);
  expect(reports).toHaveLength(3);
});
