/** Streams one body into a blob file. A block is hashed and written while the next one is received. */

import { invariant } from '../../base/errors.ts';
import { BufferPool } from '../../base/buffer-pool.ts';
import type { Checksum } from '../../object-store/checksum.ts';
import { type BlobFile, type BlobStore } from './blob-store.ts';
import type { FileContent } from './content.ts';
import { BodyDigests, type Digests, type Hashing } from '../checksums/body-digests.ts';
import type { BlobSealer } from '../encryption/blob-sealer.ts';
import { PLAIN_SEGMENT_BYTES } from '../encryption/sealed-bytes.ts';
import type { KeptChecksum } from '../checksums/kept-checksum.ts';
import { SEGMENT_BYTES } from '../checksums/segment-checksums.ts';
import type { BodyHasher, HashReply } from './hash-thread.ts';

/** Written at a time. Two blocks are all the memory a body takes, and four one that is sealed. */
const BLOCK_SEGMENTS = 16;
const BLOCK_BYTES = BLOCK_SEGMENTS * SEGMENT_BYTES;

/** Of all stores of the process. The memory is shared with the hash thread, so that no block is copied. */
const BLOCKS = new BufferPool(() => Buffer.from(new SharedArrayBuffer(BLOCK_BYTES)));

/**
 * Synced at a time while more comes in, so that little is left for the last sync (a third faster for 64 MiB) and
 * a fast sender cannot fill the memory of the machine with unwritten pages.
 */
const SYNC_BYTES = 4 * BLOCK_BYTES;

interface Finished extends Omit<Digests, 'checksum'> {
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

/** The memory of a block of the body, and of what is stored for it if that is not the same. */
interface Block {
  readonly body: Buffer;
  readonly sealed: Buffer | undefined;
}

export class BlobWriter {
  readonly #blobs: BlobStore;
  readonly #file: BlobFile;
  readonly #sealer: BlobSealer | undefined;
  readonly #checksum: KeptChecksum;
  readonly #hashing: Hashing;
  /** Bytes of the body in a whole block. */
  readonly #blockBytes: number;
  readonly #newBlock: () => Block;
  /** Undefined for a body of one block, which the main thread hashes: the thread would take longer. */
  #hasher: BodyHasher | undefined;
  /** Received into. */
  #block: Block;
  /** Created when the first block is full, because most bodies have only one. */
  #spare: Block | undefined;
  #used = 0;
  /** Of the body. */
  #sizeBytes = 0;
  /** Of the file, which is longer where it is sealed. */
  #fileBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #hashed: Promise<HashReply> = Promise.resolve(undefined);
  #syncing: Promise<void> = Promise.resolve();

  private constructor(blobs: BlobStore, file: BlobFile, expected: Expected) {
    const { sizeBytes = Infinity, checksum, sealing } = expected;
    this.#blobs = blobs;
    this.#file = file;
    this.#sealer = sealing?.sealer;
    this.#checksum = checksum;
    this.#hashing = {
      checksum: checksum.calculated,
      bodySha256: sealing?.statesSha256 ?? false,
    };
    const segmentBytes = sealing ? PLAIN_SEGMENT_BYTES : SEGMENT_BYTES;
    const segments = Math.min(Math.ceil(sizeBytes / segmentBytes), BLOCK_SEGMENTS);
    this.#blockBytes = segments * segmentBytes;
    this.#newBlock = () => newBlock(segments, sealing !== undefined);
    this.#block = this.#newBlock();
  }

  static async open(blobs: BlobStore, expected: Expected): Promise<BlobWriter> {
    return new BlobWriter(blobs, await blobs.create(), expected);
  }

