/** References to bytes at rest. What loses its last reference goes, and its file becomes garbage. */

import { hash } from 'node:crypto';

import type { Database, Statement } from 'better-sqlite3';

import { invariant } from '../../../base/errors.ts';
import type { Checksum, ChecksumAlgorithm } from '../../../object-store/checksum.ts';
import type { Content, FileContent, InlineContent, SealedContent } from '../../blobs/content.ts';
import { KeptChecksum } from '../../checksums/kept-checksum.ts';
import { damagedBytes, sha256Mismatch } from '../../disk/refusals.ts';
import type { VersionRow } from '../../schema/rows.ts';
import { segmentChecksums } from '../../checksums/segment-checksums.ts';
import type { Sequence } from './sequence.ts';

/** Where the bytes of a version are: in one blob or in a manifest of several. */
export type ContentRef = Pick<VersionRow, 'blobId' | 'manifestId'>;

export interface StoredContent {
  readonly blobId: number;
  readonly sizeBytes: number;
  /** Hex MD5. */
  readonly etag: string;
  readonly checksum: Checksum;
}

export interface ManifestPart {
  readonly partNumber: number;
  readonly blobId: number;
  readonly sizeBytes: number;
  readonly checksum: string | null;
}

interface DamagedBlob {
  readonly sizeBytes: number;
  readonly file: string | null;
  /** Upper-case hex of the SHA-256; of the MD5 where a repair has lost the row of the blob. */
  readonly digest: string;
}

interface StoredBytes {
  readonly sizeBytes: number;
  readonly sha256: Uint8Array;
  /** Hex. */
  readonly md5: string;
  readonly segments: Uint8Array;
  readonly file: string | null;
  readonly bytes: Uint8Array | null;
}

type BlobValues = [
  ...[blobId: number, sizeBytes: number, sha256: Uint8Array, segments: Uint8Array],
  ...[file: string | null, bytes: Uint8Array | null, salt: Uint8Array | null],
];

export class BlobTable {
  /** Files that became garbage in this transaction. The owner of the transaction empties it. */
  readonly garbage: string[] = [];

  readonly #sequence: Sequence;
  readonly #insert: Statement<BlobValues>;
  readonly #damage: Statement<[number | null, number | null], string>;
  /** Blob ids by their digest. Hints: a transaction may be undone, and a blob whole again. */
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
   * A new blob with one reference. Throws `XAmzContentSHA256Mismatch` or `BadDigest` for a small body that differs.
   * Of one that came without a checksum, `algorithm` is calculated.
   */
  insert(content: Content, algorithm?: ChecksumAlgorithm): StoredContent {
    if (content.kind === 'file') return this.#insertFile(content);
    if (content.kind === 'sealed') return this.#insertSealed(content);
    return this.#insertInline(content, algorithm);
  }

  #insertFile(content: FileContent): StoredContent {
    const { file, sizeBytes, md5, sha256, segmentChecksums: segments, checksum, sealed } = content;
    const healed = !sealed && this.#heal({ sizeBytes, sha256, md5, segments, file, bytes: null });
    if (healed) return { blobId: healed, sizeBytes, etag: md5, checksum };
    const blobId = this.#sequence.next();
    const fileBytes = sealed?.sizeBytes ?? sizeBytes;
    this.#insert.run(blobId, fileBytes, sha256, segments, file, null, sealed?.salt ?? null);
    return { blobId, sizeBytes, etag: md5, checksum };
  }

  #insertSealed({ bytes, salt, sizeBytes, md5, checksum }: SealedContent): StoredContent {
    const blobId = this.#sequence.next();
    const sha256 = hash('sha256', bytes, 'buffer');
    const segments = segmentChecksums(bytes);
    this.#insert.run(blobId, bytes.byteLength, sha256, segments, null, bytes, salt);
    return { blobId, sizeBytes, etag: md5, checksum };
  }

  #insertInline(content: InlineContent, algorithm?: ChecksumAlgorithm): StoredContent {
    const { bytes, statedSha256 } = content;
    const sha256 = hash('sha256', bytes, 'buffer');
    if (statedSha256 !== undefined && statedSha256 !== sha256.toString('hex')) {
      throw sha256Mismatch(statedSha256, sha256.toString('hex'));
    }
    const segments = segmentChecksums(bytes);
    const { byteLength: sizeBytes } = bytes;
    const kept = new KeptChecksum(content.checksum, algorithm);
    kept.update(bytes);
    const checksum = kept.finish({ sizeBytes, sha256, segments });
    const etag = hash('md5', bytes);
    const healed = this.#heal({ sizeBytes, sha256, md5: etag, segments, file: null, bytes });
    if (healed) return { blobId: healed, sizeBytes, etag, checksum };
    const blobId = this.#sequence.next();
    this.#insert.run(blobId, sizeBytes, sha256, segments, null, bytes, null);
    return { blobId, sizeBytes, etag, checksum };
  }

  /** The blob is in quarantine: a put of equal bytes replaces those that it has. */
  noteDamage(blobId: number): void {
    const blob = this.#damaged.get(blobId);
    if (!blob) return;
    const same = this.#damagedByDigest.get(blob.digest) ?? new Set();
    this.#damagedByDigest.set(blob.digest, same.add(blobId));
  }

  /**
   * Gives a damaged blob these bytes, if they are those that it was stored with: every version and copy that needs
   * it is whole again. Returns its id, with one more reference; undefined where no such blob is damaged.
   */
  #heal({ sizeBytes, sha256, md5, segments, file, bytes }: StoredBytes): number | undefined {
    if (this.#damagedByDigest.size === 0) return undefined;
    for (const digest of [Buffer.from(sha256).toString('hex'), md5].map(upperCase)) {
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

  /** One more reference to the same bytes. Throws `InternalError` for such as are known to be damaged. */
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
    invariant(removed, `release blob ${blobId}: there is no such row`);
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

  /** Takes over one reference to each part's blob. */
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
