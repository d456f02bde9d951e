/** Implements the control methods that make older versions current again. */

import { realpathSync } from 'node:fs';

import { defined } from '../../../src/base/defined.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import { beforeUndo } from '../../restores/before-undo.ts';
import type { Replaced } from '../../restores/undo-record.ts';
import { removeRestored } from '../../../src/restore/remove-restored.ts';
import {
  copyForward,
  isCurrent,
  planUndo,
  stepsTo,
  type Undo,
  type UndoStep,
} from '../../../src/restore/undo.ts';
import { findOtherName } from '../../../src/restore/undo-move.ts';
import { MirrorError } from '../../../src/mirror/model/mirror-error.ts';
import { folderInPlace, folderOfFile } from '../../../src/restore/in-place.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import { findEarlierVersion } from '../../restores/earlier-version.ts';
import type { Job } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { RestoreRequest } from '../../restores/restores.ts';
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
  const { jobs, restores } = options;
  return {
    'history.undo': async ({ id, stays = false, ...asked }, { signal: caller }) => {
      const { job, path } = findSubject(jobs, asked);
      const { at } = asked;
      const subject = { id, job: job.config.name, isUndo: true as const, ...defined({ path, at }) };
      return restores.runs.begin(subject, { signal: caller, stays }, (signal) =>
        asked.redo ? redo(job, id, options, signal) : undo(asked, id, options, signal),
      );
    },
    'history.planUndo': async (asked, { signal }) => {
      const { request, found } = await undoOf(asked, options, signal);
      const { to } = await placeOf(request, found);
      return { to, ...(await stepsOf(request)) };
    },
  };
}

type UndoResult = Result<'history.undo'>;

async function undo(
  asked: Params<'history.planUndo'>,
  id: string,
  options: UndoHandlerOptions,
  signal: AbortSignal,
): Promise<UndoResult> {
  const { request: plan, found } = await undoOf(asked, options, signal);
  const place = await placeOf(plan, found);
  const otherName = await findOtherName(plan);
  return runUndo(
    { job: found.job, plan, ...place, id, ...defined({ otherName }) },
    options,
    signal,
  );
}

/**
 * Restores what the last undo of the job replaced. Rejects with ControlError `NotFound` if the job had no undo.
 */
async function redo(
  job: Job,
  id: string,
  options: UndoHandlerOptions,
  signal: AbortSignal,
): Promise<UndoResult> {
  const { name, folder, bucket, prefix } = job.config;
  const replaced = options.restores.lastUndo(job);
  if (replaced === undefined)
    throw new ControlError('NotFound', `cannot redo: job ${name} has no undo to take back`, {
      hint: 'to make an earlier version current again: holdfast undo PATH',
    });
  const plan = { store: job.store(), bucket, prefix, path: '', signal };
  const versions = replaced.flatMap(({ path, versionId }) =>
    versionId === undefined ? [] : [{ key: prefix + path, versionId }],
  );
  const removes = replaced.flatMap(({ path, versionId }) => (versionId === undefined ? path : []));
  const steps = stepsTo(versions, plan);
  const metadata = new Map(replaced.map((each) => [each.path, each.metadata]));
  const metadataOf = (key: string) => metadata.get(key);
  return runUndo({ job, plan, to: folder, id, steps, removes, metadataOf }, options, signal);
}

interface UndoRun {
  readonly job: Job;
  readonly plan: Undo;
  /** The path of the restored file or folder. Absent for the whole folder of the job. */
  readonly path?: string;
  readonly to: string;
  readonly id: string;
  /** The steps of the undo. Default: the steps of the plan. */
  readonly steps?: AsyncIterable<UndoStep>;
  /** The paths that did not exist before the undo. A redo removes them. */
  readonly removes?: readonly string[];
  readonly metadataOf?: RestoreRequest['metadataOf'];
  /** The path at which the deleted file exists now. */
  readonly otherName?: string;
}

