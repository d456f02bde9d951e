/** Queues the work of a job's next round: paths and keys that may have changed, or the whole folder. */

import { type Clock, restUnlessAborted } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { RecentReads } from '../local/recent-reads.ts';
import type { FolderTree, TreeMember } from '../local/tree/folder-tree.ts';
import type { MirrorJob } from '../model/types.ts';
import { Hints } from './hints.ts';
import { MissedEventsCheck } from './missed-events.ts';

/** Delay before an event round. Editors write a file in several steps, and the delay turns a save into one change. */
const DEBOUNCE_MS = 25;
/**
 * Maximum pause between event rounds. A round can also be slow because the process was stopped or the machine
 * suspended.
 */
const LONGEST_QUIET_MS = 5_000;
/**
 * Maximum number of queued hints, about 20 MB. If more arrive while a job waits or its service is unreachable, a full
 * round is cheaper.
 */
const MAX_HINTS = 100_000;

export interface FullRoundRequest {
  /** Whether the round must also list the bucket. */
  readonly remote: boolean;
  /** Set if a round for this request has finished, but files changed while they were sent. */
  readonly isSecond?: boolean;
  /** Called when all work that the round found is done, or when the job cannot continue. */
  readonly done: () => void;
}

export class Agenda {
  readonly #clock: Clock;
  readonly missedEvents: MissedEventsCheck;
  readonly #hints = new Hints();
  /** Keys that other clients changed in the bucket. */
  readonly #keys = new Hints();
  #requests: FullRoundRequest[] = [];
  /** When the next full round is due, by the monotonic clock. */
  #fullDueAt = 0;
  #fullSetAt = 0;
  #quietUntil = 0;
  /** When the oldest hint arrived that no round has taken, by the monotonic clock. */
  #hintedAt = 0;
  readonly #moment: () => number;
  #askedAt = 0;
  #isInvited = false;
  #isOverflown = false;
  #isListingDue = false;
  /**
   * Ends the back-off after a failure: aborted when work is requested. Replaced when requests are taken, and after each
   * back-off.
   */
  #nudged = new AbortController();
  #changed = Promise.withResolvers<void>();

  /** `moment` returns a number that is greater than all numbers it returned before. */
  constructor(clock: Clock, moment: () => number) {
    this.#clock = clock;
    this.#moment = moment;
    this.missedEvents = new MissedEventsCheck(clock);
  }

