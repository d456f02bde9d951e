/**
 * Runs actions as a stream with a bounded number of files in progress, so that a slow file delays no other. Large files
 * have their own queue.
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
   * Starts the actions. No other action for their keys may be running. `since` is when the changes were first known.
   * Actions that are submitted as `first` overtake other waiting actions, but while others wait, every second action
   * that starts is one of those.
   */
  submit(actions: readonly Action[], since: number, order?: Order): void;
  /** Keys whose action no longer waits for its turn, so that its file may have been read. */
  readonly started: ReadonlySet<string>;
  /** Returns whether the queues can accept more actions, or more actions as `first`. */
  hasCapacity(order?: Order): boolean;
  /** Resolves when the queues can accept more actions, so that a scan does not run far ahead of the uploads. */
  waitForCapacity(): Promise<void>;
  /**
   * Resolves when all tasks with an awaited action are done; by default, all tasks. Never rejects: failures are passed
   * to `fail`.
   */
  idle(isAwaited?: (action: Action) => boolean): Promise<void>;
}

/** Files up to this size are held in memory from their hash to the end of their request. */
const SMALL_BYTES = 1024 * 1024;
/** Enough for all connections of a client, and some files that are read or settled meanwhile. */
const SMALL_AT_ONCE = 160;
/** Total size of the small files in progress. */
const SMALL_MEMORY_BYTES = 24 * 1024 * 1024;
const LARGE_AT_ONCE = 3;
/** Number of queued actions at which a scan pauses. A scan can find millions of actions. */
const SMALL_WAITING_LIMIT = 512;
/** Larger, because a scan that waits for large files also delays the small ones. */
const LARGE_WAITING_LIMIT = 4_096;

/**
 * Creates an executor. `fail` is called for errors that no step can handle, such as a service that is down or a failing
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
