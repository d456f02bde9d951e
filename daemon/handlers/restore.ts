/** Control methods that give a job's folder back, or a part of it, telling the progress as events. */

import { isAbsolute } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import type { Logger } from '../../src/base/logger.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Params } from '../../src/control/messages.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { folderInPlace } from '../../src/mirror/restore/in-place.ts';
import { previewRestore } from '../../src/mirror/restore/restore-preview.ts';
import { restoreTree, type RestoreOptions } from '../../src/mirror/restore/restore.ts';
import { LOCAL_TARGET } from '../compose.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { EventLog } from '../event-log.ts';
import type { Jobs } from '../jobs.ts';
import { rowsBody } from '../rows.ts';
import type { Streams } from '../streams.ts';
import { findSubject } from '../subject.ts';

const PROGRESS_EVERY_MS = 250;

export interface RestoreHandlerOptions {
  readonly jobs: Jobs;
  readonly events: EventLog;
  readonly streams: Streams;
  /** Nothing is restored into these. */
  readonly ownFolders: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

export function restoreHandlers(
  options: RestoreHandlerOptions,
): Pick<ControlHandlers, 'restore.run' | 'restore.plan'> {
  const { events, streams, clock } = options;
  const underWay = new Set<string>();
  return {
    'restore.run': async ({ id, ...asked }, { signal }) => {
      const startedAt = clock.monotonic();
      let toldAt = startedAt;
      const request = await requestOf(asked, options, signal);
      const onProgress: RestoreOptions['onProgress'] = (progress) => {
        if (clock.monotonic() - toldAt < PROGRESS_EVERY_MS) return;
        toldAt = clock.monotonic();
        events.append({ type: 'restore.progress', id, ...progress });
      };
      const { early, problems, ...report } = await alone(underWay, request.to, () =>
        restoreTree({ ...request, onProgress, signal }),
      );
      const seconds = (clock.monotonic() - startedAt) / 1000;
      const paths = [...early.paths];
      return {
        ...report,
        to: request.to,
        early: { ...early, paths },
        problems: [...problems],
        seconds,
      };
    },
    'restore.plan': async (asked, { signal }) => {
      const request = await requestOf(asked, options, signal);
      const stream = streams.offerDownload(rowsBody(previewRestore(request), clock));
      return { to: request.to, stream };
    },
  };
}

async function requestOf(
  { to, at, exact, ...subject }: Params<'restore.plan'>,
  { jobs, ownFolders, clock, logger }: RestoreHandlerOptions,
  signal: AbortSignal,
): Promise<RestoreOptions> {
  const { job, path } = findSubject(jobs, subject);
  if (to !== undefined && !isAbsolute(to))
    throw new ControlError('BadRequest', `restore to ${to}: not an absolute path`);
  const { bucket, prefix, folder, exclude, target } = job.config;
  const what = { store: job.store(), bucket, prefix, ...defined({ path, at }) };
  const where = to ?? (await folderInPlace(folder, { ...what, signal }));
  return {
    ...what,
    to: where,
    // Refuses a place within our own folders, too.
    excluder: createExcluder({ root: where, patterns: exclude, protectedFolders: ownFolders }),
    // The embedded store dates an upload by its end.
    datesUploadsByEnd: target === LOCAL_TARGET,
    ...defined({ exact }),
    clock,
    logger,
  };
}

/** Two at once would each take the other's half files for leftovers. */
async function alone<T>(underWay: Set<string>, to: string, work: () => Promise<T>): Promise<T> {
  if (underWay.has(to))
    throw new ControlError('Conflict', `restore into ${to}: another restore is at work there`);
  underWay.add(to);
  try {
    return await work();
  } finally {
    underWay.delete(to);
  }
}
