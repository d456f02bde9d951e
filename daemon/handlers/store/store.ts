/** Implements the control methods for the embedded store as a whole: check, repair and clock. */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { StoreHealth } from '../../../src/control/store-shapes.ts';
import type { CheckProgress, CheckReport } from '../../../src/engine/maintenance/check-store.ts';
import type { StoreUpkeep } from '../../../src/engine/maintenance/upkeep.ts';
import type { CallContext } from '../../control/control-handlers.ts';

export type StoreMethod = 'store.check' | 'store.repair' | 'store.trustClock';

export type StoreHandlers = {
  readonly [M in StoreMethod]: (
    params: Params<M>,
    context: Pick<CallContext, 'signal'>,
  ) => Promise<Result<M>>;
};

const PROGRESS_EVERY_MS = 250;

export type ReportProgress = (id: string, progress: CheckProgress) => void;

/**
 * Returns a function that reports a new step immediately, and the progress within a step at most every 250
 * ms.
 */
export function seldom(clock: Clock, report: ReportProgress): ReportProgress {
  let last = { at: -Infinity, step: '' };
  return (id, progress) => {
    const now = clock.monotonic();
    if (progress.step === last.step && now - last.at < PROGRESS_EVERY_MS) return;
    last = { at: now, step: progress.step };
    report(id, progress);
  };
}

export function storeHandlers(
  upkeep: Pick<StoreUpkeep, 'check' | 'repair' | 'trustClock' | 'health'>,
  report: ReportProgress,
  onClockTrusted: () => void = () => undefined,
): StoreHandlers {
  return {
    'store.check': async ({ deep, id }, { signal }) => {
      const onProgress = (progress: CheckProgress) => report(id, progress);
      return checkResult(await upkeep.check({ deep, onProgress, signal }));
    },
    'store.repair': async ({ deep, id }, { signal }) => {
      const onProgress = (progress: CheckProgress) => report(id, progress);
      const { done, after } = await upkeep.repair({ deep, onProgress, signal });
      return { done: [...done], after: checkResult(after) };
    },
    'store.trustClock': async () => {
      const { clockAheadMs } = upkeep.health();
      await upkeep.trustClock();
      onClockTrusted();
      return { clockAheadMs };
    },
  };
}

export function checkResult({ problems, ...report }: CheckReport): Result<'store.check'> {
  return {
    ...report,
    problems: problems.map(({ versions, ...problem }) =>
      defined({ ...problem, versions: versions && [...versions] }),
    ),
  };
}

export function healthResult(upkeep: Pick<StoreUpkeep, 'health'>): StoreHealth {
  const { scrub, damaged, reasons, ...health } = upkeep.health();
  return defined({
    ...health,
    reasons: [...reasons],
    damaged: damaged.map(({ reason, foundAt, versions }) => ({
      reason,
      foundAt,
      versions: [...versions],
    })),
    scrub: scrub && scrubResult(scrub),
  });
}

function scrubResult(scrub: NonNullable<ReturnType<StoreUpkeep['health']>['scrub']>) {
  const { startedAt, finishedAt, blobs, bytes, damaged, inconsistencies } = scrub;
  const counts = { blobs, bytes, damaged, inconsistencies };
  return defined({ startedAt, finishedAt: finishedAt ?? undefined, ...counts });
}
