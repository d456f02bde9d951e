/** Stores the latest finished sync rounds, so that users can see what the job did. */

import type Database from 'better-sqlite3';

import type { Commits } from './commits.ts';
import type { FinishedRound, RoundPage, RoundTotals, RoundRow } from '../model/round-record.ts';

/**
 * Maximum number of stored rows. They cover six weeks if the folder does not change, or one day if it changes
 * constantly.
 */
const ROUNDS_KEPT = 2_000;
/** Time in milliseconds within which rounds for single changes share a row, because such rounds are frequent. */
const TOGETHER_MS = 60_000;

const COLUMNS = `number, kind, rounds, started_at AS startedAt, ended_at AS endedAt, actions, versions, bytes, deletes`;

/** The table of finished rounds. Writes are not synced to disk, so a power failure may lose rows. */
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

  /**
   * Records a finished round. `by` is the round's own work. `before` is work from before the round, and is added to the
   * previous row.
   */
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

  page({
    limit,
    before = Number.MAX_SAFE_INTEGER,
    onlyChanges = false,
  }: RoundPage): readonly RoundRow[] {
    const filter = onlyChanges ? 'AND versions + deletes > 0' : '';
    return this.#db
      .prepare<[number, number], RoundRow>(
        `SELECT ${COLUMNS} FROM rounds WHERE number < ? ${filter} ORDER BY number DESC LIMIT ?`,
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
