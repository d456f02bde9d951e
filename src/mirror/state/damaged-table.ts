/**
 * Versions of the job's objects that are known to be damaged. A row is removed when a new version is verified
 * or the damaged one no longer exists.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

/**
 * `found`: not compared with the folder yet. `sent`: the file is intact, and is uploaded again. `lost`: the
 * file in the folder is not the one that was stored. `earlier`: not the current version, and its content is
 * not current either. `exhausted`: uploaded again as often as allowed. `replaced`: not current, and the same
 * content was uploaded again as a later version.
 */
export type DamageState = 'found' | 'sent' | 'lost' | 'earlier' | 'exhausted' | 'replaced';

export interface DamagedVersion {
  readonly key: string;
  /** Empty in a bucket without versions. */
  readonly versionId: string;
  /** Of what was stored, lower-case hex; absent if unknown. */
  readonly sha256?: string;
  /** A message for the user. */
  readonly reason: string;
  /** Milliseconds since 1970: when it was last read, or reported by the store. */
  readonly checkedAt: number;
  /** The store reported it: it ends when the store no longer reports it. */
  readonly isOfStore: boolean;
  /** How often the file was uploaded again because of it. */
  readonly sends: number;
  readonly state: DamageState;
}

type Row = Record<string, string | number | null>;

export class DamagedTable {
  readonly #db: Database.Database;
  /** Number of damaged versions by key, so that a job without damage needs no query. */
  readonly #keys: Map<string, number>;
  readonly #put: Database.Statement<[Row]>;
  readonly #find: Database.Statement<[string, string]>;
  readonly #drop: Database.Statement<[string, string]>;
  #onSettled: () => void = () => undefined;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO damaged_versions
         VALUES (@key, @versionId, @sha256, @reason, @checkedAt, @isOfStore, @sends, @state)`,
    );
    this.#find = db.prepare('SELECT * FROM damaged_versions WHERE key = ? AND version_id = ?');
    this.#drop = db.prepare('DELETE FROM damaged_versions WHERE key = ? AND version_id = ?');
    const counts = db
      .prepare('SELECT key, count(*) FROM damaged_versions GROUP BY key')
      .raw()
      .all() as [string, number][];
    this.#keys = new Map(counts);
  }

  /** Called after the baseline of a key with a damaged version was written. */
  set onSettled(listener: () => void) {
    this.#onSettled = listener;
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  settled(keys: Iterable<string>): void {
    if (this.isEmpty) return;
    for (const key of keys) if (this.#keys.has(key)) return this.#onSettled();
  }

  find(key: string, versionId: string | undefined): DamagedVersion | undefined {
    if (!this.#keys.has(key)) return undefined;
    const row = this.#find.get(key, nameOf(versionId)) as Row | undefined;
    return row && readRow(row);
  }

  /** Whether the version is damaged, and so must not be the source of a copy. */
  has(key: string, versionId: string | undefined): boolean {
    return this.find(key, versionId) !== undefined;
  }

  put(version: DamagedVersion): void {
    const { key, versionId } = version;
    if (!this.#find.get(key, versionId)) this.#keys.set(key, (this.#keys.get(key) ?? 0) + 1);
    this.#put.run({
      ...version,
      sha256: version.sha256 ?? null,
      isOfStore: Number(version.isOfStore),
    });
  }

  drop({ key, versionId }: Pick<DamagedVersion, 'key' | 'versionId'>): void {
    if (this.#drop.run(key, versionId).changes === 0) return;
    const left = (this.#keys.get(key) ?? 1) - 1;
    if (left > 0) this.#keys.set(key, left);
    else this.#keys.delete(key);
  }

  /** In the byte order of keys. */
  all(): readonly DamagedVersion[] {
    if (this.isEmpty) return [];
    const rows = this.#db.prepare('SELECT * FROM damaged_versions').all() as Row[];
    return rows.map(readRow);
  }

  /** Up to `limit` versions that are a problem, in the byte order of keys. */
  *problems(limit = -1): Generator<DamagedVersion> {
    if (this.isEmpty) return;
    const rows = this.#db
      .prepare("SELECT * FROM damaged_versions WHERE state <> 'replaced' LIMIT ?")
      .all(limit) as Row[];
    for (const row of rows) yield readRow(row);
  }

  counts(): { readonly problems: number; readonly replaced: number; readonly sent: number } {
    if (this.isEmpty) return { problems: 0, replaced: 0, sent: 0 };
    return this.#db
      .prepare(
        `SELECT total(state <> 'replaced') AS problems, total(state = 'replaced') AS replaced,
           total(state = 'sent') AS sent FROM damaged_versions`,
      )
      .get() as ReturnType<DamagedTable['counts']>;
  }
}

/** The only version in a bucket without versioning has the id `null`, or none. */
export function nameOf(versionId: string | undefined): string {
  return versionId === undefined || versionId === 'null' ? '' : versionId;
}

function readRow(row: Row): DamagedVersion {
  return defined({
    key: String(row['key']),
    versionId: String(row['version_id']),
    sha256: (row['sha256'] as string | null) ?? undefined,
    reason: String(row['reason']),
    checkedAt: Number(row['checked_at']),
    isOfStore: row['is_of_store'] === 1,
    sends: Number(row['sends']),
    state: row['state'] as DamageState,
  });
}
