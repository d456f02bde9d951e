/**
 * How a body is signed and sent. What can be hashed first is signed by its digest; what can be read only once and
 * is large goes in signed chunks. Both hold every byte to the signature, over plain HTTP too.
 */

import { createHash, hash } from 'node:crypto';

import { type Body, collect } from '../object-store/body.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { formatPayloadMode } from '../protocol/signing/payload-mode.ts';
import type { Seed } from '../protocol/signing/sign-request.ts';
import { signedChunks, signedChunksLength } from '../protocol/signing/signed-chunks.ts';
import { EMPTY_SHA256 } from '../protocol/signing/string-to-sign.ts';
import type { WireHeaders } from '../protocol/wire.ts';

/** Below this a body is held whole, hashed in memory and sent in one piece. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;
/** Of a body whose digest is known: as much as one write to the socket takes well. */
const MAX_ONE_WRITE_BYTES = 256 * 1024;

export interface OutgoingBody {
  /** What the content-sha256 header says. */
  readonly payloadHash: string;
  /** Headers of the body itself, to be signed with the rest. */
  readonly headers: WireHeaders;
  /** Whether `content` may be asked for again. */
  readonly repeatable: boolean;
  /** Undefined for no body. */
  content(seed: Seed): Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

export const NO_BODY: OutgoingBody = {
  payloadHash: EMPTY_SHA256,
  headers: [],
  repeatable: true,
  content: () => undefined,
};

export function textBody(text: string): OutgoingBody {
  return heldBody(Buffer.from(text, 'utf8'));
}

/** Reads `body` as far as signing needs. Throws what its stream throws, and IncompleteBody when it is not as long as it said. */
export async function objectBody(body: Body, dialect: Dialect): Promise<OutgoingBody> {
  const { sizeBytes, sha256 } = body;
  if (sizeBytes !== undefined && sha256 !== undefined) {
    if (sizeBytes > MAX_ONE_WRITE_BYTES) return digestBody(body, { sizeBytes, sha256 });
    return heldBody(await readWhole(body, sizeBytes), sha256);
  }
  if (sizeBytes !== undefined && sizeBytes <= MAX_HELD_BYTES) {
    return heldBody(await readWhole(body, sizeBytes));
  }
  if (body.replayable) return digestBody(body, await measure(body));
  if (sizeBytes !== undefined) return chunkedBody(body, sizeBytes, dialect);
  return heldBody(await readUnmeasured(body));
}

function heldBody(bytes: Uint8Array, sha256 = hash('sha256', bytes, 'hex')): OutgoingBody {
  return {
    payloadHash: sha256,
    headers: [['content-length', String(bytes.length)]],
    repeatable: true,
    content: () => bytes,
  };
}

interface Measured {
  readonly sizeBytes: number;
  readonly sha256: string;
}

function digestBody(body: Body, { sizeBytes, sha256 }: Measured): OutgoingBody {
  return {
    payloadHash: sha256,
    headers: [['content-length', String(sizeBytes)]],
    repeatable: body.replayable,
    content: () => exactly(body, sizeBytes),
  };
}

function chunkedBody(body: Body, sizeBytes: number, dialect: Dialect): OutgoingBody {
  return {
    payloadHash: formatPayloadMode({ kind: 'chunked', signed: true, trailer: false }, dialect),
    headers: [
      ['content-length', String(signedChunksLength(sizeBytes))],
      ['content-encoding', 'aws-chunked'],
      [`${dialect.headerPrefix}decoded-content-length`, String(sizeBytes)],
    ],
    repeatable: false,
    content: (seed) => signedChunks(exactly(body, sizeBytes), seed),
  };
}

async function readWhole(body: Body, sizeBytes: number): Promise<Uint8Array> {
  if (body.bytes?.byteLength === sizeBytes) return body.bytes;
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

/** A file may have changed since it was measured: the announced length must not become another request's start. */
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
