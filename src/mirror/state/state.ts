/**
 * The state file of a job: one SQLite database with its baseline, journal and other tables. Access is
 * synchronous, a few microseconds per row.
 */

import { chmodSync, closeSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import { isDamagedDatabase } from '../../base/errors.ts';
import { watchErrors } from '../../base/watched-database.ts';
import { BaselineTable } from './baseline-table.ts';
import { Commits } from './commits.ts';
import { ConflictTable } from './conflict-table.ts';
import type { NewConflict, Resolution } from '../model/conflict.ts';
import { DamagedTable } from './damaged-table.ts';
import { ForgottenTable } from './forgotten-table.ts';
import { CountedDeletesTable } from './counted-deletes-table.ts';
import { HeldChanges } from './held-changes.ts';
import { HeldDeletesTable } from './held-deletes-table.ts';
import { HeldOverwritesTable } from './held-overwrites-table.ts';
import { RecentlyDeletedTable } from './gone-table.ts';
import { HeldTable } from './held-table.ts';
import { JournalTable } from './journal-table.ts';
import { ForeignVersionsTable } from './others-versions-table.ts';
import { RoundsTable } from './rounds-table.ts';
import { AnomaliesTable } from './signs-table.ts';
import { type FailedCheck, LockTable } from './lock-table.ts';
import { RecentTable } from './recent-table.ts';
import { RetainedTable } from './retained-table.ts';
import { migrate } from './state-schema.ts';
import { UploadsTable } from './uploads-table.ts';
import { VersionTimesTable } from './version-times-table.ts';
import { ReplacementTable } from './taking-table.ts';
import type { Hold } from '../model/hold.ts';
import type { BaselineEntry } from '../model/types.ts';

/** The outcome of one key: its new baseline row, if any, and the journal row that it ends. */
export interface Settlement {
  readonly key: string;
  readonly journalId?: string;
  /** `keep` leaves the baseline row unchanged. */
  readonly baseline: BaselineEntry | 'drop' | 'keep';
  /** Content that was superseded: recorded in the conflict log. */
  readonly replacedContent?: NewConflict;
  /** Entries of the conflict log that are resolved by it. */
  readonly resolves?: { readonly ids: readonly string[]; as: Resolution; at: number };
  /** A pending replacement in the folder is complete. */
  readonly endsReplacement?: true;
}

/** Small: rounds read folder by folder, in order, and the kernel's page cache serves that as well. */
const CACHE_KIB = 4 * 1024;
const NO_HOLDS: ReadonlyMap<string, Hold> = new Map();

/** Its name in the job's state folder. */
export const STATE_FILE = 'state.sqlite';

/** Throws MirrorError `StateUnusable` for a file of a later release. */
export function openStateFile(path: string): StateFile {
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    migrate(db, path);
    chmodSync(path, 0o600);
    return new StateFile(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

export class StateFile {
  readonly baseline: BaselineTable;
  readonly conflicts: ConflictTable;
  readonly journal: JournalTable;
  readonly held: HeldTable;
  readonly uploads: UploadsTable;
  readonly replacements: ReplacementTable;
  readonly recentlyDeleted: RecentlyDeletedTable;
  readonly heldDeletes: HeldDeletesTable;
  readonly locks: LockTable;
  readonly retained: RetainedTable;
  readonly recent: RecentTable;
  readonly forgotten: ForgottenTable;
  readonly countedDeletes: CountedDeletesTable;
  readonly heldOverwrites: HeldOverwritesTable;
  readonly heldChanges: HeldChanges;
  readonly rounds: RoundsTable;
  readonly anomalies: AnomaliesTable;
  readonly othersVersions: ForeignVersionsTable;
  readonly versionTimes: VersionTimesTable;
  readonly damaged: DamagedTable;
  readonly #db: Database.Database;
  readonly #commits: Commits;
  readonly #meta: Database.Statement<[string]>;
  #isDamaged = false;
  #onDamage: (() => void) | undefined;

  constructor(db: Database.Database) {
    this.#db = watchErrors(db, (error) => this.#noteError(error));
    this.#commits = new Commits(db);
    this.#meta = db.prepare<[string]>('SELECT value FROM meta WHERE name = ?').pluck();
    this.baseline = new BaselineTable(db);
    this.conflicts = new ConflictTable(db);
    this.journal = new JournalTable(db, this.#commits);
    this.recentlyDeleted = new RecentlyDeletedTable(db);
    this.replacements = new ReplacementTable(db);
    this.held = new HeldTable(db);
    this.uploads = new UploadsTable(db, this.#commits);
    this.heldDeletes = new HeldDeletesTable(db);
    this.locks = new LockTable(db);
    this.retained = new RetainedTable(db);
    this.recent = new RecentTable(db);
    this.forgotten = new ForgottenTable(db);
    this.countedDeletes = new CountedDeletesTable(db);
    this.heldOverwrites = new HeldOverwritesTable(db);
    this.heldChanges = new HeldChanges(db);
    this.rounds = new RoundsTable(db, this.#commits);
    this.anomalies = new AnomaliesTable(db);
    this.othersVersions = new ForeignVersionsTable(db);
    this.versionTimes = new VersionTimesTable(db);
    this.damaged = new DamagedTable(db);
  }

  /**
   * Stores the results of a batch: new baseline rows and the end of journal rows, in one transaction. It
   * becomes durable with the next journal row. After a power failure before that, the journal rows still
   * exist, and recovery reads them.
   */
  settle(settlements: readonly Settlement[], failedChecks: readonly FailedCheck[] = []): void {
    const count = this.#commits.withoutSync(() => {
      for (const settlement of settlements) this.#endWork(settlement);
      const changes = [...changesOf(settlements)];
      for (const [key, entry] of changes) this.locks.note(key, entry, () => this.baseline.get(key));
      for (const check of failedChecks) this.locks.defer(check);
      return this.baseline.write(changes);
    });
    count();
    this.damaged.settled(settlements.map(({ key }) => key));
  }

  #endWork({
    key,
    journalId,
    baseline,
    replacedContent,
    resolves,
    endsReplacement,
  }: Settlement): void {
    if (journalId !== undefined) this.journal.end(journalId);
    if (replacedContent) this.conflicts.record({ ...replacedContent, key });
    for (const id of resolves?.ids ?? [])
      if (resolves) this.conflicts.resolve(id, resolves.as, resolves.at);
    if (endsReplacement) this.replacements.end(key);
    if (typeof baseline === 'object') this.recentlyDeleted.forget(key);
    if (baseline === 'drop') this.#releaseHold(key);
    if (typeof baseline === 'object' && journalId !== undefined) this.uploads.end(journalId);
    const known = baseline === 'drop' && journalId !== undefined && this.baseline.get(key);
    if (known) this.recentlyDeleted.remember(key, known);
  }

  /** Drops a hold with its baseline row, so that a decision never applies to a later file of the same name. */
  #releaseHold(key: string): void {
    this.heldDeletes.release(key);
    this.heldOverwrites.release(key);
  }

  /** The holds of these keys, including approved and rejected ones, for the planner. */
  holds(keys: readonly string[]): ReadonlyMap<string, Hold> {
    const isNone = this.heldDeletes.isCertainlyEmpty && this.heldOverwrites.isCertainlyEmpty;
    return isNone ? NO_HOLDS : this.heldChanges.among(keys);
  }

  /** Counts for the job's status. */
  counts() {
    return {
      ...this.baseline.totals(),
      openConflicts: this.conflicts.countOpen(),
      heldDeletes: this.heldChanges.counts().deletes,
    };
  }

  /** Commits all writes of `work` as one transaction. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work)();
  }

  /** Whether pages of the file could not be read. The file must then be closed and rebuilt. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** `listener` is called once, after the operation that met the damage has ended. */
  whenDamaged(listener: () => void): void {
    this.#onDamage = listener;
  }

  #noteError(error: unknown): unknown {
    if (!isDamagedDatabase(error) || this.#isDamaged) return error;
    this.#isDamaged = true;
    queueMicrotask(() => this.#onDamage?.());
    return error;
  }

  meta(name: string): string | undefined {
    return this.#meta.get(name) as string | undefined;
  }

  setMeta(name: string, value: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
  }

  close(): void {
    this.#commits.close();
    this.#db.close();
  }
}

function* changesOf(
  settlements: readonly Settlement[],
): Generator<[string, BaselineEntry | 'drop']> {
  for (const { key, baseline } of settlements) if (baseline !== 'keep') yield [key, baseline];
}
