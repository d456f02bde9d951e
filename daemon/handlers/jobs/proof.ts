/** Implements the control methods that prove that backups can be restored. */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import type { TestProgress } from '../../../src/verification/restore-test.ts';
import type { EventLog } from '../../control/event-log.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { rowsBody } from '../../control/rows.ts';
import type { Streams } from '../../control/streams.ts';

export interface ProofHandlerOptions {
  readonly jobs: Jobs;
  readonly streams: Streams;
  readonly clock: Clock;
  readonly events: EventLog;
}

const PROGRESS_EVERY_MS = 250;

export function proofHandlers({
  jobs,
  streams,
  clock,
  events,
}: ProofHandlerOptions): Pick<ControlHandlers, 'proof.verify' | 'proof.drill'> {
  return {
    'proof.verify': async ({ name, readBackBytes }, { signal }) => {
      const mirror = await jobs.get(name).mirror();
      // A paused job transfers nothing, so its folder is compared without waiting.
      if (mirror.status().state !== 'paused') await mirror.settled(signal);
      const rows = mirror.verification.verify(defined({ readBackBytes }));
      return { stream: streams.offerDownload(rowsBody(rows, clock)) };
    },
    'proof.drill': async ({ name, id }, { signal }) => {
      const mirror = await jobs.get(name).mirror();
      let reportedAt = clock.monotonic();
      const onProgress = (progress: TestProgress) => {
        if (id === undefined || clock.monotonic() - reportedAt < PROGRESS_EVERY_MS) return;
        reportedAt = clock.monotonic();
        events.append({ type: 'drill.progress', id, ...progress });
      };
      const { failures, ...report } = await mirror.verification.drill(signal, onProgress);
      return { ...report, failures: [...failures] };
    },
  };
}
