/**
 * Provides the time from which retention is counted. A wrong clock must neither lock versions for years nor leave them
 * unlocked, so this machine's clock counts only while it agrees with the service's time.
 * A store that judges locks by its own trusted time falls behind while its machine is off, and runs slightly ahead
 * after an accepted clock jump. Retention is then counted from the store's time, and the job continues.
 */

import type { Clock } from '../base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import type { ServiceTime } from '../object-store/service-clock.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import type { Destination } from '../mirror/objects/destination.ts';

/**
 * Maximum difference between this machine's clock and the service's time. Services also reject signatures whose time
 * differs by more.
 */
const MAX_DIFFERENCE_MS = 15 * MINUTE_MS;
/**
 * Maximum lead of a store's trusted time over this machine's clock. A trusted time accepts jumps of up to an hour and
 * never goes back, so a small lead is normal. Locks that are counted from it are not shorter, and hardly longer.
 */
const MAX_TRUSTED_LEAD_MS = DAY_MS;
const REQUEST_EVERY_MS = HOUR_MS;
/** Interval between requests for the time while a warning asks the user to correct a clock. */
const REQUEST_SOON_MS = MINUTE_MS;
/** A wall clock that drifts this far from the monotonic clock was changed. `now` then asks the service at once. */
const JUMP_MS = MINUTE_MS;

/** Smaller differences are ignored, because remote services report whole seconds and answer after a delay. */
const PRECISION_MS = 2_000;

interface Comparison {
  readonly at: number;
  readonly monotonic: number;
}

export class AgreedTime {
  readonly #destination: Destination;
  readonly #clock: Clock;
  #last: Comparison | undefined;
  /** Whether `now` must ask the service before it answers, because a request failed or `forget` was called. */
  #isStale = true;
  #forgetCalls = 0;
  /** Lead of this machine's clock over the store's trusted time; negative if it is behind, 0 without a trusted time. */
  #aheadMs = 0;
  /** Lead of the service's time over this machine's clock; 0 if it is not known. */
  #serviceAheadMs = 0;
  /** This machine's clock readings when the service last answered. */
  #lastResponse: Comparison | undefined;
  #request: Promise<void> | undefined;

  constructor(destination: Destination, clock: Clock) {
    this.#destination = destination;
    this.#clock = clock;
  }

  /**
   * Returns the agreed time in milliseconds since 1970. Rejects with MirrorError `ClockDiffers` or the store's errors.
   */
  async now(signal: AbortSignal): Promise<number> {
    if (this.#isStale || !this.#isFresh(this.#last)) {
      const request = (this.#request ??= this.#requestTime(signal));
      await request.finally(() => {
        if (this.#request === request) this.#request = undefined;
      });
    }
    return this.lastAgreed();
  }

  /**
   * Returns the last agreed time plus the monotonic time since then, so a jump of this machine's clock does not change
   * it.
   */
  lastAgreed(): number {
    if (!this.#last) return this.#clock.now() - this.#aheadMs;
    const { at, monotonic } = this.#last;
    return Math.round(at - this.#aheadMs + this.#clock.monotonic() - monotonic);
  }

  /** Makes the next call of `now` ask the service again. */
  forget(): void {
    this.#isStale = true;
    this.#lastResponse = undefined;
    this.#request = undefined;
    this.#forgetCalls++;
  }

  /**
   * Returns the service's time according to its last answer, or this machine's time if the service's is not known.
   * Unlike `now`, it does not reject if the clocks differ. Rejects with the store's errors.
   */
  async ofService(signal: AbortSignal): Promise<number> {
    try {
      if (!this.#isFresh(this.#lastResponse)) await this.now(signal);
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
      `lock: the store's time is ${apart} this machine's clock (${why}); retention periods start at the store's time; ${TRUST}`,
    ];
  }

  #isApart(): boolean {
    return Math.abs(this.#aheadMs) > MAX_DIFFERENCE_MS;
  }

  #isFresh(last: Comparison | undefined): boolean {
    if (!last) return false;
    const { at, monotonic } = last;
    const elapsedMs = this.#clock.monotonic() - monotonic;
    const movedMs = this.#clock.now() - at;
    const intervalMs = this.#isApart() ? REQUEST_SOON_MS : REQUEST_EVERY_MS;
    return elapsedMs < intervalMs && Math.abs(movedMs - elapsedMs) < JUMP_MS;
  }

  async #requestTime(signal: AbortSignal): Promise<void> {
    const { store, bucket } = this.#destination;
    const forgetCalls = this.#forgetCalls;
    this.#isStale = true;
    const service = await store.serviceTime({ bucket }, { signal });
    const at = this.#clock.now();
    const aheadMs = service ? at - service.now : 0;
    const isTrusted = service?.isTrusted === true;
    const isKnown = isTrusted || Math.abs(aheadMs) > PRECISION_MS;
    const response = { at, monotonic: this.#clock.monotonic() };
    // If `forget` was called during the request, the answer may be older than the correction of the clock.
    const isCurrent = forgetCalls === this.#forgetCalls;
    if (isCurrent) {
      this.#lastResponse = response;
      this.#serviceAheadMs = isKnown ? -aheadMs : 0;
    }
    const isWrong = isTrusted
      ? aheadMs < -MAX_TRUSTED_LEAD_MS
      : Math.abs(aheadMs) > MAX_DIFFERENCE_MS;
    if (service && isWrong) throw clockDiffers(at, service);
    if (!isCurrent) return;
    this.#isStale = false;
    this.#aheadMs = isTrusted ? aheadMs : 0;
    this.#last = response;
  }
}

const TRUST = "if this machine's clock is correct, run: holdfast admin store trust-clock";

/** Formats a duration in days from two days on, in hours from two hours on, and otherwise in minutes. */
function lengthText(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return `${Math.round(ms / MINUTE_MS)} minutes`;
}

function clockDiffers(ours: number, { now, isTrusted }: ServiceTime): MirrorError {
  const [here, there] = [ours, now].map((at) => new Date(at).toISOString());
  return new MirrorError(
    'ClockDiffers',
    isTrusted
      ? `this machine's clock says ${here}, but the time of its store is ${there}; no version is locked or pruned while the clock is ` +
          `more than a day ahead; ${TRUST}; otherwise correct the clock`
      : `this machine's clock says ${here}, but the clock of the service says ${there}; no version is locked or pruned while they differ by ` +
          'more than 15 minutes; correct the clock that is wrong',
  );
}

/** Returns a clock like `clock` whose wall time is the last agreed time. */
export function agreedClock(clock: Clock, time: AgreedTime): Clock {
  return {
    now: () => time.lastAgreed(),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, run) => clock.after(ms, run),
  };
}