  hint(path: string): void {
    this.missedEvents.announce(path);
    this.#askedAt = this.#moment();
    if (!this.#hints.add(path, this.#clock.now())) return;
    if (this.#hints.fresh === 1) this.#hintedAt = this.#clock.monotonic();
    if (this.#hints.pending > MAX_HINTS) {
      this.#hints.keepOldest();
      this.overflow();
    }
    this.wake();
  }

  /** Queues a key whose object another client may have changed. */
  hintKey(key: string): void {
    this.#askedAt = this.#moment();
    if (!this.#keys.add(key, this.#clock.now())) return;
    if (this.#keys.pending > MAX_HINTS) {
      this.#keys.keepOldest();
      this.#isListingDue = true;
    }
    this.wake();
  }

  /** Requests a full round soon because hints may have been lost, and another one if a full round is running. */
  overflow(): void {
    this.#isOverflown = true;
    this.#askedAt = this.#moment();
    this.wake();
  }

  request(request: FullRoundRequest): void {
    this.#requests.push(request);
    this.#askedAt = this.#moment();
    this.nudge();
  }

  /**
   * Requeues requests that were taken but not carried out. They wait for the next round and do not start it earlier.
   */
  returnRequests(requests: readonly FullRoundRequest[]): void {
    this.#requests.push(...requests);
    this.wake();
  }

  /** Schedules the next full round after `ms` milliseconds, unless one is requested before. */
  fullRoundIn(ms: number): void {
    this.#fullSetAt = this.#clock.monotonic();
    this.#fullDueAt = this.#fullSetAt + ms;
    this.#isInvited = false;
    this.wake();
  }

  /** Starts the next full round now if it is due soon, because another job scans the folder and shares its listings. */
  invite(): void {
    const now = this.#clock.monotonic();
    if (now >= this.#fullDueAt || now - this.#fullSetAt < this.#fullDueAt - now) return;
    this.#fullDueAt = now;
    this.#isInvited = true;
    this.wake();
  }

  /** Whether the scan of another job started the next full round. */
  get isInvited(): boolean {
    return this.#isInvited;
  }

  /** The value of `moment` for the newest hint or request. Folder listings that began later cover all of them. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** Starts no event round for `ms`, at most 5 s, so that slow rounds do not follow each other without a pause. */
  quietFor(ms: number): void {
    this.#quietUntil = this.#clock.monotonic() + Math.min(ms, LONGEST_QUIET_MS);
  }

  /** Takes the queued paths for a round that begins. They count as pending until the round calls `planned`. */
  takeHints(): ReadonlyMap<string, number> {
    return this.#hints.take();
  }

  /** Takes the queued keys for a round that begins. They count as pending until the round calls `planned`. */
  takeKeys(): ReadonlyMap<string, number> {
    return this.#keys.take();
  }

  planned(): void {
    this.#hints.planned();
    this.#keys.planned();
  }

  /** Returns whether a path waits for the next round. */
  isQueued(path: string): boolean {
    return this.#hints.isQueued(path);
  }

  /** Takes up to `count` queued paths for a running full round, without those that it postponed. */
  takeNewHints(count: number): ReadonlyMap<string, number> {
    return this.#hints.takeNew(count);
  }

  /** Drops taken paths that a running full round has planned, and leaves the `others` to the next round. */
  plannedSome(paths: Iterable<string>, others: Iterable<string>): void {
    this.#hints.planned(paths);
    this.#hints.postpone(others);
  }

  /** Whether hints were lost and no full round has begun since. */
  get isOverflown(): boolean {
    return this.#isOverflown || this.#isListingDue;
  }

  /** Whether so many keys changed in the bucket that the next full round must list it. */
  get isListingDue(): boolean {
    return this.#isListingDue;
  }

  /** Takes all requests for a full round that begins, or in order to end them. */
  takeRequests(): readonly FullRoundRequest[] {
    this.#nudged = new AbortController();
    this.#isOverflown = false;
    this.#isListingDue = false;
    return this.#requests.splice(0);
  }

  /** Ends the queued requests without a round. */
  endRequests(): void {
    for (const { done } of this.takeRequests()) done();
  }

  /** Returns the queued paths that no round has planned yet. */
  hints(): Iterable<string> {
    return this.#hints.names();
  }

  /** Yields the changed keys whose paths are not queued. */
  *changedKeys(): Iterable<string> {
    for (const key of this.#keys.names()) if (!this.#hints.has(key)) yield key;
  }

  hintCount(): number {
    return this.#hints.count + this.#keys.count;
  }

  /** Whether the next round would have any hint to take. */
  hasHints(): boolean {
    return this.#hints.pending + this.#keys.pending > 0;
  }

  /** Returns when the oldest queued hint arrived. */
  oldestSince(): number | undefined {
    const [hinted, changed] = [this.#hints.oldestSince(), this.#keys.oldestSince()];
    return hinted === undefined || changed === undefined
      ? (hinted ?? changed)
      : Math.min(hinted, changed);
  }

  /** Interrupts a wait, so that its condition is checked again. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Ends the back-off after a failure. */
  nudge(): void {
    this.#nudged.abort();
    this.wake();
  }

  /**
   * Waits for `ms` milliseconds after a failure. Ends earlier if work is requested or the signal aborts, but not for
   * changes in the folder.
   */
  async backOff(ms: number, signal: AbortSignal): Promise<void> {
    await restUnlessAborted(this.#clock, ms, AbortSignal.any([signal, this.#nudged.signal]));
    this.#nudged = new AbortController();
  }

  /** Resolves when a round is due. Rejects with the signal's reason when it is aborted. */
  async next(signal: AbortSignal): Promise<'full' | 'event'> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.monotonic();
      const isAsked = this.#requests.length > 0 || this.isOverflown;
      if (isAsked || this.#fullDueAt <= now) return 'full';
      if (this.hasHints()) {
        await this.#clock.sleep(Math.max(DEBOUNCE_MS, this.#quietUntil - now), signal);
        return 'event';
      }
      await this.change(this.#fullDueAt - now, signal);
    }
  }

  /** Returns the time until a running full round may plan queued paths, in milliseconds; undefined if there are none. */
  hintsDueIn(): number | undefined {
    // After an overflow, only a scan shows which exclusion rules changed.
    if (this.#hints.fresh === 0 || this.isOverflown) return undefined;
    const dueAt = Math.max(this.#hintedAt + DEBOUNCE_MS, this.#quietUntil);
    return Math.max(0, dueAt - this.#clock.monotonic());
  }

  /** Resolves when a running full round may plan queued paths, or when the signal is aborted. */
  async hintsDue(signal: AbortSignal): Promise<void> {
    for (let ms = this.hintsDueIn(); ms !== 0 && !signal.aborted; ms = this.hintsDueIn())
      await this.change(ms ?? LONGEST_TIMER_MS, signal);
  }

  /** Waits for `ms` milliseconds, or until `wake` is called or the signal is aborted. */
  async change(ms: number, signal: AbortSignal): Promise<void> {
    const changed = this.#changed;
    if (signal.aborted) return;
    // `wake` also creates a new promise for the next wait.
    const wake = () => this.wake();
    const cancel = this.#clock.after(Math.min(ms, LONGEST_TIMER_MS), wake);
    signal.addEventListener('abort', wake, { once: true });
    await changed.promise;
    cancel();
    signal.removeEventListener('abort', wake);
  }
}

interface EventsOptions {
  readonly agenda: Agenda;
  readonly reads: RecentReads;
  readonly job: Pick<MirrorJob, 'name'>;
  readonly logger: Logger;
  readonly onChange: () => void;
}

/** Queues the file events of a folder as hints for a job. */
export function queueEvents(
  tree: FolderTree,
  { agenda, reads, job, logger, onChange }: EventsOptions,
): TreeMember {
  return tree.join({
    onHint: (path) => {
      reads.noteChange(path);
      agenda.hint(path);
      onChange();
    },
    onOverflow: (reason) => {
      const message = 'watch folder: events were lost, rescanning everything';
      logger.warn({ job: job.name, reason }, message);
      reads.noteLostEvents();
      agenda.overflow();
      onChange();
    },
    onScan: () => agenda.invite(),
  });
}

/** Maximum delay of a timer. Node fires timers beyond 2^31 ms at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
