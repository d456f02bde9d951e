/** Reports the status of a job with pending changes again, because its lag grows although nothing else changes. */

import type { Clock } from '../../src/base/clock.ts';
import type { JobStatus } from '../../src/control/shapes.ts';

const REPORT_EVERY_MS = 5_000;

export class LateJobs {
  readonly #clock: Clock;
  readonly #report: (job: string) => void;
  readonly #scheduled = new Map<string, () => void>();

  /** `report` must report the current status of a job, if the job exists, and then call `reported`. */
  constructor(clock: Clock, report: (job: string) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Schedules the next report of a job whose status was reported now. */
  reported({ name, state, lagMs }: Pick<JobStatus, 'name' | 'state' | 'lagMs'>): void {
    this.#scheduled.get(name)?.();
    this.#scheduled.delete(name);
    if (lagMs === 0 || state === 'stopped') return;
    const run = () => {
      this.#scheduled.delete(name);
      this.#report(name);
    };
    this.#scheduled.set(name, this.#clock.after(REPORT_EVERY_MS, run));
  }
}
