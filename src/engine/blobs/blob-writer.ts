/** Writes one body to a blob file as a stream. Hashes and writes each block while the next block is received. */

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
import type { HashBlock, HashReply } from './hash-messages.ts';
import type { BodyHasher } from './hash-thread.ts';

/** The number of segments in a block. A body needs the memory of two blocks, or of four blocks if it is encrypted. */
const BLOCK_SEGMENTS = 16;
const BLOCK_BYTES = BLOCK_SEGMENTS * SEGMENT_BYTES;
const BLOCKS_OF_BODY = 2;

/** The number of unused buffers to keep for later blocks. */
const MAX_FREE = 8;
const BLOCKS = new BufferPool(BLOCK_BYTES, MAX_FREE);

/**
 * The file is synced each time this many bytes were written, while the rest of the body is received. So the last sync
 * has little to write, which makes storing 64 MiB a third faster. Also, a fast client cannot fill the machine's memory
 * with unwritten pages.
 */
const SYNC_BYTES = 4 * BLOCK_BYTES;

interface Finished extends Omit<Digests, 'checksum'> {
  readonly checksum: Checksum;
}

interface Expected {
  /** The size of the body; undefined if the client did not state it. */
  readonly sizeBytes: number | undefined;
  readonly checksum: KeptChecksum;
  /** The keys for encryption; present if the body is stored encrypted. */
  readonly sealing?: Sealing;
}

interface Sealing {
  readonly sealer: BlobSealer;
  /**
   * Whether the client stated the SHA-256 of the body. If so, it must be calculated in addition to the SHA-256 of the
   * encrypted bytes.
   */
  readonly statesSha256: boolean;
}

