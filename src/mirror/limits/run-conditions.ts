/**
 * Decides whether a job may run now, by its schedule, its daily window, power, network and free space. If the job may
 * not run, reports the reason.
 */

import { Cron } from 'croner';

import type { Clock } from '../../base/clock.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Standstill } from '../model/types.ts';
import type { Machine } from './machine.ts';
import type { JobLimitSettings } from '../model/limit-settings.ts';
import type { FreeSpace } from './free-space.ts';
import { isWithin, localTime, minuteOfDay, timeText } from './timetable.ts';

export interface RunConditionsOptions {
  readonly job: JobLimitSettings;
  readonly clock: Clock;
  /** Stores when the last full round ended. */
  readonly state: Pick<StateFile, 'meta' | 'setMeta'>;
  readonly machine: Machine | undefined;
  readonly freeSpace: FreeSpace | undefined;
  /** Called when the job may start to run, when it must stop, and when the reason for stopping changes. */
  readonly onChange: () => void;
}

/** Names of values in the job's state file. A session writes ROUND_DONE at the end of a full round. */
export const ROUND_DONE = 'first round done';
const SCHEDULE_SINCE = 'schedule since';

/** Maximum delay until a job notices an unplugged machine or a full disk, in milliseconds. */
const CHECK_EVERY_MS = 10_000;
const MIN_CHECK_DELAY_MS = 100;

export class RunConditions {
  readonly #options: RunConditionsOptions;
  readonly #cron: Cron | undefined;
  #overrides = 0;
  #logged: string | undefined;
  #cancelCheck: (() => void) | undefined;

  constructor(options: RunConditionsOptions) {
    this.#options = options;
    const { schedule } = options.job;
    this.#cron = schedule === undefined ? undefined : new Cron(schedule, { paused: true });
  }

  /** Starts the periodic checks if the job has any run condition. */
  start(): void {
    const { job, freeSpace } = this.#options;
    const isUnconditional = !this.#cron && !job.window && !this.#dependsOnMachine() && !freeSpace;
    if (!isUnconditional) this.#scheduleCheck();
  }

  close(): void {
    this.#cancelCheck?.();
  }

  /** Returns the reason why the job may not run; undefined if it may run. */
  standstill(): Standstill | undefined {
    const lacking = this.#options.freeSpace?.lacking();
    if (lacking !== undefined) return { state: 'no room', reason: lacking };
    if (this.#overrides > 0) return undefined;
    const reason = this.#outOfHours() ?? this.#notDue() ?? this.#powerOrNetwork();
    return reason === undefined ? undefined : { state: 'waiting', reason };
  }

  /**
   * Runs `work` that the user requested. Until it ends, schedule, daily window, power and network are ignored, and so
   * is the check whether the folder fits on the disk. The minimum of free space still applies.
   */
  async override<T>(work: () => Promise<T>): Promise<T> {
    this.#overrides++;
    this.#options.freeSpace?.checkFolder(0);
    this.check();
    try {
      return await work();
    } finally {
      this.#overrides--;
      this.check();
    }
  }

  get isOverridden(): boolean {
    return this.#overrides > 0;
  }

  /**
   * Checks the conditions now, and calls `onChange` if the reason has changed. Called after each round too, because a
   * job with a schedule then waits for its next run.
   */
  check(): void {
    const reason = this.standstill()?.reason;
    if (reason === this.#logged) return;
    this.#logged = reason;
    this.#options.onChange();
  }

  /**
   * Returns when the next scheduled run is due, in milliseconds since 1970; for a missed run, when it was due.
   * Undefined if no run is scheduled.
   */
  nextRunAt(): number | undefined {
    if (!this.#cron) return undefined;
    return this.#cron.nextRun(new Date(this.#lastRunAt()))?.getTime();
  }

  warnings(): readonly string[] {
    const { job, machine } = this.#options;
    const noEffect = (what: string, option: string) =>
      `cannot detect whether ${what}: ${option} has no effect`;
    return [
      ...(job.onBattery === 'pause' && machine?.isOnBattery() === undefined
        ? [noEffect('the machine runs on battery', 'onBattery')]
        : []),
      ...(job.onMetered === 'pause' && machine?.isMetered() === undefined
        ? [noEffect('the network is metered', 'onMetered')]
        : []),
    ];
  }

  #outOfHours(): string | undefined {
    const { job, clock } = this.#options;
    if (!job.window || isWithin(job.window, minuteOfDay(clock.now()))) return undefined;
    const { fromMinute, toMinute } = job.window;
    return `the job runs only from ${timeText(fromMinute)} to ${timeText(toMinute)} (window)`;
  }

  #notDue(): string | undefined {
    if (!this.#cron) return undefined;
    const at = this.nextRunAt();
    if (at !== undefined && at <= this.#options.clock.now()) return undefined;
    const { schedule = '' } = this.#options.job;
    return at === undefined
      ? `the schedule (${schedule}) has no more runs`
      : `the next run is at ${localTime(at)} (schedule: ${schedule})`;
  }

  #powerOrNetwork(): string | undefined {
    const { job, machine } = this.#options;
    if (job.onBattery === 'pause' && machine?.isOnBattery()) return 'the machine runs on battery';
    if (job.onMetered === 'pause' && machine?.isMetered()) return 'the network is metered';
    return undefined;
  }

  #dependsOnMachine(): boolean {
    const { onBattery, onMetered } = this.#options.job;
    return onBattery === 'pause' || onMetered === 'pause';
  }

  /**
   * Returns when the last full round ended, in milliseconds since 1970. If the job has never run, returns when its
   * schedule was first checked.
   */
  #lastRunAt(): number {
    const { state, clock } = this.#options;
    const known = state.meta(ROUND_DONE) ?? state.meta(SCHEDULE_SINCE);
    if (known !== undefined) return Number(known);
    state.setMeta(SCHEDULE_SINCE, String(clock.now()));
    return clock.now();
  }

  #scheduleCheck(): void {
    const { clock } = this.#options;
    const untilDue = (this.nextRunAt() ?? Number.POSITIVE_INFINITY) - clock.now();
    const waitMs = Math.min(
      CHECK_EVERY_MS,
      untilDue > 0 ? Math.max(untilDue, MIN_CHECK_DELAY_MS) : CHECK_EVERY_MS,
    );
    this.#cancelCheck = clock.after(waitMs, () => {
      this.check();
      this.#scheduleCheck();
    });
  }
}
