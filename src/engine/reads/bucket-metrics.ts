/** Reads the metrics of buckets (semantics B.18). Most metrics come from counters in the database. */

import type { Database, Statement } from 'better-sqlite3';

import type { DefaultRetention } from '../../object-store/locks.ts';
import { lockConfiguration } from '../schema/object-info.ts';
import type { BucketRow } from '../schema/rows.ts';

export interface BucketMetrics {
  readonly bucketId: number;
  readonly name: string;
  readonly createdAt: number;
  /**
   * The number of versions that are objects, current or noncurrent. Delete markers do not count. `versionBytes` is the
   * total size of these versions.
   */
  readonly versions: number;
  readonly versionBytes: number;
  readonly deleteMarkers: number;
  /** The number of parts of open multipart uploads. `partBytes` is the total size of these parts. */
  readonly parts: number;
  readonly partBytes: number;
}

const METRICS = `
  SELECT bucket_id AS bucketId, name, created_at AS createdAt, objects AS versions, size_bytes AS versionBytes,
    delete_markers AS deleteMarkers, parts, part_bytes AS partBytes
  FROM bucket JOIN bucket_usage USING (bucket_id)`;

/**
 * The number of keys whose current version is an object. No counter contains this number, so the keys are counted up to
 * a limit.
 */
export interface HeadCount {
  readonly count: number;
  /** Whether all keys were counted. False if the count reached the limit. */
  readonly isAll: boolean;
}

const HEADS = `
  SELECT count(*) FROM (
    SELECT 1 FROM version INDEXED BY current_object
    WHERE bucket_id = (SELECT bucket_id FROM bucket WHERE name = ?) AND is_latest = 1 AND is_delete_marker = 0
    LIMIT ?)`;

/**
 * A bucket with Object Lock. Only such a bucket can contain locked versions. Locked versions are not counted, because
 * no index covers them.
 */
export interface LockableBucket {
  readonly name: string;
  /** The number of versions that are objects, locked or unlocked. */
  readonly versions: number;
  readonly defaultRetention?: DefaultRetention;
}

type LockableRow = Pick<BucketRow, 'name' | 'defaultMode' | 'defaultDays' | 'defaultYears'> &
  Pick<BucketMetrics, 'versions'>;

const LOCKABLE = `
  SELECT name, objects AS versions, default_retention_mode AS defaultMode,
    default_retention_days AS defaultDays, default_retention_years AS defaultYears
  FROM bucket JOIN bucket_usage USING (bucket_id) WHERE object_lock = 1 ORDER BY name`;

/** The maximum number of keys to count. Counting that many blocks the event loop for about 20 ms. */
const MOST_HEADS = 100_000;

/** Reads the metrics of buckets. Every query sees the last commit. */
export class BucketMetricsReader {
  readonly #find: Statement<[string], BucketMetrics>;
  readonly #list: Statement<[], BucketMetrics>;
  readonly #heads: Statement<[string, number], number>;
  readonly #lockable: Statement<[], LockableRow>;

  constructor(database: Database) {
    this.#find = database.prepare(`${METRICS} WHERE name = ?`);
    this.#list = database.prepare(`${METRICS} ORDER BY name`);
    this.#heads = database.prepare<[string, number], number>(HEADS).pluck();
    this.#lockable = database.prepare(LOCKABLE);
  }

  /** Returns a bucket's metrics in constant time, or undefined if the bucket does not exist. */
  find(bucket: string): BucketMetrics | undefined {
    return this.#find.get(bucket);
  }

  countHeads(bucket: string, most = MOST_HEADS): HeadCount {
    const count = this.#heads.get(bucket, most + 1) ?? 0;
    return { count: Math.min(count, most), isAll: count <= most };
  }

  /** Returns the metrics of all buckets of all owners, ordered by bucket name. */
  list(): readonly BucketMetrics[] {
    return this.#list.all();
  }

  /**
   * Returns all buckets with Object Lock, ordered by name. Throws `InternalError` if the default retention of a bucket
   * cannot be read.
   */
  lockable(): readonly LockableBucket[] {
    return this.#lockable.all().map((row) => {
      const { name, versions } = row;
      return Object.assign({ name, versions }, lockConfiguration(row));
    });
  }
}

/** Returns the metric `BucketSizeBytes`: the size of all versions and of the parts of open uploads. */
export function bucketSizeBytes({ versionBytes, partBytes }: BucketMetrics): number {
  return versionBytes + partBytes;
}

/** Returns the metric `NumberOfObjects`: the number of all versions, delete markers and parts of open uploads. */
export function numberOfObjects({ versions, deleteMarkers, parts }: BucketMetrics): number {
  return versions + deleteMarkers + parts;
}
