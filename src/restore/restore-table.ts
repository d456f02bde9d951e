/** What a restore is to write, in a temporary database of its own: a million keys are rows, and no objects. */

import Database from 'better-sqlite3';

import { defined } from '../base/defined.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';
import type { KeptInfo } from '../mirror/objects/applied-metadata.ts';

export interface FileTarget extends StoredObject {
  /** Relative to the target folder, of plain names only. */
  readonly path: string;
}

export interface FolderTarget {
  readonly path: string;
  /** The object that tells its attributes, if there is one. */
  readonly object?: StoredObject;
}

/** How a folder was met. */
export interface FolderState {
  readonly isMade: boolean;
  /** Of one that was there, where it had to be made writable. */
  readonly modeBefore?: number;
}

export interface LinkTarget extends KeptInfo {
  readonly path: string;
  readonly target: Uint8Array;
}

export interface FinishedFolder extends FolderState {
  readonly path: string;
  readonly info?: KeptInfo;
}

/** How many, and the first of them. */
export interface Sample {
  readonly count: number;
  readonly paths: readonly string[];
}

export interface Totals {
  readonly totalFiles: number;
  readonly totalBytes: number;
}

type Row = Record<string, string | number | null | Uint8Array>;

const ROWS_AT_ONCE = 1_000;

