/**
 * Runs actions as a stream with a limited number of files in progress, so that a slow file does not delay others. Large
 * files have a queue of their own.
 */

import { ByteBudget } from '../../base/byte-budget.ts';
import { type Action, entryOf, transferOf } from '../plan/action.ts';
import { Lane } from './lane.ts';
import { inOrder, mayWait, tasksBefore } from './precedence.ts';
import { ActionRunner } from './run-action.ts';
import type { PerformContext } from './step-types.ts';

interface Order {
  readonly first: boolean;
}

export interface Executor {
  /**
   * Starts the actions. No other action may be running for their keys. `since` is when the changes were first noticed.
   * Actions that are submitted as `first` overtake the other waiting actions, but every second action that starts is
   * one of the overtaken actions.
   */
  submit(actions: readonly Action[], since: number, order?: Order): void;
  /** Keys with an action that has left the queue, so that the file may already have been read. */
  readonly started: ReadonlySet<string>;
  /**
   * Returns whether the queues can accept more actions; with `first`, whether they can accept more actions that
   * overtake others.
   */
  hasCapacity(order?: Order): boolean;
  /** Resolves when the queues can accept more actions, so that a scan does not run far ahead of the uploads. */
  waitForCapacity(): Promise<void>;
  /**
   * Resolves when all tasks with an awaited action are done. By default, all tasks are awaited. Never rejects, because
   * failures are passed to `fail`.
   */
  idle(isAwaited?: (action: Action) => boolean): Promise<void>;
}

/** Maximum size in bytes of a small file. Small files are held in memory from their hash until their request ends. */
const SMALL_BYTES = 1024 * 1024;
/**
 * Maximum number of small files in progress. It is enough for all of a client's connections, and some files that are
 * being read or settled.
 */
const SMALL_AT_ONCE = 160;
/** Maximum total size in bytes of the small files in progress. */
const SMALL_MEMORY_BYTES = 24 * 1024 * 1024;
const LARGE_AT_ONCE = 3;
/** Number of queued actions above which a scan pauses, because a scan can find millions of actions. */
const SMALL_WAITING_LIMIT = 512;
/**
 * Number of queued large files above which a scan pauses. It is larger, because a scan that waits for large files also
 * delays small files.
 */
const LARGE_WAITING_LIMIT = 4_096;

/**
 * Creates an executor. `fail` is called for errors that no step can handle, such as an unavailable service or a failing
 * disk.
 */
export function createExecutor(context: PerformContext, fail: (error: unknown) => void): Executor {
  const { turns, signal, state, tracker } = context;
  const small = new Lane({ atOnce: SMALL_AT_ONCE, limit: SMALL_WAITING_LIMIT });
  const large = new Lane({ atOnce: LARGE_AT_ONCE, limit: LARGE_WAITING_LIMIT });
  const memory = new ByteBudget(SMALL_MEMORY_BYTES);
  const runner = new ActionRunner(context);
  const running = new Map<Promise<void>, Action>();
  const started = new Set<string>();

  const track = (action: Action, work: Promise<unknown>) => {
    const task = work.then(() => undefined, fail).finally(() => running.delete(task));
    running.set(task, action);
  };
  const runInTurn = async (action: Action, isSmall: boolean) => {
    await turns.waitForPriority(signal);
    if (signal.aborted) return;
    const giveBack = isSmall ? await memory.take(transferOf(action), signal) : undefined;
    started.add(action.key);
    try {
      await runner.run(action);
    } finally {
      started.delete(action.key);
      giveBack?.();
    }
    tracker.end(action.key);
  };
  const run = (action: Action, order: Order) => {
    const isSmall = transferOf(action) <= SMALL_BYTES;
    const lane = isSmall ? small : large;
    const inTurn = () => runInTurn(action, isSmall);
    return lane.add(inTurn, order).finally(turns.announce());
  };
  const known = (key: string) => state.baseline.get(key);
  const submitInOrder = (actions: readonly Action[], order: Order) => {
    const { atOnce, later } = inOrder(actions, running, known);
    for (const action of atOnce) track(action, run(action, order));
    for (const { action, before } of tasksBefore(later, running, known))
      track(
        action,
        Promise.all(before).then(() => run(action, order)),
      );
  };
  return {
    started,
    submit(actions, since, order = { first: false }) {
      for (const action of actions) {
        const entry = entryOf(action);
        const work = { since, sizeBytes: transferOf(action), ...(entry && { entry }) };
        tracker.begin(action.key, work);
      }
      if (actions.some(mayWait)) submitInOrder(actions, order);
      else for (const action of actions) track(action, run(action, order));
    },
    hasCapacity({ first } = { first: false }) {
      return [small, large].every((lane) =>
        first ? lane.hasCapacityForFirst() : lane.hasCapacity(),
      );
    },
    async waitForCapacity() {
      await Promise.all([small.waitForCapacity(), large.waitForCapacity()]);
    },
    async idle(isAwaited = () => true) {
      const awaited = [...running].filter(([, action]) => isAwaited(action));
      await Promise.all(awaited.map(([task]) => task));
    },
  };
}
