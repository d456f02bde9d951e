/** Stores the journal: the requests whose outcome is not known yet. */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { Commits } from './commits.ts';
import type { ReplacedContent } from '../model/conflict.ts';

export interface JournalRow {
  readonly id: string;
  readonly key: string;
  readonly operation: 'put' | 'delete';
  /** ETag of the current version that the request expects; absent if it expects that the key does not exist. */
  readonly expected?: string;
  readonly sha256?: string;
  readonly entry?: JournalEntry;
  /** Another client's version that the put replaces. */
  readonly supersedes?: ReplacedContent;
  readonly startedAt: number;
}

/** The baseline row that a put will produce, without the columns that come from the service's response. */
export type JournalEntry = LocalEntry &
  Pick<BaselineEntry, 'retainUntil' | 'reprotectedAt' | 'content' | 'uploadedAt'> & {
    readonly copies?: CopySource;
  };

/** The source of a copy. Its key is relative to the prefix. */
export interface CopySource {
  readonly key: string;
  readonly versionId?: string;
  readonly etag: string;
  /** Set if the source has a legal hold, because the copy must get one too. */
  readonly legalHold?: true;
}

type Row = Record<string, string | number | null>;
/**
 * The values of a row, in the order of the INSERT statement. They are bound by position, because binding by name takes
 * longer.
 */
type Values = readonly (string | number | null)[];

export class JournalTable {
  readonly #db: Database.Database;
  readonly #commits: Commits;
  readonly #put: Database.Statement<[...Values]>;
  readonly #dropNumbered: Database.Statement<[number, string]>;
  readonly #drop: Database.Statement<[string]>;
  /**
   * Row ids of the journal rows that this process wrote, by journal id. With the row id, a row is removed without a
   * search, because the table has no index on the journal id.
   */
  readonly #numbers = new Map<string, number>();

  constructor(db: Database.Database, commits: Commits) {
    this.#db = db;
    this.#commits = commits;
    this.#put = db.prepare(
      `INSERT INTO journal (id, key, operation, expected, sha256, entry, supersedes, started_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#dropNumbered = db.prepare('DELETE FROM journal WHERE number = ? AND id = ?');
    this.#drop = db.prepare('DELETE FROM journal WHERE id = ?');
  }

  /** Stores journal rows. Resolves when they are durable; only then may the requests be sent. */
  async begin(rows: readonly JournalRow[]): Promise<void> {
    const numbers: [string, number][] = [];
    await this.#commits.durably(() => {
      for (const row of rows)
        numbers.push([row.id, Number(this.#put.run(...valuesOf(row)).lastInsertRowid)]);
    });
    for (const [id, number] of numbers) this.#numbers.set(id, number);
  }

  /** Removes a row. Must run in the transaction that stores the request's outcome. */
  end(id: string): void {
    const number = this.#numbers.get(id);
    this.#numbers.delete(id);
    // The row id is unknown if an earlier process wrote the row, or if an earlier transaction that removed the row was
    // rolled back.
    if (number === undefined) this.#drop.run(id);
    else this.#dropNumbered.run(number, id);
  }

  /** Returns the rows of all requests that have not ended, oldest first. */
  unfinished(): readonly JournalRow[] {
    return (
      this.#db.prepare('SELECT * FROM journal ORDER BY started_at, number').all() as Row[]
    ).map(readRow);
  }
}

function valuesOf(row: JournalRow): Values {
  return [
    row.id,
    row.key,
    row.operation,
    row.expected ?? null,
    row.sha256 ?? null,
    row.entry ? JSON.stringify(row.entry) : null,
    row.supersedes ? JSON.stringify(row.supersedes) : null,
    row.startedAt,
  ];
}

function readRow(row: Row): JournalRow {
  return defined({
    id: String(row['id']),
    key: String(row['key']),
    operation: row['operation'] as JournalRow['operation'],
    expected: (row['expected'] as string | null) ?? undefined,
    sha256: (row['sha256'] as string | null) ?? undefined,
    entry: parsed(row['entry']) as JournalEntry | undefined,
    supersedes: parsed(row['supersedes']) as ReplacedContent | undefined,
    startedAt: Number(row['started_at']),
  });
}

/** Only Holdfast writes the state file, so the JSON is not validated. */
function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : undefined;
}
