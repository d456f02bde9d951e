/**
 * Opens a job's state file, an SQLite database with the baseline, the journal and other tables. Access is synchronous
 * and takes a few microseconds per row.
 */

import { chmodSync, closeSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import { isDamagedDatabase } from '../../base/errors.ts';
import { watchErrors } from '../../base/watched-database.ts';
import type { NewConflict, Resolution } from '../model/conflict.ts';
import type { BaselineEntry } from '../model/types.ts';
import { Anomalies } from './anomalies.ts';
import { BaselineTable } from './baseline-table.ts';
import { Commits } from './commits.ts';
import { ConflictTable } from './conflict-table.ts';
import { CountedDeletes } from './counted-deletes.ts';
import { DamagedVersions } from './damaged-versions.ts';
import { HeldChanges } from './held-changes.ts';
import { HeldConflicts } from './held-conflicts.ts';
import { JournalTable } from './journal-table.ts';
import { type FailedCheck, LockTable } from './lock-table.ts';
import { PendingReplacements } from './pending-replacements.ts';
import { RecentlyDeleted } from './recently-deleted.ts';
import { type Records, RecordsTable } from './records.ts';
import { RetainedVersions } from './retained-versions.ts';
import { RoundsTable } from './rounds-table.ts';
import { migrate } from './state-schema.ts';
import { UploadsTable } from './uploads-table.ts';

/** The outcome of the work on one key: its new baseline row, and the journal row that is removed. */
export interface Settlement {
  readonly key: string;
  readonly journalId?: string;
  /** The new baseline row. `drop` removes the row; `keep` leaves it unchanged. */
  readonly baseline: BaselineEntry | 'drop' | 'keep';
  /** Superseded content, which the conflict log records. */
  readonly replacedContent?: NewConflict;
  /** Entries in the conflict log that this outcome resolves. */
  readonly resolves?: { readonly ids: readonly string[]; as: Resolution; at: number };
  /** Set if this outcome completes a pending replacement in the folder. */
  readonly endsReplacement?: true;
  /** Set if the next lock check must be scheduled again, because the lock was checked or its settings changed. */
  readonly reschedulesLock?: true;
}

/**
 * Size of the SQLite page cache in KiB. It is small, because rounds read folders in order and the kernel caches the
 * file too.
 */
const CACHE_KIB = 4 * 1024;

/** Name of the state file in the job's state folder. */
export const STATE_FILE = 'state.sqlite';

/** Opens or creates a state file. Throws MirrorError `StateUnusable` if a later release of Holdfast wrote the file. */
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
  readonly journal: JournalTable;
  readonly uploads: UploadsTable;
  readonly locks: LockTable;
  readonly rounds: RoundsTable;
  readonly conflicts: ConflictTable;
  readonly held: HeldConflicts;
  readonly heldChanges: HeldChanges;
  readonly countedDeletes: CountedDeletes;
  readonly anomalies: Anomalies;
  readonly replacements: PendingReplacements;
  readonly recentlyDeleted: RecentlyDeleted;
  readonly retained: RetainedVersions;
  readonly damaged: DamagedVersions;
  /** Excluded files whose objects the user wants to delete. Each record is kept until its object is deleted. */
  readonly forgotten: Records<true>;
  /** When a key's current version was created, as long as `minVersionInterval` defers the next version. */
  readonly recent: Records<number>;
  /** Versions that do not belong to this job. Version pruning examines each of them only once, and never removes it. */
  readonly foreignVersions: Records<true>;
  /**
   * Upload times from the metadata of versions, or `none`. They are read only once, and only from services that change
   * version dates.
   */
  readonly versionTimes: Records<number | 'none'>;
  readonly #db: Database.Database;
  readonly #commits: Commits;
  readonly #meta: Records<string>;
  #isDamaged = false;
  #onDamage: (() => void) | undefined;

  constructor(db: Database.Database) {
    this.#db = watchErrors(db, (error) => this.#noteError(error));
    this.#commits = new Commits(db);
    const records = new RecordsTable(db);
    this.#meta = records.of('meta');
    this.baseline = new BaselineTable(records);
    this.journal = new JournalTable(db, this.#commits);
    this.uploads = new UploadsTable(records, this.#commits);
    this.locks = new LockTable(db);
    this.rounds = new RoundsTable(db, this.#commits);
    this.conflicts = new ConflictTable(db);
    this.held = new HeldConflicts(records);
    this.heldChanges = new HeldChanges(db);
    this.countedDeletes = new CountedDeletes(records);
    this.anomalies = new Anomalies(records);
    this.replacements = new PendingReplacements(records);
    this.recentlyDeleted = new RecentlyDeleted(records);
    this.retained = new RetainedVersions(records);
    this.damaged = new DamagedVersions(records);
    this.forgotten = records.of('forgotten_file');
    this.recent = records.of('recent_version');
    this.foreignVersions = records.of('foreign_version');
    this.versionTimes = records.of('version_time');
  }

  /**
   * Stores the outcomes for several keys in one transaction: writes baseline rows and removes journal rows. The
   * transaction becomes durable with the next journal row. After a power failure before that, the journal rows still
   * exist, and recovery processes them.
   */
  settle(settlements: readonly Settlement[], failedChecks: readonly FailedCheck[] = []): void {
    const count = this.#commits.withoutSync(() => {
      for (const settlement of settlements) this.#endWork(settlement);
      const changes = [...changesOf(settlements)];
      this.#noteLocks(settlements);
      for (const check of failedChecks) this.locks.defer(check);
      return this.baseline.write(changes);
    });
    count();
    this.damaged.settled(settlements.map(({ key }) => key));
  }

  #noteLocks(settlements: readonly Settlement[]): void {
    for (const { key, baseline, reschedulesLock } of settlements) {
      if (baseline === 'keep') continue;
      const known = () => this.baseline.get(key);
      this.locks.note(key, baseline, { known, reschedules: reschedulesLock });
    }
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
    // The user's decision must not apply to a later file with the same name.
    if (baseline === 'drop') this.heldChanges.release(key);
    if (typeof baseline === 'object' && journalId !== undefined) this.uploads.end(journalId);
    const known = baseline === 'drop' && journalId !== undefined && this.baseline.get(key);
    if (known) this.recentlyDeleted.remember(key, known);
  }

  /** Returns the counts that the job's status shows. */
  counts() {
    return {
      ...this.baseline.totals(),
      openConflicts: this.conflicts.countOpen(),
      heldDeletes: this.heldChanges.counts().deletes,
    };
  }

  /** Runs all writes in `work` in a single transaction. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work)();
  }

  /** Whether pages of the file could not be read. If so, the file must be closed and rebuilt. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Sets a listener that is called once, when the operation that found the damage has ended. */
  whenDamaged(listener: () => void): void {
    this.#onDamage = listener;
  }

  #noteError(error: unknown): unknown {
    if (!isDamagedDatabase(error) || this.#isDamaged) return error;
    this.#isDamaged = true;
    queueMicrotask(() => this.#onDamage?.());
    return error;
  }

  /** Returns the value with this name; undefined if it was never set. */
  meta(name: string): string | undefined {
    return this.#meta.get({ key: name });
  }

  setMeta(name: string, value: string): void {
    this.#meta.put({ key: name }, value);
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
