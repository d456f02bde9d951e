/** Queues the work for a job's next round: paths and keys that may have changed, or the whole folder. */

import { type Clock, restUnlessAborted } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { RecentReads } from '../local/recent-reads.ts';
import type { FolderTree, TreeMember } from '../local/tree/folder-tree.ts';
import type { MirrorJob } from '../model/types.ts';
import { Hints } from './hints.ts';
import { MissedEventsCheck } from './missed-events.ts';

/**
 * Delay in milliseconds before an event round. Editors write a file in several steps, and the delay combines them into
 * one change.
 */
const DEBOUNCE_MS = 25;
/**
 * Maximum pause between two event rounds, in milliseconds. A round may have been slow only because the process was
 * stopped or the machine was suspended.
 */
const LONGEST_QUIET_MS = 5_000;
/**
 * Maximum number of queued paths. They use about 20 MB of memory. If more change while a job waits or its service is
 * unreachable, a full round is cheaper.
 */
const MAX_HINTS = 100_000;

export interface FullRoundRequest {
  /** Whether the round must also list the bucket. */
  readonly remote: boolean;
  /**
   * Set if a round for this request has finished, but files changed while they were uploaded, so that a second round is
   * needed.
   */
  readonly isSecond?: boolean;
  /** Called when all work from the round is done, or when the job cannot continue. */
  readonly done: () => void;
}

export class Agenda {
  readonly #clock: Clock;
  readonly missedEvents: MissedEventsCheck;
  readonly #hints = new Hints();
  /** Keys of objects that other clients changed in the bucket. */
  readonly #keys = new Hints();
  #requests: FullRoundRequest[] = [];
  /** When the next full round is due, as a monotonic clock reading. */
  #fullDueAt = 0;
  #fullSetAt = 0;
  #quietUntil = 0;
  /** When the oldest queued change was noticed that no round has taken yet, as a monotonic clock reading. */
  #hintedAt = 0;
  readonly #moment: () => number;
  #askedAt = 0;
  #isInvited = false;
  #isOverflown = false;
  #isListingDue = false;
  /**
   * Aborted when work is requested, which ends the wait after a failure. Replaced after each wait, and when a round
   * takes the queued requests.
   */
  #nudged = new AbortController();
  #changed = Promise.withResolvers<void>();

  /** `moment` returns a logical time, a number that is greater than all numbers that it returned before. */
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

  /** Queues a key whose object may have been changed by another client. */
  hintKey(key: string): void {
    this.#askedAt = this.#moment();
    if (!this.#keys.add(key, this.#clock.now())) return;
    if (this.#keys.pending > MAX_HINTS) {
      this.#keys.keepOldest();
      this.#isListingDue = true;
    }
    this.wake();
  }

  /**
   * Requests a full round soon, because reports of changes may have been lost. If a full round is already running,
   * another one follows it.
   */
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
   * Requeues requests that were taken but not carried out. They wait for the next round, and do not start a round
   * earlier.
   */
  returnRequests(requests: readonly FullRoundRequest[]): void {
    for (const request of requests) this.#requests.push(request);
    this.wake();
  }

  /** Schedules the next full round in `ms` milliseconds. A request may start it earlier. */
  fullRoundIn(ms: number): void {
    this.#fullSetAt = this.#clock.monotonic();
    this.#fullDueAt = this.#fullSetAt + ms;
    this.#isInvited = false;
    this.wake();
  }

  /**
   * Starts the next full round now if it is due soon, because another job is scanning the folder and shares its
   * listings.
   */
  invite(): void {
    const now = this.#clock.monotonic();
    if (now >= this.#fullDueAt || now - this.#fullSetAt < this.#fullDueAt - now) return;
    this.#fullDueAt = now;
    this.#isInvited = true;
    this.wake();
  }

  /** Whether another job's scan started the next full round. */
  get isInvited(): boolean {
    return this.#isInvited;
  }

  /**
   * The logical time of the newest queued change or request. Folder listings that began later include all these
   * changes.
   */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** Starts no event round for `ms` milliseconds, but at most 5 s, so that slow rounds have a pause between them. */
  quietFor(ms: number): void {
    this.#quietUntil = this.#clock.monotonic() + Math.min(ms, LONGEST_QUIET_MS);
  }

  /** Takes the queued paths for a round that begins. They still count as pending until the round calls `planned`. */
  takeHints(): ReadonlyMap<string, number> {
    return this.#hints.take();
  }

  /** Takes the queued keys for a round that begins. They still count as pending until the round calls `planned`. */
  takeKeys(): ReadonlyMap<string, number> {
    return this.#keys.take();
  }

  planned(): void {
    this.#hints.planned();
    this.#keys.planned();
  }

  /** Returns whether a path is queued for the next round. */
  isQueued(path: string): boolean {
    return this.#hints.isQueued(path);
  }

  /** Takes up to `count` queued paths for a running full round, except those that it postponed. */
  takeNewHints(count: number): ReadonlyMap<string, number> {
    return this.#hints.takeNew(count);
  }

  /** Drops taken paths that a running full round has planned. The paths in `others` stay queued for the next round. */
  plannedSome(paths: Iterable<string>, others: Iterable<string>): void {
    this.#hints.planned(paths);
    this.#hints.postpone(others);
  }

  /** Whether reports of changes were lost, and no full round has begun since then. */
  get isOverflown(): boolean {
    return this.#isOverflown || this.#isListingDue;
  }

  /** Whether so many keys changed in the bucket that the next full round must list the bucket. */
  get isListingDue(): boolean {
    return this.#isListingDue;
  }

  /** Removes and returns all queued requests, either to serve them with a full round or to end them. */
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

  /** Yields the changed keys whose paths are not queued as well. */
  *changedKeys(): Iterable<string> {
    for (const key of this.#keys.names()) if (!this.#hints.has(key)) yield key;
  }

  hintCount(): number {
    return this.#hints.count + this.#keys.count;
  }

  /** Returns whether any changed paths or keys are queued for the next round. */
  hasHints(): boolean {
    return this.#hints.pending + this.#keys.pending > 0;
  }

  /** Returns when the oldest queued change was noticed; undefined if no change is queued. */
  oldestSince(): number | undefined {
    const [hinted, changed] = [this.#hints.oldestSince(), this.#keys.oldestSince()];
    return hinted === undefined || changed === undefined
      ? (hinted ?? changed)
      : Math.min(hinted, changed);
  }

  /** Interrupts a wait, so that the waiting code checks its condition again. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Ends the wait after a failure. */
  nudge(): void {
    this.#nudged.abort();
    this.wake();
  }

  /**
   * Waits `ms` milliseconds after a failure. The wait ends earlier if work is requested or the signal is aborted.
   * Changes in the folder do not end it.
   */
  async backOff(ms: number, signal: AbortSignal): Promise<void> {
    await restUnlessAborted(this.#clock, ms, AbortSignal.any([signal, this.#nudged.signal]));
    this.#nudged = new AbortController();
  }

  /** Resolves when a round is due. Rejects with the signal's reason when aborted. */
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

  /**
   * Returns when a running full round may plan queued paths, in milliseconds from now; undefined if no paths are
   * queued.
   */
  hintsDueIn(): number | undefined {
    // After an overflow, only a scan shows whether exclusion rules changed.
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

/** Queues the paths in a folder's file events for a job's next round. */
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

/** Longest possible delay of a timer in milliseconds. Node fires timers with a delay of 2^31 ms or more at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
