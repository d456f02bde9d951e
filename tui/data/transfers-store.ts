/** The current transfers of all jobs, updated by events. An idle daemon sends no such events. */

import type { Clock } from '../../src/base/clock.ts';
import type { DaemonEvent } from '../../src/control/messages.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import type { Changes } from './changes.ts';
import type { DaemonLink } from './daemon-link.ts';

type TransfersEvent = Extract<DaemonEvent['event'], { type: 'job.transfers' }>;
export type TransferRow = TransfersEvent['transfers'][number];
export type Progress = NonNullable<JobStatus['progress']>;

/**
 * An update older than this is stale and no longer describes a running transfer. The daemon averages its rates over
 * five seconds.
 */
const STALE_MS = 6_000;

interface News {
  readonly heardAt: number;
  readonly transfers: readonly TransferRow[];
  readonly count: number;
  readonly progress: Progress | undefined;
  readonly scanned: number | undefined;
}

export class TransfersStore {
  readonly #link: DaemonLink;
  readonly #clock: Clock;
  readonly #changes: Changes;
  readonly #news = new Map<string, News>();
  readonly #listeners = new Set<() => void>();
  #cancel: (() => void) | undefined;

  constructor(link: DaemonLink, clock: Clock, changes: Changes) {
    this.#link = link;
    this.#clock = clock;
    this.#changes = changes;
    link.onState(() => this.#news.clear());
    link.listen(['job.transfers', 'job.changed', 'job.removed'], (event) => this.#heard(event));
  }

  /** Calls the listener after each change. Call the returned function to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns a job's transfers, oldest first. The daemon reports at most a hundred transfers per job. */
  of(job: string): readonly TransferRow[] {
    const news = this.#news.get(job);
    return news && !this.#isStale(news) ? news.transfers : [];
  }

  /** Returns the number of a job's transfers, including those that the daemon does not list. */
  countOf(job: string): number {
    return this.of(job).length === 0 ? 0 : (this.#news.get(job)?.count ?? 0);
  }

  /** Returns a job's progress, or undefined if the job has no pending work. */
  progressOf({ name, progress }: JobStatus): Progress | undefined {
    const news = this.#news.get(name);
    const last = news ? news.progress : progress;
    const isCurrent = news ? !this.#isStale(news) : this.#link.state.kind !== 'down';
    if (!last || isCurrent) return last;
    const { etaMs: _etaMs, ...known } = last;
    return { ...known, bytesPerSecond: 0, operationsPerSecond: 0 };
  }

  /**
   * Returns how many files a job's first scan has found so far. The total is unknown until the scan ends. Returns
   * undefined if no first scan is running.
   */
  firstScanOf({ name, lastRoundAt }: JobStatus): number | undefined {
    return lastRoundAt === undefined ? this.#news.get(name)?.scanned : undefined;
  }

  /** Returns the total transfer rate of the jobs, in bytes per second. */
  bytesPerSecond(jobs: readonly JobStatus[]): number {
    return jobs.reduce((sum, job) => sum + (this.progressOf(job)?.bytesPerSecond ?? 0), 0);
  }

  #isStale({ heardAt }: News): boolean {
    return this.#clock.monotonic() - heardAt >= STALE_MS;
  }

  #heard({ event }: DaemonEvent): void {
    const heardAt = this.#clock.monotonic();
    if (event.type === 'job.removed') {
      this.#news.delete(event.name);
    } else if (event.type === 'job.transfers') {
      const { transfers, count, progress, scanned } = event;
      this.#news.set(event.job, { heardAt, transfers, count, progress, scanned });
    } else if (event.type === 'job.changed') {
      const { transfers = [], count = 0, scanned } = this.#news.get(event.job.name) ?? {};
      const { progress } = event.job;
      this.#news.set(event.job.name, { heardAt, transfers, count, progress, scanned });
    }
    this.#lookAgain();
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
    this.#changes.soon();
  }

  /** Schedules a redraw for the time when the last update becomes stale. */
  #lookAgain(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(STALE_MS, () => this.#changed());
  }
}
