/** How a job stands at this moment, and when those who watch are told that it changed. */

import type { Clock } from '../base/clock.ts';
import type { StatusParts } from './status.ts';
import type { Standstill } from './model/types.ts';

/** Changes come by the thousand; who watches is told of the last one in each quarter of a second. */
const CHANGE_INTERVAL_MS = 250;

export class Standing {
  readonly #clock: Clock;
  readonly #tell: () => void;
  #standstill: Standstill | undefined;
  /** No round is over since the work began, or began again: what differs is not known. */
  #isFirst = true;
  #isScanning = false;
  #lastRound: StatusParts['lastRound'];
  #isChangeDue = false;

  constructor(clock: Clock, tell: () => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  parts() {
    return {
      standstill: this.#standstill,
      isScanning: this.#isScanning,
      isFirst: this.#isFirst,
      lastRound: this.#lastRound,
      now: this.#clock.now(),
    } satisfies Partial<StatusParts>;
  }

  setStandstill(standstill: Standstill | undefined): void {
    this.#standstill = standstill;
    if (!standstill) this.#isFirst = true;
    this.changed();
  }

  setScanning(isScanning: boolean): void {
    this.#isScanning = isScanning;
    this.changed();
  }

  roundIsOver(text: string): void {
    this.#isFirst = false;
    this.#lastRound = { at: this.#clock.now(), text };
    this.changed();
  }

  changed(): void {
    if (this.#isChangeDue) return;
    this.#isChangeDue = true;
    this.#clock.after(CHANGE_INTERVAL_MS, () => {
      this.#isChangeDue = false;
      this.#tell();
    });
  }
}
