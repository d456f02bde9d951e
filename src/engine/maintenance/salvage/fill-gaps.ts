/**
 * Completes a salvaged database: derives lost rows where possible, and marks versions whose bytes are lost as damaged.
 */

import { randomBytes } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { TAG_BYTES } from '../../encryption/object-key.ts';
import type { Layout } from '../../disk/layout.ts';
import { SEGMENT_BYTES } from '../../checksums/segment-checksums.ts';
import { readOpening } from '../../schema/opening.ts';
import { MAX_NAMED_VERSIONS } from '../../integrity/problems.ts';
import { type Repaired, repairedOf } from '../../integrity/repair-metadata.ts';
import { ROWID, type Row } from './salvaged-rows.ts';

/**
 * How far the next sequence number is set above the highest known one. It is assumed that fewer sequence numbers were
 * lost.
 */
const UNKNOWN_SEQUENCES = 2 ** 20;
const BUCKETS = 'bucket_of_owner';
const CURRENT_OBJECTS = 'current_object';
const MD5 = /^[0-9a-f]{32}$/;
const REASON = 'the row of its bytes was on a damaged page of store.sqlite';

/** Returns the entries of an index of the damaged database. */
type Entries = (index: string) => Iterable<Row>;

export interface Lost {
  repaired(): readonly Repaired[];
}

/** Completes the database and returns what was lost. Must be called in a transaction. */
export function fillGaps(
  database: Database,
  entries: Entries,
  { layout, now }: { readonly layout: Layout; readonly now: number },
): Lost {
  const buckets = recoverBuckets(database, entries, now);
  const objects = lostObjects(database, entries);
  dropLostParts(database);
  const bytes = replaceLostBytes(database, now);
  continueStore(database, layout);
  return {
    repaired: () => [
      ...repairedOf(buckets, {
        code: 'bucket-lost',
        did: 'its settings were lost; it was restored as a private bucket with versioning and Object Lock',
      }),
      ...repairedOf(objects, {
        code: 'object-lost',
        did: 'its current version was lost; a job that mirrors it uploads it again',
      }),
      ...repairedOf(bytes, {
        code: 'bytes-lost',
        did: 'the row of its bytes was lost; reading it is refused until equal bytes are found or uploaded',
      }),
    ],
  };
}

/**
 * Restores lost rows of buckets from an index with bucket names and owners. Returns the names of the restored buckets.
 */
function recoverBuckets(database: Database, entries: Entries, now: number): readonly string[] {
  const insert = database.prepare(
    `INSERT OR IGNORE INTO bucket
       (bucket_id, name, owner_project, owner_user, owner_customer, created_at, object_lock, versioning)
     VALUES (?, ?, ?, ?, ?, ?, 1, 'Enabled')`,
  );
  const recovered: string[] = [];
  for (const { [ROWID]: id, name, ...owner } of entries(BUCKETS)) {
    const { owner_project: project, owner_user: user, owner_customer: customer } = owner;
    if ([id, name, project, user, customer].some((each) => each === undefined || each === null))
      continue;
    if (insert.run(id, name, project, user, customer, now).changes > 0)
      recovered.push(String(name));
  }
  return recovered;
}

/** Returns the names of current objects that an index contains but whose table rows were lost. */
function lostObjects(database: Database, entries: Entries): readonly string[] {
  const exists = database.prepare(
    'SELECT 1 FROM version WHERE bucket_id = ? AND key = ? AND sequence = ?',
  );
  const bucketName = database
    .prepare<[unknown], string>('SELECT name FROM bucket WHERE bucket_id = ?')
    .pluck();
  const lost: string[] = [];
  for (const { bucket_id: bucketId, key, sequence } of entries(CURRENT_OBJECTS)) {
    if (exists.get(bucketId, key, sequence)) continue;
    lost.push(`${bucketName.get(bucketId) ?? `bucket ${String(bucketId)}`}/${String(key)}`);
  }
  return lost;
}

/** Deletes the parts of unfinished uploads whose bytes are lost. The client must upload these parts again. */
function dropLostParts(database: Database): void {
  database.exec('DELETE FROM upload_part WHERE blob_id NOT IN (SELECT blob_id FROM blob)');
}

