/** Defines the body of an upload, from which a store reads the bytes to store. */

import { GatheredBytes } from '../base/gathered-bytes.ts';
import type { RequestedChecksum } from './checksum.ts';

export interface ChunkOptions {
  /**
   * If true, the memory of a chunk may be overwritten or freed when the next chunk is requested. The last chunk remains
   * valid.
   */
  readonly reusesChunks?: boolean;
}

export interface Body {
  /** The number of bytes that `open` yields. Absent if the number is known only at the end of the stream. */
  readonly sizeBytes?: number;
  /** The SHA-256 of the bytes in lowercase hex, if the caller knows it. The store verifies it. */
  readonly sha256?: string;
  /**
   * The checksum to store with the object. If the checksum has a value, the store verifies the body against the value.
   * If `checksum` is absent, the store chooses the algorithm.
   */
  readonly checksum?: RequestedChecksum;
  /** All bytes that `open` would yield, if they are in memory. The store may use them instead of the stream. */
  readonly bytes?: Uint8Array;
  /**
   * Fills `bytes` with all bytes that `open` would yield; the length of `bytes` must be `sizeBytes`. Present if that is
   * cheaper than reading the stream. Rejects with the errors of `open`.
   */
  readonly read?: (bytes: Uint8Array) => Promise<void>;
  /** Whether `open` may be called more than once: true for a file, false for an incoming request. */
  readonly replayable: boolean;
  /**
   * Opens a new stream of the bytes. If the stream throws, for example because a digest is wrong or the request was
   * aborted, the operation fails and stores nothing.
   */
  open(options?: ChunkOptions): AsyncIterable<Uint8Array>;
}

/** Returns a body with these bytes, or with this text in UTF-8. */
export function bytesBody(bytes: Uint8Array | string): Body {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return {
    sizeBytes: data.byteLength,
    bytes: data,
    replayable: true,
    async *open() {
      if (data.byteLength > 0) yield data;
    },
  };
}

/** Closes a body without reading it. Until an object's body is closed, its blobs or its connection stay in use. */
export async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/**
 * Reads the stream to its end and returns all its bytes in one array. Throws RangeError if there are more than
 * `limitBytes` bytes. `expectedBytes` is passed to `GatheredBytes`.
 */
export async function collect(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
  expectedBytes?: number,
): Promise<Uint8Array> {
  const gathered = new GatheredBytes(limitBytes, expectedBytes);
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.byteLength;
    if (total > limitBytes) throw new RangeError(`read body: more than ${limitBytes} bytes`);
    gathered.add(chunk);
  }
  return gathered.whole();
}
