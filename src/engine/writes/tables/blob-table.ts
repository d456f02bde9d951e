/**
 * Writes the tables of blobs and manifests (lists of parts), and counts the references to them. A blob without
 * references is deleted, and its file becomes garbage.
 */

import type { Database, Statement } from 'better-sqlite3';

import { invariant } from '../../../base/errors.ts';
import { damagedBytes } from '../../disk/refusals.ts';
import type { VersionRow } from '../../schema/rows.ts';
import type { HashedContent } from './hashed-content.ts';
import type { Sequence } from './sequence.ts';

/**
 * The reference to the bytes of a version: one blob, or a manifest of several blobs. Both are null for a delete marker.
 */
export type ContentRef = Pick<VersionRow, 'blobId' | 'manifestId'>;

export interface ManifestPart {
  readonly partNumber: number;
  readonly blobId: number;
  readonly sizeBytes: number;
  readonly checksum: string | null;
}

interface DamagedBlob {
  readonly sizeBytes: number;
  readonly file: string | null;
  /** The SHA-256 of the blob in uppercase hex. For a blob whose lost row a repair restored, the MD5. */
  readonly digest: string;
}

type BlobValues = [
  ...[blobId: number, sizeBytes: number, sha256: Uint8Array, segments: Uint8Array],
  ...[file: string | null, bytes: Uint8Array | null, salt: Uint8Array | null],
];

export class BlobTable {
  /** The files that became garbage in this transaction. The code that runs the transaction empties the list. */
  readonly garbage: string[] = [];

  readonly #sequence: Sequence;
  readonly #insert: Statement<BlobValues>;
  readonly #damage: Statement<[number | null, number | null], string>;
  /**
   * The IDs of damaged blobs by digest. An entry can be outdated, because transactions are rolled back and blobs are
   * healed.
   */
  readonly #damagedByDigest = new Map<string, Set<number>>();
  readonly #damaged: Statement<[number], DamagedBlob>;
  readonly #replace: Statement<[Uint8Array, Uint8Array, string | null, Uint8Array | null, number]>;
  readonly #endQuarantine: Statement<[number]>;
  readonly #share: Statement<[number]>;
  readonly #releaseShared: Statement<[number]>;
  readonly #remove: Statement<[number], { file: string | null }>;
  readonly #insertGarbage: Statement<[string]>;
  readonly #removeGarbage: Statement<[string]>;
  readonly #insertManifest: Statement<[number]>;
  readonly #insertPart: Statement<[number, number, number, number, number, string | null]>;
  readonly #shareManifest: Statement<[number]>;
  readonly #releaseSharedManifest: Statement<[number]>;
  readonly #removeManifest: Statement<[number]>;
  readonly #removeParts: Statement<[number], number>;

