/** The restores of this daemon, by their ids: some go on when their caller is gone, and are found again. */

import type { Clock } from '../src/base/clock.ts';
import { defined } from '../src/base/defined.ts';
import { failureReason } from '../src/base/disk-error.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { Result } from '../src/control/messages.ts';

type Row = Result<'restores.list'>['runs'][number];

/** What is known of a run before it begins. */
export type RunSubject = Pick<Row, 'id' | 'job' | 'path' | 'at' | 'isUndo'>;

interface Run<T> {
  row: Row;
  readonly stop: AbortController;
  readonly outcome: Promise<T>;
}

/** Of those that have ended: as many as anybody looks back on. */
const ENDED_KEPT = 10;

export class RestoreRuns {
  readonly #clock: Clock;
  /** In the order of their beginnings. */
  readonly #runs = new Map<string, Run<Result<'restore.run'>>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the work, which is ended by `signal` too unless it `stays`. */
  async begin<T extends Result<'restore.run'>>(
    subject: RunSubject,
    { signal, stays }: { readonly signal: AbortSignal; readonly stays: boolean },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { id } = subject;
    if (this.#runs.get(id)?.row.state === 'running')
      throw new ControlError('Conflict', `restore: there is a run ${id} already`);
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

  /** What has come to be known of it. */
  note(id: string, facts: Partial<Row>): void {
    const run = this.#runs.get(id);
    if (run) run.row = { ...run.row, ...defined(facts) };
  }

  /** The latest first. */
  list(): Row[] {
    return [...this.#runs.values()].map(({ row }) => row).reverse();
  }

  /** Its result, once it has ended; rejects as it did. */
  wait(id: string): Promise<Result<'restore.run'>> {
    return this.#find(id).outcome;
  }

  stop(id: string): void {
    this.#find(id).stop.abort();
  }

  /** Ends all; what a restore has done stays, and another one goes on with it. */
  async close(): Promise<void> {
    const running = [...this.#runs.values()];
    for (const { stop } of running) stop.abort();
    await Promise.allSettled(running.map(({ outcome }) => outcome));
  }

  #find(id: string): Run<Result<'restore.run'>> {
    const run = this.#runs.get(id);
    if (run) return run;
    throw new ControlError('NotFound', `find restore ${id}: this daemon knows of none, or no more`);
  }

  #forgetOldest(): void {
    const ended = [...this.#runs].filter(([, { row }]) => row.state !== 'running');
    for (const [id] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT)))
      this.#runs.delete(id);
  }
}
