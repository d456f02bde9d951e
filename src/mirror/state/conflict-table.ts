/**
 * Stores the conflict log: each version or file that the other side's content superseded, until the user resolves the
 * conflict.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { ConflictEntry, NewConflict, Resolution } from '../model/conflict.ts';

type Row = Record<string, string | number | null>;

/**
 * Adds the column `gave_way_to` to each entry. It names another entry for the same key, whose resolution superseded
 * this entry's content.
 */
const WITH_ANSWER = `
  SELECT *, (SELECT other.id FROM conflicts AS other
      WHERE other.key = entry.key AND entry.at = entry.resolved_at
        AND other.resolved_at = entry.at AND other.at < entry.at LIMIT 1) AS gave_way_to
    FROM conflicts AS entry`;

/** Maximum number of requested resolutions that are carried out at once, so that they fit into one plan. */
const RESOLUTIONS_AT_ONCE = 1_000;

export class ConflictTable {
  readonly #db: Database.Database;
  readonly #put: Database.Statement<[Row]>;
  readonly #dropVersion: Database.Statement<[string, string]>;
  readonly #countOpen: Database.Statement<[]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO conflicts (id, key, side, at, etag, version_id, saved_as, size_bytes, sha256,
         retain_until, resolved_at, resolution)
       VALUES (@id, @key, @side, @at, @etag, @versionId, @savedAs, @sizeBytes, @sha256,
         @retainUntil, @resolvedAt, @resolution)`,
    );
    this.#dropVersion = db.prepare('DELETE FROM conflicts WHERE key = ? AND version_id = ?');
    this.#countOpen = db
      .prepare<[]>('SELECT count(*) FROM conflicts WHERE resolved_at IS NULL')
      .pluck();
  }

  /**
   * Records an entry inside the caller's transaction. A version has only one entry, even if it was superseded several
   * times.
   */
  record(entry: NewConflict & Pick<ConflictEntry, 'key'>): void {
    const { versionId, savedAs, sizeBytes, sha256, retainUntil, resolution, ...rest } = entry;
    if (versionId !== undefined) this.#dropVersion.run(entry.key, versionId);
    this.#put.run({
      ...rest,
      versionId: versionId ?? null,
      savedAs: savedAs ?? null,
      sizeBytes: sizeBytes ?? null,
      sha256: sha256 ?? null,
      retainUntil: retainUntil ?? null,
      resolution: resolution ?? null,
      resolvedAt: resolution === undefined ? null : entry.at,
    });
  }

  /** Returns the number of unresolved entries. */
  countOpen(): number {
    return this.#countOpen.get() as number;
  }

  /**
   * Returns up to `limit` unresolved entries after this key and id, ordered by key and id. With `resolved`, resolved
   * entries are included.
   */
  page(
    after: { readonly key: string; readonly id: string },
    limit: number,
    resolved = false,
  ): readonly ConflictEntry[] {
    const open = resolved ? '' : 'AND resolved_at IS NULL';
    const rows = this.#db
      .prepare(`${WITH_ANSWER} WHERE (key, id) > (?, ?) ${open} ORDER BY key, id LIMIT ?`)
      .all(after.key, after.id, limit);
    return (rows as Row[]).map(readEntry);
  }

  /** Returns a key's entries, newest first. */
  of(key: string): readonly ConflictEntry[] {
    const rows = this.#db.prepare(`${WITH_ANSWER} WHERE key = ? ORDER BY at DESC, id`).all(key);
    return (rows as Row[]).map(readEntry);
  }

  /** Runs several changes to conflicts and held changes in a single transaction. */
  together(change: () => void): void {
    this.#db.transaction(change)();
  }

  /** Stores durably the resolution that the user requested. Ignores entries that are already resolved. */
  requestResolution(id: string, wish: Resolution | undefined): void {
    this.#db
      .prepare('UPDATE conflicts SET wish = ? WHERE id = ? AND resolved_at IS NULL')
      .run(wish ?? null, id);
  }

  /** Returns the unresolved entries for which the user requested a resolution. */
  requested(): readonly ConflictEntry[] {
    const rows = this.#db
      .prepare('SELECT * FROM conflicts WHERE wish IS NOT NULL ORDER BY key, at DESC LIMIT ?')
      .all(RESOLUTIONS_AT_ONCE);
    return (rows as Row[]).map(readEntry);
  }

  resolve(id: string, resolution: Resolution, at: number): void {
    this.#db
      .prepare('UPDATE conflicts SET resolved_at = ?, resolution = ?, wish = NULL WHERE id = ?')
      .run(at, resolution, id);
  }

  setRetained(id: string, until: number): void {
    this.#db.prepare('UPDATE conflicts SET retain_until = ? WHERE id = ?').run(until, id);
  }

  /**
   * Returns the unresolved versions of other clients that were recorded at `since` or later and have no known
   * retention.
   */
  unretained(since: number): readonly ConflictEntry[] {
    const rows = this.#db
      .prepare(
        `SELECT * FROM conflicts WHERE resolved_at IS NULL AND side = 'bucket' AND version_id IS NOT NULL
            AND retain_until IS NULL AND at >= ?`,
      )
      .all(since);
    return (rows as Row[]).map(readEntry);
  }

  /** Returns whether an unresolved entry refers to the copy that was saved under this key. */
  needs(savedAs: string): boolean {
    const row = this.#db
      .prepare('SELECT 1 FROM conflicts WHERE saved_as = ? AND resolved_at IS NULL')
      .get(savedAs);
    return row !== undefined;
  }
}

function readEntry(row: Row): ConflictEntry {
  return defined({
    id: String(row['id']),
    key: String(row['key']),
    side: row['side'] as ConflictEntry['side'],
    at: Number(row['at']),
    etag: String(row['etag']),
    versionId: (row['version_id'] as string | null) ?? undefined,
    savedAs: (row['saved_as'] as string | null) ?? undefined,
    sizeBytes: (row['size_bytes'] as number | null) ?? undefined,
    sha256: (row['sha256'] as string | null) ?? undefined,
    retainUntil: (row['retain_until'] as number | null) ?? undefined,
    resolvedAt: (row['resolved_at'] as number | null) ?? undefined,
    resolution: (row['resolution'] as Resolution | null) ?? undefined,
    wish: (row['wish'] as Resolution | null) ?? undefined,
    gaveWayTo: (row['gave_way_to'] as string | null | undefined) ?? undefined,
  });
}
