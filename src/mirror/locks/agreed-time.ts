/**
 * The time from which locks are counted: this machine's, as long as the service's agrees with it. A wrong clock must not
 * lock for years, nor lock nothing. A store that judges locks by a trusted time of its own is behind after each night that
 * its machine was off: then its time counts, which locks no longer than was meant, and nobody is halted.
 */

import type { Clock } from '../../base/clock.ts';
import { MirrorError } from '../mirror-error.ts';
import type { Place } from '../target.ts';

/** Services refuse signatures beyond it, too. */
const APART_MS = 15 * 60_000;
const ASK_EVERY_MS = 3_600_000;
/** When this machine's clock moved otherwise than its time went by, the service is asked again at once. */
const JUMP_MS = 60_000;

interface Comparison {
  readonly at: number;
  readonly monotonic: number;
}

export class AgreedTime {
  readonly #place: Place;
  readonly #clock: Clock;
  #last: Comparison | undefined;
  /** How far this machine's clock is ahead of a time that is trusted. */
  #aheadMs = 0;
  #asking: Promise<void> | undefined;

  constructor(place: Place, clock: Clock) {
    this.#place = place;
    this.#clock = clock;
  }

  /** Milliseconds since 1970. Rejects with MirrorError `ClockDiffers`, and as the store does. */
  async now(signal: AbortSignal): Promise<number> {
    if (!this.#isFresh()) {
      this.#asking ??= this.#ask(signal).finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    return this.lastAgreed();
  }

  /** By what was last asked. */
  lastAgreed(): number {
    return this.#clock.now() - this.#aheadMs;
  }

  #isFresh(): boolean {
    if (!this.#last) return false;
    const { at, monotonic } = this.#last;
    const wentByMs = this.#clock.monotonic() - monotonic;
    const movedMs = this.#clock.now() - at;
    return wentByMs < ASK_EVERY_MS && Math.abs(movedMs - wentByMs) < JUMP_MS;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { store, bucket } = this.#place;
    this.#last = undefined;
    const theirs = await store.serviceTime({ bucket }, { signal });
    const at = this.#clock.now();
    const aheadMs = theirs ? at - theirs.now : 0;
    const isWrong = theirs?.isTrusted ? aheadMs < -APART_MS : Math.abs(aheadMs) > APART_MS;
    if (theirs && isWrong) throw differs(at, theirs.now);
    this.#aheadMs = theirs?.isTrusted ? Math.max(0, aheadMs) : 0;
    this.#last = { at, monotonic: this.#clock.monotonic() };
  }
}

function differs(ours: number, theirs: number): MirrorError {
  const [here, there] = [ours, theirs].map((at) => new Date(at).toISOString());
  return new MirrorError(
    'ClockDiffers',
    `lock versions: clock: this machine says ${here}, the service ${there}: nothing is locked while they differ by ` +
      'more than 15 minutes; set the clock that is wrong',
  );
}
