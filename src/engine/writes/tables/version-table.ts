/**
 * Writes the table of versions. Maintains the column `is_latest`, which marks each key's version with the highest
 * sequence number.
 */

import type { Database, Statement } from 'better-sqlite3';

import type { Retention } from '../../../object-store/object-store.ts';
import { INTEGER, TEXT } from '../../schema/parameters.ts';
import type { VersionRow } from '../../schema/rows.ts';
import type { VersionPlace } from '../../integrity/damaged-versions.ts';
import { VersionFinder } from '../../schema/version-finder.ts';
import type { ContentRef } from './blob-table.ts';

export type NewVersion = Omit<VersionRow, 'isLatest' | 'isDeleteMarker'>;

/** The sequence number of a key's latest version; undefined for a key without versions. */
export interface LatestSequence {
  readonly before: number | undefined;
}

type InsertValues = [
  ...[bucketId: number, key: string, sequence: number, versionId: string, isDeleteMarker: number],
  ...[lastModifiedAt: number, sizeBytes: number, etag: string, owner: string],
  ...[blobId: number | null, manifestId: number | null, retentionMode: string | null],
  ...[retainUntil: number | null, legalHold: number, attributes: string | null],
  ...[checksum: string | null, legalHoldStated: number],
  ...[acl: string | null, tags: string | null, encryption: string | null],
];

export class VersionTable {
  readonly find: VersionFinder;
  readonly #latestSequence: Statement<[number, string], number>;
  readonly #setLatest: Statement<[number, number, string, number]>;
  readonly #insert: Statement<InsertValues>;
  readonly #setRetention: Statement<[string, number, number, string, number]>;
  readonly #setLegalHold: Statement<[number, number, string, number]>;
  readonly #setAcl: Statement<[string | null, number, string, number]>;
  readonly #setTags: Statement<[string | null, number, string, number]>;
  readonly #setContent: Statement<[number | null, number | null, number, string, number]>;
  readonly #remove: Statement<[number, string, number]>;

  constructor(database: Database) {
    this.find = new VersionFinder(database);
    this.#latestSequence = database
      .prepare<[number, string], number>(
        `SELECT sequence FROM version WHERE bucket_id = ${INTEGER} AND key = ${TEXT}
         ORDER BY sequence DESC LIMIT 1`,
      )
      .pluck();
    this.#setLatest = database.prepare(
      'UPDATE version SET is_latest = ? WHERE bucket_id = ? AND key = ? AND sequence = ?',
    );
    this.#insert = database.prepare(
      `INSERT INTO version (
         bucket_id, key, sequence, version_id, is_latest, is_delete_marker, last_modified_at, size_bytes,
         etag, owner, blob_id, manifest_id, retention_mode, retain_until, legal_hold, attributes,
         checksum, legal_hold_stated, acl, tags, encryption)
       VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#setRetention = database.prepare(
      `UPDATE version SET retention_mode = ?, retain_until = ?
       WHERE bucket_id = ? AND key = ? AND sequence = ?`,
    );
    this.#setLegalHold = database.prepare(
      `UPDATE version SET legal_hold = ?, legal_hold_stated = 1
       WHERE bucket_id = ? AND key = ? AND sequence = ?`,
    );
    this.#setAcl = database.prepare(
      'UPDATE version SET acl = ? WHERE bucket_id = ? AND key = ? AND sequence = ?',
    );
    this.#setTags = database.prepare(
      'UPDATE version SET tags = ? WHERE bucket_id = ? AND key = ? AND sequence = ?',
    );
    this.#setContent = database.prepare(
      'UPDATE version SET blob_id = ?, manifest_id = ? WHERE bucket_id = ? AND key = ? AND sequence = ?',
    );
    this.#remove = database.prepare(
      'DELETE FROM version WHERE bucket_id = ? AND key = ? AND sequence = ?',
    );
  }

  /**
   * Inserts a version, which becomes the latest. Its sequence number must be the highest of its key. `before` is the
   * sequence number of the previous latest version, if the caller has read it.
   */
  insert(
    bucketId: number,
    key: string,
    row: NewVersion,
    { before }: LatestSequence = { before: this.#latestSequence.get(bucketId, key) },
  ): void {
    if (before !== undefined) this.#setLatest.run(0, bucketId, key, before);
    const isDeleteMarker = row.blobId === null && row.manifestId === null ? 1 : 0;
    this.#insert.run(
      ...([bucketId, key, row.sequence, row.versionId, isDeleteMarker] as const),
      ...([row.lastModifiedAt, row.sizeBytes, row.etag, row.owner] as const),
      ...([row.blobId, row.manifestId, row.retentionMode] as const),
      ...([row.retainUntil, row.legalHold, row.attributes, row.checksum] as const),
      ...([row.legalHoldStated, row.acl, row.tags, row.encryption] as const),
    );
  }

  setRetention(bucketId: number, key: string, row: VersionRow, retention: Retention): void {
    const { mode, retainUntil } = retention;
    this.#setRetention.run(mode, retainUntil, bucketId, key, row.sequence);
  }

  setLegalHold(bucketId: number, key: string, row: VersionRow, legalHold: boolean): void {
    this.#setLegalHold.run(legalHold ? 1 : 0, bucketId, key, row.sequence);
  }

  setAcl(bucketId: number, key: string, row: VersionRow, acl: string | null): void {
    this.#setAcl.run(acl, bucketId, key, row.sequence);
  }

  setTags(bucketId: number, key: string, row: VersionRow, tags: string | null): void {
    this.#setTags.run(tags, bucketId, key, row.sequence);
  }

  /**
   * Changes the reference to a version's bytes. The caller must update the reference counts of the previous bytes and
   * of the new ones.
   */
  setContent({ bucketId, key, sequence }: VersionPlace, { blobId, manifestId }: ContentRef): void {
    this.#setContent.run(blobId, manifestId, bucketId, key, sequence);
  }

  /** Removes a version. If it was the latest version of its key, the previous version becomes the latest. */
  remove(bucketId: number, key: string, row: VersionRow): void {
    this.#remove.run(bucketId, key, row.sequence);
    if (row.isLatest === 0) return;
    const before = this.find.latest(bucketId, key);
    if (before) this.#setLatest.run(1, bucketId, key, before.sequence);
  }
}
