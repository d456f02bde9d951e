/** Aggregates the meters of all jobs: the rates of the last minute, today's totals, and events for subscribers. */

import type { Clock } from '../../src/base/clock.ts';
import type { Result } from '../../src/control/messages.ts';
import type { Activity } from '../../src/mirror/model/tracker.ts';
import type { EventLog } from '../control/event-log.ts';
import { isOfMirror, JobMeter } from './job-meter.ts';
import { Rates } from './rates.ts';

/** The interval of events about a job's transfers. */
const TRANSFERS_EVERY_MS = 250;

/** Activities with level `warn` that are not failures, because they only wait for a decision of the user. */
const NO_ERRORS = new Set(['conflict', 'held']);

export interface ThroughputOptions {
  readonly clock: Clock;
  readonly events: Pick<EventLog, 'isWanted'>;
  /**
   * Sends the current transfers of a job, and returns whether the job is still working. Called at most every 250 ms,
   * and only while a client is subscribed. While a job is working, it is also called without transfers.
   */
  readonly reportTransfers: (job: string) => boolean;
}

/** What a job has transferred since its meter was created. */
export interface Transferred {
  readonly bytes: number;
  readonly operations: number;
  /** The number of versions that the job has created. */
  readonly versions: number;
}

export class Throughput {
  readonly #options: ThroughputOptions;
  readonly #all: Rates;
  readonly #meters = new Map<string, JobMeter>();
  readonly #transferred = new Map<string, { -readonly [K in keyof Transferred]: number }>();
  readonly #scheduled = new Map<string, () => void>();
  #today: { since: number; bytes: number; readBytes: number; versions: number; errors: number };
  #tomorrow: number;

  constructor(options: ThroughputOptions) {
    this.#options = options;
    this.#all = new Rates(options.clock);
    const since = options.clock.now();
    this.#today = { since, bytes: 0, readBytes: 0, versions: 0, errors: 0 };
    this.#tomorrow = midnightAfter(since);
  }

  /** Returns the meter of a job. A job whose configuration has changed keeps its meter. */
  meterOf(job: string): JobMeter {
    const known = this.#meters.get(job);
    if (known) return known;
    const transferred = { bytes: 0, operations: 0, versions: 0 };
    const meter = new JobMeter(this.#options.clock, {
      onMoved: () => this.moved(job),
      onBytes: (bytes, isRead) => {
        if (!isRead) this.#all.count(bytes);
        this.#ofToday()[isRead ? 'readBytes' : 'bytes'] += bytes;
        transferred.bytes += bytes;
      },
      onOperation: () => {
        this.#all.count(0, 1);
        transferred.operations += 1;
      },
      onVersion: (key) => {
        if (isOfMirror(key)) return;
        this.#ofToday().versions += 1;
        transferred.versions += 1;
      },
    });
    this.#meters.set(job, meter);
    this.#transferred.set(job, transferred);
    return meter;
  }

  noteActivity({ level, action }: Pick<Activity, 'action' | 'level'>): void {
    if (level !== 'info' && !NO_ERRORS.has(action)) this.#ofToday().errors += 1;
  }

  forget(job: string): void {
    this.#scheduled.get(job)?.();
    this.#scheduled.delete(job);
    this.#meters.delete(job);
    this.#transferred.delete(job);
  }

  /** Returns what each job has transferred, by job name. */
  transferred(): ReadonlyMap<string, Transferred> {
    return this.#transferred;
  }

  summary(): Result<'throughput'> {
    const jobs = [...this.#meters].map(([name, { rates }]) =>
      Object.assign({ name }, rates.average()),
    );
    return { samples: this.#all.samples(), jobs, today: { ...this.#ofToday() } };
  }

  /** Schedules a report of the job's transfers, because they have changed or the job has started to work. */
  moved(job: string): void {
    const { clock, events, reportTransfers } = this.#options;
    if (this.#scheduled.has(job) || !events.isWanted('job.transfers')) return;
    const cancel = clock.after(TRANSFERS_EVERY_MS, () => {
      this.#scheduled.delete(job);
      if (reportTransfers(job)) this.moved(job);
    });
    this.#scheduled.set(job, cancel);
  }

  /** Returns today's totals. The first call of a day resets them. */
  #ofToday() {
    const now = this.#options.clock.now();
    if (now >= this.#tomorrow) {
      const since = new Date(now).setHours(0, 0, 0, 0);
      this.#today = { since, bytes: 0, readBytes: 0, versions: 0, errors: 0 };
      this.#tomorrow = midnightAfter(now);
    }
    return this.#today;
  }
}

function midnightAfter(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0);
}