  constructor(database: Database, sequence: Sequence) {
    this.#sequence = sequence;
    this.#insert = database.prepare(
      `INSERT INTO blob (
         blob_id, reference_count, size_bytes, sha256, segment_checksums, file, bytes, salt)
       VALUES (?, 1, ?, ?, ?, ?, ?, ?)`,
    );
    this.#damage = database
      .prepare<[number | null, number | null], string>(
        `SELECT reason FROM quarantine WHERE blob_id = ?
           OR blob_id IN (SELECT blob_id FROM manifest_part WHERE manifest_id = ?) LIMIT 1`,
      )
      .pluck();
    this.#damaged = database.prepare(
      `SELECT size_bytes AS sizeBytes, file, hex(sha256) AS digest FROM quarantine JOIN blob USING (blob_id)
       WHERE blob_id = ? AND salt IS NULL`,
    );
    this.#replace = database.prepare(
      `UPDATE blob SET reference_count = reference_count + 1, sha256 = ?, segment_checksums = ?, file = ?, bytes = ?
       WHERE blob_id = ?`,
    );
    this.#endQuarantine = database.prepare('DELETE FROM quarantine WHERE blob_id = ?');
    const known = database.prepare<[], number>('SELECT blob_id FROM quarantine').pluck().all();
    for (const blobId of known) this.noteDamage(blobId);
    const share = (table: string, step: string, where: string) =>
      database.prepare<[number]>(
        `UPDATE ${table} SET reference_count = reference_count ${step} WHERE ${table}_id = ? ${where}`,
      );
    this.#share = share('blob', '+ 1', '');
    this.#releaseShared = share('blob', '- 1', 'AND reference_count > 1');
    this.#remove = database.prepare('DELETE FROM blob WHERE blob_id = ? RETURNING file');
    this.#insertGarbage = database.prepare('INSERT INTO garbage (file) VALUES (?)');
    this.#removeGarbage = database.prepare('DELETE FROM garbage WHERE file = ?');
    this.#insertManifest = database.prepare(
      'INSERT INTO manifest (manifest_id, reference_count) VALUES (?, 1)',
    );
    this.#insertPart = database.prepare(
      `INSERT INTO manifest_part (
         manifest_id, first_byte, part_number, size_bytes, blob_id, checksum)
       VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#shareManifest = share('manifest', '+ 1', '');
    this.#releaseSharedManifest = share('manifest', '- 1', 'AND reference_count > 1');
    this.#removeManifest = database.prepare('DELETE FROM manifest WHERE manifest_id = ?');
    this.#removeParts = database
      .prepare<[number], number>(
        'DELETE FROM manifest_part WHERE manifest_id = ? RETURNING blob_id',
      )
      .pluck();
  }

  /**
   * Inserts a blob with one reference. If a damaged blob had the same bytes, heals that blob instead. Returns the
   * blob's ID.
   */
  insert(content: HashedContent): number {
    const healed = this.#heal(content);
    if (healed !== undefined) return healed;
    const { sizeBytes, sha256, segments, file, bytes, salt } = content.blob;
    const blobId = this.#sequence.next();
    this.#insert.run(blobId, sizeBytes, sha256, segments, file, bytes, salt);
    return blobId;
  }

  /** Registers a quarantined blob, so that a put of the same bytes replaces the damaged ones. */
  noteDamage(blobId: number): void {
    const blob = this.#damaged.get(blobId);
    if (!blob) return;
    const same = this.#damagedByDigest.get(blob.digest) ?? new Set();
    this.#damagedByDigest.set(blob.digest, same.add(blobId));
  }

  /**
   * Replaces the bytes of a damaged blob with the same, intact bytes, which heals all versions that refer to the blob.
   * Adds a reference and returns the blob's ID. Returns undefined if no damaged blob had these bytes.
   */
  #heal({ etag, blob: given }: HashedContent): number | undefined {
    if (this.#damagedByDigest.size === 0 || given.salt !== null) return undefined;
    const { sizeBytes, sha256, segments, file, bytes } = given;
    for (const digest of [Buffer.from(sha256).toString('hex'), etag].map(upperCase)) {
      for (const blobId of this.#damagedByDigest.get(digest) ?? []) {
        const blob = this.#damaged.get(blobId);
        if (blob?.digest !== digest || blob.sizeBytes !== sizeBytes) continue;
        this.#replace.run(sha256, segments, file, bytes, blobId);
        this.#endQuarantine.run(blobId);
        if (blob.file !== null) this.#discard(blob.file);
        return blobId;
      }
    }
    return undefined;
  }

  /**
   * Adds a reference to bytes that an existing version already uses. Throws `InternalError` if the bytes are known to
   * be damaged.
   */
  share({ blobId, manifestId }: ContentRef): void {
    const damage = this.#damage.get(blobId, manifestId);
    if (damage !== undefined) throw damagedBytes('share bytes', damage);
    if (blobId !== null) this.#share.run(blobId);
    if (manifestId !== null) this.#shareManifest.run(manifestId);
  }

  release({ blobId, manifestId }: ContentRef): void {
    if (blobId !== null) this.releaseBlob(blobId);
    if (manifestId !== null) this.#releaseManifest(manifestId);
  }

  releaseBlob(blobId: number): void {
    if (this.#releaseShared.run(blobId).changes > 0) return;
    const removed = this.#remove.get(blobId);
    invariant(removed, `release blob ${blobId}: the row does not exist`);
    if (removed.file !== null) this.#discard(removed.file);
  }

  #discard(file: string): void {
    this.#insertGarbage.run(file);
    this.garbage.push(file);
  }

  #releaseManifest(manifestId: number): void {
    if (this.#releaseSharedManifest.run(manifestId).changes > 0) return;
    this.#removeManifest.run(manifestId);
    for (const blobId of this.#removeParts.all(manifestId)) this.releaseBlob(blobId);
  }

  /**
   * Inserts a manifest (a list of parts) and returns its ID. The manifest takes over one reference to the blob of each
   * part.
   */
  insertManifest(parts: readonly ManifestPart[]): number {
    const manifestId = this.#sequence.next();
    this.#insertManifest.run(manifestId);
    let firstByte = 0;
    for (const { partNumber, blobId, sizeBytes, checksum } of parts) {
      this.#insertPart.run(manifestId, firstByte, partNumber, sizeBytes, blobId, checksum);
      firstByte += sizeBytes;
    }
    return manifestId;
  }

  forgetGarbage(file: string): void {
    this.#removeGarbage.run(file);
  }
}

function upperCase(hex: string): string {
  return hex.toUpperCase();
}
