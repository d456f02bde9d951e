/**
 * Verifies a request body against everything that the request declares: length, SHA-256, Content-MD5, checksum, and
 * chunk signatures. Digests are compared at the end of the stream, so the store must not commit before the stream has
 * ended.
 */

import { defined } from '../../base/defined.ts';
import type { RequestedChecksum } from '../../object-store/checksum.ts';
import {
  hashing,
  type RunningChecksum,
  runningChecksum,
} from '../../object-store/checksums/running-checksum.ts';
import { invariant } from '../../base/errors.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import type { Headers } from '../headers.ts';
import { decodeChunked } from './aws-chunked.ts';
import {
  checkChecksumValue,
  type DeclaredDigests,
  readDeclaredDigests,
} from './declared-digests.ts';
import type { PayloadMode } from './payload-mode.ts';
import type { Seed } from './sign-request.ts';

export interface PayloadOptions {
  /** The headers of the request. Vendor headers must have the dialect's prefix. */
  readonly headers: Headers;
  readonly dialect: Dialect;
  /** The payload mode that `verifyRequest` returned. */
  readonly payload: PayloadMode;
  /** The seed for the chunk signatures. Required if the body is chunked. */
  readonly seed?: Seed | undefined;
  /**
   * Which side verifies `sha256` and `checksum`. `store` means that the store verifies them, and that `open` and
   * `check` do not.
   */
  readonly hashedBy: 'store' | 'stream';
}

