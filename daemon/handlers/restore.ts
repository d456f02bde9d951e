/** The control method that gives a job's folder back, telling its progress as events. */

import { isAbsolute } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import type { Logger } from '../../src/base/logger.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { restoreTree } from '../../src/mirror/restore/restore.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { EventLog } from '../event-log.ts';
import type { Jobs } from '../jobs.ts';

const PROGRESS_EVERY_MS = 250;

export interface RestoreHandlerOptions {
  readonly jobs: Jobs;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function restoreHandlers(
  options: RestoreHandlerOptions,
): Pick<ControlHandlers, 'restore.run'> {
  const { jobs, events, clock, logger } = options;
  return {
    'restore.run': async ({ job: name, to, at, id }, { signal }) => {
      const job = jobs.get(name);
      if (!isAbsolute(to))
        throw new ControlError('BadRequest', `restore to ${to}: not an absolute path`);
      const startedAt = clock.monotonic();
      let toldAt = startedAt;
      const { bucket, prefix } = job.config;
      const result = await restoreTree({
        store: job.store(),
        bucket,
        prefix,
        to,
        ...defined({ at }),
        onProgress: (progress) => {
          if (clock.monotonic() - toldAt < PROGRESS_EVERY_MS) return;
          toldAt = clock.monotonic();
          events.append({ type: 'restore.progress', id, ...progress });
        },
        signal,
        clock,
        logger,
      });
      const seconds = (clock.monotonic() - startedAt) / 1000;
      return { ...result, problems: [...result.problems], seconds };
    },
  };
}
