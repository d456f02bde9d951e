/**
 * Stores the baseline: for each key, the last state in which folder and bucket were equal. The table is ordered by
 * folder and name, so a folder's rows are consecutive.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { BaselineEntry, EntryKind, FolderRow } from '../model/types.ts';
import { afterSubtree, splitKey } from './folder-of-key.ts';
import type { Records, RecordsTable } from './records.ts';

/** The columns of a baseline row that are compared with a bucket listing. */
export interface BaselineHead {
  readonly key: string;
  readonly etag: string;
  /** Version id of the object; null if the bucket has no versioning. */
  readonly versionId: string | null;
}

export interface Totals {
  readonly files: number;
  readonly bytes: number;
}

/** SHA-256 in baseline rows whose object is damaged, so that the file is uploaded again. No file has this digest. */
export const NO_SHA256 = '0'.repeat(64);

/** Returns a baseline row without a valid digest, so that its file counts as changed and is uploaded again. */
export function withoutContent(entry: BaselineEntry): BaselineEntry {
  return { ...entry, sha256: NO_SHA256, mtimeMs: -1, inode: -1 };
}

/** Number of rows per page. Reading a page takes about 2 ms. */
const FOLDER_PAGE = 1_000;

const NOTHING: Totals = { files: 0, bytes: 0 };
/** Name of the only record with totals. */
const TOTALS = { key: '' };

type Row = Record<string, string | number | null>;

const FOLDER_COLUMNS = `name, kind, size_bytes AS sizeBytes, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs,
  inode, mode, uid, gid, retain_until AS retainUntil`;

/** The fields of an entry in the order of the table columns after folder and name. */
const MEMBERS = [
  ...(['kind', 'sizeBytes', 'mtimeMs', 'ctimeMs', 'inode', 'mode', 'uid', 'gid'] as const),
  ...(['sha256', 'etag', 'versionId', 'retainUntil', 'reprotectedAt'] as const),
  ...(['content', 'link', 'xattrs', 'uploadedAt'] as const),
];
/** The values of a row. They are bound by position, because binding by name makes a write take 50 % longer. */
type RowValues = readonly (string | number | null)[];
const ROW_VALUES = `VALUES (?, ?${', ?'.repeat(MEMBERS.length)})`;

export class BaselineTable {
  readonly #db: Database.Database;
  readonly #storedTotals: Records<Totals>;
  #totals: Totals;
  readonly #folderRows: Database.Statement<[string, number]>;
  readonly #moreRows: Database.Statement<[string, string, number]>;
  readonly #folderAfter: Database.Statement<[string]>;
  readonly #folderFrom: Database.Statement<[string]>;
  readonly #keysBelow: Database.Statement<[string, string]>;
  readonly #row: Database.Statement<[string, string]>;
  readonly #size: Database.Statement<[string, string], Pick<BaselineEntry, 'kind' | 'sizeBytes'>>;
  readonly #rowsAfter: Database.Statement<[string, number]>;
  readonly #addRow: Database.Statement<[...RowValues]>;
  readonly #putRow: Database.Statement<[...RowValues]>;
  readonly #dropRow: Database.Statement<[string, string]>;
  readonly #byInodes: Database.Statement<[string]>;
  readonly #byContent: Database.Statement<[string]>;
  readonly #namedAs: Database.Statement<[string]>;
  readonly #byStem: Database.Statement<[string, string, string]>;

