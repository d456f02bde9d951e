/** Paths that could not be mirrored for now, and when each is looked at again. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { backOffMs, RETRY } from '../model/retry-policy.ts';

/**
 * `undeleted`: it is gone from the folder, and the service would not delete it. `unweighed`: it is gone, and whether it may be
 * deleted is decided later.
 */
type Why = 'busy' | 'refused' | 'undeleted' | 'unweighed';

interface Waiting {
  readonly why: Why;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly tries: number;
  readonly dueAt: number;
  /** Of a file that could not be read. */
  readonly inode?: number;
  readonly cancel: () => void;
}

const POLICIES = {
  busy: RETRY.busyFile,
  unweighed: RETRY.busyFile,
  refused: RETRY.refusedPath,
  undeleted: RETRY.refusedPath,
};

/** mirror.md, section 6. */
const TIRED_TRIES = 5;
const TIRED_MS = 10 * 60_000;

export class Retries {
  readonly #clock: Clock;
  readonly #due: (path: string) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #unread = new Map<number, string>();

  constructor(clock: Clock, due: (path: string) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Has the path looked at again, each time later than the last. `inode`: of a file that could not be read. */
  later(path: string, why: Why, inode?: number): void {
    const before = this.#waiting.get(path);
    this.forget(path);
    const tries = (before?.tries ?? 0) + 1;
    const waitMs = backOffMs(POLICIES[why], tries);
    const cancel = this.#clock.after(waitMs, () => this.#due(path));
    const since = before?.since ?? this.#clock.now();
    const dueAt = this.#clock.monotonic() + waitMs;
    this.#waiting.set(path, { why, since, tries, dueAt, cancel, ...defined({ inode }) });
    if (inode !== undefined) this.#unread.set(inode, path);
  }

  /** Where a file with this inode is that could not be read when it was tried last. */
  unreadAt(inode: number): string | undefined {
    return this.#unread.get(inode);
  }

  /** Whether the path is left alone for now, whatever hints say. Who asks may have ended why one was refused. */
  isWaiting(path: string, isUrgent: boolean): boolean {
    return !this.#isOfDelete(path) && this.#isEarly(path, isUrgent);
  }

  /** Likewise of its delete. */
  isDeleteWaiting(path: string, isUrgent: boolean): boolean {
    return this.isUndeleted(path) && this.#isEarly(path, isUrgent);
  }

  isUndeleted(path: string): boolean {
    return this.#waiting.get(path)?.why === 'undeleted';
  }

  /** The file is there: no decision about its delete is left. */
  returned(path: string): void {
    if (this.#waiting.get(path)?.why === 'unweighed') this.forget(path);
  }

  #isOfDelete(path: string): boolean {
    const why = this.#waiting.get(path)?.why;
    return why === 'undeleted' || why === 'unweighed';
  }

  #isEarly(path: string, isUrgent: boolean): boolean {
    const waiting = this.#waiting.get(path);
    if (!waiting || (isUrgent && waiting.why !== 'busy')) return false;
    return waiting.dueAt > this.#clock.monotonic();
  }

  /** Whether a file that is read in vain has been so for long enough. */
  isTired(path: string): boolean {
    const waiting = this.#waiting.get(path);
    if (!waiting) return false;
    return waiting.tries >= TIRED_TRIES || this.#clock.now() - waiting.since >= TIRED_MS;
  }

  /** Since when each busy file waits. A refused one needs a person: it is a problem, not work to be done. */
  busySince(): readonly number[] {
    return [...this.#waiting.values()].filter(({ why }) => isBusy(why)).map(({ since }) => since);
  }

  *busyPaths(): Generator<string> {
    for (const [path, { why }] of this.#waiting) if (isBusy(why)) yield path;
  }

  /** When a path that waits, as it is busy or for another reason, is looked at again, milliseconds since 1970. */
  dueAt(path: string, isForBusy: boolean): number | undefined {
    const waiting = this.#waiting.get(path);
    if (!waiting || isBusy(waiting.why) !== isForBusy) return undefined;
    return Math.round(this.#clock.now() + waiting.dueAt - this.#clock.monotonic());
  }

  forget(path: string): void {
    const waiting = this.#waiting.get(path);
    waiting?.cancel();
    this.#waiting.delete(path);
    if (waiting?.inode !== undefined) this.#unread.delete(waiting.inode);
  }

  /** All below a folder that is gone, but for what is still to be deleted. */
  forgetBelow(folder: string): void {
    for (const path of this.#waiting.keys())
      if (path.startsWith(`${folder}/`) && !this.#isOfDelete(path)) this.forget(path);
  }

  close(): void {
    for (const { cancel } of this.#waiting.values()) cancel();
    this.#waiting.clear();
    this.#unread.clear();
  }
}

function isBusy(why: Why): boolean {
  return why === 'busy' || why === 'unweighed';
}
