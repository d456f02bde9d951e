/**
 * Lists the invariants between the database tables (FORMAT.md). Each rule has a query that finds violations and, if the
 * correct state can be derived, statements that restore it. A repair runs the rules in this order, because later rules
 * count rows that earlier rules fix. No rule removes a version.
 */

import { TAG_BYTES } from '../encryption/object-key.ts';
import { SEGMENT_BYTES } from '../checksums/segment-checksums.ts';

export interface Rule {
  readonly code: string;
  /** A query that returns one row with a `subject` for each violation. */
  readonly find: string;
  readonly message: string;
  readonly repair?: { readonly says: string; readonly statements: readonly string[] };
}

const CONTENT_REFERENCES = `
  SELECT blob_id FROM version WHERE blob_id IS NOT NULL
  UNION ALL SELECT blob_id FROM manifest_part
  UNION ALL SELECT blob_id FROM upload_part`;

const BLOB_COUNTS = `
  SELECT blob.blob_id AS id, reference_count AS stored, count(r.blob_id) AS counted
  FROM blob LEFT JOIN (${CONTENT_REFERENCES}) AS r ON r.blob_id = blob.blob_id
  GROUP BY blob.blob_id`;

const MANIFEST_COUNTS = `
  SELECT manifest.manifest_id AS id, reference_count AS stored, count(version.manifest_id) AS counted
  FROM manifest LEFT JOIN version ON version.manifest_id = manifest.manifest_id
  GROUP BY manifest.manifest_id`;

/** An SQL expression for the name of a version in reports: its bucket, key and version ID. */
const VERSION_NAME = `coalesce(name, 'bucket ' || version.bucket_id) || '/' || key || ' ' || version_id`;
const NAMED_VERSION = 'version LEFT JOIN bucket USING (bucket_id)';

/** SQL that counts each bucket's content: objects, delete markers, and parts of open uploads. */
const USAGE = `
  SELECT bucket.bucket_id, ifnull(objects, 0) AS objects, ifnull(size_bytes, 0) AS size_bytes,
    ifnull(delete_markers, 0) AS delete_markers, ifnull(parts, 0) AS parts, ifnull(part_bytes, 0) AS part_bytes
  FROM bucket
  LEFT JOIN (SELECT bucket_id, sum(is_delete_marker = 0) AS objects, sum(is_delete_marker) AS delete_markers,
      sum(size_bytes) AS size_bytes FROM version GROUP BY bucket_id) USING (bucket_id)
  LEFT JOIN (SELECT bucket_id, count(*) AS parts, sum(size_bytes) AS part_bytes
      FROM upload JOIN upload_part ON upload_sequence = sequence GROUP BY bucket_id) USING (bucket_id)`;

const USAGE_COLUMNS = ['objects', 'size_bytes', 'delete_markers', 'parts', 'part_bytes'] as const;

const HIGHEST_SEQUENCE = `
  SELECT max(highest) FROM (
    SELECT max(sequence) AS highest FROM version
    UNION ALL SELECT max(sequence) FROM upload
    UNION ALL SELECT max(blob_id) FROM blob
    UNION ALL SELECT max(manifest_id) FROM manifest)`;

const IS_HIGHEST = `sequence = (SELECT max(sequence) FROM version AS other
  WHERE other.bucket_id = version.bucket_id AND other.key = version.key)`;

const UNUSED_BLOBS = `SELECT id FROM (${BLOB_COUNTS}) WHERE counted = 0`;

/**
 * An SQL expression for the number of unencrypted bytes in a blob. Each segment of an encrypted blob has an
 * authentication tag.
 */
const CLEAR_BYTES = `(blob.size_bytes - CASE WHEN blob.salt IS NULL THEN 0
  ELSE ${TAG_BYTES} * max(1, (blob.size_bytes + ${SEGMENT_BYTES - 1}) / ${SEGMENT_BYTES}) END)`;

/**
 * SQL for the size of each manifest (the list of parts of a multipart object) and the number of its wrong parts. A part
 * is wrong if it does not begin where the previous part ends, or if its size differs from the size of its blob.
 */
const MANIFEST_SIZES = `
  SELECT manifest_id, sum(part.size_bytes) AS sizeBytes,
    sum(part.size_bytes IS NOT ${CLEAR_BYTES} OR first_byte <> before) AS wrong
  FROM (SELECT *, coalesce(sum(size_bytes) OVER (PARTITION BY manifest_id ORDER BY first_byte, part_number
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM manifest_part) AS part
  LEFT JOIN blob USING (blob_id) GROUP BY manifest_id`;

