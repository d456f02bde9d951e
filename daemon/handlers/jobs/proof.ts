/** Implements the control methods that prove that backups can be restored. */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { rowsBody } from '../../control/rows.ts';
import type { Streams } from '../../control/streams.ts';

export interface ProofHandlerOptions {
  readonly jobs: Jobs;
  readonly streams: Streams;
  readonly clock: Clock;
}

export function proofHandlers({
  jobs,
  streams,
  clock,
}: ProofHandlerOptions): Pick<ControlHandlers, 'proof.verify' | 'proof.drill'> {
  return {
    'proof.verify': async ({ name, readBackBytes }, { signal }) => {
      const mirror = await jobs.get(name).mirror();
      // A paused job transfers nothing, so its folder is compared as it is.
      if (mirror.status().state !== 'paused') await mirror.settled(signal);
      const rows = mirror.verification.verify(defined({ readBackBytes }));
      return { stream: streams.offerDownload(rowsBody(rows, clock)) };
    },
    'proof.drill': async ({ name }, { signal }) => {
      const mirror = await jobs.get(name).mirror();
      const { failures, ...report } = await mirror.verification.drill(signal);
      return { ...report, failures: [...failures] };
    },
  };
}
