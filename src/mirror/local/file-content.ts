/**
 * Represents content that was read and hashed once and can be streamed again. A stream returns the same content or
 * fails with a FileChangedError.
 */

import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';

import { errorCode } from '../../base/errors.ts';
import type { Body } from '../../object-store/body.ts';
import { sameState } from './local-entry.ts';
import { FileChangedError } from '../model/failure-kind.ts';

export interface FileContent extends Body {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly replayable: true;
  /** Returns the bytes from `first` to `endExclusive` as the body of one multipart part. */
  slice(first: number, endExclusive: number): Body;
}

export interface ByteSpan {
  readonly first: number;
  readonly endExclusive: number;
}

/**
 * Size of a chunk in bytes. It is large enough that a file needs few reads in the thread pool, and small enough that a
 * stream needs little memory.
 */
const CHUNK_BYTES = 1024 * 1024;
const readAt = promisify(read);

/** Flags for reading files. They never follow a symbolic link, and never block on a pipe that replaced the file. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function openFile(path: string): number {
  return openSync(path, READ_FLAGS);
}

export function memoryContent(bytes: Uint8Array, sha256: string): FileContent {
  const body = (part: Uint8Array) => ({
    sizeBytes: part.byteLength,
    bytes: part,
    replayable: true as const,
    async *open() {
      if (part.byteLength > 0) yield part;
    },
  });
  return {
    ...body(bytes),
    sha256,
    slice: (first, endExclusive) => body(bytes.subarray(first, endExclusive)),
  };
}

/** Returns the content of the file at `path` in the state that `stats` describes. Each stream opens the file again. */
export function fileContent(path: string, stats: BigIntStats, sha256: string): FileContent {
  const body = (span: ByteSpan) => ({
    sizeBytes: span.endExclusive - span.first,
    replayable: true as const,
    open: () => reopened(path, stats, span),
    read: (bytes: Uint8Array) => readInto(bytes, path, stats, span.first),
  });
  return {
    ...body({ first: 0, endExclusive: Number(stats.size) }),
    sha256,
    slice: (first, endExclusive) => body({ first, endExclusive }),
  };
}

/**
 * Streams the content of an open file, with a new buffer for each chunk. Ends early if the file ends early. With
 * `isBrief`, all chunks share one buffer, so the caller must finish using a chunk before it requests the next.
 */
export async function* chunksOf(
  descriptor: number,
  { first, endExclusive }: ByteSpan,
  { isBrief = false } = {},
): AsyncGenerator<Uint8Array, void> {
  const only = isBrief ? Buffer.allocUnsafeSlow(CHUNK_BYTES) : undefined;
  let at = first;
  while (at < endExclusive) {
    const sizeBytes = Math.min(CHUNK_BYTES, endExclusive - at);
    const buffer = only?.subarray(0, sizeBytes) ?? Buffer.allocUnsafe(sizeBytes);
    const { bytesRead } = await readAt(descriptor, buffer, 0, buffer.byteLength, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

export interface Digest {
  /** SHA-256 of the stream's content in lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Returns the digest and size of a stream's content. Rejects with the stream's error or the signal's reason. */
export async function digestOf(
  chunks: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Digest> {
  const digest = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    digest.update(chunk);
    sizeBytes += chunk.byteLength;
  }
  return { sha256: digest.digest('hex'), sizeBytes };
}

async function* reopened(
  path: string,
  stats: BigIntStats,
  span: ByteSpan,
): AsyncGenerator<Uint8Array, void> {
  const descriptor = reopen(path);
  try {
    checkState(descriptor, path, stats);
    let left = span.endExclusive - span.first;
    for await (const chunk of chunksOf(descriptor, span)) {
      left -= chunk.byteLength;
      // The file is checked before the last chunk is yielded, because a receiver that counts bytes may not read any
      // further.
      if (left === 0) checkState(descriptor, path, stats);
      yield chunk;
    }
    if (left > 0) throw new FileChangedError(path);
  } finally {
    closeSync(descriptor);
  }
}

async function readInto(
  bytes: Uint8Array,
  path: string,
  stats: BigIntStats,
  first: number,
): Promise<void> {
  const descriptor = reopen(path);
  try {
    checkState(descriptor, path, stats);
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesRead } = await readAt(descriptor, bytes, at, bytes.byteLength - at, first + at);
      if (bytesRead === 0) throw new FileChangedError(path);
      at += bytesRead;
    }
    checkState(descriptor, path, stats);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws FileChangedError if the open file is no longer in the state that `stats` describes. */
function checkState(descriptor: number, path: string, stats: BigIntStats): void {
  if (!sameState(fstatSync(descriptor, { bigint: true }), stats)) throw new FileChangedError(path);
}

function reopen(path: string): number {
  try {
    return openFile(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(errorCode(error) ?? ''))
      throw new FileChangedError(path);
    throw error;
  }
}