  constructor(records: RecordsTable) {
    const { db } = records;
    this.#db = db;
    this.#storedTotals = records.of('totals');
    this.#totals = this.#storedTotals.get(TOTALS) ?? NOTHING;
    this.#folderRows = db.prepare(
      `SELECT ${FOLDER_COLUMNS} FROM baseline WHERE folder = ? ORDER BY name LIMIT ?`,
    );
    this.#moreRows = db.prepare(
      `SELECT ${FOLDER_COLUMNS} FROM baseline WHERE folder = ? AND name > ? ORDER BY name LIMIT ?`,
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
    this.#row = db.prepare('SELECT * FROM baseline WHERE folder = ? AND name = ?');
    this.#size = db.prepare(
      'SELECT kind, size_bytes AS sizeBytes FROM baseline WHERE folder = ? AND name = ?',
    );
    this.#rowsAfter = db.prepare(
      `SELECT folder || name AS key, etag, version_id AS versionId FROM baseline
        WHERE folder || name > ? ORDER BY folder || name LIMIT ?`,
    );
    this.#addRow = db.prepare(`INSERT OR IGNORE INTO baseline ${ROW_VALUES}`);
    this.#putRow = db.prepare(`INSERT OR REPLACE INTO baseline ${ROW_VALUES}`);
    this.#byInodes = db.prepare(
      `SELECT baseline.* FROM json_each(?) JOIN baseline ON inode = value WHERE kind = 'file'`,
    );
    this.#byContent = db.prepare(
      `SELECT * FROM baseline WHERE sha256 = ? AND kind = 'file' AND size_bytes >= 65536 LIMIT 1`,
    );
    this.#byStem = db.prepare(
      `SELECT * FROM baseline WHERE folder = ? AND name > ? AND name < ? AND kind = 'file' LIMIT 8`,
    );
    this.#namedAs = db
      .prepare<[string]>(
        `WITH stem AS (SELECT key AS number, value ->> 0 AS folder, value ->> 1 AS name FROM json_each(?))
         SELECT number FROM stem WHERE
           EXISTS (SELECT 1 FROM baseline AS b WHERE b.folder = stem.folder AND b.name = stem.name) OR
           EXISTS (SELECT 1 FROM baseline AS b WHERE b.folder = stem.folder AND b.kind = 'file'
                     AND b.name > stem.name || '.' AND b.name < stem.name || '/')`,
      )
      .pluck();
    this.#dropRow = db.prepare('DELETE FROM baseline WHERE folder = ? AND name = ?');
  }

  /** Yields a folder's rows in pages, ordered by name. `folder` is empty or ends in `/`. */
  *folder(folder: string, pageRows = FOLDER_PAGE): Generator<readonly FolderRow[]> {
    for (let after: string | undefined; ;) {
      const rows = (
        after === undefined
          ? this.#folderRows.all(folder, pageRows)
          : this.#moreRows.all(folder, after, pageRows)
      ) as FolderRow[];
      yield rows;
      if (rows.length < pageRows) return;
      after = rows.at(-1)?.name;
    }
  }

  /**
   * Yields the folders directly inside `folder` that have rows in or below them. Runs one query for each folder that
   * the caller requests.
   */
  *foldersIn(folder: string): Generator<string> {
    for (let bound = folder, own = true; ; own = false) {
      const next = (own ? this.#folderAfter : this.#folderFrom).get(bound) as string | undefined;
      if (next === undefined || !next.startsWith(folder)) return;
      const child = next.slice(0, next.indexOf('/', folder.length) + 1);
      yield child;
      bound = afterSubtree(child);
    }
  }

  /** Returns whether rows exist in or below the folder. `folder` ends in `/`. */
  hasFolder(folder: string): boolean {
    const next = this.#folderFrom.get(folder) as string | undefined;
    return next?.startsWith(folder) ?? false;
  }

  /** Returns all keys in and below a folder. */
  keysBelow(folder: string): readonly string[] {
    return this.#keysBelow.all(folder, afterSubtree(folder)) as string[];
  }

  get(key: string): BaselineEntry | undefined {
    const { folder, name } = splitKey(key);
    const row = this.#row.get(folder, name) as Row | undefined;
    return row && readBaseline(row);
  }

  /** Returns the rows of files that had these inode numbers when they were mirrored. Omits unknown inode numbers. */
  withInodes(inodes: readonly number[]): ReadonlyMap<number, readonly BaselineEntry[]> {
    const found = new Map<number, BaselineEntry[]>();
    if (inodes.length === 0 || this.#totals.files === 0) return found;
    for (const row of (this.#byInodes.all(JSON.stringify(inodes)) as Row[]).map(readBaseline))
      found.set(row.inode, [...(found.get(row.inode) ?? []), row]);
    return found;
  }

  /** Returns the row of a file with this content. Finds only files of at least 64 KiB; smaller ones have no index. */
  withContent(sha256: string): BaselineEntry | undefined {
    const row = this.#byContent.get(sha256) as Row | undefined;
    return row && readBaseline(row);
  }

  /** Returns up to 8 rows of files whose name is `stem` plus a suffix. */
  withStem(stem: string): readonly BaselineEntry[] {
    const { folder, name } = splitKey(stem);
    return (this.#byStem.all(folder, `${name}.`, `${name}/`) as Row[]).map(readBaseline);
  }

  /** Returns the indexes of those stems for which `get` or `withStem` returns a row. */
  numbersOfKnown(stems: readonly string[]): readonly number[] {
    if (stems.length === 0) return [];
    const names = stems.map((stem) => Object.values(splitKey(stem)));
    return this.#namedAs.all(JSON.stringify(names)) as number[];
  }

  /** Returns files that are spread over the whole tree. Returns the same files each time. Reads the whole table. */
  sample(limit: number): readonly BaselineEntry[] {
    const rows = this.#db
      .prepare("SELECT * FROM baseline WHERE kind = 'file' ORDER BY sha256 LIMIT ?")
      .all(limit);
    return (rows as Row[]).map(readBaseline);
  }

  /** Returns up to `limit` rows after `key`, in byte order of their keys. */
  headsAfter(key: string, limit: number): readonly BaselineHead[] {
    return this.#rowsAfter.all(key, limit) as BaselineHead[];
  }

  /**
   * Returns a random sample of about `files` files and symbolic links with at most `bytes` in total. Excludes files
   * that must be uploaded again. Reads the whole table.
   */
  draw(files: number, bytes: number): readonly BaselineEntry[] {
    const stride = Math.max(1, Math.floor(this.#totals.files / files));
    const some = this.#db.prepare(
      `SELECT * FROM baseline WHERE kind <> 'directory' AND sha256 <> ? AND abs(random()) % ? = 0
         AND size_bytes <= ? LIMIT ?`,
    );
    let rows = some.all(NO_SHA256, stride, bytes, 2 * files) as Row[];
    // The random selection can miss all files if only a few among many large ones are small enough.
    if (rows.length === 0) rows = some.all(NO_SHA256, 1, bytes, 2 * files) as Row[];
    const chosen: BaselineEntry[] = [];
    let left = bytes;
    for (const entry of rows.map(readBaseline)) {
      if (entry.sizeBytes > left) continue;
      left -= entry.sizeBytes;
      chosen.push(entry);
    }
    return chosen;
  }

  /**
   * Returns up to `limit` files with more than `bytes` bytes, in key order. Starts after `key` and wraps around at the
   * end. Excludes files that must be uploaded again. Reads the whole table.
   */
  largeFrom(key: string, bytes: number, limit: number): readonly BaselineEntry[] {
    const rows = this.#db
      .prepare(
        `SELECT * FROM baseline WHERE kind = 'file' AND size_bytes > ? AND sha256 <> ?
          ORDER BY folder || name <= ?, folder || name LIMIT ?`,
      )
      .all(bytes, NO_SHA256, key, limit) as Row[];
    return rows.map(readBaseline);
  }

  /** Returns the total size of all files with more than `bytes` bytes. Reads the whole table. */
  bytesOfLarge(bytes: number): number {
    return this.#db
      .prepare<[number], number>(
        "SELECT ifnull(sum(size_bytes), 0) FROM baseline WHERE kind = 'file' AND size_bytes > ?",
      )
      .pluck()
      .get(bytes) as number;
  }

  /**
   * Returns the number and total size of all files, without symbolic links and folders. Each write updates both values.
   */
  totals(): Totals {
    return this.#totals;
  }

  /** Returns those keys whose content also exists under a key outside the given list. Reads the whole table. */
  keptElsewhere(keys: readonly string[]): ReadonlySet<string> {
    const rows = this.#db
      .prepare(
        `WITH gone AS (SELECT value AS key FROM json_each(?)),
           lost AS (SELECT DISTINCT sha256 FROM baseline WHERE size_bytes > 0 AND sha256 <> ?
                      AND folder || name IN (SELECT key FROM gone)),
           kept AS (SELECT DISTINCT sha256 FROM baseline WHERE sha256 IN (SELECT sha256 FROM lost)
                      AND folder || name NOT IN (SELECT key FROM gone))
         SELECT folder || name FROM baseline
          WHERE folder || name IN (SELECT key FROM gone) AND sha256 IN (SELECT sha256 FROM kept)`,
      )
      .pluck()
      .all(JSON.stringify(keys), NO_SHA256);
    return new Set(rows as string[]);
  }

  /**
   * Writes or removes rows inside the caller's transaction. After the commit, the caller must call the returned
   * function, which updates the totals.
   */
  write(changes: Iterable<readonly [key: string, entry: BaselineEntry | 'drop']>): () => void {
    let { files, bytes } = this.#totals;
    for (const [key, entry] of changes) {
      const { folder, name } = splitKey(key);
      const before = this.#replace(folder, name, entry);
      const after = entry === 'drop' ? NOTHING : totalsOf(entry.kind, entry.sizeBytes);
      files += after.files - before.files;
      bytes += after.bytes - before.bytes;
    }
    this.#storedTotals.put(TOTALS, { files, bytes });
    return () => {
      this.#totals = { files, bytes };
    };
  }

  /** Writes or removes one row. Returns how much the replaced row had added to the totals. */
  #replace(folder: string, name: string, entry: BaselineEntry | 'drop'): Totals {
    const row = entry === 'drop' ? undefined : valuesOf(folder, name, entry);
    if (row && this.#addRow.run(...row).changes === 1) return NOTHING;
    const old = this.#size.get(folder, name);
    if (row) this.#putRow.run(...row);
    else this.#dropRow.run(folder, name);
    return totalsOf(old?.kind, Number(old?.sizeBytes));
  }
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
    content: (row['content'] as string | null) ?? undefined,
    link: (row['link'] as number | null) ?? undefined,
    xattrs: (row['xattrs'] as string | null) ?? undefined,
    uploadedAt: (row['uploaded_at'] as number | null) ?? undefined,
  });
}

function valuesOf(folder: string, name: string, entry: BaselineEntry): RowValues {
  return [folder, name, ...MEMBERS.map((member) => entry[member] ?? null)];
}
