/** The writer's side of the table of versions. It keeps `is_latest` true to the order of sequences. */

import type { Database, Statement } from 'better-sqlite3';

import { NULL_VERSION_ID } from '../../object-store/rules/versioning.ts';
import { VERSION_COLUMNS, type VersionRow } from '../rows.ts';
import { sequenceOf } from '../sequence-id.ts';

export type NewVersion = Omit<VersionRow, 'isLatest' | 'isDeleteMarker'>;

type InsertValues = [
  ...[bucketId: number, key: string, sequence: number, versionId: string, isDeleteMarker: number],
  ...[lastModifiedAt: number, sizeBytes: number, etag: string, owner: string],
  ...[blobId: number | null, manifestId: number | null, retentionMode: string | null],
  ...[retainUntil: number | null, legalHold: number, attributes: string | null],
];

export class VersionTable {
  readonly #latest: Statement<[number, string], VersionRow>;
  readonly #noncurrentNull: Statement<[number, string], VersionRow>;
  readonly #bySequence: Statement<[number, string, number], VersionRow>;
  readonly #setLatest: Statement<[number, number, string, number]>;
  readonly #insert: Statement<InsertValues>;
  readonly #remove: Statement<[number, string, number]>;

  constructor(database: Database) {
    const find = <Values extends unknown[]>(where: string) =>
      database.prepare<Values, VersionRow>(
        `SELECT ${VERSION_COLUMNS} FROM version WHERE bucket_id = ? AND key = ? AND ${where}`,
      );
    this.#latest = find('TRUE ORDER BY sequence DESC LIMIT 1');
    this.#noncurrentNull = find(`version_id = '${NULL_VERSION_ID}' AND is_latest = 0`);
    this.#bySequence = find('sequence = ?');
    this.#setLatest = database.prepare(
      'UPDATE version SET is_latest = ? WHERE bucket_id = ? AND key = ? AND sequence = ?',
    );
    this.#insert = database.prepare(
      `INSERT INTO version (
         bucket_id, key, sequence, version_id, is_latest, is_delete_marker, last_modified_at, size_bytes,
         etag, owner, blob_id, manifest_id, retention_mode, retain_until, legal_hold, attributes)
       VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#remove = database.prepare(
      'DELETE FROM version WHERE bucket_id = ? AND key = ? AND sequence = ?',
    );
  }

  latest(bucketId: number, key: string): VersionRow | undefined {
    return this.#latest.get(bucketId, key);
  }

  /** `latest` is the key's latest version, which the caller knows already. */
  nullVersion(
    bucketId: number,
    key: string,
    latest: VersionRow | undefined,
  ): VersionRow | undefined {
    if (latest?.versionId === NULL_VERSION_ID) return latest;
    return latest && this.#noncurrentNull.get(bucketId, key);
  }

  /** Undefined also for what cannot be a version id. */
  byId(bucketId: number, key: string, versionId: string): VersionRow | undefined {
    if (versionId === NULL_VERSION_ID) {
      return this.nullVersion(bucketId, key, this.latest(bucketId, key));
    }
    const sequence = sequenceOf(versionId);
    const row = sequence === undefined ? undefined : this.#bySequence.get(bucketId, key, sequence);
    return row?.versionId === versionId ? row : undefined;
  }

  /** The new one becomes the latest; its sequence must be the highest of the key. */
  insert(bucketId: number, key: string, row: NewVersion): void {
    const before = this.latest(bucketId, key);
    if (before) this.#setLatest.run(0, bucketId, key, before.sequence);
    const isDeleteMarker = row.blobId === null && row.manifestId === null ? 1 : 0;
    this.#insert.run(
      ...([bucketId, key, row.sequence, row.versionId, isDeleteMarker] as const),
      ...([row.lastModifiedAt, row.sizeBytes, row.etag, row.owner] as const),
      ...([row.blobId, row.manifestId, row.retentionMode] as const),
      ...([row.retainUntil, row.legalHold, row.attributes] as const),
    );
  }

  /** When the latest goes, the one before it becomes the latest. */
  remove(bucketId: number, key: string, row: VersionRow): void {
    this.#remove.run(bucketId, key, row.sequence);
    if (row.isLatest === 0) return;
    const before = this.latest(bucketId, key);
    if (before) this.#setLatest.run(1, bucketId, key, before.sequence);
  }
}
