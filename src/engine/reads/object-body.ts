/**
 * Reads the bytes of an object. Each segment is verified before any of its bytes is returned, so a reader gets either
 * the bytes that were stored or an error.
 */

import type { KeyObject } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import { errorCode, errorMessage } from '../../base/errors.ts';
import { isStorageError, type StorageError } from '../../object-store/storage-error.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type BlobView, viewOf } from '../encryption/blob-view.ts';
import type { BlobRow, InlineRow, PlacedBlob } from './metadata-reader.ts';
import { damagedBytes } from '../disk/refusals.ts';
import { firstBadSegment, SEGMENT_BYTES } from '../checksums/segment-checksums.ts';

/**
 * The number of bytes to read at a time; a multiple of the segment size. A download that its client does not read needs
 * memory for two reads. Larger reads are not faster, but smaller reads are slower.
 */
const READ_BYTES = 4 * SEGMENT_BYTES;

interface Span {
  readonly first: number;
  readonly last: number;
}

interface ObjectBodyOptions {
  readonly blobs: BlobStore;
  readonly parts: readonly PlacedBlob[];
  /** The key that decrypts the object; undefined for an unencrypted object. */
  readonly objectKey?: KeyObject | undefined;
  readonly span: Span;
  readonly signal?: AbortSignal | undefined;
  readonly reusesChunks?: boolean | undefined;
  /** The name of the object in error messages. */
  readonly name: string;
  /** Called with the ID of each blob that is found damaged. */
  readonly reportDamage: (blobId: number) => void;
}

/** A version whose bytes are stored in the database as one blob. */
export interface WholeRow extends InlineRow {
  readonly blobId: number;
  readonly bytes: Buffer;
}

interface WholeOptions {
  readonly objectKey: KeyObject | undefined;
  readonly name: string;
  readonly reportDamage: (blobId: number) => void;
}

/**
 * Returns the unencrypted bytes of a blob that is stored in the database. If the bytes are damaged, reports the blob
 * and throws.
 */
export function wholeBytes(
  { blobId, bytes, salt, segmentChecksums, sizeBytes }: WholeRow,
  { objectKey, name, reportDamage }: WholeOptions,
): Buffer {
  const checksums = segmentChecksums ?? Buffer.alloc(0);
  const view = viewOf({ salt, storedBytes: bytes.byteLength, partNumber: 0 }, objectKey);
  try {
    if (view?.sizeBytes !== sizeBytes) throw damaged(name, ROWS_WRONG);
    const place = { firstSegment: 0, view, name };
    return verified({ file: null, segmentChecksums: checksums }, bytes, place);
  } catch (error) {
    reportDamage(blobId);
    throw error;
  }
}

/**
 * Iterates over the bytes of an object. The object's files are not deleted until the iteration ends, fails, or is
 * closed with `return()`. The constructor throws `InternalError` if bytes are missing or known to be damaged.
 */
export class ObjectBody implements AsyncIterableIterator<Uint8Array> {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #letGo: (() => void)[];

  constructor(options: ObjectBodyOptions) {
    this.#chunks = chunksOf(options, readableParts(options));
    this.#letGo = options.parts.flatMap(({ file }) =>
      file === null ? [] : [options.blobs.hold(file)],
    );
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const result = await this.#chunks.next();
      if (result.done === true) this.#release();
      return result;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#chunks.return(undefined);
    } finally {
      this.#release();
    }
  }

  #release(): void {
    for (const letGo of this.#letGo) letGo();
    this.#letGo = [];
  }
}

const ROWS_WRONG = 'the database rows of its bytes are missing or wrong';

interface ReadablePart {
  readonly part: PlacedBlob;
  readonly view: BlobView;
}

/**
 * Checks the rows of all parts before the first byte is sent, because a later error can only close the connection.
 * Returns the parts with their views.
 */
function readableParts(options: ObjectBodyOptions): readonly ReadablePart[] {
  const { parts, span, name, objectKey } = options;
  const bad = parts.find((part) => part.damage !== null);
  if (bad) throw damaged(name, bad.damage ?? '');
  let next = Math.min(span.first, parts[0]?.firstByte ?? Infinity);
  const readable = parts.map((part) => {
    const view = viewOf(part, objectKey);
    if (view === undefined)
      throw damaged(name, 'its database rows disagree on whether it is encrypted');
    if (part.firstByte === next) next += view.sizeBytes;
    return { part, view };
  });
  if (next > span.last || span.last < span.first) return readable;
  throw damaged(name, ROWS_WRONG);
}

async function* chunksOf(
  options: ObjectBodyOptions,
  parts: readonly ReadablePart[],
): AsyncGenerator<Uint8Array> {
  for (const { part, view } of parts) {
    try {
      yield* partChunks(options, { part, view });
    } catch (error) {
      if (isStorageError(error, 'InternalError')) options.reportDamage(part.blobId);
      throw error;
    }
  }
}

