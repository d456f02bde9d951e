/** Uploads a stream of known or unknown length as one object. Reads the stream only once. */

import { abortable } from '../base/abortable.ts';
import type { GiveBack } from '../base/byte-budget.ts';
import { defined } from '../base/defined.ts';
import { invariant } from '../base/errors.ts';
import { bytesBody, type Body } from './body.ts';
import { BODY_MEMORY, PART_BYTES } from './body-memory.ts';
import type { MultipartWriter } from './multipart.ts';
import type { ObjectWriter, PutObjectRequest, PutObjectResult } from './object-store.ts';
import {
  type Part,
  type MultipartPutOptions,
  MULTIPART_FROM_BYTES,
  partSizeBytes,
  putMultipart,
} from './multipart-put.ts';
import { MAX_PARTS } from './rules/multipart.ts';
import { StorageError } from './storage-error.ts';

type StreamedBody = Pick<Body, 'open' | 'sizeBytes'>;

export type PutBodyRequest = Omit<PutObjectRequest, 'body'> & { readonly body: StreamedBody };

export interface PutBodyOptions extends MultipartPutOptions {
  /**
   * The maximum length of a body that is sent in one request, 16 MiB by default. A body of unknown length is sent as a
   * multipart upload.
   */
  readonly onePutBytes?: number;
}

/**
 * Uploads the body and returns the result. If the body is longer than `onePutBytes` or its length is unknown, each part
 * is held in memory within the limit of `BODY_MEMORY`, so that it can be hashed before it is sent, and sent again after
 * a failure. Rejects with the errors of `putMultipart`, and with `IncompleteBody` if the stream does not have its
 * stated length.
 */
export async function putBody(
  store: ObjectWriter & MultipartWriter,
  { body, ...target }: PutBodyRequest,
  options: PutBodyOptions,
): Promise<PutObjectResult> {
  const { signal, onePutBytes = MULTIPART_FROM_BYTES } = options;
  const call = defined({ signal });
  if (body.sizeBytes !== undefined && body.sizeBytes <= onePutBytes) {
    const { sizeBytes } = body;
    const once = { sizeBytes, replayable: false, open: () => body.open() };
    return store.putObject({ ...target, body: once }, call);
  }
  const stop = new AbortController();
  const stopped = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const parts = cut(body, stopped);
  const all = async function* (first: CutPart, inner: AbortSignal) {
    inner.addEventListener('abort', () => stop.abort(inner.reason), { once: true });
    yield first;
    yield* parts;
  };
  const { value: first } = await parts.next();
  invariant(first !== undefined, 'put body: a stream has at least one part, which may be empty');
  try {
    if (first.isLast) return await store.putObject({ ...target, body: first.body }, call);
    const put = { ...target, parts: (inner: AbortSignal) => all(first, inner) };
    return await putMultipart(store, put, options);
  } finally {
    first.release();
    await parts.return(undefined);
  }
}

interface CutPart extends Part {
  readonly isLast: boolean;
  readonly release: GiveBack;
}

/** Divides the body into parts. Yields at least one part. A part is empty only if the body is empty. */
async function* cut(body: StreamedBody, signal: AbortSignal): AsyncGenerator<CutPart, undefined> {
  const { sizeBytes } = body;
  const reader = new PieceReader(abortable(body.open(), signal)[Symbol.asyncIterator]());
  try {
    for (let number = 1; number === 1 || (await reader.hasMore()); number += 1) {
      if (number > MAX_PARTS) throw tooLong(reader.readBytes);
      // Reserve memory only after the first byte of the part has arrived, so that an idle stream does not block other
      // uploads.
      await reader.hasMore();
      const partBytes = sizeOfPart(number, sizeBytes);
      const release = await BODY_MEMORY.take(partBytes, signal);
      try {
        const bytes = await reader.read(partBytes);
        const isLast = !(await reader.hasMore());
        if (isLast) checkLength(reader.readBytes, sizeBytes);
        yield { body: bytesBody(bytes), isLast, release };
      } catch (error) {
        release();
        throw error;
      }
    }
    return undefined;
  } finally {
    await reader.close();
  }
}

/**
 * Returns the size of a part. If the body's length is unknown, the size doubles every 2,000 parts, from 8 to 128 MiB.
 * So 10,000 parts can contain 484 GiB, but a short stream needs little memory.
 */
function sizeOfPart(number: number, sizeBytes: number | undefined): number {
  if (sizeBytes !== undefined) return partSizeBytes(sizeBytes);
  return PART_BYTES * 2 ** Math.floor((number - 1) / 2_000);
}

function checkLength(readBytes: number, sizeBytes: number | undefined): void {
  if (sizeBytes === undefined || sizeBytes === readBytes) return;
  throw new StorageError(
    'IncompleteBody',
    `put body: the stream has ${readBytes} bytes instead of the expected ${sizeBytes}`,
  );
}

function tooLong(readBytes: number): StorageError {
  return new StorageError(
    'EntityTooLarge',
    `put body: a stream of unknown length can have at most ${readBytes} bytes in ${MAX_PARTS} parts; set its length`,
  );
}

/** Reads a stream of chunks as pieces of requested lengths. */
class PieceReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  readBytes = 0;

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source;
  }

  /** Waits for the next byte or the end of the stream. Returns whether another byte exists. */
  async hasMore(): Promise<boolean> {
    while (this.#chunk.byteLength === 0) {
      const step = await this.#source.next();
      if (step.done === true) return false;
      this.#chunk = step.value;
    }
    return true;
  }

  /** Returns the next `sizeBytes` bytes, or fewer at the end of the stream. */
  async read(sizeBytes: number): Promise<Uint8Array> {
    const piece = Buffer.allocUnsafeSlow(sizeBytes);
    let filled = 0;
    while (filled < sizeBytes && (await this.hasMore())) {
      const taken = this.#chunk.subarray(0, sizeBytes - filled);
      piece.set(taken, filled);
      filled += taken.byteLength;
      this.#chunk = this.#chunk.subarray(taken.byteLength);
    }
    this.readBytes += filled;
    return piece.subarray(0, filled);
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
