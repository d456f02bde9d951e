/** Reads the quotas of individual projects and buckets, on the main thread or on the writer thread. */

import type { Database, Statement } from 'better-sqlite3';

import type { ProjectNames } from '../../base/principal.ts';
import type { BucketLimits } from '../../object-store/buckets.ts';
import type { BucketQuota, Quotas } from '../../object-store/rules/quota.ts';

/** The quotas that were set for a bucket; null where the default applies. */
export type StoredBucketQuota = { readonly [K in keyof BucketQuota]: number | null };

const NOTHING_SET: StoredBucketQuota = { bytes: null, objects: null };

export class QuotaReader {
  readonly defaults: Quotas;
  readonly #bucket: Statement<[number], StoredBucketQuota>;
  readonly #project: Statement<[string, string], number>;
  readonly #countBuckets: Statement<[string, string], number>;

  constructor(database: Database, defaults: Quotas) {
    this.defaults = defaults;
    this.#bucket = database.prepare('SELECT bytes, objects FROM bucket_quota WHERE bucket_id = ?');
    this.#project = database
      .prepare<[string, string], number>(
        'SELECT buckets FROM project_quota WHERE customer = ? AND project = ?',
      )
      .pluck();
    this.#countBuckets = database
      .prepare<[string, string], number>(
        'SELECT count(*) FROM bucket WHERE owner_customer = ? AND owner_project = ?',
      )
      .pluck();
  }

  setOfBucket(bucketId: number): StoredBucketQuota {
    return this.#bucket.get(bucketId) ?? NOTHING_SET;
  }

  /** Returns the maximum number of buckets that was set for a project, or undefined if the default applies. */
  setOfProject({ customer, project }: ProjectNames): number | undefined {
    return this.#project.get(customer, project);
  }

  ofBucket(bucketId: number): BucketQuota {
    const { bytes, objects } = this.setOfBucket(bucketId);
    const { bytesPerBucket, objectsPerBucket } = this.defaults;
    return { bytes: bytes ?? bytesPerBucket, objects: objects ?? objectsPerBucket };
  }

  countBuckets({ customer, project }: ProjectNames): number {
    return this.#countBuckets.get(customer, project) ?? 0;
  }

  limitsOf(bucket: ProjectNames & { readonly bucketId: number }): BucketLimits {
    const { bytes, objects } = this.ofBucket(bucket.bucketId);
    return { sizeBytes: bytes, objects, buckets: this.ofProject(bucket) };
  }

  /** Returns the maximum number of buckets of a project, which is the default unless it was set. */
  ofProject(project: ProjectNames): number {
    return this.setOfProject(project) ?? this.defaults.bucketsPerProject;
  }
}
