/**
 * Encodes an aws-chunked body with signed chunks (semantics B.11.4). The client uses this encoding for a body that
 * cannot be hashed in advance.
 */

import { hash } from 'node:crypto';

import type { Dialect } from '../dialect.ts';
import type { Seed } from './sign-request.ts';
import {
  chunkStringToSign,
  EMPTY_SHA256,
  signatureOf,
  trailerStringToSign,
} from './string-to-sign.ts';

/**
 * The size of all chunks except the last ones. Popular clients use the same size. Each chunk adds about 90 bytes and
 * one signature.
 */
const CHUNK_BYTES = 64 * 1024;
const SIGNATURE_FIELD = ';chunk-signature=';
const SIGNATURE_CHARACTERS = 64;
const LINE_END = '\r\n';

/** A trailer after the last chunk. `value` is called after the last payload byte was sent. */
export interface Trailer {
  readonly name: string;
  /** The length of the value in characters. It must be known in advance to calculate the Content-Length. */
  readonly valueLength: number;
  value(): string;
}

/** Returns the encoded length in bytes of a body with `sizeBytes` payload bytes. */
export function signedChunksLength(
  sizeBytes: number,
  dialect: Dialect,
  trailer?: Pick<Trailer, 'name' | 'valueLength'>,
): number {
  const whole = Math.floor(sizeBytes / CHUNK_BYTES);
  const rest = sizeBytes % CHUNK_BYTES;
  const last = rest === 0 ? 0 : chunkLength(rest);
  const chunks = whole * chunkLength(CHUNK_BYTES) + last + chunkLength(0);
  if (trailer === undefined) return chunks;
  const lines = lineLength(trailer.name, trailer.valueLength);
  return chunks + lines + lineLength(signatureName(dialect), SIGNATURE_CHARACTERS);
}

/** Returns the length in bytes of `name:value` and the line break. */
function lineLength(name: string, valueLength: number): number {
  return name.length + 1 + valueLength + LINE_END.length;
}

function signatureName({ headerPrefix }: Dialect): string {
  return `${headerPrefix}trailer-signature`;
}

function chunkLength(sizeBytes: number): number {
  const digits = sizeBytes.toString(16).length;
  return digits + SIGNATURE_FIELD.length + SIGNATURE_CHARACTERS + 2 * LINE_END.length + sizeBytes;
}

export async function* signedChunks(
  stream: AsyncIterable<Uint8Array>,
  seed: Seed,
  trailer?: Trailer,
): AsyncGenerator<Uint8Array, void, undefined> {
  let previous = seed.signature;
  const begin = (sizeBytes: number, sha256: string): string => {
    previous = signatureOf(seed.signingKey, chunkStringToSign(seed, previous, sha256));
    return `${sizeBytes.toString(16)}${SIGNATURE_FIELD}${previous}${LINE_END}`;
  };
  for await (const bytes of inPieces(stream)) {
    const header = begin(bytes.length, hash('sha256', bytes, 'hex'));
    yield Buffer.concat([Buffer.from(header, 'latin1'), bytes, Buffer.from(LINE_END, 'latin1')]);
  }
  const last = begin(0, EMPTY_SHA256);
  const lines = trailer === undefined ? '' : trailerLines(trailer, seed, previous);
  yield Buffer.from(last + lines + LINE_END, 'latin1');
}

/** Returns the trailer line and its signature. The signature covers the signature of the last chunk. */
function trailerLines(trailer: Trailer, seed: Seed, previous: string): string {
  const line = `${trailer.name}:${trailer.value()}`;
  const sha256 = hash('sha256', `${line}\n`, 'hex');
  const signature = signatureOf(seed.signingKey, trailerStringToSign(seed, previous, sha256));
  return `${line}${LINE_END}${signatureName(seed.dialect)}:${signature}${LINE_END}`;
}

/** Yields the bytes in chunks of `CHUNK_BYTES`. Only the last chunk may be shorter. */
async function* inPieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const arrived of stream) {
    let rest = arrived;
    while (pendingBytes + rest.length >= CHUNK_BYTES) {
      const missing = CHUNK_BYTES - pendingBytes;
      yield Buffer.concat([...pending, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      pending = [];
      pendingBytes = 0;
    }
    if (rest.length === 0) continue;
    pending.push(rest);
    pendingBytes += rest.length;
  }
  if (pendingBytes > 0) yield Buffer.concat(pending);
}
