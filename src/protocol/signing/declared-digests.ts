/** Reads the digests that a request declares for its body, either in headers or in a trailer (semantics B.11.4). */

import { once } from '../../base/once.ts';
import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm } from '../../object-store/checksum.ts';
import { checksumOf } from '../../object-store/checksums/running-checksum.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import type { Headers } from '../headers.ts';

export interface DeclaredDigests {
  /** The value of the Content-MD5 header: 16 bytes in base64. */
  readonly contentMd5?: string;
  /**
   * The declared checksum of the body. `name` is the name of the header or trailer with the checksum. `value` is in
   * base64, and is absent if the checksum is in a trailer.
   */
  readonly checksum?: {
    readonly algorithm: ChecksumAlgorithm;
    readonly name: string;
    readonly value?: string;
  };
  /** The names in the trailer header (`x-amz-trailer`), in lower case. Empty if the request has no such header. */
  readonly trailers: ReadonlySet<string>;
}

/** Returns the checksums of an empty body, in base64. */
export const checksumsOfNothing = once(
  () =>
    Object.fromEntries(
      CHECKSUM_ALGORITHMS.map((algorithm) => [algorithm, checksumOf(algorithm, new Uint8Array(0))]),
    ) as Readonly<Record<ChecksumAlgorithm, string>>,
);

/** Suffixes of headers that start like a checksum header but do not contain a checksum. */
const NO_CHECKSUMS = new Set(['algorithm', 'mode', 'type']);

/**
 * Reads the digests that the headers declare. Throws InvalidDigest, InvalidRequest, or NotImplemented for an unknown
 * algorithm.
 */
export function readDeclaredDigests(headers: Headers, dialect: Dialect): DeclaredDigests {
  const trailers = readTrailerNames(headers, dialect);
  const contentMd5 = headers.get('content-md5');
  if (contentMd5 !== undefined && !isBase64Of(contentMd5, 16)) {
    throw new StorageError('InvalidDigest', 'read content-md5: it must be base64 of 16 bytes', {
      details: { 'Content-MD5': contentMd5 },
    });
  }
  const checksum = readChecksum(headers, trailers, dialect);
  return {
    trailers,
    ...(contentMd5 === undefined ? {} : { contentMd5 }),
    ...(checksum === undefined ? {} : { checksum }),
  };
}

/** Throws InvalidRequest unless `value` is base64 and has the length of this algorithm's checksums. */
export function checkChecksumValue(
  name: string,
  algorithm: ChecksumAlgorithm,
  value: string,
): void {
  const lengthBytes = Buffer.from(checksumsOfNothing()[algorithm], 'base64').length;
  if (isBase64Of(value, lengthBytes)) return;
  throw new StorageError(
    'InvalidRequest',
    `read ${name}: it must be base64 of ${lengthBytes} bytes`,
  );
}

function readChecksum(
  headers: Headers,
  trailers: ReadonlySet<string>,
  dialect: Dialect,
): DeclaredDigests['checksum'] {
  const prefix = `${dialect.headerPrefix}checksum-`;
  const inHeaders = headers.list.filter(
    ([name]) => name.startsWith(prefix) && !NO_CHECKSUMS.has(name.slice(prefix.length)),
  );
  const found = [...inHeaders, ...[...trailers].map((name) => [name, undefined] as const)];
  const [first] = found;
  if (found.length > 1) {
    throw new StorageError(
      'InvalidRequest',
      'read checksums: the request must have only one checksum',
      {
        details: { Header: found.map(([name]) => name).join(', ') },
      },
    );
  }
  if (first === undefined) {
    refuseMissingValue(headers, dialect);
    return undefined;
  }
  const [name, value] = first;
  const algorithm = algorithmOf(name, prefix);
  refuseOtherAlgorithm(headers, dialect, algorithm);
  if (value === undefined) return { algorithm, name };
  checkChecksumValue(name, algorithm, value);
  return { algorithm, name, value };
}

function algorithmOf(name: string, prefix: string): ChecksumAlgorithm {
  const written = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  const algorithm = CHECKSUM_ALGORITHMS.find((each) => each.toLowerCase() === written);
  if (algorithm !== undefined) return algorithm;
  throw new StorageError(
    'NotImplemented',
    `read ${name}: this checksum algorithm is not supported`,
    {
      details: { Header: name },
    },
  );
}

/**
 * Throws InvalidRequest if a request specifies a checksum algorithm but has no checksum. The client intended to send a
 * checksum, so the body must not stay unverified.
 */
function refuseMissingValue(headers: Headers, dialect: Dialect): void {
  const name = `${dialect.headerPrefix}sdk-checksum-algorithm`;
  const value = headers.get(name);
  if (value === undefined) return;
  throw new StorageError(
    'InvalidRequest',
    `read ${name}: the request has neither a checksum nor a trailer for this algorithm`,
    {
      details: { Header: name },
    },
  );
}

function refuseOtherAlgorithm(
  headers: Headers,
  dialect: Dialect,
  algorithm: ChecksumAlgorithm,
): void {
  const name = `${dialect.headerPrefix}sdk-checksum-algorithm`;
  const value = headers.get(name);
  if (value === undefined || value.toUpperCase() === algorithm) return;
  throw new StorageError(
    'InvalidRequest',
    `read ${name}: its algorithm differs from that of the ${algorithm} checksum in the request`,
    { details: { Header: name } },
  );
}

function readTrailerNames(headers: Headers, dialect: Dialect): ReadonlySet<string> {
  const value = headers.get(`${dialect.headerPrefix}trailer`) ?? '';
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ''));
}

function isBase64Of(text: string, lengthBytes: number): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === lengthBytes && bytes.toString('base64') === text;
}