async function runUndo(
  { job, plan, path, to, id, steps, removes = [], metadataOf, otherName }: UndoRun,
  { restores, clock, logger }: UndoHandlerOptions,
  signal: AbortSignal,
): Promise<UndoResult> {
  const { folder: root, prefix, bucket, name } = job.config;
  const { writes } = await job.mirror();
  const { store } = await writes.destination(signal);
  const { lockFor, attributesOfCopy, recordCopy, saveLocal } = writes;
  const record = restores.recordUndo(job);
  const changed: string[] = [];
  let saved = 0;
  let first: UndoResult['first'];
  let undoneMove: string | undefined;
  const save = beforeUndo({ root, prefix, record, saveLocal, signal });
  const saveBefore = async (step: UndoStep) => {
    const found = await save(step);
    if (found?.isNew) saved += 1;
    return found;
  };
  const writing = { lockFor, attributesOfCopy, recordCopy, saveBefore, clock, logger };
  const onCopied = ({ key, movedTo, wanted: { lastModifiedAt, sizeBytes } }: UndoStep) => {
    record.begin();
    undoneMove = movedTo;
    first ??= { path: key.slice(prefix.length), lastModifiedAt, sizeBytes };
    changed.push(key);
  };
  try {
    const objects = copyForward({ ...plan, store, ...writing }, onCopied, steps);
    const here = { objects, root, saveLocal, ...defined({ metadataOf }) };
    const request = { ...restores.request(job, path, to), ...here };
    const report = await restores.run(request, { id, signal });
    const copied = changed.length;
    const removal = { root: realpathSync(root), store, bucket, prefix, saveLocal, signal };
    const beforeRemoval = (found: Replaced) => record.add(found);
    // The file is removed from its new name only after it was restored under its earlier name.
    const newNames = undoneMove === undefined || report.problemCount > 0 ? [] : [undoneMove];
    const { removed, problems } = await removeRestored([...removes, ...newNames], {
      ...removal,
      beforeRemoval,
      now: clock.now(),
    });
    changed.push(...removed.map((each) => prefix + each));
    const other = undoneMove ?? otherName;
    const isTakenBack = newNames.length > 0 && removed.length > 0;
    const moved = path !== undefined &&
      other !== undefined && { from: path, to: other, isTakenBack };
    return {
      ...report,
      ...defined({ first, moved: moved || undefined }),
      job: name,
      copied,
      removed: removed.length,
      saved: report.saved + saved,
      problems: [...report.problems, ...problems],
      problemCount: report.problemCount + problems.length,
    };
  } finally {
    record.close();
    // The copied versions are compared with the files again, because a file that was not restored differs from its new
    // version.
    writes.compare(changed);
  }
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
    const { movedTo } = step;
    const facts = { sizeBytes, lastModifiedAt, versionId, ...defined({ movedTo }) };
    const row = { path, ...facts, isCurrent: isCurrent(step) };
    if (steps.length < MAX_STEPS) steps.push(row);
  }
  return { steps, total, undated, undatedCount };
}

/** Returns the path to undo, and the folder to restore to. Rejects like `planUndo`. */
async function placeOf(request: Undo, { job }: FoundSubject) {
  const { path, at } = request;
  const { folder, prefix } = job.config;
  try {
    // The plan is validated before anything is copied, and before the file that is now at the path is checked.
    for await (const step of planUndo(request)) {
      if ('isUndated' in step || step.movedTo === undefined) break;
      const from = step.key.slice(prefix.length);
      return { path: from, to: folderOfFile(folder, from) };
    }
  } catch (error) {
    if (!(error instanceof MirrorError && error.code === 'NoSuchVersion')) throw error;
    throw new ControlError('NotFound', error.message, { hint: versionsHint(job, { path, at: 0 }) });
  }
  // Without `at`, the undo concerns a single file.
  const to = at === undefined ? folderOfFile(folder, path) : await folderInPlace(folder, request);
  return { path, to };
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
      hint: `to restore the whole folder: holdfast restore ${job.config.name} --at TIME --in-place`,
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
