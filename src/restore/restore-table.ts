/**
 * Stores a restore's targets in a temporary SQLite database, so that a million keys do not need a million objects in
 * memory.
 */

import Database from 'better-sqlite3';

import { defined } from '../base/defined.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';
import type { KeptInfo } from '../mirror/objects/applied-metadata.ts';

export interface FileTarget extends StoredObject {
  /** Path relative to the target folder. No component is empty, `.` or `..`. */
  readonly path: string;
}

export interface FolderTarget {
  readonly path: string;
  /** The object with the folder's attributes; absent if no object contains them. */
  readonly object?: StoredObject;
}

/** Whether the restore created the folder, or the folder already existed. */
export interface FolderState {
  readonly isNew: boolean;
  /** The original mode of an existing folder that had to be made writable. */
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

/** The number of paths with some property, and the first few of these paths. */
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
  /** The object with the restored folder's attributes. For a whole job, it is the job's ownership marker. */
  root: StoredObject | undefined;

  constructor() {
    // With an empty name, SQLite uses a private temporary database. It is in memory while it is small, and otherwise in
    // a file that SQLite deletes.
    this.#db = new Database('');
    this.#db.pragma('journal_mode = OFF');
    this.#db.exec(TABLES);
  }

  /** Runs `work` in a single transaction. */
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

  /** Returns the paths that belong to both a file and a folder. */
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

  /**
   * Returns whether a path is a folder. Caches the last folder, because consecutive keys are usually in the same
   * folder.
   */
  hasFolder(path: string): boolean {
    if (path !== this.#lastFolder && !this.#isFolder(path)) return false;
    this.#lastFolder = path;
    return true;
  }

  #isFolder(path: string): boolean {
    return this.#get('SELECT 1 FROM folders WHERE path = ?', [path]) !== undefined;
  }

  /**
   * Returns the folder's state; undefined if the folder neither was created nor existed, so that no files may be
   * written into it.
   */
  folderState(folder: string): Pick<FolderState, 'isNew'> | undefined {
    const row = this.#get('SELECT is_made FROM folders WHERE path = ?', [folder]);
    const isMade = row?.['is_made'] ?? null;
    return isMade === null ? undefined : { isNew: isMade === 1 };
  }

  noteFolder(path: string, { isNew, modeBefore }: FolderState): void {
    this.#run('UPDATE folders SET is_made = ?, mode_before = ? WHERE path = ?', [
      isNew ? 1 : 0,
      modeBefore ?? null,
      path,
    ]);
  }

  noteInfo(path: string, { metadata, lastModifiedAt, isProven }: KeptInfo): void {
    const set =
      'UPDATE folders SET metadata = ?, last_modified_at = ?, is_proven = ? WHERE path = ?';
    this.#run(set, [JSON.stringify(metadata), lastModifiedAt, isProven ? 1 : 0, path]);
  }

  /** Records a path for which owner and mode bits 07000 are not applied. */
  noteUnproven(path: string): void {
    this.#run('INSERT OR IGNORE INTO unproven VALUES (?)', [path]);
  }

  /** Returns the number of paths from `noteUnproven`, and the first `limit` of them; undefined if there are none. */
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

  /**
   * Returns the number of files that may not be the version from the requested time, and the first `limit` of their
   * paths.
   */
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

  /** Yields the folders. Each folder comes after its parent folder. */
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

  /** Yields the folders that were created or already existed. Each folder comes before its parent folder. */
  *finishedFolders(): Generator<FinishedFolder> {
    const next = `SELECT * FROM folders WHERE path < ? AND is_made IS NOT NULL
                   ORDER BY path DESC LIMIT ?`;
    for (const row of this.#pages(next, AFTER_ALL)) {
      const modeBefore = (row['mode_before'] as number | null) ?? undefined;
      const info = row['metadata'] === null ? undefined : kept(row);
      const isNew = row['is_made'] === 1;
      yield { path: String(row['path']), isNew, ...defined({ modeBefore, info }) };
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Yields rows in pages, so that other statements can write in between. */
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

/** A string that sorts after every path. It consists of the last Unicode code point, twice. */
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
