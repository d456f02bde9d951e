/**
 * Joins the small chunks of request bodies. One read from a connection can contain 10,000 chunks of one byte each, and
 * Node calls `push` for each of them. Passing on all these chunks takes 60 ms of CPU time; joining them takes 8 ms.
 */

import { IncomingMessage } from 'node:http';

/** The minimum size of a large chunk in bytes. Smaller chunks are joined. */
const SMALL_BYTES = 4096;
/**
 * The number of small chunks that are passed on immediately, because joining them would delay them
 * by a turn of the event loop.
 */
const FREE_CHUNKS = 16;
/**
 * The number of additional small chunks that are passed on immediately after each large chunk. A
 * large chunk that is split between two reads can arrive as one or two small chunks.
 */
const FREE_BY_LARGE = 2;
/**
 * The number of held chunks after which Node stops reading until the next turn of the event loop.
 */
const CHUNKS_IN_TURN = 256;
/** The size in bytes of a buffer for joined chunks, which is the maximum size of one read. */
const BUFFER_BYTES = 64 * 1024;
/** The maximum number of unused buffers to keep. */
const MAX_SPARE = 16;

const spare: Buffer[] = [];

export class JoinedRequest extends IncomingMessage {
  #freeChunks = FREE_CHUNKS;
  /**
   * The chunks of this turn of the event loop, starting with the first one that was not passed on
   * immediately.
   */
  readonly #held = new HeldChunks();

  /**
   * Passes on a chunk, or holds the chunk to join it with later chunks. If this method returns false, Node stops
   * reading until Node calls `_read`.
   */
  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    const held = this.#held;
    if (chunk === null) {
      this.#flush();
      return super.push(chunk, encoding);
    }
    if (held.count === 0) {
      if (this.#isFree(chunk)) return super.push(chunk, encoding);
      setImmediate(() => this.#flush());
    }
    held.add(chunk);
    const hasRoom = this.readableLength + held.bytes < this.readableHighWaterMark;
    return hasRoom && held.count % CHUNKS_IN_TURN !== 0;
  }

  #isFree({ byteLength }: Uint8Array): boolean {
    const isSmall = byteLength < SMALL_BYTES;
    if (isSmall && this.#freeChunks === 0) return false;
    this.#freeChunks = isSmall
      ? this.#freeChunks - 1
      : Math.min(FREE_CHUNKS, this.#freeChunks + FREE_BY_LARGE);
    return true;
  }

  #flush(): void {
    for (const bytes of this.#held.take()) super.push(bytes);
  }
}

/** Chunks of a request body, which are joined into as few buffers as possible. */
class HeldChunks {
  count = 0;
  bytes = 0;
  #joined: Uint8Array[] = [];
  /**
   * The first chunk for the current buffer. It is copied to the buffer only when a second one
   * follows.
   */
  #single: Uint8Array | undefined;
  #buffer: Buffer | undefined;
  #bufferBytes = 0;

  add(chunk: Uint8Array): void {
    this.count += 1;
    this.bytes += chunk.byteLength;
    if (this.#bufferBytes + chunk.byteLength > BUFFER_BYTES) this.#endBuffer();
    if (this.#bufferBytes === 0) {
      this.#single = chunk;
    } else {
      this.#buffer ??= spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
      if (this.#single) this.#buffer.set(this.#single);
      this.#single = undefined;
      this.#buffer.set(chunk, this.#bufferBytes);
    }
    this.#bufferBytes += chunk.byteLength;
  }

  take(): readonly Uint8Array[] {
    this.#endBuffer();
    const joined = this.#joined;
    this.#joined = [];
    this.count = 0;
    this.bytes = 0;
    return joined;
  }

  #endBuffer(): void {
    if (this.#single) this.#joined.push(this.#single);
    // Copy the bytes, because the buffer is reused. Also, code that keeps a few of the bytes must not keep the whole
    // buffer in memory.
    else if (this.#buffer)
      this.#joined.push(Buffer.from(this.#buffer.subarray(0, this.#bufferBytes)));
    if (this.#buffer && spare.length < MAX_SPARE) spare.push(this.#buffer);
    this.#single = undefined;
    this.#buffer = undefined;
    this.#bufferBytes = 0;
  }
}

/**
 * Returns whether a request has a Transfer-Encoding header. Reads the raw headers, because Node
 * creates the parsed headers only on first use, which takes time.
 */
export function isChunked({ rawHeaders }: { readonly rawHeaders: readonly string[] }): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'transfer-encoding') return true;
  return false;
}
