/**
 * Decodes an aws-chunked body (semantics B.11.4):
 * `<hex size>[;chunk-signature=<hex>]\r\n<bytes>\r\n … 0…\r\n<trailers>\r\n`. Yields bytes as they arrive, and verifies
 * each chunk's signature at the end of the chunk. So the store must not commit before the stream has ended.
 */

import { createHash, hash } from 'node:crypto';

import { StorageError } from '../../object-store/storage-error.ts';
import { ByteReader } from './byte-reader.ts';
import type { Seed } from './sign-request.ts';
import {
  chunkStringToSign,
  EMPTY_SHA256,
  sameSignature,
  signatureOf,
  trailerStringToSign,
} from './string-to-sign.ts';

export interface ChunkedOptions {
  readonly seed: Seed;
  /** Whether each chunk is signed. */
  readonly signed: boolean;
  /** Whether trailers follow the last chunk, according to the payload mode. */
  readonly trailer: boolean;
  /** The names in the trailer header (`x-amz-trailer`), in lower case. Any other trailer is rejected. */
  readonly declared: ReadonlySet<string>;
  readonly onTrailer: (name: string, value: string) => void;
}

/**
 * The maximum line length. It allows a chunk header, `<13 hex>;chunk-signature=<64 hex>`, and a trailer with a
 * checksum.
 */
const MAX_LINE_BYTES = 1_024;
/**
 * The maximum size of a signed chunk. Its bytes are passed on before the signature is verified. Known clients send
 * smaller chunks. An unsigned chunk may be as long as the body, because chunks are not buffered.
 */
const MAX_SIGNED_CHUNK_BYTES = 16 * 1024 * 1024;
/** The minimum size of a signed chunk that the protocol requires, except for the last chunk. */
const MIN_SIGNED_CHUNK_BYTES = 8 * 1024;

/** Matches a chunk header. The size has at most 13 hex digits, so that a number represents it exactly. */
const CHUNK_HEADER = /^([0-9a-fA-F]{1,13})(?:;chunk-signature=([0-9a-f]{64}))?$/;
const TRAILER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Yields the payload of an aws-chunked body. Throws IncompleteBody if the last chunk is missing, SignatureDoesNotMatch,
 * InvalidChunkSizeError, or InvalidRequest for invalid framing.
 */
export async function* decodeChunked(
  stream: AsyncIterable<Uint8Array>,
  options: ChunkedOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = new ByteReader(stream);
  const chain = new SignatureChain(options.seed);
  try {
    let sizes = new ChunkSizes(options.signed);
    for (;;) {
      const header = readChunkHeader(await reader.line(MAX_LINE_BYTES), options.signed);
      sizes.next(header.sizeBytes);
      if (header.sizeBytes === 0) {
        if (header.signature !== undefined) chain.checkChunk(EMPTY_SHA256, header.signature);
        break;
      }
      yield* readChunk(reader, header, chain);
    }
    await readTrailers(reader, options, chain);
    if (!(await reader.atEnd())) throw invalid('there are bytes after the last chunk');
  } finally {
    await reader.close();
  }
}

interface ChunkHeader {
  readonly sizeBytes: number;
  readonly signature: string | undefined;
}

function readChunkHeader(line: string, signed: boolean): ChunkHeader {
  const [, hex, signature] = CHUNK_HEADER.exec(line) ?? [];
  if (hex === undefined || signed !== (signature !== undefined)) {
    throw invalid(`a chunk must begin with its size in hex${signed ? ' and its signature' : ''}`);
  }
  const sizeBytes = Number.parseInt(hex, 16);
  if (signed && sizeBytes > MAX_SIGNED_CHUNK_BYTES) {
    throw invalid(`a signed chunk has ${sizeBytes} bytes; the limit is ${MAX_SIGNED_CHUNK_BYTES}`);
  }
  return { sizeBytes, signature };
}

async function* readChunk(reader: ByteReader, header: ChunkHeader, chain: SignatureChain) {
  const digest = header.signature === undefined ? undefined : createHash('sha256');
  for (let left = header.sizeBytes; left > 0;) {
    const bytes = await reader.upTo(left);
    left -= bytes.length;
    digest?.update(bytes);
    yield bytes;
  }
  if ((await reader.line(MAX_LINE_BYTES)) !== '') throw invalid('a chunk is longer than its size');
  if (digest && header.signature) chain.checkChunk(digest.digest('hex'), header.signature);
}

/**
 * Reads the trailers after the last chunk: the declared trailers, their signature if chunks are signed, and an empty
 * line.
 */
async function readTrailers(reader: ByteReader, options: ChunkedOptions, chain: SignatureChain) {
  const { signed, declared, onTrailer, seed } = options;
  const signatureName = `${seed.dialect.headerPrefix}trailer-signature`;
  const missing = new Set(declared);
  let signature: string | undefined;
  let lines = '';
  for (;;) {
    const line = await reader.line(MAX_LINE_BYTES);
    if (line === '') break;
    const [, written = '', value = ''] = TRAILER.exec(line) ?? [];
    const name = written.toLowerCase();
    if (signed && name === signatureName && signature === undefined) {
      signature = value;
      continue;
    }
    if (signature !== undefined || !missing.delete(name)) {
      throw invalid(`the trailer '${name}' was not declared`);
    }
    lines += `${name}:${value}\n`;
    onTrailer(name, value);
  }
  if (missing.size > 0) throw invalid(`the trailer '${[...missing].join(', ')}' is missing`);
  if (signed && options.trailer) chain.checkTrailers(lines, signature ?? '');
}

/**
 * Verifies a chain of chunk signatures. The first signature covers the request's signature, and each later signature
 * covers the previous one.
 */
class SignatureChain {
  readonly #seed: Seed;
  #previous: string;

  constructor(seed: Seed) {
    this.#seed = seed;
    this.#previous = seed.signature;
  }

  checkChunk(sha256: string, given: string): void {
    this.#check(chunkStringToSign(this.#seed, this.#previous, sha256), given);
  }

  checkTrailers(lines: string, given: string): void {
    const sha256 = hash('sha256', Buffer.from(lines, 'latin1'), 'hex');
    this.#check(trailerStringToSign(this.#seed, this.#previous, sha256), given);
  }

  #check(text: string, given: string): void {
    const expected = signatureOf(this.#seed.signingKey, text);
    if (!sameSignature(expected, given)) {
      throw new StorageError(
        'SignatureDoesNotMatch',
        'check chunk: its signature does not match the one calculated here',
        { details: { SignatureProvided: given, StringToSign: text } },
      );
    }
    this.#previous = expected;
  }
}

/**
 * Enforces the minimum size of signed chunks. A chunk below the minimum is rejected only when another chunk follows,
 * because the last chunk may be small.
 */
class ChunkSizes {
  readonly #signed: boolean;
  #count = 0;
  #lastBytes = MIN_SIGNED_CHUNK_BYTES;

  constructor(signed: boolean) {
    this.#signed = signed;
  }

  next(sizeBytes: number): void {
    const small = this.#signed && this.#lastBytes < MIN_SIGNED_CHUNK_BYTES;
    if (small && sizeBytes > 0) {
      throw new StorageError(
        'InvalidChunkSizeError',
        `read chunk: only the last chunk can be smaller than ${MIN_SIGNED_CHUNK_BYTES} bytes`,
        { details: { Chunk: this.#count, BadChunkSize: this.#lastBytes } },
      );
    }
    this.#count += 1;
    this.#lastBytes = sizeBytes;
  }
}

function invalid(reason: string): StorageError {
  return new StorageError('InvalidRequest', `read chunked body: ${reason}`);
}
