/** Writes an aws-chunked body whose chunks are each signed (semantics B.11.4): for bodies that cannot be hashed first. */

import { hash } from 'node:crypto';

import type { Seed } from './sign-request.ts';
import { chunkStringToSign, EMPTY_SHA256, signatureOf } from './string-to-sign.ts';

/** What the wide-spread clients use; each chunk costs some 90 bytes and one signature. */
const CHUNK_BYTES = 64 * 1024;
const SIGNATURE_FIELD = ';chunk-signature=';
const SIGNATURE_CHARACTERS = 64;
const LINE_ENDS = 4;

/** How long `sizeBytes` of payload become. */
export function signedChunksLength(sizeBytes: number): number {
  const whole = Math.floor(sizeBytes / CHUNK_BYTES);
  const rest = sizeBytes % CHUNK_BYTES;
  const last = rest === 0 ? 0 : chunkLength(rest);
  return whole * chunkLength(CHUNK_BYTES) + last + chunkLength(0);
}

function chunkLength(sizeBytes: number): number {
  const digits = sizeBytes.toString(16).length;
  return digits + SIGNATURE_FIELD.length + SIGNATURE_CHARACTERS + LINE_ENDS + sizeBytes;
}

export async function* signedChunks(
  stream: AsyncIterable<Uint8Array>,
  seed: Seed,
): AsyncGenerator<Uint8Array, void, undefined> {
  let previous = seed.signature;
  const write = (bytes: Uint8Array): Uint8Array => {
    const sha256 = bytes.length === 0 ? EMPTY_SHA256 : hash('sha256', bytes, 'hex');
    previous = signatureOf(seed.signingKey, chunkStringToSign(seed, previous, sha256));
    const header = `${bytes.length.toString(16)}${SIGNATURE_FIELD}${previous}\r\n`;
    return Buffer.concat([Buffer.from(header, 'latin1'), bytes, Buffer.from('\r\n', 'latin1')]);
  };
  for await (const bytes of inPieces(stream)) yield write(bytes);
  yield write(new Uint8Array(0));
}

/** The same bytes in pieces of exactly `CHUNK_BYTES`, but for the last. */
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
