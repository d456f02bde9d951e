/** Caches buckets and their configurations, so that an unauthenticated request runs no SQL statement. */

import type { Database, Statement } from 'better-sqlite3';

import { isUnreadable } from '../disk/metadata-damage.ts';
import { BUCKET_COLUMNS, type BucketConfigKind, type BucketRow } from '../schema/rows.ts';

/**
 * The maximum number of cached rows, and of cached configurations. Each can contain a policy or a configuration of the
 * maximum size.
 */
const MAX_CACHED = 1024;

/** The maximum number of changed names that are read one by one. After more changes, all names are read again. */
const MAX_CHANGED = 1024;

type NameRow = Pick<BucketRow, 'bucketId' | 'name'>;

/**
 * Invariant: except for the names in `#changed`, `#ids` contains exactly the names of the existing buckets. So a
 * request for an unknown bucket needs no SQL statement and no memory. The cache is correct because only the process
 * that opened the store changes it.
 */
export class BucketCache {
  readonly #allIds: Statement<[], NameRow>;
  readonly #id: Statement<[string], number>;
  readonly #row: Statement<[string], BucketRow>;
  readonly #config: Statement<[number, string], string>;
  #ids: Map<string, number> | undefined;
  /** Whether all names could be read. False after a damaged page was found; each name is then read separately. */
  #areIdsReadable = true;
  readonly #changed = new Set<string>();
  readonly #rows = new Map<string, BucketRow>();
  readonly #documents = new Map<string, unknown>();
  /**
   * The configurations that buckets are known not to have, so that no SQL statement is needed for them. The size of
   * this set is limited by the number of buckets.
   */
  readonly #absent = new Set<string>();

  constructor(database: Database) {
    this.#allIds = database.prepare('SELECT name, bucket_id AS bucketId FROM bucket');
    this.#id = database
      .prepare<[string], number>('SELECT bucket_id FROM bucket WHERE name = ?')
      .pluck();
    this.#row = database.prepare(`SELECT ${BUCKET_COLUMNS} FROM bucket WHERE name = ?`);
    this.#config = database
      .prepare<[number, string], string>(
        'SELECT document FROM bucket_config WHERE bucket_id = ? AND kind = ?',
      )
      .pluck();
  }

  /** Returns a bucket's ID, or undefined if the bucket does not exist. A bucket ID is never reused. */
  bucketId(name: string): number | undefined {
    const ids = this.#readIds();
    if (!ids) return this.#id.get(name);
    if (!this.#changed.has(name)) return ids.get(name);
    const id = this.#id.get(name);
    if (id === undefined) ids.delete(name);
    else ids.set(name, id);
    this.#changed.delete(name);
    return id;
  }

  bucket(name: string): BucketRow | undefined {
    const known = this.#rows.get(name);
    if (known) return known;
    const row = this.bucketId(name) === undefined ? undefined : this.#row.get(name);
    if (row) remember(this.#rows, name, row);
    return row;
  }

  /** Returns the bucket's parsed configuration document; undefined if the bucket has no configuration of this kind. */
  config(bucketId: number, kind: BucketConfigKind): unknown {
    const name = `${bucketId} ${kind}`;
    if (this.#absent.has(name)) return undefined;
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const text = this.#config.get(bucketId, kind);
    if (text === undefined) {
      this.#absent.add(name);
      return undefined;
    }
    const document: unknown = JSON.parse(text);
    remember(this.#documents, name, document);
    return document;
  }

  /**
   * Clears the cached rows and configurations, and marks the name as changed. Must be called after each command that
   * changes a bucket, even if the command failed. The call must precede the reply to the command's caller.
   */
  forget(name: string): void {
    this.#rows.clear();
    this.#documents.clear();
    this.#absent.clear();
    if (this.#changed.size >= MAX_CHANGED) {
      this.#ids = undefined;
      this.#changed.clear();
    }
    this.#changed.add(name);
  }

  #readIds(): Map<string, number> | undefined {
    if (this.#ids || !this.#areIdsReadable) return this.#ids;
    try {
      this.#ids = new Map(this.#allIds.all().map(({ name, bucketId }) => [name, bucketId]));
      this.#changed.clear();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#areIdsReadable = false;
    }
    return this.#ids;
  }
}

function remember<T>(cache: Map<string, T>, name: string, value: T): void {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(name, value);
}
