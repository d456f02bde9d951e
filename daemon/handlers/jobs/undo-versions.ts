/** Implements the control methods that make older versions current again. */

import { defined } from '../../../src/base/defined.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import { copyForward, isCurrent, planUndo, type Undo } from '../../../src/restore/undo.ts';
import { MirrorError } from '../../../src/mirror/model/mirror-error.ts';
import { folderInPlace, folderOfFile } from '../../../src/restore/in-place.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import { findEarlierVersion } from '../../restores/earlier-version.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { findSubject, type FoundSubject } from '../../jobs/subject.ts';
import { versionsHint } from '../../restores/versions-hint.ts';
import type { RestoreHandlerOptions } from './restore.ts';

const MAX_STEPS = 1_000;

export interface UndoHandlerOptions extends RestoreHandlerOptions {
  readonly jobs: Jobs;
  readonly logger: Logger;
}

export function undoHandlers(
  options: UndoHandlerOptions,
): Pick<ControlHandlers, 'history.undo' | 'history.planUndo'> {
  const { jobs, restores, clock, logger } = options;
  return {
    'history.undo': async ({ id, stays = false, ...asked }, { signal: caller }) => {
      const { job, path } = findSubject(jobs, asked);
      const { at } = asked;
      const subject = { id, job: job.config.name, isUndo: true as const, ...defined({ path, at }) };
      return restores.runs.begin(subject, { signal: caller, stays }, async (signal) => {
        const { request: plan, found } = await undoOf(asked, options, signal);
        const { writes } = await found.job.mirror();
        const { store } = await writes.destination(signal);
        const { lockFor, attributesOfCopy } = writes;
        const request = { ...plan, store, lockFor, attributesOfCopy, clock, logger };
        const to = await folderOf(request, found);
        const copied: string[] = [];
        const objects = copyForward(request, ({ key }) => copied.push(key));
        const root = found.job.config.folder;
        const here = { ...restores.request(found.job, found.path, to), objects, root };
        try {
          return { ...(await restores.run(here, { id, signal })), copied: copied.length };
        } finally {
          // A file that was not restored differs from its new version.
          writes.compare(copied);
        }
      });
    },
    'history.planUndo': async (asked, { signal }) => {
      const { request, found } = await undoOf(asked, options, signal);
      return { to: await folderOf(request, found), ...(await stepsOf(request)) };
    },
  };
}

type UndoRow = Result<'history.planUndo'>['steps'][number];

async function stepsOf(request: Undo) {
  const [steps, undated] = [[], []] as [UndoRow[], string[]];
  let [total, undatedCount] = [0, 0];
  for await (const step of planUndo(request)) {
    if ('isUndated' in step) {
      undatedCount += 1;
      if (undated.length < MAX_STEPS) undated.push(step.key.slice(request.prefix.length));
      continue;
    }
    total += 1;
    const { sizeBytes, lastModifiedAt, versionId } = step.wanted;
    const path = step.key.slice(request.prefix.length);
    const row = { path, sizeBytes, lastModifiedAt, versionId, isCurrent: isCurrent(step) };
    if (steps.length < MAX_STEPS) steps.push(row);
  }
  return { steps, total, undated, undatedCount };
}

/** Returns the folder that the undo restores to. Without `at`, the undo concerns one file. Rejects like `planUndo`. */
async function folderOf(request: Undo, { job }: FoundSubject): Promise<string> {
  const { path, at } = request;
  const { folder } = job.config;
  try {
    // The plan is checked before anything is copied, and before the file that is now at the path is checked.
    for await (const _ of planUndo(request)) break;
  } catch (error) {
    if (!(error instanceof MirrorError && error.code === 'NoSuchVersion')) throw error;
    throw new ControlError('NotFound', error.message, { hint: versionsHint(job, { path, at: 0 }) });
  }
  return at === undefined ? folderOfFile(folder, path) : folderInPlace(folder, request);
}

async function undoOf(
  { at, versionId: wantedId, versionsBack, ...subject }: Params<'history.planUndo'>,
  { jobs, restores }: UndoHandlerOptions,
  signal: AbortSignal,
) {
  const found = findSubject(jobs, subject);
  const { job, path } = found;
  if (path === undefined)
    throw new ControlError('BadRequest', 'cannot undo a whole job: name a path in its folder', {
      hint: 'to restore the whole folder: holdfast restore JOB --at TIME --in-place',
    });
  const { bucket, prefix, times } = restores.selection(job, undefined);
  const versionId =
    versionsBack === undefined
      ? wantedId
      : (await findEarlierVersion(restores, { job, path, versionsBack }, signal)).versionId;
  const wanted = { path, ...defined({ at, versionId, times }) };
  const request: Undo = { store: job.store(), bucket, prefix, ...wanted, signal };
  return { request, found, path };
}
