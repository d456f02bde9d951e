/**
 * Finds the versions whose blobs are damaged, and intact versions with the same bytes. Each query scans all versions
 * without an index, so it runs on a separate thread.
 */

import type { Database } from 'better-sqlite3';

import type { DamagedObject } from '../../object-store/damage.ts';
import { type DamagedVersion, MAX_NAMED_VERSIONS } from './problems.ts';

export function versionsOf(database: Database, blobId: number): readonly DamagedVersion[] {
  return database
    .prepare<[number, number, number], DamagedVersion>(
      `SELECT bucket.name AS bucket, key, version_id AS versionId
       FROM version JOIN bucket USING (bucket_id)
       WHERE blob_id = ? OR manifest_id IN (SELECT manifest_id FROM manifest_part WHERE blob_id = ?)
       ORDER BY is_latest DESC LIMIT ?`,
    )
    .all(blobId, blobId, MAX_NAMED_VERSIONS);
}

/**
 * Returns the damaged versions of the keys with this prefix. Compares substrings, because LIKE and GLOB would interpret
 * some characters of the prefix as patterns.
 */
export function damagedBelow(
  database: Database,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): readonly DamagedObject[] {
  return database
    .prepare<[string, string, string], DamagedObject>(
      `WITH bad_manifest AS (SELECT manifest_id, min(reason) AS reason
              FROM manifest_part JOIN quarantine USING (blob_id) GROUP BY manifest_id)
       SELECT key, version_id AS versionId, coalesce(quarantine.reason, bad_manifest.reason) AS reason
       FROM version
         LEFT JOIN quarantine ON quarantine.blob_id = version.blob_id
         LEFT JOIN bad_manifest ON bad_manifest.manifest_id = version.manifest_id
       WHERE bucket_id = (SELECT bucket_id FROM bucket WHERE name = ?)
         AND substr(key, 1, length(?)) = ?
         AND coalesce(quarantine.reason, bad_manifest.reason) IS NOT NULL
       ORDER BY key, sequence`,
    )
    .all(bucket, prefix, prefix);
}

/** The primary key of a version's row. Unlike the version ID `null`, it cannot refer to a newer version later. */
export interface VersionPlace {
  readonly bucketId: number;
  readonly key: string;
  readonly sequence: number;
}

/** A damaged version, and an intact version that has the same bytes. */
export interface EqualVersions {
  readonly damaged: VersionPlace;
  readonly equal: VersionPlace;
}

type EqualRow = VersionPlace & {
  readonly equalBucketId: number;
  readonly equalKey: string;
  readonly equalSequence: number;
};

const isDamaged = (version: string) =>
  `iif(${version}.blob_id IS NULL, ${version}.manifest_id IN (SELECT manifest_id FROM bad_manifest),
     ${version}.blob_id IN (SELECT blob_id FROM quarantine))`;

const sha256 = (version: string) =>
  `(SELECT sha256 FROM blob WHERE blob.blob_id = ${version}.blob_id)`;

/**
 * Returns, for each damaged version, an intact version with the same bytes, if one exists. Both have the same size and
 * ETag, and the same checksum and SHA-256 where both are known. Encrypted versions are excluded, because their ETags
 * say nothing about the stored bytes.
 */
export function equalVersions(database: Database): readonly EqualVersions[] {
  const rows = database
    .prepare<[], EqualRow>(
      `WITH bad_manifest AS MATERIALIZED (
              SELECT DISTINCT manifest_id FROM manifest_part JOIN quarantine USING (blob_id)),
            damaged AS MATERIALIZED (
              SELECT bucket_id, key, sequence, size_bytes, etag, checksum, ${sha256('version')} AS sha256
              FROM version
              WHERE is_delete_marker = 0 AND encryption IS NULL AND ${isDamaged('version')})
       SELECT damaged.bucket_id AS bucketId, damaged.key, damaged.sequence,
         equal.bucket_id AS equalBucketId, equal.key AS equalKey, equal.sequence AS equalSequence
       FROM version AS equal CROSS JOIN damaged USING (size_bytes, etag)
       WHERE is_delete_marker = 0 AND encryption IS NULL AND NOT ${isDamaged('equal')}
         AND coalesce(equal.checksum = damaged.checksum, true)
         AND coalesce(${sha256('equal')} = damaged.sha256 OR length(damaged.sha256) <> 32, true)
       GROUP BY damaged.bucket_id, damaged.key, damaged.sequence`,
    )
    .all();
  return rows.map(({ equalBucketId, equalKey, equalSequence, ...damaged }) => ({
    damaged,
    equal: { bucketId: equalBucketId, key: equalKey, sequence: equalSequence },
  }));
}
