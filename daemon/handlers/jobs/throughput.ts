/** Implements the control methods on the current transfers and throughput of jobs. */

import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Throughput } from '../../meter/throughput.ts';

export function throughputHandlers(
  jobs: Jobs,
  throughput: Throughput,
): Pick<ControlHandlers, 'jobs.transfers' | 'throughput'> {
  return {
    'jobs.transfers': async ({ name }) => jobs.get(name).transfers(),
    throughput: async () => throughput.summary(),
  };
}