async function* partChunks(
  { span, ...options }: ObjectBodyOptions,
  { part, view }: ReadablePart,
): AsyncGenerator<Uint8Array> {
  const { signal, name } = options;
  signal?.throwIfAborted();
  const first = Math.max(span.first - part.firstByte, 0);
  const last = Math.min(span.last - part.firstByte, view.sizeBytes - 1);
  // Read nothing if the range contains no byte of this part. But read an encrypted part that should be empty, because
  // only decryption proves that it is empty.
  if (last < first && (part.salt === null || view.sizeBytes > 0)) return;
  if (part.bytes === null) {
    yield* fileChunks({ ...options, part, view, span: { first, last } });
    return;
  }
  const bytes = verified(part, part.bytes, { firstSegment: 0, view, name });
  if (last >= first) yield bytes.subarray(first, last + 1);
}

interface FilePart
  extends Omit<ObjectBodyOptions, 'objectKey' | 'parts' | 'reportDamage'>, ReadablePart {}

async function* fileChunks({
  part,
  view,
  span,
  signal,
  blobs,
  name,
  reusesChunks = false,
}: FilePart): AsyncGenerator<Uint8Array> {
  const handle = await open(blobs, part, name);
  const { storedBytes } = part;
  try {
    const start = Math.floor(span.first / view.segmentBytes) * SEGMENT_BYTES;
    const end = Math.min(
      (Math.floor(span.last / view.segmentBytes) + 1) * SEGMENT_BYTES,
      storedBytes,
    );
    const memory = reusesChunks ? ringMemory() : newMemory;
    const read = (at: number) =>
      readAt(handle, part, { at, name, bytes: memory(Math.min(READ_BYTES, end - at)) });
    let ahead: Promise<Buffer> | undefined = read(start);
    for (let at = start; ahead; at += READ_BYTES) {
      const bytes: Buffer = await ahead;
      signal?.throwIfAborted();
      ahead = at + READ_BYTES < end ? read(at + READ_BYTES) : undefined;
      // The next iteration awaits this promise and throws its error. If the reader stops earlier, the rejection must be
      // handled here.
      ahead?.catch(() => undefined);
      const firstSegment = at / SEGMENT_BYTES;
      const clear = verified(part, bytes, { firstSegment, view, name });
      const before = firstSegment * view.segmentBytes;
      yield clear.subarray(Math.max(span.first - before, 0), span.last + 1 - before);
    }
  } finally {
    await handle.close();
  }
}

async function open(blobs: BlobStore, part: BlobRow, name: string): Promise<FileHandle> {
  try {
    return await blobs.openForReading(part.file ?? '');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw damaged(name, `its file ${part.file} is missing`, error);
  }
}

type Memory = (sizeBytes: number) => Buffer;

const newMemory: Memory = (sizeBytes) => Buffer.allocUnsafeSlow(sizeBytes);

/** The number of buffers. While the reader uses one buffer, the next bytes are read into the other buffer. */
const RING_BUFFERS = 2;

/**
 * Returns a function that provides buffers in turn and reuses them. If each read used a new buffer, garbage collection
 * would take half of the time of a large read.
 */
function ringMemory(): Memory {
  const ring: Buffer[] = [];
  let turn = 0;
  return (sizeBytes) => {
    const index = turn++ % RING_BUFFERS;
    const known = ring[index];
    if (known && known.byteLength >= sizeBytes) return known.subarray(0, sizeBytes);
    return (ring[index] = newMemory(sizeBytes));
  };
}

/** Fills `bytes` from position `at` of the file, and returns it. The bytes must be whole segments. */
async function readAt(
  handle: FileHandle,
  part: BlobRow,
  { at, bytes, name }: { readonly at: number; readonly bytes: Buffer; readonly name: string },
): Promise<Buffer> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesRead } = await readFile(handle, bytes, { done, at, name });
    if (bytesRead === 0) throw damaged(name, `its file ${part.file} is too short`);
    done += bytesRead;
  }
  return bytes;
}

async function readFile(
  handle: FileHandle,
  bytes: Buffer,
  { done, at, name }: { readonly done: number; readonly at: number; readonly name: string },
): Promise<{ bytesRead: number }> {
  try {
    return await handle.read(bytes, done, bytes.byteLength - done, at + done);
  } catch (error) {
    throw damaged(name, `its file cannot be read: ${errorMessage(error)}`, error);
  }
}

interface SegmentPlace {
  readonly firstSegment: number;
  readonly view: BlobView;
  readonly name: string;
}

/**
 * Verifies and decrypts whole segments, and returns the unencrypted bytes. Throws `InternalError` if the segments are
 * damaged.
 */
function verified(
  part: Pick<BlobRow, 'file' | 'segmentChecksums'>,
  bytes: Buffer,
  { firstSegment, view, name }: SegmentPlace,
): Buffer {
  const where = part.file === null ? 'the database' : `file ${part.file}`;
  const bad = firstBadSegment(bytes, part.segmentChecksums, firstSegment);
  if (bad !== undefined) {
    throw damaged(name, `segment ${bad} in ${where} has a wrong checksum`);
  }
  const clear = view.open(bytes, firstSegment);
  if (clear !== undefined) return clear;
  throw damaged(name, `the content of ${where} cannot be decrypted, because it was changed`);
}

function damaged(name: string, reason: string, cause?: unknown): StorageError {
  return damagedBytes(`read object ${name}`, reason, cause);
}