export const RULES: readonly Rule[] = [
  {
    code: 'garbage-needed',
    find: 'SELECT file AS subject FROM garbage WHERE file IN (SELECT file FROM blob)',
    message: 'is marked for deletion, but a blob refers to it',
    repair: {
      says: 'removes the mark, so that the file is kept',
      statements: ['DELETE FROM garbage WHERE file IN (SELECT file FROM blob)'],
    },
  },
  {
    code: 'sequence-used',
    find: `SELECT 'next_sequence ' || next_sequence AS subject FROM store
      WHERE next_sequence <= (${HIGHEST_SEQUENCE})`,
    message: 'is already used',
    repair: {
      says: 'continues after the highest used number',
      statements: [
        `UPDATE store SET next_sequence = 1 + (${HIGHEST_SEQUENCE})
         WHERE next_sequence <= (${HIGHEST_SEQUENCE})`,
      ],
    },
  },
  {
    code: 'bucket-missing',
    find: `SELECT 'bucket ' || bucket_id AS subject FROM (
        SELECT bucket_id FROM version UNION SELECT bucket_id FROM upload)
      WHERE bucket_id NOT IN (SELECT bucket_id FROM bucket)`,
    message: 'has versions or uploads, but its row is missing',
    repair: {
      says: 'creates the bucket lost-found-NUMBER with Object Lock, for the owner of its oldest version',
      statements: [
        // Delete the usage rows of missing buckets first. These rows would conflict with the rows that a trigger adds
        // for restored buckets.
        'DELETE FROM bucket_usage WHERE bucket_id NOT IN (SELECT bucket_id FROM bucket)',
        lostBuckets('version', 'last_modified_at'),
        lostBuckets('upload', 'initiated_at'),
      ],
    },
  },
  {
    code: 'bucket-usage',
    find: `SELECT coalesce(bucket.name, 'bucket ' || c.bucket_id) AS subject
      FROM (${USAGE}) AS c LEFT JOIN bucket_usage AS u USING (bucket_id) LEFT JOIN bucket USING (bucket_id)
      WHERE ${USAGE_COLUMNS.map((column) => `u.${column} IS NOT c.${column}`).join(' OR ')}
      UNION ALL SELECT 'bucket ' || bucket_id FROM bucket_usage
        WHERE bucket_id NOT IN (SELECT bucket_id FROM bucket)`,
    message: 'has wrong counts of its objects, parts or bytes',
    repair: {
      says: 'counts again',
      statements: [
        'DELETE FROM bucket_usage',
        `INSERT INTO bucket_usage (bucket_id, ${USAGE_COLUMNS.join(', ')}) ${USAGE}`,
      ],
    },
  },
  {
    code: 'latest-flag',
    find: `SELECT ${VERSION_NAME} AS subject FROM (
        SELECT *, row_number() OVER (PARTITION BY bucket_id, key ORDER BY sequence DESC) AS place FROM version
      ) AS version LEFT JOIN bucket USING (bucket_id) WHERE is_latest <> (place = 1)`,
    message: 'is wrongly marked as the latest version, or as an older one',
    repair: {
      says: 'marks the version with the highest sequence as the latest',
      statements: [
        `UPDATE version SET is_latest = ${IS_HIGHEST} WHERE is_latest <> (${IS_HIGHEST})`,
      ],
    },
  },
  {
    code: 'part-without-upload',
    find: `SELECT 'part ' || part_number || ' of upload ' || upload_sequence AS subject FROM upload_part
      WHERE upload_sequence NOT IN (SELECT sequence FROM upload)`,
    message: 'belongs to an upload that does not exist',
    repair: {
      says: 'deletes the row of the part',
      statements: [
        'DELETE FROM upload_part WHERE upload_sequence NOT IN (SELECT sequence FROM upload)',
      ],
    },
  },
  {
    code: 'manifest-missing',
    find: `SELECT 'manifest ' || manifest_id AS subject FROM version
      WHERE manifest_id NOT IN (SELECT manifest_id FROM manifest)
        AND manifest_id IN (SELECT manifest_id FROM manifest_part) GROUP BY manifest_id`,
    message: 'has parts and is used by a version, but its row is missing',
    repair: {
      says: 'creates the row again',
      statements: [
        `INSERT INTO manifest (manifest_id, reference_count) SELECT manifest_id, count(*) FROM version
         WHERE manifest_id NOT IN (SELECT manifest_id FROM manifest)
           AND manifest_id IN (SELECT manifest_id FROM manifest_part) GROUP BY manifest_id`,
      ],
    },
  },
  {
    code: 'manifest-unused',
    find: `SELECT 'manifest ' || id AS subject FROM (${MANIFEST_COUNTS}) WHERE counted = 0
      UNION SELECT 'manifest ' || manifest_id FROM manifest_part
        WHERE manifest_id NOT IN (SELECT manifest_id FROM manifest)`,
    message: 'is not used by any version',
    repair: {
      says: 'deletes its rows',
      statements: [
        `DELETE FROM manifest WHERE manifest_id IN (SELECT id FROM (${MANIFEST_COUNTS}) WHERE counted = 0)`,
        'DELETE FROM manifest_part WHERE manifest_id NOT IN (SELECT manifest_id FROM manifest)',
      ],
    },
  },
  {
    code: 'manifest-references',
    find: `SELECT 'manifest ' || id || ' (' || stored || ' stored, ' || counted || ' found)' AS subject
      FROM (${MANIFEST_COUNTS}) WHERE counted > 0 AND stored <> counted`,
    message: 'has a wrong reference count',
    repair: {
      says: 'counts again',
      statements: [
        `UPDATE manifest SET reference_count = c.counted FROM (${MANIFEST_COUNTS}) AS c
         WHERE c.id = manifest_id AND c.counted > 0 AND c.stored <> c.counted`,
      ],
    },
  },
  {
    code: 'blob-unused',
    find: `SELECT 'blob ' || blob_id || coalesce(' in file ' || file, '') AS subject FROM blob
      WHERE blob_id IN (${UNUSED_BLOBS})`,
    message: 'is not used by any version or part',
    repair: {
      says: 'moves its bytes to trash/',
      statements: [
        `SELECT keep_bytes(blob_id, bytes) FROM blob WHERE bytes IS NOT NULL AND blob_id IN (${UNUSED_BLOBS})`,
        `DELETE FROM blob WHERE blob_id IN (${UNUSED_BLOBS})`,
      ],
    },
  },
  {
    code: 'blob-references',
    find: `SELECT 'blob ' || id || ' (' || stored || ' stored, ' || counted || ' found)' AS subject
      FROM (${BLOB_COUNTS}) WHERE counted > 0 AND stored <> counted`,
    message: 'has a wrong reference count',
    repair: {
      says: 'counts again',
      statements: [
        `UPDATE blob SET reference_count = c.counted FROM (${BLOB_COUNTS}) AS c
         WHERE c.id = blob_id AND c.counted > 0 AND c.stored <> c.counted`,
      ],
    },
  },
  {
    code: 'content-missing',
    find: `SELECT ${VERSION_NAME} AS subject FROM ${NAMED_VERSION}
      WHERE blob_id IS NOT NULL AND blob_id NOT IN (SELECT blob_id FROM blob)
        OR manifest_id IS NOT NULL AND manifest_id NOT IN (SELECT manifest_id FROM manifest_part)
        OR manifest_id IN (
          SELECT manifest_id FROM manifest_part WHERE blob_id NOT IN (SELECT blob_id FROM blob))
      UNION ALL SELECT 'part ' || part_number || ' of upload ' || upload_sequence FROM upload_part
        WHERE blob_id NOT IN (SELECT blob_id FROM blob)`,
    message: 'has no rows for its bytes; reading it fails',
  },
  {
    code: 'content-size',
    find: `SELECT ${VERSION_NAME} AS subject FROM ${NAMED_VERSION} JOIN blob USING (blob_id)
      WHERE version.size_bytes <> ${CLEAR_BYTES}
      UNION ALL SELECT ${VERSION_NAME} FROM ${NAMED_VERSION} JOIN (${MANIFEST_SIZES}) AS m USING (manifest_id)
      WHERE version.size_bytes <> m.sizeBytes OR m.wrong > 0`,
    message: 'has a size that differs from the size of its bytes; reading it fails',
  },
  {
    code: 'encryption-differs',
    find: `SELECT ${VERSION_NAME} AS subject FROM ${NAMED_VERSION} JOIN blob USING (blob_id)
      WHERE (encryption IS NULL) <> (salt IS NULL)
      UNION SELECT ${VERSION_NAME} FROM ${NAMED_VERSION}
        JOIN manifest_part USING (manifest_id) JOIN blob ON blob.blob_id = manifest_part.blob_id
      WHERE (encryption IS NULL) <> (salt IS NULL)
      UNION SELECT 'part ' || part_number || ' of upload ' || upload_sequence
        FROM upload_part JOIN upload ON upload.sequence = upload_sequence JOIN blob USING (blob_id)
      WHERE (encryption IS NULL) <> (salt IS NULL)`,
    message: 'is marked as encrypted, but its bytes are not, or vice versa; reading it fails',
  },
  {
    code: 'null-version-twice',
    find: `SELECT coalesce(name, 'bucket ' || version.bucket_id) || '/' || key AS subject FROM ${NAMED_VERSION}
      WHERE version_id = 'null' GROUP BY version.bucket_id, key HAVING count(*) > 1`,
    message: 'has more than one null version; only the latest can be read',
  },
  {
    code: 'quarantine-unknown',
    find: `SELECT 'blob ' || blob_id AS subject FROM quarantine
      WHERE blob_id NOT IN (SELECT blob_id FROM blob)`,
    message: 'is quarantined, but does not exist',
    repair: {
      says: 'deletes its rows',
      statements: ['DELETE FROM quarantine WHERE blob_id NOT IN (SELECT blob_id FROM blob)'],
    },
  },
];

/**
 * Returns the statement that adds the missing buckets to which rows in `table` refer. The `owner` column of these rows
 * contains `project:user@customer`.
 */
function lostBuckets(table: 'version' | 'upload', instant: string): string {
  return `INSERT INTO bucket
      (bucket_id, name, owner_project, owner_user, owner_customer, created_at, object_lock, versioning)
    SELECT bucket_id, 'lost-found-' || bucket_id, substr(owner, 1, instr(owner, ':') - 1),
      substr(owner, instr(owner, ':') + 1, instr(owner, '@') - instr(owner, ':') - 1),
      substr(owner, instr(owner, '@') + 1), min(${instant}), 1, 'Enabled'
    FROM ${table} WHERE bucket_id NOT IN (SELECT bucket_id FROM bucket) GROUP BY bucket_id`;
}
