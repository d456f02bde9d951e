/**
 * One action: what it takes to be sent, the request with its guard, and what came of it. Nothing here
 * writes the state: a step carries its journal row and its settlement, and the batch commits them.
 */

import { randomUUID } from 'node:crypto';

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { LockRequest } from '../object-store/object-store.ts';
import { type Action, type DeleteAction, notYetDone, type PutAction } from './action.ts';
import { encodeAttributes } from './attributes.ts';
import { backOffMs, failureKind } from './failures.ts';
import { type FileReading, readFileStable } from './file-body.ts';
import { pathOfKey } from './local-path.ts';
import { planMirror } from './plan.ts';
import type { Plan, PlanPolicy, RemoteHead } from './plan-types.ts';
import type { Retries } from './retries.ts';
import type { JournalRow } from './journal-table.ts';
import type { Settlement, StateFile } from './state.ts';
import { findOwnVersion, type Place, type ReadHead, readHead } from './target.ts';
import type { Activity, Tracker } from './tracker.ts';
import type { LocalEntry } from './types.ts';
import { upload } from './upload.ts';

export interface Work {
  readonly action: Action;
  /** Failed tries so far. */
  readonly attempts: number;
  /** A request for this key whose outcome is not known. */
  readonly sent?: JournalRow;
}

/** A settled step is over; `again` goes on with other work for the same key. */
export type Step =
  | { readonly is: 'settled'; readonly settlement?: Settlement; readonly told?: Activity }
  | { readonly is: 'again'; readonly settlement?: Settlement; readonly works: readonly Work[] };

/** The row is durable before `send` is called. */
export type Prepared =
  | Step
  | { readonly is: 'request'; readonly row: JournalRow; readonly send: () => Promise<Step> };

export interface PerformContext {
  readonly place: Place;
  readonly root: string;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracker: Tracker;
  readonly retries: Retries;
  readonly signal: AbortSignal;
  /** For one key, whose deletes passed the brake before. */
  readonly policy: () => PlanPolicy;
  /** Conflicts and notes of a plan are shown and kept. */
  readonly record: (plan: Plan) => void;
  /** Has the path's folder scanned. */
  readonly hint: (path: string) => void;
  /** The retention of a version that is made now. */
  readonly lock: () => LockRequest | undefined;
}

type ReadFile = Extract<FileReading, { status: 'read' }>;

/** Then the service counts as down, and the whole job waits. */
const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 2_000;
const OVER: Step = { is: 'settled' };

export async function prepare(work: Work, context: PerformContext): Promise<Prepared> {
  const { action } = work;
  const unsupported = notYetDone(action);
  if (unsupported !== undefined) return hold(action, unsupported, context);
  return attempt(work, context, async (): Promise<Prepared> => {
    if (work.sent) return resolveSent(work, work.sent, context);
    switch (action.kind) {
      case 'put':
        return preparePut(work, action, context);
      case 'copy-version-to-head':
        return preparePut(work, action.otherwise, context);
      case 'delete':
        return prepareDelete(work, action, context);
      case 'adopt': {
        const { key, entry, sha256, head } = action;
        const baseline = { ...entry, sha256, ...pickVersion(head) };
        return { is: 'settled', settlement: { key, baseline } };
      }
      case 'drop-baseline':
        return { is: 'settled', settlement: { key: action.key, baseline: 'drop' } };
      case 'examine':
        return examine(work, action, context);
      default:
        return OVER;
    }
  });
}

/** Runs a step of some work; a failure becomes the step that answers it, or ends the session. */
async function attempt<T>(
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
      if (attempts >= ATTEMPTS) throw error;
      logger.debug({ key, attempts, error: errorMessage(error) }, 'mirror key: looking again');
      if (kind === 'transient') await clock.sleep(backOffMs(attempts, LONGEST_WAIT_MS), signal);
      const sent = row ?? work.sent;
      const action = sent || kind === 'guard' ? examineHead(work.action) : work.action;
      return { is: 'again', works: [{ action, attempts, ...defined({ sent }) }] };
    }
    case 'file changed':
      return busy(key, context, row);
    case 'refused':
      return refuse(key, error, context, row);
    default:
      throw error;
  }
}

