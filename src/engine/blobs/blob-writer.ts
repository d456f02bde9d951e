/** Streams one body into a blob file. It hashes a block while the previous block is written. */

import { createHash, type Hash } from 'node:crypto';

import type { Checksum } from '../../object-store/checksum.ts';
import { type BlobFile, type BlobStore } from './blob-store.ts';
import type { FileContent } from './content.ts';
import type { BlobSealer } from '../encryption/blob-sealer.ts';
import { PLAIN_SEGMENT_BYTES } from '../encryption/sealed-bytes.ts';
import type { KeptChecksum } from '../checksums/kept-checksum.ts';
import { SEGMENT_BYTES, segmentChecksums } from '../checksums/segment-checksums.ts';

/** Written at a time. Two blocks are all the memory a body takes, and three one that is sealed. */
const BLOCK_SEGMENTS = 16;

/**
 * Synced at a time while more comes in, so that little is left for the last sync (a third faster for 64 MiB) and
 * a fast sender cannot fill the memory of the machine with unwritten pages.
 */
const SYNC_BYTES = 4 * BLOCK_SEGMENTS * SEGMENT_BYTES;

interface Digests {
  readonly md5: string;
  /** Of the file. */
  readonly sha256: Buffer;
  /** SHA-256 of the plain body; undefined for an encrypted one without a stated SHA-256. */
  readonly bodySha256: Buffer | undefined;
  readonly segments: Buffer;
  readonly checksum: Checksum;
}

interface Expected {
  /** Size of the body, if known. */
  readonly sizeBytes: number | undefined;
  readonly checksum: KeptChecksum;
  /** Present for a body that is stored encrypted. */
  readonly sealing?: Sealing;
}

interface Sealing {
  readonly sealer: BlobSealer;
  /** Whether the body's own SHA-256 is wanted, beside the file's. */
  readonly statesSha256: boolean;
}

export class BlobWriter {
  readonly #blobs: BlobStore;
  readonly #file: BlobFile;
  readonly #md5 = createHash('md5');
  readonly #sha256 = createHash('sha256');
  readonly #sealer: BlobSealer | undefined;
  readonly #bodySha256: Hash | undefined;
  readonly #segments: Buffer[] = [];
  readonly #checksum: KeptChecksum;
  #block: Buffer;
  /** Created when the first block is full, because most bodies have only one. */
  #spare: Buffer | undefined;
  #used = 0;
  /** Of the body. */
  #sizeBytes = 0;
  /** Of the file, which is longer where it is sealed. */
  #fileBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();

  private constructor(blobs: BlobStore, file: BlobFile, expected: Expected) {
    const { sizeBytes = Infinity, checksum, sealing } = expected;
    const segmentBytes = sealing ? PLAIN_SEGMENT_BYTES : SEGMENT_BYTES;
    const segments = Math.min(Math.ceil(sizeBytes / segmentBytes), BLOCK_SEGMENTS);
    this.#blobs = blobs;
    this.#sealer = sealing?.sealer;
    this.#bodySha256 = sealing?.statesSha256 ? createHash('sha256') : undefined;
    this.#file = file;
    this.#checksum = checksum;
    this.#block = Buffer.allocUnsafeSlow(segments * segmentBytes);
  }

  static async open(blobs: BlobStore, expected: Expected): Promise<BlobWriter> {
    return new BlobWriter(blobs, await blobs.create(), expected);
  }

  /** `chunk` may be used again once this resolves. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.byteLength;) {
      // Only a following byte shows that this is not the end.
      if (this.#used === this.#block.byteLength) await this.#flush(false);
      const part = chunk.subarray(taken, taken + this.#block.byteLength - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.byteLength;
      taken += part.byteLength;
    }
  }

  /** Writes everything to the operating system; it is not durable yet. Throws `BadDigest`. */
  async finish(): Promise<Digests> {
    await this.#flush(true);
    await this.#writing;
    await this.#syncing;
    const sha256 = this.#sha256.digest();
    const bodySha256 = this.#sealer ? this.#bodySha256?.digest() : sha256;
    const segments = Buffer.concat(this.#segments);
    const checksum = this.#checksum.finish({ sizeBytes: this.#sizeBytes, sha256, segments });
    return { md5: this.#md5.digest('hex'), sha256, bodySha256, segments, checksum };
  }

  /** Makes the file durable. */
  async keep({ md5, sha256, segments, checksum }: Digests): Promise<FileContent> {
    await this.#blobs.keep(this.#file);
    return {
      kind: 'file',
      file: this.#file.name,
      sizeBytes: this.#sizeBytes,
      md5,
      sha256: new Uint8Array(sha256),
      segmentChecksums: new Uint8Array(segments),
      checksum,
      ...(this.#sealer && { sealed: { sizeBytes: this.#fileBytes, salt: this.#sealer.salt } }),
    };
  }

  async discard(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing]);
    await this.#blobs.discard(this.#file);
  }

  async #flush(isEnd: boolean): Promise<void> {
    if (this.#used === 0) return;
    const block = this.#block.subarray(0, this.#used);
    const stored = this.#sealer?.next(block, isEnd) ?? block;
    const position = this.#fileBytes;
    await this.#writing;
    this.#writing = this.#blobs.write(this.#file, stored, position);
    // The next await gets the error. Until then it must not count as unhandled.
    this.#writing.catch(() => undefined);
    this.#digest(block, stored);
    this.#used = 0;
    this.#sizeBytes += block.byteLength;
    this.#fileBytes += stored.byteLength;
    if (stored === block) this.#takeSpare();
    if (this.#fileBytes % SYNC_BYTES === 0) await this.#startSync();
  }

  #digest(body: Buffer, stored: Buffer): void {
    this.#md5.update(body);
    this.#checksum.update(body);
    this.#bodySha256?.update(body);
    this.#sha256.update(stored);
    this.#segments.push(segmentChecksums(stored));
  }

  /** The block is on its way to the disk. */
  #takeSpare(): void {
    const spare = this.#spare ?? Buffer.allocUnsafeSlow(this.#block.byteLength);
    [this.#block, this.#spare] = [spare, this.#block];
  }

  /** At most one sync is in progress: a sender that is faster than the disk waits here. */
  async #startSync(): Promise<void> {
    await this.#syncing;
    this.#syncing = this.#writing.then(() => this.#blobs.sync(this.#file));
    this.#syncing.catch(() => undefined);
  }
}
