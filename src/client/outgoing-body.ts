/**
 * Decides how a body is signed and sent. A body that can be hashed first is signed with its digest. A large body that
 * can be read only once is sent in signed chunks. In both cases the signature covers every byte, even over plain HTTP.
 */

import { createHash, hash } from 'node:crypto';

import { abortable, unlessAborted } from '../base/abortable.ts';
import type { GiveBack } from '../base/byte-budget.ts';
import { defined } from '../base/defined.ts';
import { type Body, collect } from '../object-store/body.ts';
import { BODY_MEMORY, PART_BUFFERS, PART_BYTES } from '../object-store/body-memory.ts';
import { checksumOf, runningChecksum } from '../object-store/checksums/running-checksum.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { formatPayloadMode } from '../protocol/signing/payload-mode.ts';
import type { Seed } from '../protocol/signing/sign-request.ts';
import { signedChunks, signedChunksLength } from '../protocol/signing/signed-chunks.ts';
import { EMPTY_SHA256 } from '../protocol/signing/string-to-sign.ts';
import type { WireHeaders } from '../protocol/wire.ts';
import { checksumHeaders, TrailingChecksum } from './sent-checksum.ts';

/** The maximum size of a body that is held in memory. Such a body is hashed there and can be sent again. */
const MAX_HELD_BYTES = PART_BYTES;
/** The maximum size of a single write to the socket. A larger body is written in pieces, each with its own timeout. */
const MAX_ONE_WRITE_BYTES = 256 * 1024;

export interface OutgoingBody {
  /** The value of the content-sha256 header. */
  readonly payloadHash: string;
  /** The headers of the body. They are signed together with the other headers. */
  readonly headers: WireHeaders;
  readonly sizeBytes: number;
  /**
   * Whether the body can be sent now. If a body can be read only once, it cannot be sent again after reading has
   * started.
   */
  readonly repeatable: boolean;
  /**
   * Returns the bytes to send, or undefined for a request without a body. The signatures of chunks continue from
   * `seed`.
   */
  content(seed: Seed): Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Frees the memory of the body. It must be called after the last use of the body. */
  release(): void;
}

export const NO_BODY: OutgoingBody = {
  payloadHash: EMPTY_SHA256,
  headers: [],
  sizeBytes: 0,
  repeatable: true,
  content: () => undefined,
  release: () => undefined,
};

export function textBody(text: string): OutgoingBody {
  return heldBody(Buffer.from(text, 'utf8'));
}

/**
 * Returns the body in a form that can be sent, and reads as much of it as signing requires. Bytes that this function
 * reads into memory count against BODY_MEMORY until `release`. Throws the errors of the stream, and the signal's
 * reason. Throws IncompleteBody if the length differs from the declared length. Throws MissingContentLength for a body
 * that can be read only once, has no declared length, and exceeds MAX_HELD_BYTES.
 */
export async function objectBody(
  given: Body,
  dialect: Dialect,
  signal?: AbortSignal,
): Promise<OutgoingBody> {
  const body = signal === undefined ? given : interruptible(given, signal);
  const { bytes, sizeBytes, sha256, checksum } = body;
  const hold = { body, dialect, signal };
  if (bytes !== undefined && bytes.byteLength === sizeBytes) return heldObject(bytes, hold);
  const isMeasured = sha256 !== undefined && isKnown(checksum);
  if (sizeBytes !== undefined && isMeasured) {
    if (sizeBytes <= MAX_ONE_WRITE_BYTES) {
      return collected(sizeBytes, hold, () => readWhole(body, sizeBytes));
    }
    return digestBody(body, { sizeBytes, sha256, checksum: checksum?.value }, dialect);
  }
  const { read } = body;
  if (read && sizeBytes !== undefined && isNearlyPart(sizeBytes)) {
    return readPart(sizeBytes, hold, read);
  }
  if (sizeBytes !== undefined && sizeBytes <= MAX_HELD_BYTES) {
    return collected(sizeBytes, hold, () => readWhole(body, sizeBytes));
  }
  if (body.replayable) return digestBody(body, await measure(body), dialect);
  if (sizeBytes !== undefined) return chunkedBody(body, sizeBytes, dialect);
  return collected(MAX_HELD_BYTES, hold, () => readUnmeasured(body));
}