export interface VerifiedPayload {
  /** The number of bytes that `open` yields, according to the headers. */
  readonly sizeBytes: number;
  /** The SHA-256 of the body in lower-case hex. Present only if the content-sha256 header contains it. */
  readonly sha256?: string;
  /** The checksum from a header or trailer. The value of a trailer is known when the stream from `open` has ended. */
  readonly checksum?: RequestedChecksum;
  /**
   * Yields the bytes without framing and verifies them. It may be called only once. Throws XAmzContentSHA256Mismatch or
   * BadDigest at the end of the stream. Throws IncompleteBody, SignatureDoesNotMatch or another error of
   * `decodeChunked` as soon as it is detected.
   */
  readonly open: (stream: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Verifies a body in memory and throws the same errors as `open`. Absent for a chunked body. */
  readonly check?: (bytes: Uint8Array) => void;
}

/**
 * Returns the declared properties of the body, and functions that verify it. Reads only the headers. Throws
 * MissingContentLength, InvalidArgument, InvalidDigest, InvalidRequest or NotImplemented before any byte of the body is
 * read.
 */
export function verifiedPayload(options: PayloadOptions): VerifiedPayload {
  const { headers, dialect, payload } = options;
  const digests = readDeclaredDigests(headers, dialect);
  const sizeBytes = readSize(headers, dialect, payload);
  if (payload.kind === 'chunked') return chunkedPayload(options, payload, { digests, sizeBytes });
  refuseTrailers(digests.trailers);
  const sha256 = payload.kind === 'digest' ? payload.sha256 : undefined;
  const { hashedBy } = options;
  const checks = () => {
    const signed = sha256 === undefined || hashedBy === 'store' ? [] : [sha256Check(sha256)];
    return [...signed, ...checksOf(digests, hashedBy)];
  };
  return {
    ...defined({ sizeBytes, sha256, checksum: requestedChecksum(digests) }),
    open: (stream) => verify(stream, sizeBytes, checks()),
    check: (bytes) => verifyWhole(bytes, sizeBytes, checks()),
  };
}

interface Announced {
  readonly digests: DeclaredDigests;
  readonly sizeBytes: number;
}

function chunkedPayload(
  { seed, hashedBy }: PayloadOptions,
  { signed, trailer }: PayloadMode & { readonly kind: 'chunked' },
  { digests, sizeBytes }: Announced,
): VerifiedPayload {
  invariant(seed, 'read body: a chunked body requires a version 4 signature');
  if (!trailer) refuseTrailers(digests.trailers);
  const received = new Map<string, string>();
  const open = (stream: AsyncIterable<Uint8Array>) => {
    const bytes = decodeChunked(stream, {
      seed,
      signed,
      trailer,
      declared: digests.trailers,
      onTrailer: (name, value) => {
        if (digests.checksum) checkChecksumValue(name, digests.checksum.algorithm, value);
        received.set(name, value);
      },
    });
    return verify(bytes, sizeBytes, checksOf(digests, hashedBy, received));
  };
  return { ...defined({ sizeBytes, checksum: requestedChecksum(digests, received) }), open };
}

/**
 * Returns the checksum that the request declares. The value of a trailer is read lazily, because it arrives after the
 * body.
 */
function requestedChecksum(
  { checksum }: DeclaredDigests,
  trailers: ReadonlyMap<string, string> = NO_TRAILERS,
): RequestedChecksum | undefined {
  return (
    checksum && {
      algorithm: checksum.algorithm,
      get value() {
        return checksum.value ?? trailers.get(checksum.name);
      },
    }
  );
}

const NO_TRAILERS: ReadonlyMap<string, string> = new Map();

interface Check {
  readonly checksum: RunningChecksum;
  /** Throws a StorageError if the digest does not match the declared digest. */
  readonly compare: (digest: Buffer) => void;
}

async function* verify(
  stream: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  checks: readonly Check[],
): AsyncGenerator<Uint8Array, void, undefined> {
  let received = 0;
  for await (const bytes of stream) {
    received += bytes.length;
    if (received > sizeBytes) throw wrongLength(sizeBytes, 'more');
    for (const { checksum } of checks) checksum.update(bytes);
    yield bytes;
  }
  if (received < sizeBytes) throw wrongLength(sizeBytes, `only ${received}`);
  for (const { checksum, compare } of checks) compare(checksum.digest());
}

function verifyWhole(bytes: Uint8Array, sizeBytes: number, checks: readonly Check[]): void {
  if (bytes.length > sizeBytes) throw wrongLength(sizeBytes, 'more');
  if (bytes.length < sizeBytes) throw wrongLength(sizeBytes, `only ${bytes.length}`);
  for (const { checksum, compare } of checks) {
    checksum.update(bytes);
    compare(checksum.digest());
  }
}

function wrongLength(sizeBytes: number, received: string): StorageError {
  return new StorageError(
    'IncompleteBody',
    `read body: ${sizeBytes} bytes were declared, but ${received} were received`,
    {
      details: { NumberBytesExpected: sizeBytes },
    },
  );
}

function checksOf(
  { contentMd5, checksum }: DeclaredDigests,
  hashedBy: PayloadOptions['hashedBy'],
  trailers = NO_TRAILERS,
): readonly Check[] {
  const checks: Check[] = [];
  if (contentMd5 !== undefined) {
    checks.push({
      checksum: hashing('md5'),
      compare: (digest) => compareBase64('content-md5', contentMd5, digest),
    });
  }
  if (checksum !== undefined && hashedBy === 'stream') {
    const { algorithm, name } = checksum;
    checks.push({
      checksum: runningChecksum(algorithm),
      compare: (digest) => compareBase64(name, checksum.value ?? trailers.get(name) ?? '', digest),
    });
  }
  return checks;
}

function sha256Check(sha256: string): Check {
  return {
    checksum: hashing('sha256'),
    compare: (digest) => {
      const calculated = digest.toString('hex');
      if (calculated === sha256) return;
      throw new StorageError(
        'XAmzContentSHA256Mismatch',
        'check body: its SHA-256 does not match the signed one',
        {
          details: {
            ClientComputedContentSHA256: sha256,
            S3ComputedContentSHA256: calculated,
          },
        },
      );
    },
  };
}

function compareBase64(name: string, expected: string, digest: Buffer): void {
  const calculated = digest.toString('base64');
  if (calculated === expected) return;
  throw new StorageError('BadDigest', `check body: it does not match its ${name}`, {
    details: { ExpectedDigest: expected, CalculatedDigest: calculated },
  });
}

const LENGTH = /^[0-9]{1,15}$/;

/**
 * Returns the declared length of the payload in bytes, or 0 if the request has no body. Throws MissingContentLength if
 * the body has an unknown length.
 */
function readSize(headers: Headers, dialect: Dialect, payload: PayloadMode): number {
  const chunked = payload.kind === 'chunked';
  const name = chunked ? `${dialect.headerPrefix}decoded-content-length` : 'content-length';
  const value = headers.get(name);
  if (value === undefined) {
    const hasBody = chunked || headers.get('transfer-encoding') !== undefined;
    if (!hasBody) return 0;
    throw new StorageError('MissingContentLength', `read headers: ${name} is missing`);
  }
  if (LENGTH.test(value)) return Number(value);
  throw new StorageError('InvalidArgument', `read ${name}: it must be an integer of at least 0`, {
    details: { ArgumentName: name, ArgumentValue: value },
  });
}

function refuseTrailers(trailers: ReadonlySet<string>): void {
  if (trailers.size === 0) return;
  throw new StorageError(
    'InvalidRequest',
    'read headers: the request declares a trailer, but its content-sha256 does not allow trailers',
  );
}
