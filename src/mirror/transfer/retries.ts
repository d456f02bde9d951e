/** Records which paths could not be mirrored, and when each path is retried. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { backOffMs, RETRY } from '../model/retry-policy.ts';

/**
 * Why a path is retried. `undeleted`: the file no longer exists, but the service refused to delete the object.
 * `unweighed`: the file no longer exists, and whether its object may be deleted is decided later.
 */
type Why = 'busy' | 'refused' | 'undeleted' | 'unweighed';

interface PendingRetry {
  readonly why: Why;
  /** When the path first failed, in milliseconds since 1970. */
  readonly since: number;
  readonly tries: number;
  readonly dueAt: number;
  /** Inode number of a file that could not be read. */
  readonly inode?: number;
  readonly cancel: () => void;
}

const POLICIES = {
  busy: RETRY.busyFile,
  unweighed: RETRY.busyFile,
  refused: RETRY.refusedPath,
  undeleted: RETRY.refusedPath,
};

/** Number of failed stable reads after which a snapshot is uploaded. */
const SNAPSHOT_AFTER_TRIES = 5;
const SNAPSHOT_AFTER_MS = 10 * 60_000;

export class Retries {
  readonly #clock: Clock;
  readonly #due: (path: string) => void;
  readonly #pending = new Map<string, PendingRetry>();
  readonly #unread = new Map<number, string>();

  constructor(clock: Clock, due: (path: string) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /**
   * Schedules a retry of the path. The delay grows with each failure, except if an urgent request caused the attempt
   * before it was due. `inode` is set for a file that could not be read.
   */
  schedule(path: string, why: Why, inode?: number): void {
    const before = this.#pending.get(path);
    this.forget(path);
    const isEarly = before !== undefined && before.dueAt > this.#clock.monotonic();
    const tries = isEarly ? before.tries : (before?.tries ?? 0) + 1;
    const waitMs = backOffMs(POLICIES[why], tries);
    const cancel = this.#clock.after(waitMs, () => this.#due(path));
    const since = before?.since ?? this.#clock.now();
    const dueAt = this.#clock.monotonic() + waitMs;
    this.#pending.set(path, { why, since, tries, dueAt, cancel, ...defined({ inode }) });
    if (inode !== undefined) this.#unread.set(inode, path);
  }

  /** Returns the path of the file with this inode number, if its last read failed. */
  unreadAt(inode: number): string | undefined {
    return this.#unread.get(inode);
  }

  /**
   * Returns whether events for the path are ignored until its retry. An urgent request does not wait, because the cause
   * of the failure may no longer exist.
   */
  isPending(path: string, isUrgent: boolean): boolean {
    return !this.#isOfDelete(path) && this.#isEarly(path, isUrgent);
  }

  /** Returns whether the path's delete is waiting for its retry. */
  isDeletePending(path: string, isUrgent: boolean): boolean {
    return this.isUndeleted(path) && this.#isEarly(path, isUrgent);
  }

  isUndeleted(path: string): boolean {
    return this.#pending.get(path)?.why === 'undeleted';
  }

  /** Cancels the pending decision about a delete, because the file exists again. */
  returned(path: string): void {
    if (this.#pending.get(path)?.why === 'unweighed') this.forget(path);
  }

  #isOfDelete(path: string): boolean {
    const why = this.#pending.get(path)?.why;
    return why === 'undeleted' || why === 'unweighed';
  }

  #isEarly(path: string, isUrgent: boolean): boolean {
    const pending = this.#pending.get(path);
    if (!pending || isUrgent) return false;
    return pending.dueAt > this.#clock.monotonic();
  }

  /**
   * Returns whether stable reads of the file have failed so often, or for so long, that a snapshot must be uploaded.
   */
  needsSnapshot(path: string): boolean {
    const pending = this.#pending.get(path);
    if (!pending) return false;
    return (
      pending.tries >= SNAPSHOT_AFTER_TRIES ||
      this.#clock.now() - pending.since >= SNAPSHOT_AFTER_MS
    );
  }

  /**
   * Returns when each busy file first failed, in milliseconds since 1970. Refused files count as problems and are not
   * included.
   */
  busySince(): readonly number[] {
    return [...this.#pending.values()].filter(({ why }) => isBusy(why)).map(({ since }) => since);
  }

  *busyPaths(): Generator<string> {
    for (const [path, { why }] of this.#pending) if (isBusy(why)) yield path;
  }

  /**
   * Returns when a busy file (`isForBusy`) or a path with another problem is retried, in milliseconds since 1970.
   * Undefined if no such retry is pending.
   */
  dueAt(path: string, isForBusy: boolean): number | undefined {
    const pending = this.#pending.get(path);
    if (!pending || isBusy(pending.why) !== isForBusy) return undefined;
    return Math.round(this.#clock.now() + pending.dueAt - this.#clock.monotonic());
  }

  forget(path: string): void {
    const pending = this.#pending.get(path);
    pending?.cancel();
    this.#pending.delete(path);
    if (pending?.inode !== undefined) this.#unread.delete(pending.inode);
  }

  /** Cancels the retries of all paths below a deleted folder, except pending deletes. */
  forgetBelow(folder: string): void {
    for (const path of this.#pending.keys())
      if (path.startsWith(`${folder}/`) && !this.#isOfDelete(path)) this.forget(path);
  }

  close(): void {
    for (const { cancel } of this.#pending.values()) cancel();
    this.#pending.clear();
    this.#unread.clear();
  }
}

function isBusy(why: Why): boolean {
  return why === 'busy' || why === 'unweighed';
}