const TABLES = `
  CREATE TABLE files (
    path TEXT PRIMARY KEY, key TEXT NOT NULL, version_id TEXT, size_bytes INTEGER NOT NULL,
    early INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE folders (
    path TEXT PRIMARY KEY, key TEXT, version_id TEXT, is_made INTEGER, mode_before INTEGER,
    metadata TEXT, last_modified_at INTEGER, is_proven INTEGER) STRICT, WITHOUT ROWID;
  CREATE TABLE links (
    path TEXT PRIMARY KEY, target BLOB NOT NULL, metadata TEXT NOT NULL,
    last_modified_at INTEGER NOT NULL, is_proven INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE unproven (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

export class RestoreTable {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #lastFolder: string | undefined;
  /** Of the folder that is restored alone, where it has an object; the claim where all of a job is. */
  root: StoredObject | undefined;

  constructor() {
    // An empty name: in memory while it is small, then in a file that nobody else sees and that goes with it.
    this.#db = new Database('');
    this.#db.pragma('journal_mode = OFF');
    this.#db.exec(TABLES);
  }

  /** What `work` writes is written at once. */
  async fill(work: () => Promise<void>): Promise<void> {
    this.#db.exec('BEGIN');
    await work();
    this.#db.exec('COMMIT');
  }

  addFile({ path, key, versionId, sizeBytes, isUncertain }: FileTarget): void {
    this.#run('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)', [
      path,
      key,
      versionId ?? null,
      sizeBytes,
      isUncertain ? 1 : 0,
    ]);
  }

  addFolder(path: string, object?: StoredObject): void {
    this.#run(
      `INSERT INTO folders (path, key, version_id) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET key = coalesce(excluded.key, key),
           version_id = coalesce(excluded.version_id, version_id)`,
      [path, object?.key ?? null, object?.versionId ?? null],
    );
  }

  addLink({ path, target, metadata, lastModifiedAt, isProven }: LinkTarget): void {
    this.#run('INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?, ?)', [
      path,
      target,
      JSON.stringify(metadata),
      lastModifiedAt,
      isProven ? 1 : 0,
    ]);
  }

  rename(from: string, to: string): void {
    this.#run('UPDATE files SET path = ? WHERE path = ?', [to, from]);
  }

  /** Paths that are a file and a folder. */
  collisions(): readonly string[] {
    return this.#all('SELECT path FROM files JOIN folders USING (path) ORDER BY path', []).map(
      ({ path }) => String(path),
    );
  }

  has(path: string): boolean {
    return (
      this.hasFolder(path) || this.#get('SELECT 1 FROM files WHERE path = ?', [path]) !== undefined
    );
  }

  isEmpty(): boolean {
    return this.#get('SELECT path FROM files UNION ALL SELECT path FROM folders', []) === undefined;
  }

  /** Asked for each key, most of which lie where the one before does. */
  hasFolder(path: string): boolean {
    if (path !== this.#lastFolder && !this.#isFolder(path)) return false;
    this.#lastFolder = path;
    return true;
  }

  #isFolder(path: string): boolean {
    return this.#get('SELECT 1 FROM folders WHERE path = ?', [path]) !== undefined;
  }

  /** Whether files may be written into it: it is a folder, met as one by this restore. */
  isUsable(folder: string): boolean {
    const met = 'SELECT 1 FROM folders WHERE path = ? AND is_made IS NOT NULL';
    return folder === '' || this.#get(met, [folder]) !== undefined;
  }

  noteFolder(path: string, { isMade, modeBefore }: FolderState): void {
    this.#run('UPDATE folders SET is_made = ?, mode_before = ? WHERE path = ?', [
      isMade ? 1 : 0,
      modeBefore ?? null,
      path,
    ]);
  }

  noteInfo(path: string, { metadata, lastModifiedAt, isProven }: KeptInfo): void {
    const set =
      'UPDATE folders SET metadata = ?, last_modified_at = ?, is_proven = ? WHERE path = ?';
    this.#run(set, [JSON.stringify(metadata), lastModifiedAt, isProven ? 1 : 0, path]);
  }

  /** Its owner or mode bits 07000 are not applied. */
  noteUnproven(path: string): void {
    this.#run('INSERT OR IGNORE INTO unproven VALUES (?)', [path]);
  }

  /** How many paths `noteUnproven` noted, and the first of them; undefined for none. */
  unproven(limit: number): Sample | undefined {
    const { count } = this.#get('SELECT count(*) AS count FROM unproven', []) ?? {};
    if (count === 0) return undefined;
    const rows = this.#all('SELECT path FROM unproven ORDER BY path LIMIT ?', [limit]);
    return { count: Number(count), paths: rows.map(({ path }) => String(path)) };
  }

  totals(): Totals {
    return this.#get(
      'SELECT count(*) AS totalFiles, coalesce(sum(size_bytes), 0) AS totalBytes FROM files',
      [],
    ) as unknown as Totals;
  }

  /** How many objects may not be what was there at the time that was asked for, and the first of them. */
  early(limit: number): Sample {
    const { count } = this.#get('SELECT count(*) AS count FROM files WHERE early = 1', []) ?? {};
    const rows = this.#all('SELECT path FROM files WHERE early = 1 ORDER BY path LIMIT ?', [limit]);
    return { count: Number(count), paths: rows.map(({ path }) => String(path)) };
  }

  *files(): Generator<FileTarget> {
    const next = 'SELECT * FROM files WHERE path > ? ORDER BY path LIMIT ?';
    for (const row of this.#pages(next, ''))
      yield { path: String(row['path']), sizeBytes: Number(row['size_bytes']), ...reference(row) };
  }

  /** Each after the one it is in. */
  *folders(): Generator<FolderTarget> {
    const next = 'SELECT * FROM folders WHERE path > ? ORDER BY path LIMIT ?';
    for (const row of this.#pages(next, '')) {
      const object = row['key'] === null ? undefined : { sizeBytes: 0, ...reference(row) };
      yield { path: String(row['path']), ...defined({ object }) };
    }
  }

  *links(): Generator<LinkTarget> {
    const next = 'SELECT * FROM links WHERE path > ? ORDER BY path LIMIT ?';
    for (const row of this.#pages(next, ''))
      yield { path: String(row['path']), target: row['target'] as Uint8Array, ...kept(row) };
  }

  /** The folders that were met, each before the one it is in. */
  *finishedFolders(): Generator<FinishedFolder> {
    const next = `SELECT * FROM folders WHERE path < ? AND is_made IS NOT NULL
                   ORDER BY path DESC LIMIT ?`;
    for (const row of this.#pages(next, AFTER_ALL)) {
      const modeBefore = (row['mode_before'] as number | null) ?? undefined;
      const info = row['metadata'] === null ? undefined : kept(row);
      const isMade = row['is_made'] === 1;
      yield { path: String(row['path']), isMade, ...defined({ modeBefore, info }) };
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Between two pages others may write. */
  *#pages(sql: string, start: string): Generator<Row> {
    for (let after = start; ;) {
      const rows = this.#all(sql, [after, ROWS_AT_ONCE]);
      yield* rows;
      if (rows.length < ROWS_AT_ONCE) return;
      after = String(rows.at(-1)?.['path']);
    }
  }

  #prepared(sql: string): Database.Statement {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #run(sql: string, values: readonly unknown[]): void {
    this.#prepared(sql).run(...values);
  }

  #get(sql: string, values: readonly unknown[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  #all(sql: string, values: readonly unknown[]): readonly Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }
}

/** The last code point: no path is as long as these, and begins so. */
const AFTER_ALL = '\u{10FFFF}'.repeat(2);

function reference(row: Row): { readonly key: string; readonly versionId?: string } {
  const versionId = (row['version_id'] as string | null) ?? undefined;
  return { key: String(row['key']), ...defined({ versionId }) };
}

function kept(row: Row): KeptInfo {
  return {
    metadata: JSON.parse(String(row['metadata'])),
    lastModifiedAt: Number(row['last_modified_at']),
    isProven: row['is_proven'] === 1,
  };
}
