/** Notes the rounds of a job when they are over, each with what it did. */

import type { RoundRow, FinishedRound, RoundTotals } from '../model/round-record.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../model/activity.ts';

/**
 * A full round is over when all that it found is done; one of single changes when that is on its way. So what is done
 * afterwards is the latter's, until a round is over that found something itself.
 */
export class RoundHistory {
  readonly #state: StateFile;
  readonly #tracker: Tracker;
  #noted: RoundTotals;
  /** Kind of the last round of this process. */
  #last: FinishedRound['kind'] | undefined;

  constructor(state: StateFile, tracker: Tracker) {
    this.#state = state;
    this.#tracker = tracker;
    this.#noted = tracker.totals();
  }

  over(round: FinishedRound): void {
    const isOfLast = this.#last === 'event' && (round.kind === 'event' || round.actions === 0);
    const deeds = this.#take();
    if (isOfLast) this.#state.rounds.note(round, { before: deeds });
    else this.#state.rounds.note(round, { by: deeds });
    this.#last = round.kind;
  }

  /** The newest first: those before this number. */
  page(limit: number, before?: number): readonly RoundRow[] {
    const isIdle = this.#tracker.oldestSince() === undefined;
    if (this.#last === 'event' && isIdle) {
      const deeds = this.#take();
      if (deeds.versions + deeds.deletes > 0) this.#state.rounds.creditLast(deeds);
    }
    return this.#state.rounds.page(limit, before);
  }

  /** What was done since it was taken last. */
  #take(): RoundTotals {
    const { versions, bytes, deletes } = this.#tracker.totals();
    const noted = this.#noted;
    this.#noted = { versions, bytes, deletes };
    return {
      versions: versions - noted.versions,
      bytes: bytes - noted.bytes,
      deletes: deletes - noted.deletes,
    };
  }
}
