/** Tracks the current phase of a job, and limits how often the job reports status changes. */

import type { Clock } from '../base/clock.ts';
import type { RoundKind } from './model/round-record.ts';
import type { StatusParts } from './status.ts';
import type { Standstill } from './model/types.ts';

/** Minimum time between two notifications of status changes, in milliseconds. */
const CHANGE_INTERVAL_MS = 250;

export class JobPhase {
  readonly #clock: Clock;
  readonly #notify: () => void;
  #standstill: Standstill | undefined;
  /** Whether no sync round has finished since the job started or resumed. */
  #isFirst = true;
  /** Number of files that the running scan has found so far; undefined if no scan is running. */
  #scannedFiles: number | undefined;
  #lastRound: StatusParts['lastRound'];
  #lastFullRoundAt: number | undefined;
  #isChangeDue = false;

  constructor(clock: Clock, notify: () => void) {
    this.#clock = clock;
    this.#notify = notify;
  }

  parts() {
    return {
      standstill: this.#standstill,
      isScanning: this.#scannedFiles !== undefined,
      isFirst: this.#isFirst,
      lastRound: this.#lastRound,
      lastFullRoundAt: this.#lastFullRoundAt,
      now: this.#clock.now(),
    } satisfies Partial<StatusParts>;
  }

  setStandstill(standstill: Standstill | undefined): void {
    this.#standstill = standstill;
    if (!standstill) this.#isFirst = true;
    this.changed();
  }

  setScanning(isScanning: boolean): void {
    this.#scannedFiles = isScanning ? 0 : undefined;
    this.changed();
  }

  /** Adds newly found files to the running scan's count. */
  scanned(files: number): void {
    if (this.#scannedFiles !== undefined) this.#scannedFiles += files;
  }

  get scannedFiles(): number | undefined {
    return this.#scannedFiles;
  }

  roundFinished(kind: RoundKind, text: string): void {
    const at = this.#clock.now();
    this.#isFirst = false;
    this.#lastRound = { at, text };
    if (kind !== 'event') this.#lastFullRoundAt = at;
    this.changed();
  }

  changed(): void {
    if (this.#isChangeDue) return;
    this.#isChangeDue = true;
    this.#clock.after(CHANGE_INTERVAL_MS, () => {
      this.#isChangeDue = false;
      this.#notify();
    });
  }
}
