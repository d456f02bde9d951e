/** A job's memory: baseline, journal and marks, in one SQLite file. Synchronous, a few microseconds a row. */

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
import { SignsTable } from './signs-table.ts';
import { type FailedLook, LockTable } from './lock-table.ts';
import { RecentTable } from './recent-table.ts';
import { RetainedTable } from './retained-table.ts';
import { migrate } from './state-schema.ts';
import { UploadsTable } from './uploads-table.ts';
import { VersionTimesTable } from './version-times-table.ts';
import { ReplacementTable } from './taking-table.ts';
import type { Hold } from '../model/hold.ts';
import type { BaselineEntry } from '../model/types.ts';

/** What came of one key: its new baseline, or none; and the journal row that is over by it. */
export interface Settlement {
  readonly key: string;
  readonly journalId?: string;
  /** `keep` leaves the row of the baseline as it is. */
  readonly baseline: BaselineEntry | 'drop' | 'keep';
  /** What gave way by it: recorded in the ledger. */
  readonly replacedContent?: NewConflict;
  /** Entries of the ledger that are over by it. */
  readonly resolves?: { readonly ids: readonly string[]; as: Resolution; at: number };
  /** A file that was on its way into the folder for this key has come there. */
  readonly hasTaken?: true;
}

/** Rounds read folder by folder, in order: the kernel's cache serves that as well. */
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
  readonly takings: ReplacementTable;
  readonly gone: RecentlyDeletedTable;
  readonly heldDeletes: HeldDeletesTable;
  readonly locks: LockTable;
  readonly retained: RetainedTable;
  readonly recent: RecentTable;
  readonly forgotten: ForgottenTable;
  readonly countedDeletes: CountedDeletesTable;
  readonly heldOverwrites: HeldOverwritesTable;
  readonly heldChanges: HeldChanges;
  readonly rounds: RoundsTable;
  readonly signs: SignsTable;
  readonly othersVersions: ForeignVersionsTable;
  readonly versionTimes: VersionTimesTable;
  readonly damaged: DamagedTable;
  readonly #db: Database.Database;
  readonly #commits: Commits;
  readonly #meta: Database.Statement<[string]>;
  #isDamaged = false;
  #heard: (() => void) | undefined;

  constructor(db: Database.Database) {
    this.#db = watchErrors(db, (error) => this.#met(error));
    this.#commits = new Commits(db);
    this.#meta = db.prepare<[string]>('SELECT value FROM meta WHERE name = ?').pluck();
    this.baseline = new BaselineTable(db);
    this.conflicts = new ConflictTable(db);
    this.journal = new JournalTable(db, this.#commits);
    this.gone = new RecentlyDeletedTable(db);
    this.takings = new ReplacementTable(db);
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
    this.signs = new SignsTable(db);
    this.othersVersions = new ForeignVersionsTable(db);
    this.versionTimes = new VersionTimesTable(db);
    this.damaged = new DamagedTable(db);
  }

  /**
   * Results of a batch: the new baseline and the end of the journal rows are one transaction. It is durable
   * with the next journal row; when the power fails before, its own rows are still there and tell of it.
   */
  settle(settlements: readonly Settlement[], failedLooks: readonly FailedLook[] = []): void {
    const count = this.#commits.lightly(() => {
      for (const settlement of settlements) this.#endWork(settlement);
      const changes = [...changesOf(settlements)];
      for (const [key, entry] of changes) this.locks.note(key, entry, () => this.baseline.get(key));
      for (const look of failedLooks) this.locks.putOff(look);
      return this.baseline.write(changes);
    });
    count();
    this.damaged.settled(settlements.map(({ key }) => key));
  }

  #endWork({ key, journalId, baseline, replacedContent, resolves, hasTaken }: Settlement): void {
    if (journalId !== undefined) this.journal.end(journalId);
    if (replacedContent) this.conflicts.record({ ...replacedContent, key });
    for (const id of resolves?.ids ?? [])
      if (resolves) this.conflicts.resolve(id, resolves.as, resolves.at);
    if (hasTaken) this.takings.end(key);
    if (typeof baseline === 'object') this.gone.forget(key);
    if (baseline === 'drop') this.#releaseHold(key);
    if (typeof baseline === 'object' && journalId !== undefined) this.uploads.end(journalId);
    const known = baseline === 'drop' && journalId !== undefined && this.baseline.get(key);
    if (known) this.gone.remember(key, known);
  }

  /** With its baseline, so that no later file of this name finds a decision about an earlier one. */
  #releaseHold(key: string): void {
    this.heldDeletes.release(key);
    this.heldOverwrites.release(key);
  }

  /** Those of the keys that are held, or were until the user decided, for the planner. */
  holds(keys: readonly string[]): ReadonlyMap<string, Hold> {
    const isNone = this.heldDeletes.isCertainlyEmpty && this.heldOverwrites.isCertainlyEmpty;
    return isNone ? NO_HOLDS : this.heldChanges.among(keys);
  }

  /** For the job's status. */
  counts() {
    return {
      ...this.baseline.totals(),
      openConflicts: this.conflicts.countOpen(),
      heldDeletes: this.heldChanges.counts().deletes,
    };
  }

  /** What `work` writes is one commit. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work)();
  }

  /** Pages of the file could not be read: it is to be closed and rebuilt. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** `heard` is called once, when the work that met the damage has ended. */
  whenDamaged(heard: () => void): void {
    this.#heard = heard;
  }

  #met(error: unknown): unknown {
    if (!isDamagedDatabase(error) || this.#isDamaged) return error;
    this.#isDamaged = true;
    queueMicrotask(() => this.#heard?.());
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
