/** What a job is to look at next: paths that were hinted, or everything. */

import type { Clock } from '../../base/clock.ts';
import { WatchDoubt } from './watch-doubt.ts';

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
  readonly doubt: WatchDoubt;
  readonly #hints = new Map<string, number>();
  /** Hints that a round took and has not looked at yet; those that came again since are not among them. */
  readonly #atHand = new Map<string, number>();
  #requests: FullRoundRequest[] = [];
  /** By the monotonic clock. */
  #fullDueAt = 0;
  #fullSetAt = 0;
  #quietUntil = 0;
  readonly #moment: () => number;
  #askedAt = 0;
  #isInvited = false;
  #isOverflown = false;
  /** Someone asked for work since requests were last taken, or since the last rest. */
  #isNudged = false;
  #changed = Promise.withResolvers<void>();

  /** `moment`: a number that comes after all that it gave before. */
  constructor(clock: Clock, moment: () => number) {
    this.#clock = clock;
    this.#moment = moment;
    this.doubt = new WatchDoubt(clock);
  }

  hint(path: string): void {
    this.doubt.announce(path);
    this.#askedAt = this.#moment();
    if (this.#hints.has(path)) return;
    if (this.#hints.size >= MOST_HINTS) this.#forgetHints();
    this.#hints.set(path, this.#clock.now());
    this.#atHand.delete(path);
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
    const hints = new Map(this.#hints);
    this.#hints.clear();
    for (const [path, since] of hints) this.#atHand.set(path, since);
    return hints;
  }

  looked(): void {
    this.#atHand.clear();
  }

  /** Events were lost, and no full round has begun since. */
  get isOverflown(): boolean {
    return this.#isOverflown;
  }

  /** By a full round that begins, or by who gives them up: a session begins with one. */
  takeRequests(): readonly FullRoundRequest[] {
    this.#isNudged = false;
    this.#isOverflown = false;
    return this.#requests.splice(0);
  }

  /** Ends the requests that wait for a round, although none was done. */
  endRequests(): void {
    for (const { done } of this.takeRequests()) done();
  }

  /** Paths that were hinted at, and not looked at yet. */
  *hints(): Iterable<string> {
    yield* this.#atHand.keys();
    yield* this.#hints.keys();
  }

  hintCount(): number {
    return this.#atHand.size + this.#hints.size;
  }

  /** Whether there is any for the next round to take. */
  hasHints(): boolean {
    return this.#hints.size > 0;
  }

  /** When the oldest hint came. */
  oldestSince(): number | undefined {
    const [atHand] = this.#atHand.values();
    const [oldest] = this.#hints.values();
    return atHand ?? oldest;
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
      const isAsked = this.#requests.length > 0 || this.#isOverflown;
      if (isAsked || this.#fullDueAt <= now) return 'full';
      if (this.#hints.size > 0) {
        await this.#clock.sleep(Math.max(DEBOUNCE_MS, this.#quietUntil - now), signal);
        return 'event';
      }
      await this.change(this.#fullDueAt - now, signal);
    }
  }

  /** All but the oldest, by which the job tells how far it is behind. */
  #forgetHints(): void {
    const [oldest] = this.#hints;
    this.#hints.clear();
    if (oldest) this.#hints.set(...oldest);
    this.overflow();
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
