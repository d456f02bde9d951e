/** Implements the control methods that restore all or part of a job's folder. */

import { isAbsolute, posix } from 'node:path';

import { unlessAborted } from '../../../src/base/abortable.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params } from '../../../src/control/messages.ts';
import { MirrorError } from '../../../src/mirror/model/mirror-error.ts';
import type { SaveLocal } from '../../../src/mirror/transfer/save-version.ts';
import { folderInPlace, folderOfFile } from '../../../src/restore/in-place.ts';
import { previewRestore } from '../../../src/restore/restore-preview.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import { findEarlierVersion } from '../../restores/earlier-version.ts';
import type { RestorableJob, RestoreRequest, Restores } from '../../restores/restores.ts';
import { rowsBody } from '../../control/rows.ts';
import type { Streams } from '../../control/streams.ts';
import { findSubject, type JobList } from '../../jobs/subject.ts';
import { versionsHint } from '../../restores/versions-hint.ts';

type RestoreMethod =
  | 'restore.run'
  | 'restore.plan'
  | 'restores.list'
  | 'restores.wait'
  | 'restores.stop';

export interface RestoreHandlerOptions {
  readonly jobs: JobList<RestorableJob>;
  readonly restores: Restores;
  readonly streams: Pick<Streams, 'offerDownload'>;
  readonly clock: Clock;
}

export function restoreHandlers(
  options: RestoreHandlerOptions,
): Pick<ControlHandlers, RestoreMethod> {
  const { jobs, restores, streams, clock } = options;
  return {
    'restore.run': async ({ id, stays = false, ...asked }, { signal: caller }) => {
      const { job, path } = findSubject(jobs, asked);
      const { at, paths } = asked;
      const subject = defined({ id, job: job.config.name, path, paths, at });
      return restores.runs.begin(subject, { signal: caller, stays }, async (signal) =>
        restores.run(await requestOf(asked, options, signal), { id, signal }),
      );
    },
    'restores.list': async () => ({ runs: restores.runs.list() }),
    'restores.wait': ({ id }, { signal }) => unlessAborted(restores.runs.wait(id), signal),
    'restores.stop': async ({ id }) => {
      restores.runs.stop(id);
      return {};
    },
    'restore.plan': async (asked, { signal }) => {
      const request = await requestOf(asked, options, signal);
      const stream = streams.offerDownload(rowsBody(previewRestore(request), clock));
      return { to: request.to, stream };
    },
  };
}

/**
 * Throws ControlError `Conflict` for a target folder inside a job's folder. The job would back up the restored files
 * as new files.
 */
function refuseInsideJob(to: string, jobs: JobList<RestorableJob>): void {
  const owner = jobs.all().find(({ config }) => to.startsWith(`${config.folder}/`));
  if (!owner) return;
  const { name, folder } = owner.config;
  throw new ControlError(
    'Conflict',
    `cannot restore into ${to}: it is inside ${folder}, which job ${name} backs up`,
    {
      hint: 'choose a folder outside of it, or --in-place to restore files to their original folder',
    },
  );
}

/**
 * Converts the parameters of a restore to the request for `restoreTree`. Rejects with ControlError, such as
 * `BadRequest` for a relative target path.
 */
export async function requestOf(
  { to, at, exact, versionsBack, paths, ...subject }: Params<'restore.plan'>,
  { jobs, restores }: Pick<RestoreHandlerOptions, 'jobs' | 'restores'>,
  signal: AbortSignal,
): Promise<RestoreRequest> {
  const { job, path } = findSubject(jobs, subject);
  if (to !== undefined && !isAbsolute(to))
    throw new ControlError('BadRequest', `cannot restore into ${to}: it is not an absolute path`);
  if (paths && (exact === true || versionsBack !== undefined))
    throw new ControlError(
      'BadRequest',
      'cannot restore: paths cannot be combined with exact or versionsBack',
    );
  const when = defined({ at });
  const hintOfNothing = () => versionsHint(job, { path, at });
  if (to !== undefined) refuseInsideJob(to, jobs);
  const listing = { ...restores.selection(job, path), ...when, hintOfNothing, signal };
  const { folder } = job.config;
  const version =
    versionsBack === undefined
      ? undefined
      : await findEarlierVersion(restores, { job, path, versionsBack }, signal);
  const inPlace = () =>
    version ? folderOfFile(folder, path ?? '') : folderInPlace(folder, listing);
  const where = to ?? (await inPlace());
  const root = to === undefined ? folder : undefined;
  const request = { ...restores.request(job, path, where), ...restores.proving(job) };
  const objects = version && [version];
  const saveLocal =
    to === undefined ? (job.opened?.writes.saveLocal ?? refusesToSave(job)) : undefined;
  const selected = defined({ exact, objects, paths: paths?.map(pathBelow) });
  return { ...request, ...when, hintOfNothing, ...selected, ...defined({ root, saveLocal }) };
}

/**
 * Returns the path without `.` and double slashes. Throws ControlError `BadRequest` unless the path is below a
 * folder.
 */
function pathBelow(typed: string): string {
  const path = posix.normalize(typed).replace(/\/$/, '');
  if (path !== '.' && path !== '..' && !/^(?:\/|\.\.\/)/.test(`${path}/`)) return path;
  throw new ControlError(
    'BadRequest',
    `cannot restore ${typed}: it is not a path below the folder`,
    {
      hint: 'paths after the first one are relative to it: holdfast restore documents letters plan.txt',
    },
  );
}

/** Refuses to replace local files, because their content cannot be uploaded while the job is not open. */
function refusesToSave({ config: { name } }: RestorableJob): SaveLocal {
  return async (path) => {
    const message = `${path} is not replaced: job ${name} is not open, so its bytes cannot be stored`;
    throw new MirrorError('NotSaved', message);
  };
}
