/** Streams one body into a blob file: hashes one block while the one before is on its way to the disk. */

import { createHash } from 'node:crypto';

import type { Checksum } from '../object-store/checksum.ts';
import { type BlobFile, type BlobStore } from './blob-store.ts';
import type { FileContent } from './commands.ts';
import type { KeptChecksum } from './kept-checksum.ts';
import { SEGMENT_BYTES, segmentChecksums } from './segment-checksums.ts';

/** Written at a time; a whole number of segments. Two of them are all the memory a body takes. */
const BLOCK_BYTES = 16 * SEGMENT_BYTES;

/**
 * Synced at a time while more comes in, so that little is left for the last sync (a third faster for 64 MiB) and
 * a fast sender cannot fill the memory of the machine with unwritten pages.
 */
const SYNC_BYTES = 4 * BLOCK_BYTES;

interface Digests {
  readonly md5: string;
  readonly sha256: Buffer;
  readonly segments: Buffer;
  readonly checksum: Checksum;
}

interface Expected {
  /** How much will come, where it is known. */
  readonly sizeBytes: number | undefined;
  readonly checksum: KeptChecksum;
}

export class BlobWriter {
  readonly #blobs: BlobStore;
  readonly #file: BlobFile;
  readonly #md5 = createHash('md5');
  readonly #sha256 = createHash('sha256');
  readonly #segments: Buffer[] = [];
  readonly #checksum: KeptChecksum;
  #block: Buffer;
  /** Made when the first block is full: most bodies have only one. */
  #spare: Buffer | undefined;
  #used = 0;
  #sizeBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();

  private constructor(blobs: BlobStore, file: BlobFile, expected: Expected) {
    const { sizeBytes = BLOCK_BYTES, checksum } = expected;
    const segments = Math.ceil(Math.min(sizeBytes, BLOCK_BYTES) / SEGMENT_BYTES);
    this.#blobs = blobs;
    this.#file = file;
    this.#checksum = checksum;
    this.#block = Buffer.allocUnsafeSlow(segments * SEGMENT_BYTES);
  }

  static async open(blobs: BlobStore, expected: Expected): Promise<BlobWriter> {
    return new BlobWriter(blobs, await blobs.create(), expected);
  }

  /** `chunk` may be used again once this resolves. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.byteLength;) {
      const part = chunk.subarray(taken, taken + this.#block.byteLength - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.byteLength;
      taken += part.byteLength;
      if (this.#used === this.#block.byteLength) await this.#flush();
    }
  }

  /** Everything is with the operating system afterwards, but not yet durable. Throws `BadDigest`. */
  async finish(): Promise<Digests> {
    await this.#flush();
    await this.#writing;
    await this.#syncing;
    const sha256 = this.#sha256.digest();
    const segments = Buffer.concat(this.#segments);
    const checksum = this.#checksum.finish({ sizeBytes: this.#sizeBytes, sha256, segments });
    return { md5: this.#md5.digest('hex'), sha256, segments, checksum };
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
    };
  }

  async discard(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing]);
    await this.#blobs.discard(this.#file);
  }

  async #flush(): Promise<void> {
    if (this.#used === 0) return;
    const block = this.#block.subarray(0, this.#used);
    const position = this.#sizeBytes;
    await this.#writing;
    this.#writing = this.#blobs.write(this.#file, block, position);
    // Whoever awaits it next gets the error; until then it must not count as unhandled.
    this.#writing.catch(() => undefined);
    this.#md5.update(block);
    this.#sha256.update(block);
    this.#checksum.update(block);
    this.#segments.push(segmentChecksums(block));
    const spare = this.#spare ?? Buffer.allocUnsafeSlow(this.#block.byteLength);
    [this.#block, this.#spare] = [spare, this.#block];
    this.#used = 0;
    this.#sizeBytes += block.byteLength;
    if (this.#sizeBytes % SYNC_BYTES === 0) await this.#startSync();
  }

  /** At most one sync is under way: whoever sends faster than the disk takes it waits here. */
  async #startSync(): Promise<void> {
    await this.#syncing;
    this.#syncing = this.#writing.then(() => this.#blobs.sync(this.#file));
    this.#syncing.catch(() => undefined);
  }
}
