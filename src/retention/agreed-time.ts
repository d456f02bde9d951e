/**
 * The time from which locks are counted: this machine's, as long as the service's agrees with it. A wrong clock must not
 * lock for years, nor lock nothing. A store that judges locks by a trusted time of its own is behind after each night that
 * its machine was off, and a little ahead after a jump that it believed: then its time counts, and the job continues.
 */

import type { Clock } from '../base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import type { ServiceTime } from '../object-store/service-clock.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import type { Place } from '../mirror/objects/destination.ts';

/** Services refuse signatures beyond it, too. */
const APART_MS = 15 * MINUTE_MS;
/**
 * A trusted time believes jumps of an hour, and never goes back: some of them are harmless, since what counts from it is
 * locked no shorter, and hardly longer.
 */
const TRUSTED_AHEAD_MS = DAY_MS;
const ASK_EVERY_MS = HOUR_MS;
/** While a warning asks the user to correct a clock. */
const ASK_SOON_MS = MINUTE_MS;
/** When this machine's clock moved otherwise than its time went by, the service is asked again at once. */
const JUMP_MS = MINUTE_MS;

/** Remote services report whole seconds, and answer after a delay: a smaller difference does not count. */
const PRECISION_MS = 2_000;

interface Comparison {
  readonly at: number;
  readonly monotonic: number;
}

export class AgreedTime {
  readonly #place: Place;
  readonly #clock: Clock;
  #last: Comparison | undefined;
  /** The service is asked again before the next answer: a call failed, or `forget` was called. */
  #isStale = true;
  #forgotten = 0;
  /** How far this machine's clock is ahead of a time that is trusted; negative where it is behind. */
  #aheadMs = 0;
  /** How far the service's time is ahead of this machine's clock, as far as it tells. */
  #serviceAheadMs = 0;
  /** When that was learnt. */
  #heard: Comparison | undefined;
  #asking: Promise<void> | undefined;

  constructor(place: Place, clock: Clock) {
    this.#place = place;
    this.#clock = clock;
  }

  /** Milliseconds since 1970. Rejects with MirrorError `ClockDiffers`, and as the store does. */
  async now(signal: AbortSignal): Promise<number> {
    if (this.#isStale || !this.#isFresh(this.#last)) {
      const asking = (this.#asking ??= this.#ask(signal));
      await asking.finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
    }
    return this.lastAgreed();
  }

  /** The last answer plus the time that has passed since, so that a jump of this machine's clock does not change it. */
  lastAgreed(): number {
    if (!this.#last) return this.#clock.now() - this.#aheadMs;
    const { at, monotonic } = this.#last;
    return Math.round(at - this.#aheadMs + this.#clock.monotonic() - monotonic);
  }

  /** The next call of `now` asks the service again. */
  forget(): void {
    this.#isStale = true;
    this.#heard = undefined;
    this.#asking = undefined;
    this.#forgotten++;
  }

  /**
   * The service's time, by what was last asked; this machine's where that is not known. Also where both differ by more than
   * a job that locks may work with: then it rejects nothing. Rejects as the store does.
   */
  async ofService(signal: AbortSignal): Promise<number> {
    try {
      if (!this.#isFresh(this.#heard)) await this.now(signal);
    } catch (error) {
      if (!(error instanceof MirrorError && error.code === 'ClockDiffers')) throw error;
    }
    return this.#clock.now() + this.#serviceAheadMs;
  }

  warnings(): readonly string[] {
    if (!this.#isApart()) return [];
    const apart = `${lengthText(Math.abs(this.#aheadMs))} ${this.#aheadMs < 0 ? 'ahead of' : 'behind'}`;
    const why =
      this.#aheadMs < 0
        ? 'the clock was set forward and back'
        : 'the machine was off, or its clock was set forward';
    return [
      `lock: the store's time is ${apart} this machine's clock (${why}); locks are counted from the store's time; ${TRUST}`,
    ];
  }

  #isApart(): boolean {
    return Math.abs(this.#aheadMs) > APART_MS;
  }

  #isFresh(last: Comparison | undefined): boolean {
    if (!last) return false;
    const { at, monotonic } = last;
    const wentByMs = this.#clock.monotonic() - monotonic;
    const movedMs = this.#clock.now() - at;
    const askAgainMs = this.#isApart() ? ASK_SOON_MS : ASK_EVERY_MS;
    return wentByMs < askAgainMs && Math.abs(movedMs - wentByMs) < JUMP_MS;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { store, bucket } = this.#place;
    const forgotten = this.#forgotten;
    this.#isStale = true;
    const theirs = await store.serviceTime({ bucket }, { signal });
    const at = this.#clock.now();
    const aheadMs = theirs ? at - theirs.now : 0;
    const isTrusted = theirs?.isTrusted === true;
    const isKnown = isTrusted || Math.abs(aheadMs) > PRECISION_MS;
    const heard = { at, monotonic: this.#clock.monotonic() };
    // Else the answer may be older than the correction.
    const isCurrent = forgotten === this.#forgotten;
    if (isCurrent) {
      this.#heard = heard;
      this.#serviceAheadMs = isKnown ? -aheadMs : 0;
    }
    const isWrong = isTrusted ? aheadMs < -TRUSTED_AHEAD_MS : Math.abs(aheadMs) > APART_MS;
    if (theirs && isWrong) throw differs(at, theirs);
    if (!isCurrent) return;
    this.#isStale = false;
    this.#aheadMs = isTrusted ? aheadMs : 0;
    this.#last = heard;
  }
}

const TRUST = "if this machine's clock is right, run holdfast store trust-clock";

/** Two days and more in days, two hours and more in hours. */
function lengthText(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return `${Math.round(ms / MINUTE_MS)} minutes`;
}

function differs(ours: number, { now, isTrusted }: ServiceTime): MirrorError {
  const [here, there] = [ours, now].map((at) => new Date(at).toISOString());
  return new MirrorError(
    'ClockDiffers',
    isTrusted
      ? `lock versions: clock: this machine says ${here}, its store trusts that it is ${there}: nothing is locked while it is ` +
          `more than a day ahead; ${TRUST}, else set it`
      : `lock versions: clock: this machine says ${here}, the service ${there}: nothing is locked while they differ by ` +
          'more than 15 minutes; set the clock that is wrong',
  );
}

/** `clock` with the wall time that was last agreed on. */
export function agreedClock(clock: Clock, time: AgreedTime): Clock {
  return {
    now: () => time.lastAgreed(),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, run) => clock.after(ms, run),
  };
}
