/**
 * Applies the lifecycle rules of all buckets once a day after midnight UTC, and on request. A run scans the versions in
 * slices and pauses between them, so that the store stays responsive. The actions of a slice are one transaction, which
 * also stores the run's position, so that the run resumes after a restart.
 */

import type { Database, Statement } from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorMessage, isAbort } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { midnightAfter, midnightBefore } from '../../object-store/rules/lifecycle-evaluation.ts';
import { noSuchBucket } from '../disk/refusals.ts';
import { Pacer } from '../maintenance/pacer.ts';
import type { TrustedTime } from '../clock/trusted-time.ts';
import type { RunCommand } from '../writes/writer.ts';
import { Candidates, type Slice } from './candidates.ts';
import { BEGINNING, formatPosition, parsePosition, type Position } from './position.ts';
import { type LifecycleRun, NOTHING_DONE, RUN_COLUMNS } from '../schema/lifecycle-run.ts';
import { plannedOf, type PlannedChange, targetsOf } from './targets.ts';

export interface PreviewRequest {
  /** The time for which to evaluate the rules, in milliseconds since 1970. By default, the trusted time. */
  readonly at?: number;
  /** The only bucket to include. If absent, all buckets are included. */
  readonly bucket?: string;
  /** The approximate maximum number of changes. It can be exceeded, because a slice is returned whole. */
  readonly limit: number;
  /** The value of `next` in the previous page. */
  readonly after?: string;
}

export interface Preview {
  readonly changes: readonly PlannedChange[];
  readonly looked: number;
  /** The time for which the rules were evaluated, in milliseconds since 1970. */
  readonly at: number;
  /** The position of the next page. Absent when the scan is complete; present otherwise, even if `changes` is empty. */
  readonly next?: string;
}

export interface StoreLifecycle {
  /** Resumes the unfinished lifecycle run or starts a new one. Returns the record of the run. */
  run(): Promise<LifecycleRun>;
  /** Returns the records of the last lifecycle runs, newest first. */
  runs(limit: number): readonly LifecycleRun[];
  /** Registers a listener that is called after each lifecycle run. */
  onRun(listener: (run: LifecycleRun) => void): void;
  /**
   * Returns the changes that a lifecycle run would make, and makes none. Throws `NoSuchBucket`, and `InvalidArgument`
   * if `after` is not valid.
   */
  preview(request: PreviewRequest, signal?: AbortSignal): Promise<Preview>;
}

/**
 * The delay before the first check whether a run is due, because other components need the disk when the store opens.
 */
const FIRST_LOOK_MS = 5 * 60 * 1000;
/**
 * The maximum time between two checks whether a run is due. The checks notice that the clock was set past midnight, and
 * they retry a failed run.
 */
const LOOK_EVERY_MS = 3600 * 1000;

/** The number of scanned rows after which the position is stored even if nothing was changed. */
const SAVE_ROWS = 50_000;
/** The maximum number of rows that one page of a preview scans. */
const MAX_PREVIEW_ROWS = 100_000;

interface LifecycleOptions {
  readonly database: Database;
  readonly run: RunCommand;
  readonly trustedTime: Pick<TrustedTime, 'read'>;
  /** The length of a day; see `lifecycleDayMs` of `UpkeepSettings`. */
  readonly dayMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Lifecycle implements StoreLifecycle {
  readonly #options: LifecycleOptions;
  readonly #candidates: Candidates;
  readonly #runs: Statement<[number], LifecycleRun>;
  readonly #bucketId: Statement<[string], number>;
  readonly #stop = new AbortController();
  #cancelLook: (() => void) | undefined;
  readonly #listeners: ((run: LifecycleRun) => void)[] = [];
  #running: Promise<LifecycleRun> | undefined;

  constructor(options: LifecycleOptions) {
    const { database } = options;
    this.#options = options;
    this.#candidates = new Candidates(database, options.dayMs);
    this.#runs = database.prepare(
      `SELECT ${RUN_COLUMNS} FROM lifecycle_run ORDER BY run_id DESC LIMIT ?`,
    );
    this.#bucketId = database
      .prepare<[string], number>('SELECT bucket_id FROM bucket WHERE name = ?')
      .pluck();
  }

  /** Starts the periodic check whether a lifecycle run is due. */
  start(): void {
    this.#lookAfter(Math.min(FIRST_LOOK_MS, this.#options.dayMs ?? FIRST_LOOK_MS));
  }

