/** A job's memory: baseline, journal and marks, in one SQLite file. Synchronous, a few microseconds a row. */

import { chmodSync, closeSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import { defined } from '../base/defined.ts';
import { MirrorError } from './mirror-error.ts';
import { MIGRATIONS } from './state-schema.ts';
import type { BaselineEntry, EntryKind, LocalEntry } from './types.ts';

export interface JournalRow {
  readonly id: string;
  readonly key: string;
  readonly operation: 'put' | 'delete';
  /** ETag of the expected head; absent: no head. */
  readonly expected?: string;
  readonly sha256?: string;
  readonly entry?: JournalEntry;
  readonly uploadId?: string;
  readonly startedAt: number;
}

/** The baseline that a put makes, but for what the service answers. */
export type JournalEntry = LocalEntry & Pick<BaselineEntry, 'retainUntil' | 'reprotectedAt'>;

/** A foreign version that one of our puts covered. */
export interface Superseded {
  readonly key: string;
  readonly etag: string;
  readonly versionId?: string;
  readonly journalId: string;
  readonly at: number;
}

/** What came of one key: its new baseline, or none; and the journal row that is over by it. */
export interface Settlement {
  readonly key: string;
  readonly journalId?: string;
  /** `keep` leaves the row of the baseline as it is. */
  readonly baseline: BaselineEntry | 'drop' | 'keep';
  readonly supersedes?: Omit<Superseded, 'key' | 'journalId'>;
}

export interface FolderRow extends Omit<LocalEntry, 'path'> {
  /** Empty for the folder's own object. */
  readonly name: string;
}

/** One row of the baseline as the merge with a listing needs it. */
export interface BaselineHead {
  readonly key: string;
  readonly etag: string;
}

export interface Totals {
  readonly files: number;
  readonly bytes: number;
}

const NOTHING: Totals = { files: 0, bytes: 0 };

type Row = Record<string, string | number | null>;

const FOLDER_COLUMNS = `name, kind, size_bytes AS sizeBytes, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs,
  inode, mode, uid, gid`;

/** Throws MirrorError `StateUnusable` for a file of a later release. */
export function openStateFile(path: string): StateFile {
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    migrate(db, path);
    chmodSync(path, 0o600);
    return new StateFile(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: Database.Database, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > MIGRATIONS.length)
    throw new MirrorError(
      'StateUnusable',
      `open state: ${path} was written by a later release (version ${version}); use that release, or delete the file: the next round compares both sides anew`,
    );
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    })();
  }
}

