/**
 * The time from which locks are counted: this machine's, as long as the service's agrees with it. A wrong clock must not
 * lock for years, nor lock nothing.
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
    return this.#clock.now();
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
    if (theirs !== undefined && Math.abs(theirs - at) > APART_MS) throw differs(at, theirs);
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
