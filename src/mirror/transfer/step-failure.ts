/** Decides what follows a failed step: a retry, a deferral, or a problem for the user. */

import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { type Action, entryOf } from '../plan/action.ts';
import { isDelete } from '../plan/delete-limit.ts';
import { failureKind } from '../model/failure-kind.ts';
import { backOffMs, RETRY } from '../model/retry-policy.ts';
import type { FileReading, ReadFile } from '../local/read-file.ts';
import { explainDenial } from '../objects/lock-permission.ts';
import { isThere } from '../local/path-exists.ts';
import { kindOf } from '../local/local-entry.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { pathOfKey } from '../model/local-path.ts';
import { endRow } from './put-rows.ts';
import { DONE, type PerformContext, type Step, type Work } from './step-types.ts';
import type { LocalEntry, Problem } from '../model/types.ts';

/**
 * Runs a step. Converts a failure to the step that handles it. If no step can handle it, rejects, and the session ends.
 */
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
      // A version that differs at each attempt is a problem of one key. A service that fails at each attempt is a
      // problem of the whole job.
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

/** Returns the problem for a key whose current version was different at each examination. */
export function changingProblem(path: string): Problem {
  const message = `cannot mirror ${path}: its object keeps changing in the bucket; the job retries`;
  return { path, code: 'failed', message };
}

/** Returns the ETag in the condition of a refused put. */
function expectedBy(action: Action, error: unknown): string | undefined {
  if (action.kind !== 'put' || !isStorageError(error, 'PreconditionFailed')) return undefined;
  return 'ifMatch' in action.guard ? action.guard.ifMatch : undefined;
}

/** Returns whether a round has counted the delete. Only counted deletes are carried out. */
function isWeighed(action: Action): boolean {
  return isDelete(action) || (action.kind === 'examine' && action.isWeighed === true);
}

/** Returns the action that reads the current version and then plans the key again. */
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
  // The file's times may be equal to those in the baseline. This call ensures that the file is read again.
  reads.noteChange(path);
  tracker.setProblem(isGone ? unopened(path) : reading.problem);
  if (reading.status === 'unreadable') retries.schedule(path, 'refused', entry.inode);
  else retries.schedule(path, 'busy');
  return DONE;
}

/** Returns the problem for a file that is in its folder's listing but cannot be opened. */
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
  { tracker, retries, logger }: PerformContext,
  row?: JournalRow,
): Step {
  const { key } = action;
  const asksLock = row?.entry?.retainUntil !== undefined;
  const explained = asksLock ? explainDenial(error, 'store locked objects') : error;
  const why =
    explained === error
      ? `the service rejected the request: ${errorMessage(error)}`
      : errorMessage(explained);
  logger.debug({ key, error: errorMessage(error) }, 'mirror key: refused');
  tracker.setProblem({
    path: pathOfKey(key),
    code: 'refused',
    message: `cannot mirror ${key}: ${why}`,
  });
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
