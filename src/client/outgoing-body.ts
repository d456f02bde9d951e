/**
 * How a body is signed and sent. What can be hashed first is signed by its digest; what can be read only once and
 * is large goes in signed chunks. Both hold every byte to the signature, over plain HTTP too.
 */

import { createHash, hash } from 'node:crypto';

import type { GiveBack } from '../base/byte-budget.ts';
import { type Body, collect } from '../object-store/body.ts';
import { BODY_MEMORY, PART_BYTES } from '../object-store/body-memory.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { formatPayloadMode } from '../protocol/signing/payload-mode.ts';
import type { Seed } from '../protocol/signing/sign-request.ts';
import { signedChunks, signedChunksLength } from '../protocol/signing/signed-chunks.ts';
import { EMPTY_SHA256 } from '../protocol/signing/string-to-sign.ts';
import type { WireHeaders } from '../protocol/wire.ts';

/** Below this a body is held whole, hashed in memory and sent in one piece. */
const MAX_HELD_BYTES = PART_BYTES;
/** As much as one write to the socket takes well; of more, the pieces that were taken show the progress. */
const MAX_ONE_WRITE_BYTES = 256 * 1024;

export interface OutgoingBody {
  /** What the content-sha256 header says. */
  readonly payloadHash: string;
  /** Headers of the body itself, to be signed with the rest. */
  readonly headers: WireHeaders;
  readonly sizeBytes: number;
  /** Whether `content` may be asked for (again): what can be read only once, until its first byte was read. */
  readonly repeatable: boolean;
  /** Undefined for no body. */
  content(seed: Seed): Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** To be called when the body is needed no more. */
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
 * Reads `body` as far as signing needs; what is held of it in memory counts in BODY_MEMORY until its release.
 * Throws what its stream throws, IncompleteBody when it is not as long as it said, and the signal's reason.
 */
export async function objectBody(
  body: Body,
  dialect: Dialect,
  signal?: AbortSignal,
): Promise<OutgoingBody> {
  const { bytes, sizeBytes, sha256 } = body;
  if (bytes !== undefined && bytes.byteLength === sizeBytes) return heldBody(bytes, sha256);
  if (sizeBytes !== undefined && sha256 !== undefined) {
    if (sizeBytes > MAX_ONE_WRITE_BYTES) return digestBody(body, { sizeBytes, sha256 });
    return collected(sizeBytes, signal, sha256, () => readWhole(body, sizeBytes));
  }
  if (sizeBytes !== undefined && sizeBytes <= MAX_HELD_BYTES) {
    return collected(sizeBytes, signal, undefined, () => readWhole(body, sizeBytes));
  }
  if (body.replayable) return digestBody(body, await measure(body));
  if (sizeBytes !== undefined) return chunkedBody(body, sizeBytes, dialect);
  return collected(MAX_HELD_BYTES, signal, undefined, () => readUnmeasured(body));
}

async function collected(
  memoryBytes: number,
  signal: AbortSignal | undefined,
  sha256: string | undefined,
  read: () => Promise<Uint8Array>,
): Promise<OutgoingBody> {
  const release = await BODY_MEMORY.take(memoryBytes, signal);
  try {
    return heldBody(await read(), sha256, release);
  } catch (error) {
    release();
    throw error;
  }
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
}

function digestBody(body: Body, { sizeBytes, sha256 }: Measured): OutgoingBody {
  const source = new Source(body, sizeBytes);
  return {
    payloadHash: sha256,
    headers: [['content-length', String(sizeBytes)]],
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
  return {
    payloadHash: formatPayloadMode({ kind: 'chunked', signed: true, trailer: false }, dialect),
    headers: [
      ['content-length', String(signedChunksLength(sizeBytes))],
      ['content-encoding', 'aws-chunked'],
      [`${dialect.headerPrefix}decoded-content-length`, String(sizeBytes)],
    ],
    sizeBytes,
    get repeatable() {
      return source.repeatable;
    },
    content: (seed) => signedChunks(source.open(), seed),
    release: () => undefined,
  };
}

/** A body that is streamed: of exactly its length, and known to be used up once its first byte was asked for. */
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

  /** A file may have changed since it was measured: the announced length must not become another request's start. */
  async *open(): AsyncGenerator<Uint8Array> {
    this.#wasRead = true;
    yield* exactly(this.#body, this.#sizeBytes);
  }
}

async function readWhole(body: Body, sizeBytes: number): Promise<Uint8Array> {
  return collect(exactly(body, sizeBytes), sizeBytes);
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
  let sizeBytes = 0;
  for await (const bytes of body.open()) {
    digest.update(bytes);
    sizeBytes += bytes.length;
  }
  return { sizeBytes, sha256: digest.digest('hex') };
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
    `send body: ${sizeBytes} bytes were announced, ${came} came`,
  );
}