export class StateFile {
  readonly #db: Database.Database;
  #totals: Totals;
  readonly #heldKeys: Set<string>;
  readonly #folderRows: Database.Statement<[string]>;
  readonly #folderAfter: Database.Statement<[string]>;
  readonly #folderFrom: Database.Statement<[string]>;
  readonly #keysBelow: Database.Statement<[string, string]>;
  readonly #heldEntry: Database.Statement<[string]>;
  readonly #row: Database.Statement<[string, string]>;
  readonly #rowsAfter: Database.Statement<[string, number]>;
  readonly #putRow: Database.Statement<[Row]>;
  readonly #dropRow: Database.Statement<[string, string]>;
  readonly #putJournal: Database.Statement<[Row]>;
  readonly #dropJournal: Database.Statement<[string]>;
  readonly #putSuperseded: Database.Statement<[Row]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#totals = db
      .prepare(
        `SELECT count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes
           FROM baseline WHERE kind = 'file'`,
      )
      .get() as Totals;
    this.#heldKeys = new Set(db.prepare('SELECT key FROM held').pluck().all() as string[]);
    this.#folderRows = db.prepare(
      `SELECT ${FOLDER_COLUMNS} FROM baseline WHERE folder = ? ORDER BY name`,
    );
    this.#folderAfter = db
      .prepare<[string]>('SELECT folder FROM baseline WHERE folder > ? ORDER BY folder LIMIT 1')
      .pluck();
    this.#folderFrom = db
      .prepare<[string]>('SELECT folder FROM baseline WHERE folder >= ? ORDER BY folder LIMIT 1')
      .pluck();
    this.#keysBelow = db
      .prepare<[string, string]>(
        'SELECT folder || name FROM baseline WHERE folder >= ? AND folder < ?',
      )
      .pluck();
    this.#heldEntry = db.prepare<[string]>('SELECT entry FROM held WHERE key = ?').pluck();
    this.#row = db.prepare('SELECT * FROM baseline WHERE folder = ? AND name = ?');
    this.#rowsAfter = db.prepare(
      'SELECT folder || name AS key, etag FROM baseline WHERE folder || name > ? ORDER BY folder || name LIMIT ?',
    );
    this.#putRow = db.prepare(
      `INSERT OR REPLACE INTO baseline VALUES (@folder, @name, @kind, @sizeBytes, @mtimeMs, @ctimeMs, @inode,
        @mode, @uid, @gid, @sha256, @etag, @versionId, @retainUntil, @reprotectedAt)`,
    );
    this.#dropRow = db.prepare('DELETE FROM baseline WHERE folder = ? AND name = ?');
    this.#putJournal = db.prepare(
      `INSERT INTO journal VALUES (@id, @key, @operation, @expected, @sha256, @entry, @uploadId, @startedAt)`,
    );
    this.#dropJournal = db.prepare('DELETE FROM journal WHERE id = ?');
    this.#putSuperseded = db.prepare(
      'INSERT OR REPLACE INTO superseded VALUES (@key, @etag, @versionId, @journalId, @at)',
    );
  }

  /** The rows of one folder, by name. `folder` is empty or ends in `/`. */
  folder(folder: string): readonly FolderRow[] {
    return this.#folderRows.all(folder) as FolderRow[];
  }

  /** The folders directly inside `folder` that have rows, there or below. One probe each. */
  foldersIn(folder: string): readonly string[] {
    const found: string[] = [];
    for (let bound = folder, own = true; ; own = false) {
      const next = (own ? this.#folderAfter : this.#folderFrom).get(bound) as string | undefined;
      if (next === undefined || !next.startsWith(folder)) return found;
      const child = next.slice(0, next.indexOf('/', folder.length) + 1);
      found.push(child);
      bound = afterSubtree(child);
    }
  }

  /** All keys of a folder and below. */
  keysBelow(folder: string): readonly string[] {
    return this.#keysBelow.all(folder, afterSubtree(folder)) as string[];
  }

  get(key: string): BaselineEntry | undefined {
    const { folder, name } = splitKey(key);
    const row = this.#row.get(folder, name) as Row | undefined;
    return row && readBaseline(row);
  }

  /** Up to `limit` rows after `key`, in the byte order of keys. */
  headsAfter(key: string, limit: number): readonly BaselineHead[] {
    return this.#rowsAfter.all(key, limit) as BaselineHead[];
  }

  /** Of the files, without links and folders; kept up as they are written. */
  totals(): Totals {
    return this.#totals;
  }

  /** Those of the keys whose content stands under another key that is not among them. Reads the whole table. */
  keptElsewhere(keys: readonly string[]): ReadonlySet<string> {
    const rows = this.#db
      .prepare(
        `WITH gone AS (SELECT value AS key FROM json_each(?)),
           lost AS (SELECT DISTINCT sha256 FROM baseline WHERE size_bytes > 0
                      AND folder || name IN (SELECT key FROM gone)),
           kept AS (SELECT DISTINCT sha256 FROM baseline WHERE sha256 IN (SELECT sha256 FROM lost)
                      AND folder || name NOT IN (SELECT key FROM gone))
         SELECT folder || name FROM baseline
          WHERE folder || name IN (SELECT key FROM gone) AND sha256 IN (SELECT sha256 FROM kept)`,
      )
      .pluck()
      .all(JSON.stringify(keys));
    return new Set(rows as string[]);
  }

  /** Durable when it returns: only then may the requests be sent. */
  begin(rows: readonly JournalRow[]): void {
    this.#db.transaction(() => {
      for (const row of rows) this.#putJournal.run(journalParameters(row));
    })();
  }

  noteUpload(journalId: string, uploadId: string): void {
    this.#db.prepare('UPDATE journal SET upload_id = ? WHERE id = ?').run(uploadId, journalId);
  }

  /** Results of a batch: the new baseline and the end of the journal rows are one transaction. */
  settle(settlements: readonly Settlement[]): void {
    let { files, bytes } = this.#totals;
    this.#db.transaction(() => {
      for (const settlement of settlements) {
        const change = this.#settleOne(settlement);
        files += change.files;
        bytes += change.bytes;
      }
    })();
    this.#totals = { files, bytes };
  }

  /** Returns what it changes of the totals. */
  #settleOne(settlement: Settlement): Totals {
    const { key, baseline } = settlement;
    this.#endJournal(settlement);
    if (baseline === 'keep') return NOTHING;
    const { folder, name } = splitKey(key);
    const row = this.#row.get(folder, name) as Row | undefined;
    const before = totalsOf(row?.['kind'], Number(row?.['size_bytes']));
    if (baseline === 'drop') this.#dropRow.run(folder, name);
    else this.#putRow.run(baselineParameters(folder, name, baseline));
    const after = baseline === 'drop' ? NOTHING : totalsOf(baseline.kind, baseline.sizeBytes);
    return { files: after.files - before.files, bytes: after.bytes - before.bytes };
  }

  #endJournal({ key, journalId, supersedes }: Settlement): void {
    if (journalId === undefined) return;
    this.#dropJournal.run(journalId);
    if (!supersedes) return;
    const { etag, at, versionId = null } = supersedes;
    this.#putSuperseded.run({ key, etag, at, versionId, journalId });
  }

  /** Requests whose outcome is not known. */
  unfinished(): readonly JournalRow[] {
    return (this.#db.prepare('SELECT * FROM journal ORDER BY started_at').all() as Row[]).map(
      readJournal,
    );
  }

  countSuperseded(): number {
    return this.#db.prepare('SELECT count(*) FROM superseded').pluck().get() as number;
  }

  hold(key: string, entry: LocalEntry, since: number): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO held VALUES (?, ?, ?)')
      .run(key, JSON.stringify(entry), since);
    this.#heldKeys.add(key);
  }

  release(key: string): void {
    if (!this.#heldKeys.delete(key)) return;
    this.#db.prepare('DELETE FROM held WHERE key = ?').run(key);
  }

  /** Keys that wait for the user. */
  heldKeys(): ReadonlySet<string> {
    return this.#heldKeys;
  }

  /** The entry as it was when the key was held. */
  heldEntry(key: string): LocalEntry | undefined {
    if (!this.#heldKeys.has(key)) return undefined;
    const entry = this.#heldEntry.get(key) as string | undefined;
    return entry === undefined ? undefined : (JSON.parse(entry) as LocalEntry);
  }

  /** For the brake's window; what is older than `forgetBefore` is forgotten. */
  countDeletes(count: number, { at, forgetBefore }: { at: number; forgetBefore: number }): void {
    this.#db.prepare('DELETE FROM deletes WHERE at < ?').run(forgetBefore);
    this.#db.prepare('INSERT INTO deletes VALUES (?, ?)').run(at, count);
  }

  /** Deletes since `since`; older ones are forgotten. */
  deletesSince(since: number): number {
    this.#db.prepare('DELETE FROM deletes WHERE at < ?').run(since);
    return this.#db.prepare('SELECT coalesce(sum(count), 0) FROM deletes').pluck().get() as number;
  }

  meta(name: string): string | undefined {
    return this.#db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(name) as
      | string
      | undefined;
  }

  setMeta(name: string, value: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
  }

  close(): void {
    this.#db.close();
  }
}

/** `a/b` is `b` in `a/`; a folder's own key `a/` is the empty name in `a/`. */
export function splitKey(key: string): { readonly folder: string; readonly name: string } {
  const slash = key.lastIndexOf('/') + 1;
  return { folder: key.slice(0, slash), name: key.slice(slash) };
}

/** The first folder name above all that begin with `folder`, which ends in `/`: `0` follows `/`. */
function afterSubtree(folder: string): string {
  return `${folder.slice(0, -1)}0`;
}

function totalsOf(kind: unknown, sizeBytes: number): Totals {
  return kind === 'file' ? { files: 1, bytes: sizeBytes } : NOTHING;
}

function readBaseline(row: Row): BaselineEntry {
  const key = `${row['folder']}${row['name']}`;
  return defined({
    path: key.endsWith('/') ? key.slice(0, -1) : key,
    kind: row['kind'] as EntryKind,
    sizeBytes: Number(row['size_bytes']),
    mtimeMs: Number(row['mtime_ms']),
    ctimeMs: Number(row['ctime_ms']),
    inode: Number(row['inode']),
    mode: Number(row['mode']),
    uid: Number(row['uid']),
    gid: Number(row['gid']),
    sha256: String(row['sha256']),
    etag: String(row['etag']),
    versionId: (row['version_id'] as string | null) ?? undefined,
    retainUntil: (row['retain_until'] as number | null) ?? undefined,
    reprotectedAt: (row['reprotected_at'] as number | null) ?? undefined,
  });
}

function baselineParameters(folder: string, name: string, entry: BaselineEntry): Row {
  const { path: _, versionId, retainUntil, reprotectedAt, ...rest } = entry;
  return {
    ...rest,
    folder,
    name,
    versionId: versionId ?? null,
    retainUntil: retainUntil ?? null,
    reprotectedAt: reprotectedAt ?? null,
  };
}

function journalParameters(row: JournalRow): Row {
  return {
    id: row.id,
    key: row.key,
    operation: row.operation,
    expected: row.expected ?? null,
    sha256: row.sha256 ?? null,
    entry: row.entry ? JSON.stringify(row.entry) : null,
    uploadId: row.uploadId ?? null,
    startedAt: row.startedAt,
  };
}

function readJournal(row: Row): JournalRow {
  return defined({
    id: String(row['id']),
    key: String(row['key']),
    operation: row['operation'] as JournalRow['operation'],
    expected: (row['expected'] as string | null) ?? undefined,
    sha256: (row['sha256'] as string | null) ?? undefined,
    entry: row['entry'] ? (JSON.parse(String(row['entry'])) as JournalEntry) : undefined,
    uploadId: (row['upload_id'] as string | null) ?? undefined,
    startedAt: Number(row['started_at']),
  });
}
