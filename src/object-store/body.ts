/** Declares the body of an upload, that is, the bytes that a store reads and stores. */

import { GatheredBytes } from '../base/gathered-bytes.ts';
import type { RequestedChecksum } from './checksum.ts';

export interface ChunkOptions {
  /** If true, requesting the next chunk may overwrite or free the memory of the previous one. The last chunk remains valid. */
  readonly reusesChunks?: boolean;
}

export interface Body {
  /** Number of bytes that `open` yields; absent if it is known only at the end of the stream. */
  readonly sizeBytes?: number;
  /** Lower-case hex SHA-256 of the bytes, if the caller knows it. The store verifies it. */
  readonly sha256?: string;
  /**
   * The checksum to store with the object. If it has a value, the store verifies it. If absent, the store chooses an
   * algorithm.
   */
  readonly checksum?: RequestedChecksum;
  /** All bytes that `open` would yield, if they are in memory. The store may use them instead of the stream. */
  readonly bytes?: Uint8Array;
  /**
   * Fills `bytes`, whose length is `sizeBytes`, with all bytes that `open` would yield. Present if it costs less than
   * reading the stream. Rejects with the errors of `open`.
   */
  readonly read?: (bytes: Uint8Array) => Promise<void>;
  /** Whether `open` may be called again: true for a file, false for an incoming request. */
  readonly replayable: boolean;
  /**
   * Opens a new stream of the bytes. If the stream throws (for a wrong digest or an aborted request), the operation fails
   * and stores nothing.
   */
  open(options?: ChunkOptions): AsyncIterable<Uint8Array>;
}

/** Returns a body of these bytes, or of the text in UTF-8. */
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

/** Closes a body without reading it. An object's body keeps its blobs or its connection in use until it is closed. */
export async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/**
 * Reads the stream to its end, and returns its bytes in one array. Throws RangeError if there are more than `limitBytes`.
 * `expectedBytes` is passed to `GatheredBytes`.
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