/** The memory of one block: the bytes of the body and, for a body that is stored encrypted, the encrypted bytes. */
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
  /** The number of body bytes in a full block. */
  readonly #blockBytes: number;
  readonly #newBlock: () => Block;
  /**
   * The hasher on the hash thread. Undefined for a body of one block, because the main thread hashes a single block
   * faster.
   */
  #hasher: BodyHasher | undefined;
  /** The block to which received bytes are added. */
  #block: Block | undefined;
  /**
   * The blocks that are being hashed or written, at most `BLOCKS_OF_BODY`. When a promise resolves, the memory of its
   * block is free.
   */
  #storing: Promise<HashReply>[] = [];
  #used = 0;
  /** The number of body bytes that were passed on to hashing and writing. */
  #sizeBytes = 0;
  /**
   * The number of file bytes that were passed on to writing. It exceeds `#sizeBytes` if the body is stored encrypted.
   */
  #fileBytes = 0;
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
  }

  static async open(blobs: BlobStore, expected: Expected): Promise<BlobWriter> {
    return new BlobWriter(blobs, await blobs.create(), expected);
  }

  /** Appends a chunk to the body. When the promise resolves, the caller may reuse the chunk's memory. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.byteLength;) {
      // Flush a full block only when another byte follows, because the last block is flushed differently.
      if (this.#used === this.#blockBytes) await this.#flush(false);
      this.#block ??= await this.#freeBlock();
      const part = chunk.subarray(taken, taken + this.#blockBytes - this.#used);
      this.#block.body.set(part, this.#used);
      this.#used += part.byteLength;
      taken += part.byteLength;
    }
  }

  /**
   * Writes the remaining bytes to the operating system and returns the digests. The file is not durable yet. Throws
   * `BadDigest` if the checksum differs from the one that the client stated.
   */
  async finish(): Promise<Finished> {
    await this.#flush(true);
    const stored = await Promise.all(this.#storing);
    await this.#syncing;
    const digests = stored.at(-1)?.digests;
    invariant(digests, 'store body: it was not hashed completely');
    this.#hasher = undefined;
    const { md5, sha256, segments } = digests;
    const bodySha256 = this.#sealer ? digests.bodySha256 : Buffer.from(sha256).toString('hex');
    const known = { sizeBytes: this.#sizeBytes, sha256, segments };
    const checksum = this.#checksum.finish(digests.checksum, known);
    return { md5, sha256, segments, bodySha256, checksum };
  }

  /** Makes the file durable, and returns its content for the command that stores the database row. */
  async keep({ md5, sha256, segments, checksum }: Finished): Promise<FileContent> {
    await this.#blobs.keep(this.#file);
    await this.#giveBack();
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
    await this.#giveBack();
    await Promise.allSettled([this.#syncing]);
    await this.#blobs.discard(this.#file);
  }

  /** Returns the memory for the next block. If all memory is in use, waits until the oldest block is written. */
  async #freeBlock(): Promise<Block> {
    const oldest = this.#storing.length < BLOCKS_OF_BODY ? undefined : this.#storing.shift();
    return oldest ? wholeBlock((await oldest).block) : this.#newBlock();
  }

  async #flush(isEnd: boolean): Promise<void> {
    if (!this.#block) return;
    const body = this.#block.body.subarray(0, this.#used);
    const sealed = this.#sealer?.next(body, isEnd, this.#block.sealed);
    const position = this.#fileBytes;
    this.#sizeBytes += body.byteLength;
    this.#fileBytes += (sealed ?? body).byteLength;
    this.#block = undefined;
    this.#used = 0;
    const storing = this.#store({ body, sealed, isEnd }, position);
    // A later `await` throws the error. Until then, Node must not report the rejection as unhandled.
    storing.catch(() => undefined);
    this.#storing.push(storing);
    if (this.#fileBytes % SYNC_BYTES === 0) await this.#startSync(storing);
  }

  async #store(block: HashBlock, position: number): Promise<HashReply> {
    if (!block.isEnd) this.#hasher ??= this.#blobs.hashThread.begin(this.#hashing);
    if (this.#hasher) {
      const hashed = await this.#hasher.next(block);
      await this.#write(hashed.block, position);
      return hashed;
    }
    const writing = this.#write(block, position);
    const digests = this.#digests(block);
    await writing;
    return { block, digests };
  }

  #write({ body, sealed }: HashBlock, position: number): Promise<void> {
    return this.#blobs.write(this.#file, sealed ?? body, position);
  }

  /** Returns the digests of a body that consists of one block. */
  #digests(block: HashBlock): Digests {
    const digests = new BodyDigests(this.#hashing);
    digests.update(block);
    return digests.finish();
  }

  /**
   * Starts a sync of the file after `after` has resolved. Only one sync runs at a time, so a client that sends faster
   * than the disk writes waits here.
   */
  async #startSync(after: Promise<unknown>): Promise<void> {
    await this.#syncing;
    this.#syncing = after.then(() => this.#blobs.sync(this.#file));
    this.#syncing.catch(() => undefined);
  }

  /** Returns the memory of each block to the pool when neither the hash thread nor the disk uses it any more. */
  async #giveBack(): Promise<void> {
    const stored = await Promise.allSettled(this.#storing.splice(0));
    const blocks = stored.map((each) =>
      each.status === 'fulfilled' ? wholeBlock(each.value.block) : undefined,
    );
    for (const block of [...blocks, this.#block]) {
      for (const buffer of [block?.body, block?.sealed])
        if (buffer?.byteLength === BLOCK_BYTES) BLOCKS.giveBack(buffer);
    }
    this.#block = undefined;
  }
}

/**
 * Returns the memory for a block of at most `segments` segments. For a small body, the block is only as large as the
 * body.
 */
function newBlock(segments: number, isSealed: boolean): Block {
  const memory =
    segments < BLOCK_SEGMENTS
      ? () => Buffer.allocUnsafeSlow(segments * SEGMENT_BYTES)
      : () => BLOCKS.take();
  return { body: memory(), sealed: isSealed ? memory() : undefined };
}

/** Returns the block with its buffers in full size. `body` and `sealed` may be only a part of their buffers. */
function wholeBlock({ body, sealed }: HashBlock): Block {
  return { body: Buffer.from(body.buffer), sealed: sealed && Buffer.from(sealed.buffer) };
}