interface Placeholder {
  readonly blobId: number;
  /** The size of the unencrypted bytes. */
  readonly sizeBytes: number;
  readonly isEncrypted: number;
  readonly referenceCount: number;
  /** The ETag of the version. It is the MD5 of the bytes unless the version was uploaded in parts. */
  readonly etag?: string | null;
}

/** Adds a damaged blob in place of each lost blob. Returns the names of the versions that cannot be read any more. */
function replaceLostBytes(database: Database, now: number): readonly string[] {
  const add = blobAdder(database, now);
  for (const missing of missingBlobs(database)) add(missing);
  fillManifests(database, add);
  return nameDamage(database);
}

function missingBlobs(database: Database): readonly Placeholder[] {
  return database
    .prepare<[], Placeholder>(
      `SELECT blob_id AS blobId, size_bytes AS sizeBytes, encryption IS NOT NULL AS isEncrypted,
         count(*) AS referenceCount, etag FROM version
         WHERE blob_id NOT IN (SELECT blob_id FROM blob) GROUP BY blob_id
       UNION ALL SELECT part.blob_id, part.size_bytes, EXISTS (
           SELECT 1 FROM version WHERE version.manifest_id = part.manifest_id AND encryption IS NOT NULL), count(*), NULL
         FROM manifest_part AS part WHERE blob_id NOT IN (SELECT blob_id FROM blob) GROUP BY blob_id`,
    )
    .all();
}

type AddBlob = (placeholder: Placeholder) => void;

/**
 * Returns a function that adds a quarantined blob without a file. The versions of that blob can be listed, but not
 * read. If the MD5 is known, it is stored instead of the lost SHA-256, so that a put of the same bytes heals the blob.
 */
