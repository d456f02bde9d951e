/** Queues what a job examines next: hinted paths and keys, or everything. */

import { type Clock, restUnlessAborted } from '../../base/clock.ts';
import { Hints } from './hints.ts';
import { MissedEventsCheck } from './watch-doubt.ts';

/** Editors write a file in several steps; the delay turns a save into one change. */
const DEBOUNCE_MS = 25;
/** A round can also be slow because the process was stopped or the machine suspended. */
const LONGEST_QUIET_MS = 5_000;
/** About 20 MB. With more hints, while a job waits or its service is unreachable, a full round is cheaper. */
const MAX_HINTS = 100_000;

export interface FullRoundRequest {
  /** Whether the bucket is listed as well. */
  readonly remote: boolean;
  /** A round for this request is over, except for files that changed while they were being sent. */
  readonly isSecond?: boolean;
  /** Called when everything that the round found is done, or when the job cannot continue. */
  readonly done: () => void;
}

export class Agenda {
  readonly #clock: Clock;
  readonly missedEvents: MissedEventsCheck;
  readonly #hints = new Hints();
  /** Keys that other clients changed in the bucket. */
  readonly #keys = new Hints();
  #requests: FullRoundRequest[] = [];
  /** By the monotonic clock. */
  #fullDueAt = 0;
  #fullSetAt = 0;
  #quietUntil = 0;
  readonly #moment: () => number;
  #askedAt = 0;
  #isInvited = false;
  #isOverflown = false;
  #isListingDue = false;
  /** Aborted when work is requested. Replaced when requests are taken, and after each wait after a failure. */
  #nudged = new AbortController();
  #changed = Promise.withResolvers<void>();

  /** `moment`: returns a number greater than all it returned before. */
  constructor(clock: Clock, moment: () => number) {
    this.#clock = clock;
    this.#moment = moment;
    this.missedEvents = new MissedEventsCheck(clock);
  }

  hint(path: string): void {
    this.missedEvents.announce(path);
    this.#askedAt = this.#moment();
    if (!this.#hints.add(path, this.#clock.now())) return;
    if (this.#hints.pending > MAX_HINTS) {
      this.#hints.keepOldest();
      this.overflow();
    }
    this.wake();
  }

  /** Adds a key whose object another client may have changed. */
  hintKey(key: string): void {
    this.#askedAt = this.#moment();
    if (!this.#keys.add(key, this.#clock.now())) return;
    if (this.#keys.pending > MAX_HINTS) {
      this.#keys.keepOldest();
      this.#isListingDue = true;
    }
    this.wake();
  }

  /** Hints may have been lost: a full round runs soon, and once more if one is under way. */
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

  /** Returns requests that were taken but not carried out. They wait for the next round and do not start it sooner. */
  returnRequests(requests: readonly FullRoundRequest[]): void {
    this.#requests.push(...requests);
    this.wake();
  }

  /** Schedules the next full round after `ms`, unless one is requested before. */
  fullRoundIn(ms: number): void {
    this.#fullSetAt = this.#clock.monotonic();
    this.#fullDueAt = this.#fullSetAt + ms;
    this.#isInvited = false;
    this.wake();
  }

  /** Another job scans the folder now. If a full round is due soon, it starts now and shares the listings. */
  invite(): void {
    const now = this.#clock.monotonic();
    if (now >= this.#fullDueAt || now - this.#fullSetAt < this.#fullDueAt - now) return;
    this.#fullDueAt = now;
    this.#isInvited = true;
    this.wake();
  }

  /** Whether the next full round was started by another job's scan. */
  get isInvited(): boolean {
    return this.#isInvited;
  }

  /** The moment of the newest hint or request: listings that began later cover all of them. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /**
   * Starts no event round for `ms`, or 5 s if that is less, so that slow rounds do not follow each other without a
   * pause.
   */
  quietFor(ms: number): void {
    this.#quietUntil = this.#clock.monotonic() + Math.min(ms, LONGEST_QUIET_MS);
  }

  /** Takes the hints for a round that begins. They still count until the round calls `planned`. */
  takeHints(): ReadonlyMap<string, number> {
    return this.#hints.take();
  }

  /** Likewise for keys in the bucket. */
  takeKeys(): ReadonlyMap<string, number> {
    return this.#keys.take();
  }

  planned(): void {
    this.#hints.planned();
    this.#keys.planned();
  }

  /** Hints were lost, and no full round has begun since. */
  get isOverflown(): boolean {
    return this.#isOverflown || this.#isListingDue;
  }

  /** So many keys changed in the bucket that the next full round lists it. */
  get isListingDue(): boolean {
    return this.#isListingDue;
  }

  /** Takes the requests for a full round that begins, or to end them; a session begins with a full round. */
  takeRequests(): readonly FullRoundRequest[] {
    this.#nudged = new AbortController();
    this.#isOverflown = false;
    this.#isListingDue = false;
    return this.#requests.splice(0);
  }

  /** Ends the requests that wait for a round, although none was done. */
  endRequests(): void {
    for (const { done } of this.takeRequests()) done();
  }

  /** Hinted paths that no round has planned yet. */
  hints(): Iterable<string> {
    return this.#hints.names();
  }

  /** Keys changed in the bucket whose paths were not hinted. */
  *changedKeys(): Iterable<string> {
    for (const key of this.#keys.names()) if (!this.#hints.has(key)) yield key;
  }

  hintCount(): number {
    return this.#hints.count + this.#keys.count;
  }

  /** Whether the next round can take any hint. */
  hasHints(): boolean {
    return this.#hints.pending + this.#keys.pending > 0;
  }

  /** When the oldest hint arrived. */
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

  /** Ends a wait after a failure. */
  nudge(): void {
    this.#nudged.abort();
    this.wake();
  }

  /** Resolves after `ms`, or sooner when nudged or aborted; changes in the folder do not shorten it. */
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

  /** Resolves after `ms`, or at once when woken or aborted. */
  async change(ms: number, signal: AbortSignal): Promise<void> {
    const changed = this.#changed;
    if (signal.aborted) return;
    // `wake` also creates a fresh promise for the next wait.
    const wake = () => this.wake();
    const cancel = this.#clock.after(Math.min(ms, LONGEST_TIMER_MS), wake);
    signal.addEventListener('abort', wake, { once: true });
    await changed.promise;
    cancel();
    signal.removeEventListener('abort', wake);
  }
}

/** Timers beyond 2^31 ms fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
