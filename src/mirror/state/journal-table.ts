/** Requests whose outcome is not yet known. */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import type { Commits } from './commits.ts';
import type { ReplacedContent } from '../model/conflict.ts';

export interface JournalRow {
  readonly id: string;
  readonly key: string;
  readonly operation: 'put' | 'delete';
  /** ETag of the expected head; absent: no head. */
  readonly expected?: string;
  readonly sha256?: string;
  readonly entry?: JournalEntry;
  /** The version of someone else that the put covers. */
  readonly supersedes?: ReplacedContent;
  readonly startedAt: number;
}

/** The baseline that a put makes, but for what the service answers. */
export type JournalEntry = LocalEntry &
  Pick<BaselineEntry, 'retainUntil' | 'reprotectedAt' | 'content' | 'uploadedAt'> & {
    readonly copies?: CopySource;
  };

/** What a copy is made of. Its key is below the prefix. */
export interface CopySource {
  readonly key: string;
  readonly versionId?: string;
  readonly etag: string;
  /** It is under a legal hold, and the copy is to be, too. */
  readonly legalHold?: true;
}

type Row = Record<string, string | number | null>;

export class JournalTable {
  readonly #db: Database.Database;
  readonly #commits: Commits;
  readonly #put: Database.Statement<[Row]>;
  readonly #drop: Database.Statement<[string]>;

  constructor(db: Database.Database, commits: Commits) {
    this.#db = db;
    this.#commits = commits;
    this.#put = db.prepare(
      `INSERT INTO journal (id, key, operation, expected, sha256, entry, supersedes, started_at)
       VALUES (@id, @key, @operation, @expected, @sha256, @entry, @supersedes, @startedAt)`,
    );
    this.#drop = db.prepare('DELETE FROM journal WHERE id = ?');
  }

  /** Resolves when all of them are durable: only then may the requests be sent. */
  begin(rows: readonly JournalRow[]): Promise<void> {
    return this.#commits.durably(() => {
      for (const row of rows) this.#put.run(parameters(row));
    });
  }

  /** Inside a transaction of the caller's, with what came of the request. */
  end(id: string): void {
    this.#drop.run(id);
  }

  /** Oldest first. */
  unfinished(): readonly JournalRow[] {
    return (this.#db.prepare('SELECT * FROM journal ORDER BY started_at').all() as Row[]).map(
      readRow,
    );
  }
}

function parameters(row: JournalRow): Row {
  return {
    id: row.id,
    key: row.key,
    operation: row.operation,
    expected: row.expected ?? null,
    sha256: row.sha256 ?? null,
    entry: row.entry ? JSON.stringify(row.entry) : null,
    supersedes: row.supersedes ? JSON.stringify(row.supersedes) : null,
    startedAt: row.startedAt,
  };
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

/** Of our own writing: the state file is nobody else's. */
function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : undefined;
}
