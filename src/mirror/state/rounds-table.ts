/** The latest finished rounds, which users list to see what the job did. */

import type Database from 'better-sqlite3';

import type { Commits } from './commits.ts';
import type { FinishedRound, RoundTotals, RoundRow } from '../model/round-record.ts';

/** Six weeks of a folder that does not change, or at least a day of one that changes all the time. */
const ROUNDS_KEPT = 2_000;
/** Rounds for single changes are frequent: those within a minute share a row. */
const TOGETHER_MS = 60_000;

const COLUMNS = `number, kind, rounds, started_at AS startedAt, ended_at AS endedAt, actions, versions, bytes, deletes`;

/** Written without an own sync: a power failure may lose rows. */
export class RoundsTable {
  readonly #db: Database.Database;
  readonly #commits: Commits;
  readonly #last: Database.Statement<[], RoundRow>;
  readonly #insert: Database.Statement<[FinishedRound]>;
  readonly #extend: Database.Statement<[FinishedRound & { readonly number: number }]>;
  readonly #credit: Database.Statement<[RoundTotals & { readonly number: number }]>;
  readonly #forget: Database.Statement<[{ readonly number: number }]>;

  constructor(db: Database.Database, commits: Commits) {
    this.#db = db;
    this.#commits = commits;
    this.#last = db.prepare(`SELECT ${COLUMNS} FROM rounds ORDER BY number DESC LIMIT 1`);
    this.#insert = db.prepare(
      `INSERT INTO rounds (kind, rounds, started_at, ended_at, actions, versions, bytes, deletes)
         VALUES (@kind, 1, @startedAt, @endedAt, @actions, 0, 0, 0)`,
    );
    this.#extend = db.prepare(
      `UPDATE rounds SET rounds = rounds + 1, ended_at = @endedAt, actions = actions + @actions WHERE number = @number`,
    );
    this.#credit = db.prepare(
      `UPDATE rounds SET versions = versions + @versions, bytes = bytes + @bytes, deletes = deletes + @deletes
        WHERE number = @number`,
    );
    this.#forget = db.prepare(`DELETE FROM rounds WHERE number <= @number - ${ROUNDS_KEPT}`);
  }

  /** `before`: work done since the previous row, which is credited to that row. `by`: work done by this round. */
  note(
    round: FinishedRound,
    { before, by }: { readonly before?: RoundTotals; readonly by?: RoundTotals },
  ): void {
    this.#commits.withoutSync(() => {
      if (before) this.#creditLast(before);
      this.#put(round);
      if (by) this.#creditLast(by);
    });
  }

  creditLast(totals: RoundTotals): void {
    this.#commits.withoutSync(() => this.#creditLast(totals));
  }

  /** Up to `limit` rounds with a number below `before`, newest first. */
  page(limit: number, before = Number.MAX_SAFE_INTEGER): readonly RoundRow[] {
    return this.#db
      .prepare<[number, number], RoundRow>(
        `SELECT ${COLUMNS} FROM rounds WHERE number < ? ORDER BY number DESC LIMIT ?`,
      )
      .all(before, limit);
  }

  #put(round: FinishedRound): void {
    const last = this.#last.get();
    const isTogether =
      round.kind === 'event' &&
      last?.kind === 'event' &&
      Math.abs(round.endedAt - last.startedAt) < TOGETHER_MS;
    if (isTogether) return void this.#extend.run({ ...round, number: last.number });
    const number = Number(this.#insert.run(round).lastInsertRowid);
    this.#forget.run({ number });
  }

  #creditLast(totals: RoundTotals): void {
    const last = this.#last.get();
    if (last) this.#credit.run({ ...totals, number: last.number });
  }
}
