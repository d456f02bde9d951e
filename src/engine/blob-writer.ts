/** Streams one body into a blob file: hashes one block while the one before is on its way to the disk. */

import { createHash } from 'node:crypto';

import { type BlobFile, type BlobStore } from './blob-store.ts';
import type { FileContent } from './commands.ts';
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
}

export class BlobWriter {
  readonly #blobs: BlobStore;
  readonly #file: BlobFile;
  readonly #md5 = createHash('md5');
  readonly #sha256 = createHash('sha256');
  readonly #checksums: Buffer[] = [];
  #block: Buffer;
  /** Made when the first block is full: most bodies have only one. */
  #spare: Buffer | undefined;
  #used = 0;
  #sizeBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();

  private constructor(blobs: BlobStore, file: BlobFile, blockBytes: number) {
    this.#blobs = blobs;
    this.#file = file;
    this.#block = Buffer.allocUnsafeSlow(blockBytes);
  }

  /** `sizeBytes` is how much will come, where it is known. */
  static async open(blobs: BlobStore, sizeBytes = BLOCK_BYTES): Promise<BlobWriter> {
    const segments = Math.ceil(Math.min(sizeBytes, BLOCK_BYTES) / SEGMENT_BYTES);
    return new BlobWriter(blobs, await blobs.create(), segments * SEGMENT_BYTES);
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

  /** Everything is with the operating system afterwards, but not yet durable. */
  async finish(): Promise<Digests> {
    await this.#flush();
    await this.#writing;
    await this.#syncing;
    return { md5: this.#md5.digest('hex'), sha256: this.#sha256.digest() };
  }

  /** Makes the file durable. */
  async keep({ md5, sha256 }: Digests): Promise<FileContent> {
    await this.#blobs.keep(this.#file);
    return {
      kind: 'file',
      file: this.#file.name,
      sizeBytes: this.#sizeBytes,
      md5,
      sha256: new Uint8Array(sha256),
      segmentChecksums: new Uint8Array(Buffer.concat(this.#checksums)),
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
    this.#checksums.push(segmentChecksums(block));
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
