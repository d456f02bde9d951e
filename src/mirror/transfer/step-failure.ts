/** Decides what follows a failed step: a retry, a deferral, or a problem for the user. */

import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { type Action, entryOf } from '../plan/action.ts';
import { isDelete } from '../plan/delete-limit.ts';
import { failureKind } from '../model/failure-kind.ts';
import { backOffMs, RETRY } from '../model/retry-policy.ts';
import type { FileReading, ReadFile } from '../local/file-body.ts';
import { isThere } from '../local/path-exists.ts';
import { kindOf } from '../local/local-entry.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { pathOfKey } from '../model/local-path.ts';
import { endRow, DONE, type PerformContext, type Step, type Work } from './step.ts';
import type { LocalEntry, Problem } from '../model/types.ts';

/** Runs a step of some work. Converts a failure into the step that handles it, or rejects, which ends the session. */
export async function attempt<T>(
  work: Work,
  context: PerformContext,
  run: () => Promise<T>,
  row?: JournalRow,
): Promise<T | Step> {
  try {
    return await run();
  } catch (error) {
    return afterFailure(work, error, context, row);
  }
}

async function afterFailure(
  work: Work,
  error: unknown,
  context: PerformContext,
  row: JournalRow | undefined,
): Promise<Step> {
  const { clock, signal, logger } = context;
  signal.throwIfAborted();
  const { key } = work.action;
  const kind = failureKind(error);
  switch (kind) {
    case 'guard':
    case 'transient': {
      const attempts = work.attempts + 1;
      // Heads that differ each time concern one key only; a service that fails each time concerns the whole job.
      if (attempts >= RETRY.action.attempts && kind === 'guard') return keepsChanging(key, row);
      if (attempts >= RETRY.action.attempts) throw error;
      logger.debug({ key, attempts, error: errorMessage(error) }, 'mirror key: retrying');
      if (kind === 'transient') await clock.sleep(backOffMs(RETRY.action, attempts), signal);
      const sent = row ?? work.sent;
      const action = sent || kind === 'guard' ? examineHead(work.action) : work.action;
      const refusedFor = expectedBy(work.action, error);
      return { is: 'again', works: [{ action, attempts, ...defined({ sent, refusedFor }) }] };
    }
    case 'file changed':
      return busy(key, context, row);
    case 'refused':
      return refuse(work.action, error, context, row);
    default:
      throw error;
  }
}

function keepsChanging(key: string, row: JournalRow | undefined): Step {
  const problem = changingProblem(pathOfKey(key));
  return { is: 'settled', problem, ...defined({ settlement: row && endRow(row) }) };
}

/** The problem of a key whose head was different at each examination. */
export function changingProblem(path: string): Problem {
  const message = `cannot mirror ${path}: its object keeps changing in the bucket; the job retries`;
  return { path, code: 'failed', message };
}

/** The ETag that a refused put expected. */
function expectedBy(action: Action, error: unknown): string | undefined {
  if (action.kind !== 'put' || !isStorageError(error, 'PreconditionFailed')) return undefined;
  return 'ifMatch' in action.guard ? action.guard.ifMatch : undefined;
}

/** Deletes are carried out only after a round has counted them. */
function isWeighed(action: Action): boolean {
  return isDelete(action) || (action.kind === 'examine' && action.isWeighed === true);
}

/** Reads the head and plans the key again. */
export function examineHead(action: Action): Action {
  const entry = entryOf(action);
  return {
    kind: 'examine',
    key: action.key,
    readHead: true,
    hashFile: false,
    ...defined({ entry, isWeighed: isWeighed(action) || undefined }),
  };
}

export function readFailed(
  key: string,
  entry: LocalEntry,
  reading: Exclude<FileReading, ReadFile>,
  { root, tracker, reads, retries, hint }: PerformContext,
): Step {
  const { path, kind } = entry;
  const isGone = reading.status === 'gone';
  if (isGone && !isThere(root, path, (stats) => kindOf(stats) === kind)) {
    tracker.clearProblem(path);
    retries.forget(path);
    hint(path);
    return DONE;
  }
  // Its times may equal the baseline's, so a comparison alone would not show that it has to be read.
  reads.noteChange(path);
  tracker.setProblem(isGone ? unopened(path) : reading.problem);
  if (reading.status === 'unreadable') retries.schedule(path, 'refused', entry.inode);
  else retries.schedule(path, 'busy');
  return DONE;
}

/** The file came back, or the file system lists an entry that it cannot open. */
function unopened(path: string): Problem {
  const message = `cannot back up ${path}: the folder lists it, but it cannot be opened; the job retries`;
  return { path, code: 'busy', message };
}

function busy(key: string, { tracker, retries }: PerformContext, row?: JournalRow): Step {
  const message = `cannot back up ${key} yet: it changed during the upload; the job retries`;
  tracker.setProblem({ path: pathOfKey(key), code: 'busy', message });
  retries.schedule(pathOfKey(key), 'busy');
  return { is: 'settled', ...defined({ settlement: row && endRow(row) }) };
}

function refuse(
  action: Action,
  error: unknown,
  { tracker, retries }: PerformContext,
  row?: JournalRow,
): Step {
  const { key } = action;
  const message = `cannot mirror ${key}: the service rejected the request: ${errorMessage(error)}`;
  tracker.setProblem({ path: pathOfKey(key), code: 'refused', message });
  retries.schedule(pathOfKey(key), isDelete(action) ? 'undeleted' : 'refused');
  return { is: 'settled', ...defined({ settlement: row && endRow(row) }) };
}

export function hold(action: Action, why: string, { state, tracker, clock }: PerformContext): Step {
  const path = pathOfKey(action.key);
  tracker.setProblem({
    path,
    code: 'unsupported-action',
    message: `cannot mirror ${path}: ${why}`,
  });
  tracker.setHeld(action.key, false);
  const entry = entryOf(action);
  if (entry) state.held.hold(action.key, entry, clock.now());
  return DONE;
}
