/** Implements the control methods that return the current transfers and the throughput of jobs. */

import type { Clock } from '../../../src/base/clock.ts';
import type { RecentSeries } from '../../../src/monitoring/recent-series.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Throughput } from '../../meter/throughput.ts';
import { ALL_JOBS, jobSubject, recentResult } from '../../metrics/series-recorder.ts';

export interface ThroughputHandlerOptions {
  readonly jobs: Jobs;
  readonly throughput: Throughput;
  readonly recent: RecentSeries;
  readonly clock: Clock;
}

export function throughputHandlers({
  jobs,
  throughput,
  recent,
  clock,
}: ThroughputHandlerOptions): Pick<
  ControlHandlers,
  'jobs.transfers' | 'throughput' | 'throughput.series'
> {
  return {
    'jobs.transfers': async ({ name }) => jobs.get(name).transfers(),
    throughput: async () => throughput.summary(),
    'throughput.series': async ({ metric, span, job }) => {
      const subject = job === undefined ? ALL_JOBS : jobSubject(jobs.get(job).config.name);
      return recentResult(recent.read(subject, metric, span, clock.now()));
    },
  };
}