  /** Stops the running lifecycle run and cancels the next check. Must be called before the writer closes. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancelLook?.();
    await this.#running?.catch(() => undefined);
  }

  runs(limit: number): readonly LifecycleRun[] {
    return this.#runs.all(limit);
  }

  run(): Promise<LifecycleRun> {
    return this.#once('asked');
  }

  onRun(listener: (run: LifecycleRun) => void): void {
    this.#listeners.push(listener);
  }

  async preview(
    { at = this.#now(), bucket, limit, after }: PreviewRequest,
    signal: AbortSignal = this.#stop.signal,
  ): Promise<Preview> {
    const only = bucket === undefined ? undefined : this.#existing(bucket);
    const pacer = this.#pacer(AbortSignal.any([signal, this.#stop.signal]));
    const changes: PlannedChange[] = [];
    let next: Position | undefined = after === undefined ? BEGINNING : parsePosition(after);
    let looked = 0;
    while (next && changes.length < limit && looked < MAX_PREVIEW_ROWS) {
      const slice: Slice = this.#candidates.slice(next, at, only);
      changes.push(...plannedOf(slice));
      looked += slice.looked;
      next = slice.next;
      await pacer.pace(0);
    }
    return { changes, looked, at, ...defined({ next: next && formatPosition(next) }) };
  }

  #lookAfter(ms: number): void {
    if (this.#stop.signal.aborted) return;
    this.#cancelLook = this.#options.clock.after(ms, () => {
      void this.#look().then(() => {
        const now = this.#now();
        this.#lookAfter(Math.min(LOOK_EVERY_MS, midnightAfter(now, this.#options.dayMs) - now));
      });
    });
  }

  async #look(): Promise<void> {
    try {
      if (this.#isDue()) await this.#once('daily');
    } catch (error) {
      if (isAbort(error)) return;
      const reason = errorMessage(error);
      this.#options.logger.error({ reason }, 'run lifecycle: failed, continues within the hour');
    }
  }

  /**
   * Returns whether a lifecycle run must be started or resumed. A new run is due if no run has taken place today and a
   * bucket has rules. If no bucket has rules, no run is started or recorded.
   */
  #isDue(): boolean {
    const last = this.runs(1)[0];
    if (last && last.finishedAt === null) return true;
    const { dayMs } = this.#options;
    const today = midnightBefore(this.#now(), dayMs);
    // Also run if the last run has a later date. In that case, the clock was set back, and the rules must not wait
    // until that date.
    if (last && midnightBefore(last.judgedAt, dayMs) === today) return false;
    return this.#candidates.slice(BEGINNING, today).next !== undefined;
  }

  #once(cause: LifecycleRun['cause']): Promise<LifecycleRun> {
    this.#running ??= this.#runAll(cause).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runAll(cause: LifecycleRun['cause']): Promise<LifecycleRun> {
    const { run: command, clock, logger } = this.#options;
    let run = this.#begin(cause);
    const pacer = this.#pacer(this.#stop.signal);
    let position: Position | undefined =
      run.position === null ? BEGINNING : parsePosition(run.position);
    let savedRows = run.looked;
    while (position) {
      await pacer.pace(0);
      const slice: Slice = this.#candidates.slice(position, Math.min(run.judgedAt, this.#now()));
      position = slice.next;
      run = progressed(run, slice);
      const targets = targetsOf(slice);
      if (targets.length === 0 && run.looked - savedRows < SAVE_ROWS) continue;
      run = await command('runLifecycle', { run, targets });
      savedRows = run.looked;
    }
    run = await command('runLifecycle', { run: { ...run, finishedAt: clock.now() }, targets: [] });
    logger.info({ ...run }, 'run lifecycle: finished');
    for (const listener of this.#listeners) listener(run);
    return run;
  }

  /** Returns the unfinished run, or a new one. A new run is stored together with its first actions. */
  #begin(cause: LifecycleRun['cause']): LifecycleRun {
    const last = this.runs(1)[0];
    if (last && last.finishedAt === null) return last;
    return {
      ...NOTHING_DONE,
      runId: (last?.runId ?? 0) + 1,
      cause,
      startedAt: this.#options.clock.now(),
      finishedAt: null,
      judgedAt: this.#now(),
      position: null,
    };
  }

  #now(): number {
    return this.#options.trustedTime.read().trustedNow;
  }

  #pacer(signal: AbortSignal): Pacer {
    return new Pacer(this.#options.clock, Number.POSITIVE_INFINITY, signal);
  }

  #existing(bucket: string): number {
    const bucketId = this.#bucketId.get(bucket);
    if (bucketId === undefined) throw noSuchBucket(bucket);
    return bucketId;
  }
}

/**
 * Returns the run with its next position. The run includes the counts that are known before the slice's actions:
 * checked and locked versions.
 */
function progressed(run: LifecycleRun, { looked, versions, next }: Slice): LifecycleRun {
  return {
    ...run,
    looked: run.looked + looked,
    held: run.held + versions.filter(({ held }) => held).length,
    position: next ? formatPosition(next) : null,
  };
}
