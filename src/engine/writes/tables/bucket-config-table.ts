/** Writes the configuration documents of buckets. */

import type { Database, Statement } from 'better-sqlite3';
import type { BucketConfigKind } from '../../schema/rows.ts';

export class BucketConfigTable {
  readonly #put: Statement<[number, string, string]>;
  readonly #remove: Statement<[number, string]>;

  constructor(database: Database) {
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO bucket_config (bucket_id, kind, document) VALUES (?, ?, ?)',
    );
    this.#remove = database.prepare('DELETE FROM bucket_config WHERE bucket_id = ? AND kind = ?');
  }

  put(bucketId: number, kind: BucketConfigKind, document: string): void {
    this.#put.run(bucketId, kind, document);
  }

  remove(bucketId: number, kind: BucketConfigKind): void {
    this.#remove.run(bucketId, kind);
  }
}
