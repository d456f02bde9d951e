/** Reads a whole blob and compares it with its database row: length, checksums and SHA-256. */

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import { errorCode, errorMessage, isAbort } from '../../base/errors.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { firstBadSegment, SEGMENT_BYTES } from '../checksums/segment-checksums.ts';

/**
 * The number of bytes to read and hash at a time. Hashing this many bytes blocks the event loop for one or two
 * milliseconds.
 */
const READ_BYTES = 16 * SEGMENT_BYTES;

export interface StoredBlob {
  readonly blobId: number;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly segmentChecksums: Buffer;
  /** The name of the blob's file, or null if its bytes are in the database. Either `file` or `bytes` is set. */
  readonly file: string | null;
  readonly bytes: Buffer | null;
}

export const STORED_BLOB_COLUMNS = `
  blob.blob_id AS blobId, blob.size_bytes AS sizeBytes, sha256, segment_checksums AS segmentChecksums, file, bytes`;

/** Called after each read with the number of bytes. Resolves when the next bytes may be read. */
export type Pace = (bytes: number) => Promise<void>;

/** Error codes for a lack of memory or file handles. Such errors do not mean that the file is damaged. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * Returns a description of the blob's damage; undefined if the blob is intact. Rejects if the bytes cannot be read for
 * a reason other than damage.
 */
export async function damageOf(
  blob: StoredBlob,
  blobs: BlobStore,
  pace: Pace,
): Promise<string | undefined> {
  if (blob.bytes !== null) {
    await pace(blob.bytes.byteLength);
    return blob.bytes.byteLength === blob.sizeBytes
      ? (new BlobCheck(blob).damage(blob.bytes) ?? undefined)
      : `it has ${blob.bytes.byteLength} bytes instead of ${blob.sizeBytes}`;
  }
  const file = blob.file ?? '';
  const letGo = blobs.hold(file);
  try {
    return await damageOfFile(blob, await blobs.openForReading(file), pace);
  } catch (error) {
    const code = errorCode(error);
    if (isAbort(error) || SHORTAGES.has(code ?? '')) throw error;
    if (code === 'ENOENT') return `its file ${file} is missing`;
    return `its file ${file} cannot be read: ${errorMessage(error)}`;
  } finally {
    letGo();
  }
}

async function damageOfFile(
  blob: StoredBlob,
  handle: FileHandle,
  pace: Pace,
): Promise<string | undefined> {
  try {
    const { size } = await handle.stat();
    if (size !== blob.sizeBytes)
      return `its file ${blob.file} has ${size} bytes instead of ${blob.sizeBytes}`;
    const check = new BlobCheck(blob);
    const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, size));
    for (let at = 0; at < size; at += READ_BYTES) {
      const bytes = buffer.subarray(0, Math.min(READ_BYTES, size - at));
      await readFully(handle, bytes, at);
      const damage = check.segments(bytes);
      if (damage !== undefined) return damage;
      await pace(bytes.byteLength);
    }
    return check.whole();
  } finally {
    await handle.close();
  }
}

async function readFully(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesRead } = await handle.read(bytes, done, bytes.byteLength - done, at + done);
    if (bytesRead === 0) throw new Error('it became shorter while it was read');
    done += bytesRead;
  }
}

class BlobCheck {
  readonly #blob: StoredBlob;
  readonly #sha256 = createHash('sha256');
  #segment = 0;

  constructor(blob: StoredBlob) {
    this.#blob = blob;
  }

  damage(bytes: Buffer): string | undefined {
    return this.segments(bytes) ?? this.whole();
  }

  /**
   * Returns the damage of the next bytes; undefined if they are intact. `bytes` must be whole segments, except at the
   * end of the blob.
   */
  segments(bytes: Buffer): string | undefined {
    const bad = firstBadSegment(bytes, this.#blob.segmentChecksums, this.#segment);
    this.#segment += Math.ceil(bytes.byteLength / SEGMENT_BYTES);
    this.#sha256.update(bytes);
    return bad === undefined ? undefined : `segment ${bad} of ${this.#where} has a wrong checksum`;
  }

  whole(): string | undefined {
    const same = this.#sha256.digest().equals(this.#blob.sha256);
    return same ? undefined : `the SHA-256 of ${this.#where} is wrong`;
  }

  get #where(): string {
    const { file } = this.#blob;
    return file === null ? 'its bytes in the database' : `its file ${file}`;
  }
}
