/**
 * Runs actions in two queues: small ones in batches that share two database commits, and large ones alone, so that
 * large files do not delay small ones. The journal rows of a batch are durable before its requests are sent. Its
 * results are recorded in one transaction after them.
 */

import PQueue from 'p-queue';

import { type Action, entryOf, transferOf } from '../plan/action.ts';
import { prepare } from './perform-action.ts';
import { inOrder, mayWait, tasksBefore } from './precedence.ts';
import { attempt, changingProblem, examineHead } from './step-failure.ts';
import { pathOfKey } from '../model/local-path.ts';
import { examineAgain, proveStep } from './prove-outcome.ts';
import type { PerformContext, Prepared, Step, Work } from './step.ts';
import type { JournalRow } from '../state/journal-table.ts';

export interface Executor {
  /**
   * Starts the actions. No other action for their keys may be running. `since` is when the changes were first known.
   */
  submit(actions: readonly Action[], since: number): void;
  /** Starts the incomplete batch. */
  flush(): void;
  /** Resolves when the queues can accept more actions, so that a scan does not run far ahead of the uploads. */
  waitForCapacity(): Promise<void>;
  /**
   * Resolves when all tasks with an awaited action are done; by default, all tasks. Never rejects: failures are passed
   * to `fail`.
   */
  idle(isAwaited?: (action: Action) => boolean): Promise<void>;
}

/** Limits of one batch, because its bodies are read into memory. */
const BATCH_ACTIONS = 64;
const BATCH_BYTES = 8 * 1024 * 1024;
const SMALL_BYTES = 1024 * 1024;
const SMALL_BATCHES_AT_ONCE = 3;
const LARGE_AT_ONCE = 3;
/** Number of queued batches at which a scan pauses. A scan can find millions of actions. */
const WAITING_LIMIT = 64;
/**
 * Maximum number of times that a key is examined. If its current version differs each time, another client keeps
 * writing it.
 */
const EXAMINE_LIMIT = 8;

/**
 * Creates an executor. `fail` is called for errors that no step can handle, such as a service that is down or a failing
 * disk.
 */
export function createExecutor(context: PerformContext, fail: (error: unknown) => void): Executor {
  const small = new PQueue({ concurrency: SMALL_BATCHES_AT_ONCE });
  const large = new PQueue({ concurrency: LARGE_AT_ONCE });
  const running = new Map<Promise<void>, readonly Action[]>();
  const known = (key: string) => context.state.baseline.get(key);
  const unresolved: Unresolved = new Map();
  let batch: Action[] = [];
  let batchBytes = 0;

  const track = (actions: readonly Action[], work: Promise<unknown>) => {
    const task = work.then(() => undefined, fail).finally(() => running.delete(task));
    running.set(task, actions);
  };
  const { batches, signal } = context;
  const run = (lane: PQueue, actions: readonly Action[]) => {
    const over = batches.announce();
    const work = async () => {
      await batches.waitForPriority(signal);
      if (!signal.aborted) await runBatch(actions, unresolved, context);
    };
    return lane.add(work).finally(over);
  };
  const start = (lane: PQueue, actions: readonly Action[]) => track(actions, run(lane, actions));
  const flush = () => {
    if (batch.length === 0) return;
    start(small, batch);
    batch = [];
    batchBytes = 0;
  };
  const enqueue = (action: Action) => {
    const sizeBytes = sizeOf(action);
    if (sizeBytes > SMALL_BYTES) {
      start(large, [action]);
      return;
    }
    batch.push(action);
    batchBytes += sizeBytes;
    if (batch.length >= BATCH_ACTIONS || batchBytes >= BATCH_BYTES) flush();
  };
  const runAfter = async (before: Iterable<Promise<void>>, actions: readonly Action[]) => {
    await Promise.all(before);
    const isLarge = (action: Action) => sizeOf(action) > SMALL_BYTES;
    const { failure } = await all([
      ...actions.filter(isLarge).map((action) => run(large, [action])),
      ...inBatches(actions.filter((action) => !isLarge(action))).map((each) => run(small, each)),
    ]);
    if (failure) throw failure.reason;
  };
  const submitInOrder = (actions: readonly Action[]) => {
    flush();
    const { atOnce, later } = inOrder(actions, running, known);
    for (const action of atOnce) enqueue(action);
    if (later.length === 0) return;
    flush();
    track(later, runAfter(tasksBefore(later, running, known), later));
  };
  return {
    flush,
    submit(actions, since) {
      for (const action of actions) {
        const entry = entryOf(action);
        const work = { since, sizeBytes: sizeOf(action), ...(entry && { entry }) };
        context.tracker.begin(action.key, work);
      }
      if (actions.some(mayWait)) submitInOrder(actions);
      else for (const action of actions) enqueue(action);
    },
    async waitForCapacity() {
      await Promise.all([
        small.onSizeLessThan(WAITING_LIMIT),
        large.onSizeLessThan(BATCH_ACTIONS * WAITING_LIMIT),
      ]);
    },
    async idle(isAwaited = () => true) {
      flush();
      const awaited = [...running].filter(([, actions]) => actions.some(isAwaited));
      await Promise.all(awaited.map(([task]) => task));
    },
  };
}

