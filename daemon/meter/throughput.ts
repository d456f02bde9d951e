/** What all jobs move: the rate of the last minute, the sums of today, and news of transfers for who wants them. */

import type { Clock } from '../../src/base/clock.ts';
import type { Result } from '../../src/control/messages.ts';
import { RESERVED_FOLDER } from '../../src/mirror/model/local-path.ts';
import type { Activity } from '../../src/mirror/model/tracker.ts';
import type { EventLog } from '../event-log.ts';
import { JobMeter } from './job-meter.ts';
import { Rates } from './rates.ts';

/** Four times a second. */
const TELL_EVERY_MS = 250;

/** Told as `warn`, and no failure: something waits for the user. */
const NO_ERRORS = new Set(['conflict', 'held']);

export interface ThroughputOptions {
  readonly clock: Clock;
  readonly events: Pick<EventLog, 'isWanted'>;
  /** To be told of what a job moves now; at most four times a second, and only while somebody wants to know. */
  readonly tellTransfers: (job: string) => void;
}

export class Throughput {
  readonly #options: ThroughputOptions;
  readonly #all: Rates;
  readonly #meters = new Map<string, JobMeter>();
  readonly #untold = new Map<string, () => void>();
  #today: { since: number; bytes: number; versions: number; errors: number };
  #tomorrow: number;

  constructor(options: ThroughputOptions) {
    this.#options = options;
    this.#all = new Rates(options.clock);
    const since = options.clock.now();
    this.#today = { since, bytes: 0, versions: 0, errors: 0 };
    this.#tomorrow = midnightAfter(since);
  }

  /** Of the job of that name, also after it was changed. */
  meterOf(job: string): JobMeter {
    const known = this.#meters.get(job);
    if (known) return known;
    const meter = new JobMeter(this.#options.clock, {
      onMoved: () => this.#moved(job),
      onBytes: (bytes) => {
        this.#all.count(bytes);
        this.#ofToday().bytes += bytes;
      },
      onOperation: () => this.#all.count(0, 1),
      onVersion: (key) => {
        if (!isOfMirror(key)) this.#ofToday().versions += 1;
      },
    });
    this.#meters.set(job, meter);
    return meter;
  }

  noteActivity({ level, action }: Pick<Activity, 'action' | 'level'>): void {
    if (level !== 'info' && !NO_ERRORS.has(action)) this.#ofToday().errors += 1;
  }

  forget(job: string): void {
    this.#untold.get(job)?.();
    this.#untold.delete(job);
    this.#meters.delete(job);
  }

  told(): Result<'throughput'> {
    const jobs = [...this.#meters].map(([name, { rates }]) =>
      Object.assign({ name }, rates.average()),
    );
    return { samples: this.#all.samples(), jobs, today: { ...this.#ofToday() } };
  }

  #moved(job: string): void {
    const { clock, events, tellTransfers } = this.#options;
    if (this.#untold.has(job) || !events.isWanted('job.transfers')) return;
    const cancel = clock.after(TELL_EVERY_MS, () => {
      this.#untold.delete(job);
      tellTransfers(job);
    });
    this.#untold.set(job, cancel);
  }

  /** The sums of a new day begin with its first number. */
  #ofToday() {
    const now = this.#options.clock.now();
    if (now >= this.#tomorrow) {
      const since = new Date(now).setHours(0, 0, 0, 0);
      this.#today = { since, bytes: 0, versions: 0, errors: 0 };
      this.#tomorrow = midnightAfter(now);
    }
    return this.#today;
  }
}

function midnightAfter(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0);
}

/** What the mirror keeps for itself is no version of the user's. */
function isOfMirror(key: string): boolean {
  return key.includes(RESERVED_FOLDER) && key.split('/').includes(RESERVED_FOLDER);
}
