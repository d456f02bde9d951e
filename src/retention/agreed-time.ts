/**
 * Provides the time from which retention is counted. A wrong clock must not lock versions for years or leave them
 * unlocked, so this machine's clock is used only while it agrees with the service's time. The trusted time of an
 * embedded store can differ: it falls behind while its machine is off, and runs slightly ahead after an accepted clock
 * jump. In these cases retention is counted from the store's time, and the job continues.
 */

import type { Clock } from '../base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import type { ServiceTime } from '../object-store/service-clock.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import type { Destination } from '../mirror/objects/destination.ts';

/**
 * The maximum difference between this machine's clock and the service's time. Services also reject signatures with a
 * larger difference.
 */
const MAX_DIFFERENCE_MS = 15 * MINUTE_MS;
/**
 * The maximum time by which a store's trusted time may be ahead of this machine's clock. The trusted time accepts jumps
 * of up to an hour and never goes back, so a small lead is normal. Locks counted from it are not shorter, and only
 * slightly longer.
 */
const MAX_TRUSTED_LEAD_MS = DAY_MS;
const REQUEST_EVERY_MS = HOUR_MS;
/** The interval between time requests while a warning asks the user to correct a clock. */
const REQUEST_SOON_MS = MINUTE_MS;
/**
 * If the wall clock drifts this far from the monotonic clock, the wall clock was changed. `now` then asks the service
 * immediately.
 */
const JUMP_MS = MINUTE_MS;

/**
 * Clock differences below this value are ignored, because remote services report whole seconds and respond with a
 * delay.
 */
const PRECISION_MS = 2_000;

interface Comparison {
  readonly at: number;
  readonly monotonic: number;
}

export class AgreedTime {
  readonly #destination: Destination;
  readonly #clock: Clock;
  #last: Comparison | undefined;
  /** Whether `now` must ask the service before it returns, because a request failed or `forget` was called. */
  #isStale = true;
  #forgetCalls = 0;
  /**
   * How far this machine's clock is ahead of the store's trusted time. Negative if it is behind. 0 if the store has no
   * trusted time.
   */
  #aheadMs = 0;
  /** How far the service's time is ahead of this machine's clock. 0 if it is not known. */
  #serviceAheadMs = 0;
  /** The readings of this machine's clocks at the last response of the service. */
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
   * Returns the last agreed time plus the monotonic time since then. A jump of this machine's clock does not change the
   * result.
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
   * Returns the service's time according to its last response. If that is not known, returns this machine's time.
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
    // If `forget` was called during the request, the response may be older than the correction of the clock.
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

/**
 * Formats a duration in days if it is at least two days, in hours if it is at least two hours, and otherwise in
 * minutes.
 */
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
