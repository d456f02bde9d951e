/** Records a job's finished rounds with their totals. */

import type { FinishedRound, RoundPage, RoundRow, RoundTotals } from '../model/round-record.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Tracker } from '../model/tracker.ts';

/**
 * The history of finished rounds. An event round ends when its actions are submitted, and a full round when they are
 * done. Results that arrive later are credited to the event round until another round finds changes.
 */
export class RoundHistory {
  readonly #state: StateFile;
  readonly #tracker: Tracker;
  #noted: RoundTotals;
  /** Kind of the last round in this process. */
  #last: FinishedRound['kind'] | undefined;

  constructor(state: StateFile, tracker: Tracker) {
    this.#state = state;
    this.#tracker = tracker;
    this.#noted = tracker.totals();
  }

  over(round: FinishedRound): void {
    const isOfLast = this.#last === 'event' && (round.kind === 'event' || round.actions === 0);
    const totals = this.#take();
    if (isOfLast) this.#state.rounds.note(round, { before: totals });
    else this.#state.rounds.note(round, { by: totals });
    this.#last = round.kind;
  }

  page(page: RoundPage): readonly RoundRow[] {
    this.credit();
    return this.#state.rounds.page(page);
  }

  /** Credits the finished work to the last event round, unless work is in progress. */
  credit(): void {
    if (this.#last !== 'event' || this.#tracker.oldestSince() !== undefined) return;
    const totals = this.#take();
    if (totals.versions + totals.deletes > 0) this.#state.rounds.creditLast(totals);
  }

  /** Returns the totals of the work since the last call. */
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

export function actionsText(actions: number): string {
  return actions === 1 ? '1 action' : `${actions} actions`;
}

export function finishedRound(
  kind: FinishedRound['kind'],
  seconds: number,
  actions: number,
  now: number,
): FinishedRound {
  return { kind, startedAt: now - Math.round(seconds * 1_000), endedAt: now, actions };
}
