/**
 * Versions that were dated by a clock which was seen to jump ahead. They have its dates, since it may be right: a clock
 * is put right by a jump, too. When it came back it was wrong, and they are dated again by the time that was seen to
 * pass; else none of their dates would mean a moment, and a tree of a time could not be told.
 */

import type { Database, Statement } from 'better-sqlite3';

import type { TrustedInstant } from '../upkeep/trusted-time.ts';

/** A clock that is slewed back is noted in steps of so much. */
const STEP_MS = 1_000;

export class ClockDoubts {
  readonly #lastAhead: Statement<[], number>;
  readonly #add: Statement<[number, number]>;
  readonly #dateAgain: Statement;
  readonly #forget: Statement;
  /** There may be rows: without any, nothing is asked. */
  #isAny = true;

  constructor(database: Database) {
    this.#lastAhead = database
      .prepare<[], number>('SELECT ahead_ms FROM clock_doubt ORDER BY from_sequence DESC LIMIT 1')
      .pluck();
    this.#add = database.prepare('INSERT INTO clock_doubt (from_sequence, ahead_ms) VALUES (?, ?)');
    this.#dateAgain = database.prepare(
      `UPDATE version SET last_modified_at = last_modified_at - (
         SELECT ahead_ms FROM clock_doubt WHERE from_sequence <= version.sequence
         ORDER BY from_sequence DESC LIMIT 1)
       WHERE sequence >= (SELECT min(from_sequence) FROM clock_doubt)`,
    );
    this.#forget = database.prepare('DELETE FROM clock_doubt');
  }

  /** To be called before the version is there. */
  beforeVersion(sequence: number, time: TrustedInstant): void {
    this.settle(time);
    const aheadMs = time.clock === 'jumped' ? time.clockAheadMs : 0;
    if (aheadMs === 0 && !this.#isAny) return;
    const last = this.#lastAhead.get();
    if (last === undefined && aheadMs === 0) return;
    // What is not ahead at all begins at once: it must never be dated again.
    const isSame = aheadMs === 0 ? last === 0 : Math.abs(aheadMs - (last ?? 0)) < STEP_MS;
    if (!isSame) this.#add.run(sequence, aheadMs);
    this.#isAny = true;
  }

  /** Ends the doubts, once it is known whether the clock was right. */
  settle({ clock }: TrustedInstant): void {
    if (!this.#isAny || (clock !== 'believed' && clock !== 'upheld')) return;
    this.#isAny = this.#lastAhead.get() !== undefined;
    if (!this.#isAny) return;
    if (clock === 'believed') this.#dateAgain.run();
    this.#forget.run();
  }

  /** To be called after a rollback. */
  reload(): void {
    this.#isAny = true;
  }
}