/** The file is hashed before the row is written, so that the row can say what the request will make. */
async function preparePut(
  work: Work,
  action: PutAction,
  context: PerformContext,
): Promise<Prepared> {
  const { root, clock, signal } = context;
  const reading = await readFileStable(root, action.entry, { clock, signal });
  if (reading.status !== 'read') return unread(action.key, action.entry, reading, context);
  const adopted = adoptTouched(action, reading, context);
  if (adopted) return adopted;
  const lock = action.lock ? context.lock() : undefined;
  const now = clock.now();
  const row: JournalRow = {
    id: randomUUID(),
    key: action.key,
    operation: 'put',
    sha256: reading.sha256,
    startedAt: now,
    entry: {
      ...reading.entry,
      ...defined({
        retainUntil: lock?.retention?.retainUntil,
        reprotectedAt: action.why === 'missing' ? now : undefined,
      }),
    },
    ...('ifMatch' in action.guard && { expected: action.guard.ifMatch }),
    ...(action.supersedes && { supersedes: pickVersion(action.supersedes) }),
  };
  return {
    is: 'request',
    row,
    send: () => attempt(work, context, () => sendPut(action, reading, { row, lock }, context), row),
  };
}

/** A file that was only touched: the planner decides, now that the content is known. */
function adoptTouched(
  action: PutAction,
  reading: ReadFile,
  context: PerformContext,
): Step | undefined {
  if (action.why !== 'changed' || !('ifMatch' in action.guard)) return undefined;
  const entry = { ...reading.entry, sha256: reading.sha256 };
  const [again] = planKey(action.key, entry, undefined, context).actions;
  if (!again) return OVER;
  if (again.kind !== 'adopt') return undefined;
  const baseline = context.state.baseline.get(action.key);
  if (!baseline) return undefined;
  return { is: 'settled', settlement: { key: action.key, baseline: { ...baseline, ...entry } } };
}

async function sendPut(
  action: PutAction,
  reading: ReadFile,
  { row, lock }: { readonly row: JournalRow; readonly lock: LockRequest | undefined },
  { place, state, tracker, logger, signal }: PerformContext,
): Promise<Step> {
  const { entry, mtimeNs, sha256, body } = reading;
  const metadata = encodeAttributes({ entry, mtimeNs, sha256, journalId: row.id });
  const { key, guard } = action;
  const made = await upload(
    place,
    {
      key,
      guard,
      content: body,
      attributes: { metadata },
      onUploadId: (uploadId) => state.journal.noteUpload(row.id, uploadId),
      logger,
      ...defined({ lock }),
    },
    signal,
  );
  tracker.countUpload(entry.sizeBytes);
  return {
    is: 'settled',
    told: { level: 'info', action: 'put', path: entry.path, message: `${entry.sizeBytes} bytes` },
    settlement: settlePut(row, made),
  };
}

function pickVersion({ etag, versionId }: Pick<ReadHead, 'etag' | 'versionId'>) {
  return { etag, ...defined({ versionId }) };
}

/** The baseline that a put of ours made, once it is known what the service calls it. */
export function settlePut(
  { id, key, entry, sha256, supersedes, startedAt: at }: JournalRow,
  made: { readonly etag: string; readonly versionId?: string },
): Settlement {
  if (!entry || sha256 === undefined) return { key, journalId: id, baseline: 'keep' };
  return {
    key,
    journalId: id,
    baseline: { ...entry, sha256, ...pickVersion(made) },
    ...(supersedes && { supersedes: { ...supersedes, at } }),
  };
}

function prepareDelete(work: Work, action: DeleteAction, context: PerformContext): Prepared {
  const { place, clock, tracker, signal } = context;
  const { key, guard } = action;
  const row: JournalRow = {
    id: randomUUID(),
    key,
    operation: 'delete',
    expected: guard.ifMatch,
    startedAt: clock.now(),
  };
  const send = async (): Promise<Step> => {
    const object = { bucket: place.bucket, key: place.prefix + key };
    await place.store.deleteObject({ ...object, conditions: guard }, { signal });
    tracker.countDelete();
    return {
      is: 'settled',
      settlement: { key, journalId: row.id, baseline: 'drop' },
      told: { level: 'info', action: 'delete', path: key, message: 'deleted locally' },
    };
  };
  return { is: 'request', row, send: () => attempt(work, context, send, row) };
}

