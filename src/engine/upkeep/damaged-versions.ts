/** Which versions need a blob. There is no index for it: it takes a scan of all versions. */

import type { Database } from 'better-sqlite3';

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
