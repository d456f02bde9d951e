/** Bytes that were read and hashed once, to be streamed again: the same ones, or a FileChangedError. */

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
  /** The bytes from `first` up to and without `endExclusive`, as a part of a multipart upload. */
  slice(first: number, endExclusive: number): Body;
}

export interface ByteSpan {
  readonly first: number;
  readonly endExclusive: number;
}

/** Few hops to the thread pool, and little memory a stream. */
const CHUNK_BYTES = 1024 * 1024;
const readAt = promisify(read);

/** Never follows a link, and never waits for the writer of a pipe that took the file's place. */
export function openFile(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
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

/** The file at `path` in the state that `stats` saw; the path is opened anew for each stream. */
export function fileContent(path: string, stats: BigIntStats, sha256: string): FileContent {
  const body = (span: ByteSpan) => ({
    sizeBytes: span.endExclusive - span.first,
    replayable: true as const,
    open: () => reopened(path, stats, span),
  });
  return {
    ...body({ first: 0, endExclusive: Number(stats.size) }),
    sha256,
    slice: (first, endExclusive) => body({ first, endExclusive }),
  };
}

/**
 * The bytes of an open file, in fresh buffers; ends early where the file does. `isBrief`: in one, for who is done with each
 * chunk before asking for the next.
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
  /** Lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Rejects as the stream does, or with the signal's reason. */
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
  const check = () => {
    if (!sameState(fstatSync(descriptor, { bigint: true }), stats))
      throw new FileChangedError(path);
  };
  try {
    check();
    let left = span.endExclusive - span.first;
    for await (const chunk of chunksOf(descriptor, span)) {
      left -= chunk.byteLength;
      // Before the last bytes leave, so that a receiver who counts them cannot be done too early.
      if (left === 0) check();
      yield chunk;
    }
    if (left > 0) throw new FileChangedError(path);
  } finally {
    closeSync(descriptor);
  }
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
