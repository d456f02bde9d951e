/** Stores the restores of this daemon by ID. A restore can continue after its caller has disconnected. */

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { failureReason } from '../../src/base/disk-error.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Result } from '../../src/control/messages.ts';

type Row = Result<'restores.list'>['runs'][number];

/** The properties of a run that are known before it starts. */
export type RunSubject = Pick<Row, 'id' | 'job' | 'path' | 'paths' | 'at' | 'isUndo'>;

interface Run<T> {
  row: Row;
  readonly stop: AbortController;
  readonly outcome: Promise<T>;
}

/** The number of finished restores to keep. */
const ENDED_KEPT = 10;

export class RestoreRuns {
  readonly #clock: Clock;
  /** The running and finished restores by ID, oldest first. */
  readonly #runs = new Map<string, Run<Result<'restore.run'>>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs `work`. Its signal aborts when `stop` is called and, unless `stays` is true, when `signal` aborts. Throws
   * ControlError `Conflict` if a run with this ID is in progress.
   */
  async begin<T extends Result<'restore.run'>>(
    subject: RunSubject,
    { signal, stays }: { readonly signal: AbortSignal; readonly stays: boolean },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { id } = subject;
    if (this.#runs.get(id)?.row.state === 'running')
      throw new ControlError('Conflict', `cannot restore: run ${id} is already in progress`);
    const stop = new AbortController();
    const ends = stays ? stop.signal : AbortSignal.any([signal, stop.signal]);
    const outcome = work(ends);
    const row: Row = {
      ...subject,
      state: 'running',
      startedAt: this.#clock.now(),
      files: 0,
      bytes: 0,
    };
    this.#runs.delete(id);
    this.#runs.set(id, { row, stop, outcome });
    try {
      const result = await outcome;
      const { files, bytes, to, problemCount } = result;
      this.note(id, { state: 'done', files, bytes, to, problemCount });
      return result;
    } catch (error) {
      const state = ends.aborted ? 'stopped' : 'failed';
      this.note(id, { state, failure: failureReason(error) });
      throw error;
    } finally {
      this.note(id, { endedAt: this.#clock.now() });
      this.#forgetOldest();
    }
  }

  /** Updates the properties of a run. Does nothing if the run is unknown. */
  note(id: string, facts: Partial<Row>): void {
    const run = this.#runs.get(id);
    if (run) run.row = { ...run.row, ...defined(facts) };
  }

  /** Returns the running and finished restores, latest first. */
  list(): Row[] {
    return [...this.#runs.values()].map(({ row }) => row).reverse();
  }

  /**
   * Resolves with the result of a run, or rejects with its error. Throws ControlError `NotFound` for an unknown run.
   */
  wait(id: string): Promise<Result<'restore.run'>> {
    return this.#find(id).outcome;
  }

  stop(id: string): void {
    this.#find(id).stop.abort();
  }

  /** Stops all runs. Files that were already restored are kept, and the next restore does not download them again. */
  async close(): Promise<void> {
    const running = [...this.#runs.values()];
    for (const { stop } of running) stop.abort();
    await Promise.allSettled(running.map(({ outcome }) => outcome));
  }

  #find(id: string): Run<Result<'restore.run'>> {
    const run = this.#runs.get(id);
    if (run) return run;
    throw new ControlError('NotFound', `unknown restore ${id}: it ended earlier or never existed`);
  }

  #forgetOldest(): void {
    const ended = [...this.#runs].filter(([, { row }]) => row.state !== 'running');
    for (const [id] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT)))
      this.#runs.delete(id);
  }
}
