/** Writes the quotas of individual projects and buckets. */

import type { Database } from 'better-sqlite3';

import type { ProjectNames } from '../../../base/principal.ts';
import type { Quotas } from '../../../object-store/rules/quota.ts';
import { QuotaReader, type StoredBucketQuota } from '../../schema/quota-reader.ts';

export class QuotaTable extends QuotaReader {
  readonly #database: Database;

  constructor(database: Database, defaults: Quotas) {
    super(database, defaults);
    this.#database = database;
  }

  putBucket(bucketId: number, { bytes, objects }: StoredBucketQuota): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO bucket_quota (bucket_id, bytes, objects) VALUES (?, ?, ?)')
      .run(bucketId, bytes, objects);
  }

  /** Sets a project's maximum number of buckets. If `buckets` is undefined, the default applies again. */
  putProject({ customer, project }: ProjectNames, buckets: number | undefined): void {
    this.#database
      .prepare('DELETE FROM project_quota WHERE customer = ? AND project = ?')
      .run(customer, project);
    if (buckets === undefined) return;
    this.#database
      .prepare('INSERT INTO project_quota (customer, project, buckets) VALUES (?, ?, ?)')
      .run(customer, project, buckets);
  }
}
