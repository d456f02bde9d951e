/** Reads a whole blob and compares it with its row: length, checksums and SHA-256. */

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import { errorCode, errorMessage, isAbort } from '../../base/errors.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { firstBadSegment, SEGMENT_BYTES } from '../checksums/segment-checksums.ts';

/** The bytes that are read and hashed at a time, which block the event loop for one or two milliseconds. */
const READ_BYTES = 16 * SEGMENT_BYTES;

export interface StoredBlob {
  readonly blobId: number;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly segmentChecksums: Buffer;
  /** Exactly one of `file` and `bytes` is set. */
  readonly file: string | null;
  readonly bytes: Buffer | null;
}

export const STORED_BLOB_COLUMNS = `
  blob.blob_id AS blobId, blob.size_bytes AS sizeBytes, sha256, segment_checksums AS segmentChecksums, file, bytes`;

/** Called after each piece with its size. Resolves when the next piece may be read. */
export type Pace = (bytes: number) => Promise<void>;

/** Errors from a lack of memory or file handles, which do not show damage of the file. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** Returns how the blob is damaged; undefined if it is intact. Rejects if that cannot be determined. */
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
    if (bytesRead === 0) throw new Error('it became shorter');
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
   * Returns the damage of the next bytes, or undefined if they are intact. They must be whole segments, except at the end
   * of the blob.
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
