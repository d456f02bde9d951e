/** Writes the tables of multipart uploads: open uploads, their parts, and the results of completed uploads. */

import type { Database, Statement } from 'better-sqlite3';

import { defined } from '../../../base/defined.ts';
import type { PutObjectResult } from '../../../object-store/object-store.ts';
import { formatChecksum, parseChecksum } from '../../schema/checksum-text.ts';
import { PART_COLUMNS, type PartRow, UPLOAD_COLUMNS, type UploadRow } from '../../schema/rows.ts';
import { sequenceOf } from '../../schema/sequence-id.ts';

type InsertValues = [
  ...[sequence: number, uploadId: string, bucketId: number, key: string, initiatedAt: number],
  ...[owner: string, retentionMode: string | null, retainUntil: number | null],
  ...[legalHold: number, attributes: string | null],
  ...[checksumAlgorithm: string | null, checksumType: string | null, legalHoldStated: number],
  ...[acl: string | null, tags: string | null, encryption: string | null],
];

type CompletedValues = [
  ...[uploadId: string, bucketId: number, key: string, etag: string],
  ...[versionId: string | null, completedAt: number, checksum: string | null],
];

interface CompletedRow {
  readonly etag: string;
  readonly versionId: string | null;
  readonly checksum: string | null;
}

export class UploadTable {
  readonly #find: Statement<[number, number, string, string], UploadRow>;
  readonly #insert: Statement<InsertValues>;
  readonly #remove: Statement<[number]>;
  readonly #ofBucket: Statement<[number], number>;
  readonly #parts: Statement<[number], PartRow>;
  readonly #findPart: Statement<[number, number], PartRow>;
  readonly #putPart: Statement<[number, number, number, number, string, number, string | null]>;
  readonly #removeParts: Statement<[number], number>;
  readonly #findCompleted: Statement<[string, number, string], CompletedRow>;
  readonly #insertCompleted: Statement<CompletedValues>;
  readonly #removeCompleted: Statement<[number]>;

  constructor(database: Database) {
    this.#find = database.prepare(
      `SELECT ${UPLOAD_COLUMNS} FROM upload
       WHERE sequence = ? AND bucket_id = ? AND key = ? AND upload_id = ?`,
    );
    this.#insert = database.prepare(
      `INSERT INTO upload (
         sequence, upload_id, bucket_id, key, initiated_at, owner, retention_mode, retain_until,
         legal_hold, attributes, checksum_algorithm, checksum_type, legal_hold_stated, acl, tags, encryption)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#remove = database.prepare('DELETE FROM upload WHERE sequence = ?');
    this.#ofBucket = database
      .prepare<[number], number>('SELECT sequence FROM upload WHERE bucket_id = ?')
      .pluck();
    this.#parts = database.prepare(
      `SELECT ${PART_COLUMNS} FROM upload_part WHERE upload_sequence = ? ORDER BY part_number`,
    );
    this.#findPart = database.prepare(
      `SELECT ${PART_COLUMNS} FROM upload_part WHERE upload_sequence = ? AND part_number = ?`,
    );
    // Do not use OR REPLACE. It would remove the old row without firing the delete trigger, so bucket_usage would still
    // count the old part.
    this.#putPart = database.prepare(
      `INSERT INTO upload_part (
         upload_sequence, part_number, blob_id, size_bytes, etag, last_modified_at, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET blob_id = excluded.blob_id, size_bytes = excluded.size_bytes,
         etag = excluded.etag, last_modified_at = excluded.last_modified_at, checksum = excluded.checksum`,
    );
    this.#removeParts = database
      .prepare<[number], number>(
        'DELETE FROM upload_part WHERE upload_sequence = ? RETURNING blob_id',
      )
      .pluck();
    this.#findCompleted = database.prepare(
      `SELECT etag, version_id AS versionId, checksum FROM completed_upload
       WHERE upload_id = ? AND bucket_id = ? AND key = ?`,
    );
    this.#insertCompleted = database.prepare(
      `INSERT INTO completed_upload (
         upload_id, bucket_id, key, etag, version_id, completed_at, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#removeCompleted = database.prepare('DELETE FROM completed_upload WHERE completed_at < ?');
  }

  /**
   * Returns the open upload. Returns undefined if it does not exist or has another key, or if the upload ID is invalid.
   */
  find(bucketId: number, key: string, uploadId: string): UploadRow | undefined {
    const sequence = sequenceOf(uploadId);
    return sequence === undefined ? undefined : this.#find.get(sequence, bucketId, key, uploadId);
  }

  insert(bucketId: number, key: string, row: UploadRow): void {
    this.#insert.run(
      ...([row.sequence, row.uploadId, bucketId, key, row.initiatedAt] as const),
      ...([row.owner, row.retentionMode, row.retainUntil] as const),
      ...([row.legalHold, row.attributes] as const),
      ...([row.checksumAlgorithm, row.checksumType, row.legalHoldStated] as const),
      ...([row.acl, row.tags, row.encryption] as const),
    );
  }

  /** Removes the upload with its parts. Returns the IDs of the blobs to which the parts referred. */
  remove(sequence: number): readonly number[] {
    this.#remove.run(sequence);
    return this.#removeParts.all(sequence);
  }

  sequencesOf(bucketId: number): readonly number[] {
    return this.#ofBucket.all(bucketId);
  }

  parts(sequence: number): readonly PartRow[] {
    return this.#parts.all(sequence);
  }

  part(sequence: number, partNumber: number): PartRow | undefined {
    return this.#findPart.get(sequence, partNumber);
  }

  putPart(sequence: number, part: PartRow): void {
    const { partNumber, blobId, sizeBytes, etag, lastModifiedAt, checksum } = part;
    this.#putPart.run(sequence, partNumber, blobId, sizeBytes, etag, lastModifiedAt, checksum);
  }

  /** Returns the result of a completed upload, or undefined if it is not stored any more. */
  completed(bucketId: number, key: string, uploadId: string): PutObjectResult | undefined {
    const row = this.#findCompleted.get(uploadId, bucketId, key);
    if (!row) return undefined;
    const checksum = parseChecksum(row.checksum);
    return defined({ etag: row.etag, versionId: row.versionId ?? undefined, checksum });
  }

  rememberCompleted(
    upload: { readonly bucketId: number; readonly key: string; readonly uploadId: string },
    result: PutObjectResult,
    now: number,
  ): void {
    const { uploadId, bucketId, key } = upload;
    const { etag, versionId = null } = result;
    const checksum = formatChecksum(result.checksum);
    this.#insertCompleted.run(uploadId, bucketId, key, etag, versionId, now, checksum);
  }

  forgetCompletedBefore(instant: number): void {
    this.#removeCompleted.run(instant);
  }
}