  /** `chunk` may be used again once this resolves. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.byteLength;) {
      // Only a following byte shows that this is not the end.
      if (this.#used === this.#blockBytes) await this.#flush(false);
      const part = chunk.subarray(taken, taken + this.#blockBytes - this.#used);
      this.#block.body.set(part, this.#used);
      this.#used += part.byteLength;
      taken += part.byteLength;
    }
  }

  /** Writes everything to the operating system; it is not durable yet. Throws `BadDigest`. */
  async finish(): Promise<Finished> {
    await this.#flush(true);
    await this.#writing;
    await this.#syncing;
    const digests = await this.#hashed;
    invariant(digests, 'store body: it is not hashed to its end');
    this.#hasher = undefined;
    const { md5, sha256, segments } = digests;
    const bodySha256 = this.#sealer ? digests.bodySha256 : Buffer.from(sha256).toString('hex');
    const known = { sizeBytes: this.#sizeBytes, sha256, segments };
    const checksum = this.#checksum.finish(digests.checksum, known);
    return { md5, sha256, segments, bodySha256, checksum };
  }

  /** Makes the file durable. */
  async keep({ md5, sha256, segments, checksum }: Finished): Promise<FileContent> {
    await this.#blobs.keep(this.#file);
    this.#giveBack();
    return {
      kind: 'file',
      file: this.#file.name,
      sizeBytes: this.#sizeBytes,
      md5,
      sha256,
      segmentChecksums: segments,
      checksum,
      ...(this.#sealer && { sealed: { sizeBytes: this.#fileBytes, salt: this.#sealer.salt } }),
    };
  }

  async discard(): Promise<void> {
    this.#hasher?.drop();
    await Promise.allSettled([this.#writing, this.#hashed, this.#syncing]);
    this.#giveBack();
    await this.#blobs.discard(this.#file);
  }

  async #flush(isEnd: boolean): Promise<void> {
    if (this.#used === 0) return;
    const body = this.#block.body.subarray(0, this.#used);
    const stored = this.#sealer?.next(body, isEnd, this.#block.sealed) ?? body;
    const position = this.#fileBytes;
    await this.#writing;
    await this.#hashed;
    this.#writing = this.#blobs.write(this.#file, stored, position);
    this.#hashed = this.#hash(body, stored, isEnd);
    // The next await gets the error. Until then it must not count as unhandled.
    this.#writing.catch(() => undefined);
    this.#hashed.catch(() => undefined);
    this.#used = 0;
    this.#sizeBytes += body.byteLength;
    this.#fileBytes += stored.byteLength;
    if (isEnd) return;
    [this.#block, this.#spare] = [this.#spare ?? this.#newBlock(), this.#block];
    if (this.#fileBytes % SYNC_BYTES === 0) await this.#startSync();
  }

  async #hash(body: Buffer, stored: Buffer, isEnd: boolean): Promise<HashReply> {
    if (!isEnd) this.#hasher ??= this.#blobs.hashThread.begin(this.#hashing);
    if (this.#hasher) return this.#hasher.next({ body, stored, isEnd });
    const digests = new BodyDigests(this.#hashing);
    digests.update(body, stored);
    return digests.finish();
  }

  /** At most one sync is in progress: a sender that is faster than the disk waits here. */
  async #startSync(): Promise<void> {
    await this.#syncing;
    this.#syncing = this.#writing.then(() => this.#blobs.sync(this.#file));
    this.#syncing.catch(() => undefined);
  }

  /** Neither the disk nor the hash thread uses the memory any more. */
  #giveBack(): void {
    for (const block of [this.#block, this.#spare]) {
      for (const buffer of [block?.body, block?.sealed])
        if (buffer?.buffer instanceof SharedArrayBuffer) BLOCKS.giveBack(buffer);
    }
  }
}

/** The block of a body that fits into one is not larger than the body. */
function newBlock(segments: number, isSealed: boolean): Block {
  const memory =
    segments < BLOCK_SEGMENTS
      ? () => Buffer.allocUnsafeSlow(segments * SEGMENT_BYTES)
      : () => BLOCKS.take();
  return { body: memory(), sealed: isSealed ? memory() : undefined };
}
