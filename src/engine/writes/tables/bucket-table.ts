/** Writes the table of buckets. */

import type { Database, Statement } from 'better-sqlite3';

import type { UserPrincipal } from '../../../base/principal.ts';
import type { DefaultRetention } from '../../../object-store/locks.ts';
import type { BucketUsage, Versioning } from '../../../object-store/buckets.ts';
import { BUCKET_COLUMNS, type BucketRow } from '../../schema/rows.ts';

interface NewBucket {
  readonly name: string;
  readonly owner: UserPrincipal;
  readonly createdAt: number;
  readonly objectLock: boolean;
  /** The bucket's ACL as JSON; null for the default ACL. */
  readonly acl: string | null;
}

export class BucketTable {
  readonly #byName: Statement<[string], BucketRow>;
  readonly #insert: Statement<[...string[], number, number, string | null, string | null]>;
  readonly #setAcl: Statement<[string | null, number]>;
  readonly #setPolicy: Statement<[string | null, number]>;
  readonly #setPublicAccessBlock: Statement<[string | null, number]>;
  readonly #setVersioning: Statement<[string, number]>;
  readonly #setDefaultRetention: Statement<
    [mode: string | null, days: number | null, years: number | null, bucketId: number]
  >;
  readonly #hasVersions: Statement<[number], number>;
  readonly #usage: Statement<[number], BucketUsage>;
  readonly #remove: Statement<[number]>;

  constructor(database: Database) {
    this.#byName = database.prepare(`SELECT ${BUCKET_COLUMNS} FROM bucket WHERE name = ?`);
    this.#insert = database.prepare(
      `INSERT INTO bucket
         (name, owner_project, owner_user, owner_customer, created_at, object_lock, versioning, acl)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#setAcl = database.prepare('UPDATE bucket SET acl = ? WHERE bucket_id = ?');
    this.#setPolicy = database.prepare('UPDATE bucket SET policy = ? WHERE bucket_id = ?');
    this.#setPublicAccessBlock = database.prepare(
      'UPDATE bucket SET public_access_block = ? WHERE bucket_id = ?',
    );
    this.#setVersioning = database.prepare('UPDATE bucket SET versioning = ? WHERE bucket_id = ?');
    this.#setDefaultRetention = database.prepare(
      `UPDATE bucket SET default_retention_mode = ?, default_retention_days = ?, default_retention_years = ?
       WHERE bucket_id = ?`,
    );
    this.#hasVersions = database
      .prepare<[number], number>('SELECT 1 FROM version WHERE bucket_id = ? LIMIT 1')
      .pluck();
    this.#usage = database.prepare(
      'SELECT objects, size_bytes AS sizeBytes FROM bucket_usage WHERE bucket_id = ?',
    );
    this.#remove = database.prepare('DELETE FROM bucket WHERE bucket_id = ?');
  }

  find(name: string): BucketRow | undefined {
    return this.#byName.get(name);
  }

  /** Inserts a bucket. A bucket with Object Lock has versioning from the beginning, because locks apply to versions. */
  insert({ name, owner, createdAt, objectLock, acl }: NewBucket): void {
    const versioning = objectLock ? 'Enabled' : null;
    const { project, user, customer } = owner;
    this.#insert.run(name, project, user, customer, createdAt, objectLock ? 1 : 0, versioning, acl);
  }

  setVersioning(bucketId: number, versioning: Versioning): void {
    this.#setVersioning.run(versioning, bucketId);
  }

  setAcl(bucketId: number, acl: string | null): void {
    this.#setAcl.run(acl, bucketId);
  }

  setPolicy(bucketId: number, policy: string | null): void {
    this.#setPolicy.run(policy, bucketId);
  }

  setPublicAccessBlock(bucketId: number, block: string | null): void {
    this.#setPublicAccessBlock.run(block, bucketId);
  }

  setDefaultRetention(bucketId: number, given: DefaultRetention | undefined): void {
    const { mode = null, days = null, years = null } = given ?? {};
    this.#setDefaultRetention.run(mode, days, years, bucketId);
  }

  hasVersions(bucketId: number): boolean {
    return this.#hasVersions.get(bucketId) !== undefined;
  }

  /** Returns the bucket's usage, including the changes of the current transaction. */
  usage(bucketId: number): BucketUsage {
    return this.#usage.get(bucketId) ?? { objects: 0, sizeBytes: 0 };
  }

  remove(bucketId: number): void {
    this.#remove.run(bucketId);
  }
}
