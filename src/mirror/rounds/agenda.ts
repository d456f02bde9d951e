/** What a job examines next: paths and keys that were hinted at, or everything. */

import type { Clock } from '../../base/clock.ts';
import { Hints } from './hints.ts';
import { MissedEventsCheck } from './watch-doubt.ts';

/** Editors write a file in several steps; a save is seen as one change, and still soon. */
const DEBOUNCE_MS = 25;
/** A round is also slow because the process was stopped, or the machine suspended. */
const LONGEST_QUIET_MS = 5_000;
/** Some 20 MB. Beyond, while a job rests or its service is away, to look at everything is cheaper. */
const MOST_HINTS = 100_000;

export interface FullRoundRequest {
  /** Whether the bucket is listed as well. */
  readonly remote: boolean;
  /** A round for it is over, but for what was still being sent as it was before. */
  readonly isSecond?: boolean;
  /** Told when all that the round found is over; or that the job cannot go on. */
  readonly done: () => void;
}

export class Agenda {
  readonly #clock: Clock;
  readonly doubt: MissedEventsCheck;
  readonly #hints = new Hints();
  /** Keys that other clients changed in the bucket. */
  readonly #heard = new Hints();
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
  /** Someone asked for work since requests were last taken, or since the last rest. */
  #isNudged = false;
  #changed = Promise.withResolvers<void>();

  /** `moment`: a number that comes after all that it gave before. */
  constructor(clock: Clock, moment: () => number) {
    this.#clock = clock;
    this.#moment = moment;
    this.doubt = new MissedEventsCheck(clock);
  }

  hint(path: string): void {
    this.doubt.announce(path);
    this.#askedAt = this.#moment();
    if (!this.#hints.add(path, this.#clock.now())) return;
    if (this.#hints.waiting > MOST_HINTS) {
      this.#hints.keepOldest();
      this.overflow();
    }
    this.wake();
  }

  /** Another client may have changed the object of this key. */
  hear(key: string): void {
    this.#askedAt = this.#moment();
    if (!this.#heard.add(key, this.#clock.now())) return;
    if (this.#heard.waiting > MOST_HINTS) {
      this.#heard.keepOldest();
      this.#isListingDue = true;
    }
    this.wake();
  }

  /** Hints may have been lost: everything is looked at soon, and once more where a full round is under way. */
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

  /** What was taken and could not be done: it waits for the next try, and hastens nothing. */
  giveBack(requests: readonly FullRoundRequest[]): void {
    this.#requests.push(...requests);
    this.wake();
  }

  /** The next full round comes by itself after `ms`, if none was asked for before. */
  fullRoundIn(ms: number): void {
    this.#fullSetAt = this.#clock.monotonic();
    this.#fullDueAt = this.#fullSetAt + ms;
    this.#isInvited = false;
    this.wake();
  }

  /** Another job scans the folder now: a full round that is about to come comes now, and has its listings. */
  invite(): void {
    const now = this.#clock.monotonic();
    if (now >= this.#fullDueAt || now - this.#fullSetAt < this.#fullDueAt - now) return;
    this.#fullDueAt = now;
    this.#isInvited = true;
    this.wake();
  }

  /** The full round that is due was not its own idea. */
  get isInvited(): boolean {
    return this.#isInvited;
  }

  /** The moment of the newest hint or request: what was looked at since has seen what it is about. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** No event round begins for `ms`, or 5 s if that is less, so that slow rounds do not follow each other without a pause. */
  quietFor(ms: number): void {
    this.#quietUntil = this.#clock.monotonic() + Math.min(ms, LONGEST_QUIET_MS);
  }

  /** By a round that begins: until it tells by `looked` that it has planned what it found, they are still told of. */
  takeHints(): ReadonlyMap<string, number> {
    return this.#hints.take();
  }

  /** The same of keys in the bucket. */
  takeHeard(): ReadonlyMap<string, number> {
    return this.#heard.take();
  }

  looked(): void {
    this.#hints.planned();
    this.#heard.planned();
  }

  /** Hints were lost, and no full round has begun since. */
  get isOverflown(): boolean {
    return this.#isOverflown || this.#isListingDue;
  }

  /** So many keys changed in the bucket that the next full round lists it. */
  get isListingDue(): boolean {
    return this.#isListingDue;
  }

  /** By a full round that begins, or by who gives them up: a session begins with one. */
  takeRequests(): readonly FullRoundRequest[] {
    this.#isNudged = false;
    this.#isOverflown = false;
    this.#isListingDue = false;
    return this.#requests.splice(0);
  }

  /** Ends the requests that wait for a round, although none was done. */
  endRequests(): void {
    for (const { done } of this.takeRequests()) done();
  }

  /** Paths that were hinted at, and not looked at yet. */
  hints(): Iterable<string> {
    return this.#hints.names();
  }

  /** Keys that were changed in the bucket, and whose paths were not hinted at. */
  *heard(): Iterable<string> {
    for (const key of this.#heard.names()) if (!this.#hints.has(key)) yield key;
  }

  hintCount(): number {
    return this.#hints.count + this.#heard.count;
  }

  /** Whether there is any for the next round to take. */
  hasHints(): boolean {
    return this.#hints.waiting + this.#heard.waiting > 0;
  }

  /** When the oldest hint came. */
  oldestSince(): number | undefined {
    const [hinted, heard] = [this.#hints.oldestSince(), this.#heard.oldestSince()];
    return hinted === undefined || heard === undefined
      ? (hinted ?? heard)
      : Math.min(hinted, heard);
  }

  /** Interrupts a wait, so that it looks again. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Ends a rest. */
  nudge(): void {
    this.#isNudged = true;
    this.wake();
  }

  /** Resolves after `ms`, or sooner when nudged or aborted; what happens in the folder hastens nothing. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    const until = this.#clock.monotonic() + ms;
    for (let left = ms; left > 0 && !this.#isNudged && !signal.aborted;) {
      await this.change(left, signal);
      left = until - this.#clock.monotonic();
    }
    this.#isNudged = false;
  }

  /** Resolves when something is to be done. Rejects with the signal's reason when aborted. */
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
    // Through `wake`, which leaves a fresh promise behind for the next wait.
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