function blobAdder(database: Database, now: number): AddBlob {
  const insert = database.prepare(
    `INSERT OR IGNORE INTO blob (blob_id, reference_count, size_bytes, sha256, segment_checksums, file, salt)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const quarantine = database.prepare(
    `INSERT OR REPLACE INTO quarantine (blob_id, reason, found_at, versions) VALUES (?, ?, ?, '[]')`,
  );
  return ({ blobId, sizeBytes, isEncrypted, referenceCount, etag }) => {
    const stored = isEncrypted === 0 ? sizeBytes : encryptedBytes(sizeBytes);
    const segments = Buffer.alloc(4 * Math.ceil(stored / SEGMENT_BYTES));
    const salt = isEncrypted === 0 ? null : Buffer.alloc(32);
    const file = randomBytes(16).toString('hex');
    const digest = MD5.test(etag ?? '') ? Buffer.from(etag ?? '', 'hex') : Buffer.alloc(32);
    insert.run(blobId, referenceCount, stored, digest, segments, file, salt);
    quarantine.run(blobId, REASON, now);
  };
}

function encryptedBytes(sizeBytes: number): number {
  return sizeBytes + TAG_BYTES * Math.max(1, Math.ceil(sizeBytes / (SEGMENT_BYTES - TAG_BYTES)));
}

interface Manifest {
  readonly manifestId: number;
  readonly sizeBytes: number;
  readonly isEncrypted: number;
}

interface Part {
  readonly firstByte: number;
  readonly partNumber: number;
  readonly sizeBytes: number;
}

/**
 * Fills each gap in a manifest (the list of parts of a multipart object) with a placeholder part, so that the remaining
 * parts keep their byte offsets. The placeholder's blob is quarantined.
 */
function fillManifests(database: Database, add: AddBlob): void {
  const manifests = database
    .prepare<[], Manifest>(
      `SELECT manifest_id AS manifestId, size_bytes AS sizeBytes, encryption IS NOT NULL AS isEncrypted
       FROM version WHERE manifest_id IS NOT NULL GROUP BY manifest_id
       HAVING sizeBytes <> (SELECT coalesce(sum(size_bytes), 0) FROM manifest_part AS part
         WHERE part.manifest_id = version.manifest_id)`,
    )
    .all();
  const parts = database.prepare<[number], Part>(
    `SELECT first_byte AS firstByte, part_number AS partNumber, size_bytes AS sizeBytes
     FROM manifest_part WHERE manifest_id = ? ORDER BY first_byte, part_number`,
  );
  const insert = database.prepare(
    `INSERT OR IGNORE INTO manifest_part (manifest_id, first_byte, part_number, size_bytes, blob_id)
     VALUES (?, ?, ?, ?, ?)`,
  );
  let blobId = highestSequence(database) + UNKNOWN_SEQUENCES;
  for (const { manifestId, sizeBytes: total, isEncrypted } of manifests) {
    for (const { firstByte, partNumber, sizeBytes } of gapsOf(parts.all(manifestId), total)) {
      blobId += 1;
      insert.run(manifestId, firstByte, partNumber, sizeBytes, blobId);
      add({ blobId, sizeBytes, isEncrypted, referenceCount: 1 });
    }
  }
  database.exec(
    `INSERT INTO manifest (manifest_id, reference_count)
     SELECT manifest_id, count(*) FROM version WHERE manifest_id IS NOT NULL
       AND manifest_id NOT IN (SELECT manifest_id FROM manifest) GROUP BY manifest_id`,
  );
}

function gapsOf(parts: readonly Part[], total: number): readonly Part[] {
  const gaps: Part[] = [];
  let [end, partNumber] = [0, 0];
  for (const part of [...parts, { firstByte: total, partNumber: 0, sizeBytes: 0 }]) {
    const sizeBytes = part.firstByte - end;
    if (sizeBytes > 0) gaps.push({ firstByte: end, partNumber: partNumber + 1, sizeBytes });
    end = part.firstByte + part.sizeBytes;
    partNumber = part.partNumber;
  }
  return gaps;
}

interface Named {
  readonly blobId: number;
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
}

/** Records the versions of each added blob, as a scrub does, and returns their names. */
function nameDamage(database: Database): readonly string[] {
  const rows = database
    .prepare<[string], Named>(
      `SELECT blob_id AS blobId, name AS bucket, key, version_id AS versionId
       FROM (SELECT bucket_id, key, version_id, blob_id FROM version WHERE blob_id IS NOT NULL
         UNION ALL SELECT bucket_id, key, version_id, part.blob_id
           FROM version JOIN manifest_part AS part USING (manifest_id))
       JOIN bucket USING (bucket_id)
       WHERE blob_id IN (SELECT blob_id FROM quarantine WHERE reason = ?)
       ORDER BY name, key`,
    )
    .all(REASON);
  const note = database.prepare('UPDATE quarantine SET versions = ? WHERE blob_id = ?');
  const byBlob = Map.groupBy(rows, ({ blobId }) => blobId);
  for (const [blobId, versions] of byBlob) {
    const named = versions.slice(0, MAX_NAMED_VERSIONS);
    const refs = named.map(({ bucket, key, versionId }) => ({ bucket, key, versionId }));
    note.run(JSON.stringify(refs), blobId);
  }
  return rows.map(({ bucket, key, versionId }) => `${bucket}/${key} ${versionId}`);
}

function highestSequence(database: Database): number {
  return Number(
    database
      .prepare(
        `SELECT max(highest) FROM (
           SELECT next_sequence AS highest FROM store
           UNION ALL SELECT max(sequence) FROM version UNION ALL SELECT max(sequence) FROM upload
           UNION ALL SELECT max(blob_id) FROM blob UNION ALL SELECT max(manifest_id) FROM manifest)`,
      )
      .pluck()
      .get(),
  );
}

/**
 * Ensures that no sequence number is used twice, and that the store's folder accepts the new database. Replaces a lost
 * trusted time with the date of the newest version, so that a wrong wall clock does not end locks.
 */
function continueStore(database: Database, layout: Layout): void {
  const beside = readOpening(layout);
  const known = Math.max(highestSequence(database), beside?.nextSequence ?? 0);
  database.prepare('UPDATE store SET next_sequence = ?').run(known + UNKNOWN_SEQUENCES);
  if (beside) database.prepare('UPDATE upkeep SET opening = ?').run(beside.id);
  database.exec(
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'bucket', 0
       WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'bucket');
     UPDATE sqlite_sequence SET seq = max(seq, (SELECT ifnull(max(bucket_id), 0) FROM version))
       WHERE name = 'bucket';
     UPDATE upkeep SET trusted_at = (SELECT max(last_modified_at) FROM version) WHERE trusted_at IS NULL`,
  );
}