function sizeOf(action: Action): number {
  return transferOf(action);
}

function inBatches(actions: readonly Action[]): readonly (readonly Action[])[] {
  const batches: Action[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const action of actions) {
    const last = batches.at(-1);
    bytes += sizeOf(action);
    if (last && last.length < BATCH_ACTIONS && bytes < BATCH_BYTES) last.push(action);
    else {
      batches.push([action]);
      bytes = sizeOf(action);
    }
  }
  return batches;
}

/**
 * Journal rows with an unknown outcome that no task handles, by key. Without the row, the version that it created would
 * count as another client's.
 */
type Unresolved = Map<string, JournalRow>;

async function runBatch(
  actions: readonly Action[],
  unresolved: Unresolved,
  context: PerformContext,
): Promise<void> {
  const underWay = new Set(actions.map(({ key }) => key));
  // Ends each key only once, because another batch may already work on the key again. Two tasks for one key would each
  // mistake the other's writes for another client's.
  const endOthers = (continuing: ReadonlySet<string>) => {
    for (const key of underWay)
      if (!continuing.has(key) && underWay.delete(key)) context.tracker.end(key);
  };
  const resolving = actions.flatMap((action) => resolve(action, unresolved));
  await runWorks(resolving, { unresolved, onPass: () => undefined }, context);
  const changed = new Set(resolving.map(({ action }) => action.key));
  const works = actions
    .filter(({ key }) => !unresolved.has(key))
    .map((action) => ({
      action: changed.has(action.key) ? examineHead(action) : action,
      attempts: 0,
    }));
  await runWorks(works, { unresolved, onPass: endOthers }, context);
  endOthers(new Set());
}

/** Returns the work that resolves an earlier request with an unknown outcome. The key is planned again after it. */
function resolve(action: Action, unresolved: Unresolved): readonly Work[] {
  const sent = unresolved.get(action.key);
  unresolved.delete(action.key);
  return sent ? [{ action: examineHead(action), attempts: 0, sent }] : [];
}

interface Passes {
  readonly unresolved: Unresolved;
  /** Called after each pass with the keys that need further steps. */
  readonly onPass: (continuing: ReadonlySet<string>) => void;
}

async function runWorks(
  first: readonly Work[],
  { unresolved, onPass }: Passes,
  context: PerformContext,
): Promise<void> {
  let works = first;
  for (let examinations = 0; works.length > 0;) {
    // Only examinations can repeat without end.
    if (works.some(({ action }) => action.kind === 'examine')) examinations++;
    if (examinations > EXAMINE_LIMIT) return giveUp(works, unresolved, context);
    const steps = await runPass(works, unresolved, context);
    works = steps.flatMap((step) => (step.is === 'again' ? step.works : []));
    onPass(new Set(works.map(({ action }) => action.key)));
  }
}

