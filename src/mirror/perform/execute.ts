/**
 * Actions in lanes: small ones in batches that share their two commits, large ones alone, so that a file of
 * a terabyte never holds up one of a kilobyte. Intents are durable before the requests of their batch;
 * results and the end of the journal rows are one transaction after it.
 */

import PQueue from 'p-queue';

import { type Action, entryOf, notYetDone } from '../plan/action.ts';
import { prepare } from './perform.ts';
import { pathOfKey } from '../local/local-path.ts';
import type { PerformContext, Prepared, Step, Work } from './step.ts';

export interface Executor {
  /** Takes actions over; each key must not be under way. `since`: when the changes were first known. */
  submit(actions: readonly Action[], since: number): void;
  /** Starts what still waits for company. */
  flush(): void;
  /** Resolves when there is room for more, so that a scan does not run far ahead. */
  room(): Promise<void>;
  /** Resolves when all that was submitted before is over; never rejects: `fail` was told. */
  idle(): Promise<void>;
}

/** Batches are this large while bodies are read into memory. */
const BATCH_ACTIONS = 64;
const BATCH_BYTES = 8 * 1024 * 1024;
const SMALL_BYTES = 1024 * 1024;
const SMALL_BATCHES_AT_ONCE = 3;
const LARGE_AT_ONCE = 3;
/** Batches waiting in a lane before a scan waits too: actions are small, but there may be millions. */
const WAITING_LIMIT = 64;
/** Heads that differ again each time they are looked at are someone else's race. */
const TURNS_LIMIT = 8;

/** `fail` is told of what no later step can answer: the service is down, or our own disk. */
export function createExecutor(context: PerformContext, fail: (error: unknown) => void): Executor {
  const small = new PQueue({ concurrency: SMALL_BATCHES_AT_ONCE });
  const large = new PQueue({ concurrency: LARGE_AT_ONCE });
  const running = new Set<Promise<void>>();
  let batch: Action[] = [];
  let batchBytes = 0;

  const start = (lane: PQueue, actions: readonly Action[]) => {
    const task = lane
      .add(() => (context.signal.aborted ? undefined : runBatch(actions, context)))
      .catch(fail)
      .finally(() => running.delete(task));
    running.add(task);
  };
  const flush = () => {
    if (batch.length === 0) return;
    start(small, batch);
    batch = [];
    batchBytes = 0;
  };
  return {
    flush,
    submit(actions, since) {
      for (const action of actions) {
        const entry = entryOf(action);
        const sizeBytes = entry?.sizeBytes ?? 0;
        if (notYetDone(action) === undefined)
          context.tracker.begin(action.key, { since, sizeBytes, ...(entry && { entry }) });
        if (sizeBytes > SMALL_BYTES) {
          start(large, [action]);
          continue;
        }
        batch.push(action);
        batchBytes += sizeBytes;
        if (batch.length >= BATCH_ACTIONS || batchBytes >= BATCH_BYTES) flush();
      }
    },
    async room() {
      await Promise.all([
        small.onSizeLessThan(WAITING_LIMIT),
        large.onSizeLessThan(BATCH_ACTIONS * WAITING_LIMIT),
      ]);
    },
    async idle() {
      flush();
      await Promise.all(running);
    },
  };
}

async function runBatch(actions: readonly Action[], context: PerformContext): Promise<void> {
  let works: readonly Work[] = actions.map((action) => ({ action, attempts: 0 }));
  for (let turn = 0; works.length > 0; turn++) {
    if (turn === TURNS_LIMIT) return giveUp(works, context);
    const steps = await runTurn(works, context);
    works = steps.flatMap((step) => (step.is === 'again' ? step.works : []));
    const goesOn = new Set(works.map(({ action }) => action.key));
    for (const { key } of actions) if (!goesOn.has(key)) context.tracker.end(key);
  }
}

/** One turn of a batch. What succeeded is settled even when its neighbour ends the session. */
async function runTurn(works: readonly Work[], context: PerformContext): Promise<readonly Step[]> {
  const prepared = await all(works.map((work) => prepare(work, context)));
  const rows = prepared.done.flatMap((each) => (each.is === 'request' ? [each.row] : []));
  if (rows.length > 0 && !prepared.failure) context.state.journal.begin(rows);
  const sent = await all(
    prepared.done
      .filter((each) => each.is !== 'request' || !prepared.failure)
      .map((each) => send(each)),
  );
  context.state.settle(sent.done.flatMap(({ settlement }) => settlement ?? []));
  for (const step of sent.done) report(step, context);
  const failure = prepared.failure ?? sent.failure;
  if (failure) throw failure.reason;
  return sent.done;
}

async function send(prepared: Prepared): Promise<Step> {
  return prepared.is === 'request' ? prepared.send() : prepared;
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

/** A key whose baseline was written is in order again, but for what the step itself says. */
function report(step: Step, { state, tracker, retries }: PerformContext): void {
  const { settlement } = step;
  if (step.is === 'settled' && step.problem) {
    tracker.setProblem(step.problem);
    retries.later(step.problem.path, 'refused');
  } else if (settlement && settlement.baseline !== 'keep') {
    const path = pathOfKey(settlement.key);
    tracker.clearProblem(path);
    tracker.clearHeld(settlement.key);
    state.held.release(settlement.key);
    state.heldDeletes.release(settlement.key);
    tracker.setDrifted(settlement.key, false);
    retries.forget(path);
  }
  if (step.told) tracker.say(step.told);
}

function giveUp(works: readonly Work[], { tracker, retries }: PerformContext): void {
  for (const { action } of works) {
    const path = pathOfKey(action.key);
    const message = `mirror ${path}: its object keeps changing in the bucket; it will be tried again`;
    tracker.setProblem({ path, code: 'failed', message });
    tracker.end(action.key);
    retries.later(path, 'refused');
  }
}