/** Learns what was missing, and has the planner decide on it. */
async function examine(
  work: Work,
  action: Extract<Action, { kind: 'examine' }>,
  context: PerformContext,
): Promise<Step> {
  const { place, root, clock, signal } = context;
  const head = await readHead(place, action.key, signal);
  if (!action.hashFile || !action.entry) return replan(work, action.entry, head, context);
  const reading = await readFileStable(root, action.entry, { clock, signal });
  if (reading.status !== 'read') return unread(action.key, action.entry, reading, context);
  return replan(work, { ...reading.entry, sha256: reading.sha256 }, head, context);
}

/** After a lost answer: our journal id at the head or below it means that it was done. */
async function resolveSent(work: Work, sent: JournalRow, context: PerformContext): Promise<Step> {
  const { place, signal, tracker } = context;
  if (sent.operation === 'put') {
    const own = await findOwnVersion(place, sent.key, sent.id, signal);
    if (own) {
      tracker.countUpload(sent.entry?.sizeBytes ?? 0);
      return { is: 'settled', settlement: settlePut(sent, own) };
    }
  }
  const head = await readHead(place, sent.key, signal);
  const entry = 'entry' in work.action ? work.action.entry : undefined;
  return { ...replan(work, entry, head, context), settlement: ended(sent) };
}

function replan(
  { action: { key }, attempts }: Work,
  entry: (LocalEntry & { readonly sha256?: string }) | undefined,
  head: RemoteHead,
  context: PerformContext,
): Step {
  const plan = planKey(key, entry, head, context);
  context.record(plan);
  return { is: 'again', works: plan.actions.map((action) => ({ action, attempts })) };
}

function planKey(
  key: string,
  entry: (LocalEntry & { readonly sha256?: string }) | undefined,
  head: RemoteHead | undefined,
  { state, policy, clock }: PerformContext,
): Plan {
  const baseline = state.baseline.get(key);
  return planMirror({
    baseline: new Map(baseline ? [[key, baseline]] : []),
    local: {
      entries: new Map(entry ? [[key, entry]] : []),
      unlisted: new Set(),
      excludes: () => false,
    },
    remote: new Map(head === undefined ? [] : [[key, head]]),
    policy: policy(),
    now: clock.now(),
  });
}

function examineHead(action: Action): Action {
  const entry = entryOf(action);
  return {
    kind: 'examine',
    key: action.key,
    readHead: true,
    hashFile: false,
    ...defined({ entry }),
  };
}

/** What the action mirrors; undefined for a delete. */
export function entryOf(action: Action): LocalEntry | undefined {
  switch (action.kind) {
    case 'put':
    case 'adopt':
    case 'examine':
      return action.entry;
    case 'copy-version-to-head':
      return action.otherwise.entry;
    case 'save-head':
      return entryOf(action.next);
    default:
      return undefined;
  }
}

function unread(
  key: string,
  entry: LocalEntry,
  reading: Exclude<FileReading, ReadFile>,
  { tracker, retries, hint }: PerformContext,
): Step {
  if (reading.status === 'gone') {
    tracker.clearProblem(entry.path);
    retries.forget(entry.path);
    hint(entry.path);
    return OVER;
  }
  tracker.setProblem(reading.problem);
  retries.later(entry.path, reading.status === 'busy' ? 'busy' : 'refused');
  return OVER;
}

function busy(key: string, { tracker, retries }: PerformContext, row?: JournalRow): Step {
  const message = `upload ${key}: it changed while it was being sent; it will be tried again`;
  tracker.setProblem({ path: pathOfKey(key), code: 'busy', message });
  retries.later(pathOfKey(key), 'busy');
  return { is: 'settled', ...defined({ settlement: row && ended(row) }) };
}

function refuse(
  key: string,
  error: unknown,
  { tracker, retries }: PerformContext,
  row?: JournalRow,
): Step {
  const message = `mirror ${key}: the service refused it: ${errorMessage(error)}`;
  tracker.setProblem({ path: pathOfKey(key), code: 'refused', message });
  retries.later(pathOfKey(key), 'refused');
  return { is: 'settled', ...defined({ settlement: row && ended(row) }) };
}

function hold(action: Action, why: string, { state, tracker, clock }: PerformContext): Step {
  const path = pathOfKey(action.key);
  tracker.setProblem({ path, code: 'unsupported-action', message: `${path}: ${why}` });
  tracker.setHeld(action.key, false);
  const entry = entryOf(action);
  if (entry) state.held.hold(action.key, entry, clock.now());
  return OVER;
}

function ended({ id, key }: JournalRow): Settlement {
  return { key, journalId: id, baseline: 'keep' };
}