/** Runs one step of each work in a batch. Records the steps that succeeded even if another step ends the session. */
async function runPass(
  works: readonly Work[],
  unresolved: Unresolved,
  context: PerformContext,
): Promise<readonly Step[]> {
  const prepared = await all(works.map((work) => prepare(work, context)));
  const rows = prepared.done.flatMap((each) => (each.is === 'request' ? [each.row] : []));
  if (rows.length > 0 && !prepared.failure) await context.state.journal.begin(rows);
  const open = [...rows, ...works.flatMap((work) => work.sent ?? [])];
  const ended = rowsById(open);
  const sent = await all(
    prepared.done
      .filter((each) => each.is !== 'request' || !prepared.failure)
      .map(async (each) => prove(await send(each), ended, context)),
  );
  context.state.settle(sent.done.flatMap(({ settlement }) => settlement ?? []));
  // One transaction for all steps, because each released hold would otherwise need its own commit.
  context.state.together(() => {
    for (const step of sent.done) recordOutcome(step, context);
  });
  const failure = prepared.failure ?? sent.failure;
  if (failure) throw failure.reason;
  leaveOpen(open, sent.done, unresolved);
  return sent.done;
}

/** Remembers the journal rows that have not ended and that no further step handles. */
function leaveOpen(
  rows: readonly JournalRow[],
  steps: readonly Step[],
  unresolved: Unresolved,
): void {
  const carried = steps.flatMap((step) => (step.is === 'again' ? step.works : []));
  const known = new Set([
    ...steps.map(({ settlement }) => settlement?.journalId),
    ...carried.map(({ sent }) => sent?.id),
  ]);
  for (const row of rows) if (!known.has(row.id)) unresolved.set(row.key, row);
}

async function send(prepared: Prepared): Promise<Step> {
  return prepared.is === 'request' ? prepared.send() : prepared;
}

function rowsById(rows: readonly JournalRow[]): ReadonlyMap<string | undefined, JournalRow> {
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Proves the outcome of a step if the service ignores conditions. A failed proof is handled like a lost response: the
 * versions are read again.
 */
async function prove(
  step: Step,
  rows: ReadonlyMap<string | undefined, JournalRow>,
  context: PerformContext,
): Promise<Step> {
  const row = rows.get(step.settlement?.journalId);
  if (!row || context.guards.guarding !== 'proof') return step;
  return attempt({ ...examineAgain(row), sent: row }, context, () => proveStep(step, row, context));
}

async function all<T>(
  promises: readonly Promise<T>[],
): Promise<{ readonly done: readonly T[]; readonly failure?: PromiseRejectedResult }> {
  const results = await Promise.allSettled(promises);
  const failure = results.find((result) => result.status === 'rejected');
  return {
    done: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    ...(failure && { failure }),
  };
}

/** Records a step's problem, or clears the problems, holds and retries of a key whose baseline was written. */
function recordOutcome(step: Step, context: PerformContext): void {
  const { state, tracker, reads, retries, deferrals } = context;
  const { settlement } = step;
  if (step.is === 'settled' && step.problem) {
    tracker.setProblem(step.problem);
    retries.schedule(step.problem.path, 'refused');
  } else if (settlement && settlement.baseline !== 'keep') {
    const path = pathOfKey(settlement.key);
    tracker.clearProblem(path);
    tracker.clearHeld(settlement.key);
    state.held.release(settlement.key);
    state.heldChanges.release(settlement.key);
    state.forgotten.drop(settlement);
    if (settlement.journalId !== undefined && settlement.baseline !== 'drop')
      deferrals.made(settlement.key);
    else deferrals.forget(settlement.key);
    tracker.setDrifted(settlement.key, false);
    tracker.foreign.delete(settlement.key);
    retries.forget(path);
    if (settlement.baseline === 'drop') reads.forget(path);
  }
  if (step.activity) tracker.say(step.activity);
}

function giveUp(
  works: readonly Work[],
  unresolved: Unresolved,
  { tracker, retries }: PerformContext,
): void {
  for (const { action, sent } of works) {
    if (sent) unresolved.set(sent.key, sent);
    const path = pathOfKey(action.key);
    tracker.setProblem(changingProblem(path));
    retries.schedule(path, 'refused');
  }
}
