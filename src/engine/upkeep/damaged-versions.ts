/** Which versions need damaged blobs. No index answers that: finding them scans all versions, so a separate thread does it. */

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

/** Keys are compared by their bytes: a prefix may hold what LIKE and GLOB read as patterns. */
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