/** Returns the body with reads that reject as soon as the signal aborts, with the signal's reason. */
function interruptible(body: Body, signal: AbortSignal): Body {
  const { sizeBytes, sha256, checksum, bytes, replayable } = body;
  const open = () => abortable(body.open(), signal);
  const { read } = body;
  const readWhole = read && ((into: Uint8Array) => unlessAborted(read(into), signal));
  const own = { replayable, open, ...defined({ read: readWhole }) };
  return { ...defined({ sizeBytes, sha256, checksum, bytes }), ...own };
}

/** Returns true if no checksum must be calculated, because none is requested or its value is given. */
function isKnown(checksum: Body['checksum']): boolean {
  return checksum === undefined || checksum.value !== undefined;
}

interface Hold {
  readonly body: Body;
  readonly dialect: Dialect;
  readonly signal: AbortSignal | undefined;
}

async function collected(
  memoryBytes: number,
  hold: Hold,
  read: () => Promise<Uint8Array>,
): Promise<OutgoingBody> {
  const release = await BODY_MEMORY.take(memoryBytes, hold.signal);
  try {
    return heldObject(await read(), hold, release);
  } catch (error) {
    release();
    throw error;
  }
}

function isNearlyPart(sizeBytes: number): boolean {
  return sizeBytes > PART_BYTES / 2 && sizeBytes <= PART_BYTES;
}

/** Reads a part into a buffer from PART_BUFFERS. The buffer is reused after `release`. */
async function readPart(
  sizeBytes: number,
  hold: Hold,
  read: NonNullable<Body['read']>,
): Promise<OutgoingBody> {
  const release = await BODY_MEMORY.take(PART_BYTES, hold.signal);
  const buffer = PART_BUFFERS.take();
  try {
    const bytes = buffer.subarray(0, sizeBytes);
    await read(bytes);
    let isReleased = false;
    return heldObject(bytes, hold, () => {
      if (isReleased) return;
      isReleased = true;
      PART_BUFFERS.giveBack(buffer);
      release();
    });
  } catch (error) {
    // The buffer is not returned to PART_BUFFERS, because an interrupted read may still write to it.
    release();
    throw error;
  }
}

function heldObject(
  bytes: Uint8Array,
  { body: { sha256, checksum }, dialect }: Hold,
  release?: GiveBack,
): OutgoingBody {
  const held = heldBody(bytes, sha256, release);
  if (checksum === undefined) return held;
  const value = checksum.value ?? checksumOf(checksum.algorithm, bytes);
  return { ...held, headers: [...held.headers, ...checksumHeaders(checksum, value, dialect)] };
}

function heldBody(
  bytes: Uint8Array,
  sha256 = hash('sha256', bytes, 'hex'),
  release: GiveBack = () => undefined,
): OutgoingBody {
  return {
    payloadHash: sha256,
    headers: [['content-length', String(bytes.length)]],
    sizeBytes: bytes.length,
    repeatable: true,
    content: () => (bytes.length > MAX_ONE_WRITE_BYTES ? inPieces(bytes) : bytes),
    release,
  };
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_ONE_WRITE_BYTES) {
    yield bytes.subarray(at, at + MAX_ONE_WRITE_BYTES);
  }
}

interface Measured {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** The checksum in base64. Undefined if none is requested. */
  readonly checksum: string | undefined;
}

