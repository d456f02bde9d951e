/** Whether a job may work now, and if not, why: its schedule, its part of the day, the machine's power and network, the disk. */

import { Cron } from 'croner';

import type { Clock } from '../../base/clock.ts';
import type { StateFile } from '../state/state.ts';
import type { Standstill } from '../model/types.ts';
import type { Machine } from './machine.ts';
import type { JobLimitSettings } from '../model/limit-settings.ts';
import type { FreeSpace } from './free-space.ts';
import { isWithin, localTime, minuteOfDay, timeText } from './timetable.ts';

export interface RunConditionsOptions {
  readonly job: JobLimitSettings;
  readonly clock: Clock;
  /** When the last full round was over. */
  readonly state: Pick<StateFile, 'meta' | 'setMeta'>;
  readonly machine: Machine | undefined;
  readonly room: FreeSpace | undefined;
  /** Told when it opens, closes, or is closed for another reason. */
  readonly onChange: () => void;
}

/** Names of rows in the state's `meta`; of the first, a session writes when a full round is over. */
export const ROUND_DONE = 'first round done';
const SCHEDULE_SINCE = 'schedule since';

/** A machine that is unplugged, or a disk that fills, is noticed within this time. */
const LOOK_EVERY_MS = 10_000;
const LEAST_LOOK_MS = 100;

export class RunConditions {
  readonly #options: RunConditionsOptions;
  readonly #cron: Cron | undefined;
  #overrides = 0;
  #logged: string | undefined;
  #stopLooking: (() => void) | undefined;

  constructor(options: RunConditionsOptions) {
    this.#options = options;
    const { schedule } = options.job;
    this.#cron = schedule === undefined ? undefined : new Cron(schedule, { paused: true });
  }

  /** Begins to look by itself, where there is something to look at. */
  start(): void {
    const { job, room } = this.#options;
    const isFree = !this.#cron && !job.window && !this.#asksMachine() && !room;
    if (!isFree) this.#lookLater();
  }

  close(): void {
    this.#stopLooking?.();
  }

  /** Undefined while the job may work. */
  rest(): Standstill | undefined {
    const lacking = this.#options.room?.lacking();
    if (lacking !== undefined) return { state: 'no room', reason: lacking };
    if (this.#overrides > 0) return undefined;
    const reason = this.#outOfHours() ?? this.#notDue() ?? this.#sparing();
    return reason === undefined ? undefined : { state: 'waiting', reason };
  }

  /**
   * For what somebody asked for by name: until `work` is over neither schedule, hours, power nor network count, nor
   * that a first round may not fit.
   */
  async override<T>(work: () => Promise<T>): Promise<T> {
    this.#overrides++;
    this.#options.room?.checkFolder(0);
    this.look();
    try {
      return await work();
    } finally {
      this.#overrides--;
      this.look();
    }
  }

  get isOverridden(): boolean {
    return this.#overrides > 0;
  }

  /** Looks now; a round may have been what the job waited for. */
  look(): void {
    const reason = this.rest()?.reason;
    if (reason === this.#logged) return;
    this.#logged = reason;
    this.#options.onChange();
  }

  /** When the schedule has its next run, or had one that is to be made up for; milliseconds since 1970. */
  nextRunAt(): number | undefined {
    if (!this.#cron) return undefined;
    return this.#cron.nextRun(new Date(this.#lastRunAt()))?.getTime();
  }

  warnings(): readonly string[] {
    const { job, machine } = this.#options;
    const untold = (what: string, option: string) =>
      `nothing tells here whether ${what}: ${option} has no effect`;
    return [
      ...(job.onBattery === 'pause' && machine?.isOnBattery() === undefined
        ? [untold('the machine runs on battery', 'onBattery')]
        : []),
      ...(job.onMetered === 'pause' && machine?.isMetered() === undefined
        ? [untold('the network is metered', 'onMetered')]
        : []),
    ];
  }

  #outOfHours(): string | undefined {
    const { job, clock } = this.#options;
    if (!job.window || isWithin(job.window, minuteOfDay(clock.now()))) return undefined;
    const { fromMinute, toMinute } = job.window;
    return `it works from ${timeText(fromMinute)} to ${timeText(toMinute)} only`;
  }

  #notDue(): string | undefined {
    if (!this.#cron) return undefined;
    const at = this.nextRunAt();
    if (at !== undefined && at <= this.#options.clock.now()) return undefined;
    const { schedule = '' } = this.#options.job;
    return at === undefined
      ? `its schedule (${schedule}) has no more runs`
      : `until ${localTime(at)}, by its schedule (${schedule})`;
  }

  #sparing(): string | undefined {
    const { job, machine } = this.#options;
    if (job.onBattery === 'pause' && machine?.isOnBattery()) return 'the machine runs on battery';
    if (job.onMetered === 'pause' && machine?.isMetered()) return 'the network is metered';
    return undefined;
  }

  #asksMachine(): boolean {
    const { onBattery, onMetered } = this.#options.job;
    return onBattery === 'pause' || onMetered === 'pause';
  }

  /** Of a job that never ran: when its schedule was first looked at. */
  #lastRunAt(): number {
    const { state, clock } = this.#options;
    const known = state.meta(ROUND_DONE) ?? state.meta(SCHEDULE_SINCE);
    if (known !== undefined) return Number(known);
    state.setMeta(SCHEDULE_SINCE, String(clock.now()));
    return clock.now();
  }

  #lookLater(): void {
    const { clock } = this.#options;
    const untilDue = (this.nextRunAt() ?? Number.POSITIVE_INFINITY) - clock.now();
    const waitMs = Math.min(
      LOOK_EVERY_MS,
      untilDue > 0 ? Math.max(untilDue, LEAST_LOOK_MS) : LOOK_EVERY_MS,
    );
    this.#stopLooking = clock.after(waitMs, () => {
      this.look();
      this.#lookLater();
    });
  }
}
