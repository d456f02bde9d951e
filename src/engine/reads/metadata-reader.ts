/** Reads buckets, versions and blobs on the main thread. Every query sees the last commit. */

import type { Database, Statement } from 'better-sqlite3';

import type { UserPrincipal } from '../../base/principal.ts';
import type { BucketUsage } from '../../object-store/buckets.ts';
import { isUnreadable } from '../disk/metadata-damage.ts';
import { PartFinder } from '../schema/object-parts.ts';
import { INTEGER, TEXT } from '../schema/parameters.ts';
import {
  BUCKET_COLUMNS,
  type BucketRow,
  VERSION_COLUMNS,
  type VersionRow,
} from '../schema/rows.ts';
import { VersionFinder } from '../schema/version-finder.ts';
import { BucketCache } from './bucket-cache.ts';

/** The row of a blob. Either `file` or `bytes` is set. */
export interface BlobRow {
  readonly blobId: number;
  /** The number of stored bytes. For an encrypted object, this is the number of encrypted bytes. */
  readonly storedBytes: number;
  readonly segmentChecksums: Buffer;
  readonly file: string | null;
  readonly bytes: Buffer | null;
  /** The salt of the blob's encryption key; null if the blob is unencrypted. */
  readonly salt: Buffer | null;
  /** The reason why the blob is quarantined; null if it is not quarantined. */
  readonly damage: string | null;
}

/** A blob, and the position of its first byte in the object. */
export interface PlacedBlob extends BlobRow {
  readonly firstByte: number;
  /** The number of the part in a multipart object; 0 in any other object. */
  readonly partNumber: number;
  /** The checksum of the part; null if the part has none. */
  readonly checksum: string | null;
}

/** A version whose bytes are included if they are stored in the database as one blob. */
export interface InlineRow extends VersionRow {
  readonly segmentChecksums: Buffer | null;
  readonly bytes: Buffer | null;
  readonly salt: Buffer | null;
}

const BLOB_COLUMNS = `
  blob.blob_id AS blobId, blob.size_bytes AS storedBytes, blob.segment_checksums AS segmentChecksums,
  blob.file, blob.bytes, blob.salt, (SELECT reason FROM quarantine AS q WHERE q.blob_id = blob.blob_id) AS damage`;

export class MetadataReader {
  readonly database: Database;
  /** The length of a day; see `lifecycleDayMs` of `UpkeepSettings`. */
  readonly lifecycleDayMs: number | undefined;
  readonly buckets: BucketCache;
  readonly versions: VersionFinder;
  readonly parts: PartFinder;
  readonly #bucketsOf: Statement<[string, string, string], BucketRow>;
  readonly #usage: Statement<[number], BucketUsage>;
  readonly #latestInline: Statement<[number, string], InlineRow>;
  readonly #blob: Statement<[number], PlacedBlob>;
  readonly #manifestBlobs: Statement<[number, number, number, number], PlacedBlob>;
  readonly #begin: Statement;
  readonly #end: Statement;

  constructor(database: Database, lifecycleDayMs?: number) {
    this.database = database;
    this.lifecycleDayMs = lifecycleDayMs;
    this.buckets = new BucketCache(database);
    this.#bucketsOf = database.prepare(
      `SELECT ${BUCKET_COLUMNS} FROM bucket
       WHERE owner_customer = ? AND owner_project = ? AND owner_user = ? ORDER BY name`,
    );
    this.#usage = database.prepare(
      'SELECT objects, size_bytes AS sizeBytes FROM bucket_usage WHERE bucket_id = ?',
    );
    this.versions = new VersionFinder(database);
    this.parts = new PartFinder(database);
    this.#latestInline = database.prepare(
      `SELECT ${VERSION_COLUMNS}, inlined.segment_checksums AS segmentChecksums, inlined.bytes, inlined.salt
       FROM version LEFT JOIN (SELECT blob_id AS id, segment_checksums, bytes, salt FROM blob) AS inlined
         ON inlined.id = version.blob_id
       WHERE bucket_id = ${INTEGER} AND key = ${TEXT} ORDER BY sequence DESC LIMIT 1`,
    );
    this.#blob = database.prepare(
      `SELECT 0 AS firstByte, 0 AS partNumber, NULL AS checksum, ${BLOB_COLUMNS} FROM blob
       WHERE blob_id = ?`,
    );
    // Start at the part that contains the first requested byte, so that a range request does not read the rows of
    // earlier parts.
    this.#manifestBlobs = database.prepare(
      `SELECT first_byte AS firstByte, part_number AS partNumber, checksum, ${BLOB_COLUMNS}
       FROM manifest_part AS part JOIN blob ON blob.blob_id = part.blob_id
       WHERE manifest_id = ? AND first_byte <= ? AND first_byte >= (
         SELECT max(first_byte) FROM manifest_part WHERE manifest_id = ? AND first_byte <= ?)
       ORDER BY first_byte, part.part_number`,
    );
    this.#begin = database.prepare('BEGIN');
    this.#end = database.prepare('COMMIT');
  }

  /** Runs `read` in one transaction, so that all its queries see the same commit. */
  snapshot<T>(read: () => T): T {
    this.#begin.run();
    try {
      return read();
    } finally {
      this.#endSnapshot();
    }
  }

  /**
   * Ends the transaction. After a damaged page, SQLite has already ended it and reports the page again. That error is
   * ignored, because `read` has already thrown it.
   */
  #endSnapshot(): void {
    try {
      this.#end.run();
    } catch (error) {
      if (!isUnreadable(error) || this.database.inTransaction) throw error;
    }
  }

  /**
   * Returns the latest version, with its bytes if they are in the database. A single statement reads both, so that they
   * belong to the same commit.
   */
  latestInline(bucketId: number, key: string): InlineRow | undefined {
    return this.#latestInline.get(bucketId, key);
  }

  bucketsOf({ customer, project, user }: UserPrincipal): readonly BucketRow[] {
    return this.#bucketsOf.all(customer, project, user);
  }

  usage(bucketId: number): BucketUsage | undefined {
    return this.#usage.get(bucketId);
  }

  /** Returns the blobs that contain the bytes `first` to `last` of the version, in order. */
  blobs(version: VersionRow, first: number, last: number): readonly PlacedBlob[] {
    if (version.blobId !== null) return this.#blob.all(version.blobId);
    const manifest = version.manifestId ?? 0;
    return this.#manifestBlobs.all(manifest, last, manifest, first);
  }
}