function digestBody(body: Body, measured: Measured, dialect: Dialect): OutgoingBody {
  const { sizeBytes, sha256, checksum } = measured;
  const source = new Source(body, sizeBytes);
  const checked =
    body.checksum && checksum !== undefined
      ? checksumHeaders(body.checksum, checksum, dialect)
      : [];
  return {
    payloadHash: sha256,
    headers: [['content-length', String(sizeBytes)], ...checked],
    sizeBytes,
    get repeatable() {
      return source.repeatable;
    },
    content: () => source.open(),
    release: () => undefined,
  };
}

function chunkedBody(body: Body, sizeBytes: number, dialect: Dialect): OutgoingBody {
  const source = new Source(body, sizeBytes);
  const { checksum } = body;
  const trailing = isKnown(checksum)
    ? undefined
    : checksum && new TrailingChecksum(checksum, dialect);
  const mode = { kind: 'chunked', signed: true, trailer: trailing !== undefined } as const;
  const value = checksum?.value;
  return {
    payloadHash: formatPayloadMode(mode, dialect),
    headers: [
      ['content-length', String(signedChunksLength(sizeBytes, dialect, trailing))],
      ['content-encoding', 'aws-chunked'],
      [`${dialect.headerPrefix}decoded-content-length`, String(sizeBytes)],
      ...(trailing ? [[`${dialect.headerPrefix}trailer`, trailing.name] as const] : []),
      ...(checksum && value !== undefined ? checksumHeaders(checksum, value, dialect) : []),
    ],
    sizeBytes,
    get repeatable() {
      return source.repeatable;
    },
    content: (seed) =>
      trailing
        ? signedChunks(trailing.over(source.open()), seed, trailing)
        : signedChunks(source.open(), seed),
    release: () => undefined,
  };
}

/**
 * Streams a body of exactly its declared length. Remembers whether it was read, because some bodies can be read only
 * once.
 */
class Source {
  readonly #body: Body;
  readonly #sizeBytes: number;
  #wasRead = false;

  constructor(body: Body, sizeBytes: number) {
    this.#body = body;
    this.#sizeBytes = sizeBytes;
  }

  get repeatable(): boolean {
    return this.#body.replayable || !this.#wasRead;
  }

  /**
   * Yields the bytes of the body. Throws IncompleteBody if their number differs from the declared length, for example
   * because a file has changed. Surplus bytes would become the start of another request.
   */
  async *open(): AsyncGenerator<Uint8Array> {
    this.#wasRead = true;
    yield* exactly(this.#body, this.#sizeBytes);
  }
}

async function readWhole(body: Body, sizeBytes: number): Promise<Uint8Array> {
  if (!body.read) return collect(exactly(body, sizeBytes), sizeBytes, sizeBytes);
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  await body.read(bytes);
  return bytes;
}

async function readUnmeasured(body: Body): Promise<Uint8Array> {
  try {
    return await collect(body.open(), MAX_HELD_BYTES);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new StorageError(
      'MissingContentLength',
      `send body: it exceeds ${MAX_HELD_BYTES} bytes and its length is not known; state it, or upload it in parts`,
      { cause },
    );
  }
}

async function measure(body: Body): Promise<Measured> {
  const digest = createHash('sha256');
  const checksum = body.checksum && runningChecksum(body.checksum.algorithm);
  let sizeBytes = 0;
  for await (const bytes of body.open()) {
    digest.update(bytes);
    checksum?.update(bytes);
    sizeBytes += bytes.length;
  }
  const value = body.checksum?.value ?? checksum?.digest().toString('base64');
  return { sizeBytes, sha256: digest.digest('hex'), checksum: value };
}

async function* exactly(body: Body, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const bytes of body.open()) {
    sent += bytes.length;
    if (sent > sizeBytes) throw wrongLength(sizeBytes, 'more');
    yield bytes;
  }
  if (sent < sizeBytes) throw wrongLength(sizeBytes, `only ${sent}`);
}

function wrongLength(sizeBytes: number, came: string): StorageError {
  return new StorageError(
    'IncompleteBody',
    `send body: ${sizeBytes} bytes were announced, but ${came} arrived`,
  );
}
