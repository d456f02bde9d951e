/** The bytes of an object on their way into a store. */

import { GatheredBytes } from '../base/gathered-bytes.ts';
import type { RequestedChecksum } from './checksum.ts';

export interface ChunkOptions {
  /** When the reader asks for the next chunk, the memory of the chunk before may be overwritten or freed, but not of the last one. */
  readonly reusesChunks?: boolean;
}

export interface Body {
  /** Number of bytes that `open` yields; absent if it is known only at the end of the stream. */
  readonly sizeBytes?: number;
  /** Lower-case hex SHA-256 of the bytes, when the giver has read them before. The store verifies it. */
  readonly sha256?: string;
  /** To be verified where its value is stated, and kept with the bytes. Without it the store chooses one. */
  readonly checksum?: RequestedChecksum;
  /** All that `open` would yield, where it is in memory: who takes it need not open the stream. */
  readonly bytes?: Uint8Array;
  /**
   * Fills `bytes`, whose length is `sizeBytes`, with all that `open` would yield, where that costs less. Fails as `open`
   * does.
   */
  readonly read?: (bytes: Uint8Array) => Promise<void>;
  /** Whether `open` may be called again: a file may, an incoming request may not. */
  readonly replayable: boolean;
  /**
   * A fresh stream of the bytes. An error thrown by the stream (a digest that does not match, an
   * aborted request) fails the operation, which then leaves no trace.
   */
  open(options?: ChunkOptions): AsyncIterable<Uint8Array>;
}

/** A body held in memory. */
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

/** Ends a body that is not read, because an object's body keeps its blobs or its connection in use until it ends. */
export async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/** All bytes of a stream as one array; throws RangeError beyond `limitBytes`. `expectedBytes`: as of GatheredBytes. */
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
