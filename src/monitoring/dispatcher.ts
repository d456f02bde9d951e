/**
 * Runs the pending actions of alarms, each at least once. The transaction that changes an alarm's state adds a row for
 * each action. The transaction that records the action's outcome removes the row. After a crash between these
 * transactions, the action runs again with the same transition ID, but at most `MAX_BEGUN` times.
 */

import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Outcome } from './actions/outcome.ts';
import { actionText } from './actions/perform.ts';
import type { PendingAction } from './alarm-table.ts';
import type { AlarmAction, Transition } from './alarm.ts';
import type { Tables } from './tables.ts';

export type Perform = (
  action: AlarmAction,
  transition: Transition,
  signal: AbortSignal,
) => Promise<Outcome>;

export interface DispatcherOptions {
  readonly tables: Tables;
  readonly perform: Perform;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The maximum number of actions that run at the same time. An alarm has at most fifteen actions.
 */
const MAX_RUNNING = 8;

/** The delays between the attempts to run an action. The last attempt starts about 13 minutes after the first. */
export const RETRY_AFTER_MS: readonly number[] = [1, 5, 30, 120, 600].map(
  (seconds) => seconds * 1000,
);

/**
 * The maximum number of attempts to run an action. If the last attempt has no outcome, the action probably crashes the
 * process.
 */
export const MAX_BEGUN = RETRY_AFTER_MS.length + 1;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new Map<number, Promise<void>>();
  /**
   * The IDs of actions whose start or outcome could not be recorded. Without this set, these
   * actions would start again immediately.
   */
  readonly #unrecorded = new Set<number>();
  readonly #stopping = new AbortController();
  #cancelTimer: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Starts the actions that are due, and sets a timer for the next action. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancelTimer?.();
    try {
      this.#beginDue();
    } catch (error) {
      const reason = errorMessage(error);
      this.#options.logger.error({ reason }, 'cannot read the pending actions of alarms');
    }
  }

  #beginDue(): void {
    const now = this.#options.clock.now();
    const waiting = this.#options.tables.alarms.pending().filter((each) => this.#isWaiting(each));
    for (const pending of waiting) {
      if (this.#running.size >= MAX_RUNNING) return;
      if (waitMs(pending, now) === 0) this.#begin(pending);
    }
    const waits = waiting.map((pending) => waitMs(pending, now)).filter((ms) => ms > 0);
    if (waits.length === 0) return;
    this.#cancelTimer = this.#options.clock.after(Math.min(...waits), () => this.wake());
  }

  #isWaiting({ pendingId }: PendingAction): boolean {
    return !this.#running.has(pendingId) && !this.#unrecorded.has(pendingId);
  }

  /**
   * Stops the running actions. They run again after the next start. Resolves when the actions have
   * ended.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelTimer?.();
    await Promise.all(this.#running.values());
  }

  #begin(pending: PendingAction): void {
    const { logger } = this.#options;
    const run = this.#run(pending).catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      this.#unrecorded.add(pending.pendingId);
      logger.error(
        { reason: errorMessage(error) },
        'cannot run an action of an alarm: it is retried after the next start',
      );
    });
    const over = run.finally(() => {
      this.#running.delete(pending.pendingId);
      this.wake();
    });
    this.#running.set(pending.pendingId, over);
  }

  async #run(pending: PendingAction): Promise<void> {
    const { tables, perform } = this.#options;
    const { pendingId, action, transition, attempts } = pending;
    if (attempts >= MAX_BEGUN)
      return this.#end(pending, 'given up: Holdfast ended during each attempt');
    if (!tables.durably(() => tables.alarms.begin(pendingId))) return;
    const outcome = await perform(action, transition, this.#stopping.signal);
    const retryMs = outcome.mayRetry === true ? RETRY_AFTER_MS[attempts] : undefined;
    if (outcome.ok) return this.#end(pending, `done: ${outcome.said}`);
    this.#options.logger.warn(
      { alarm: transition.alarm.name, action: actionText(action), said: outcome.said },
      'an action of an alarm failed',
    );
    if (retryMs === undefined) return this.#end(pending, `failed: ${outcome.said}`);
    this.#postpone(pending, retryMs, outcome.said);
  }

  #end(pending: PendingAction, said: string): void {
    const { tables } = this.#options;
    tables.durably(() => {
      if (tables.alarms.end(pending.pendingId)) this.#note(pending, said);
    });
  }

  #postpone(pending: PendingAction, retryMs: number, said: string): void {
    const { tables, clock } = this.#options;
    tables.durably(() => {
      const exists = tables.alarms.postpone(pending.pendingId, clock.now() + retryMs);
      if (exists) this.#note(pending, `failed, retry in ${retryMs / 1000} s: ${said}`);
    });
  }

  #note({ alarmId, action, transition }: PendingAction, said: string): void {
    const summary = `${transition.to}, ${actionText(action)}: ${said}`;
    this.#options.tables.alarms.note(alarmId, {
      at: this.#options.clock.now(),
      kind: 'action',
      summary,
    });
  }
}

/**
 * Returns the milliseconds until the action is due. Returns 0 if the result would exceed the longest retry delay. In
 * that case, the clock was set back, and the action must not wait until the clock has caught up.
 */
function waitMs({ dueAt }: PendingAction, now: number): number {
  const ms = dueAt - now;
  return ms > Math.max(...RETRY_AFTER_MS) ? 0 : Math.max(0, ms);
}
