/**
 * Formats and parses the `Authorization` header. Parsing does not require a space after a comma, because s3cmd sends
 * none.
 */

import type { Dialect } from '../dialect.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { type Credential, parseCredential } from './credential-scope.ts';

export interface Authorization {
  readonly credential: Credential;
  /** The names of the signed headers, in lower case and ascending order. */
  readonly signedHeaders: readonly string[];
  /** The signature as sent. A valid signature has 64 characters of lower-case hex. */
  readonly signature: string;
}

const FIELDS = new Set(['Credential', 'SignedHeaders', 'Signature']);
const HEADER_NAMES = /^[!#$%&'*+.^_`|~0-9a-z-]+(?:;[!#$%&'*+.^_`|~0-9a-z-]+)*$/;

/**
 * The maximum number of signed headers. 2 KiB of user metadata need fewer headers. Each signed name is looked up before
 * the signature is verified. Without this limit, a request with 16 KiB of headers would take 25 ms, and a few
 * unauthenticated clients could block the service.
 */
const MAX_SIGNED_HEADERS = 512;

/** Formats the value of the `Authorization` header. The caller has already formatted each field. */
export function formatAuthorization(
  { algorithm }: Dialect,
  { credential, signedHeaders, signature }: Readonly<Record<keyof Authorization, string>>,
): string {
  return `${algorithm} Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

/**
 * Parses the value of the `Authorization` header. Throws AuthorizationHeaderMalformed, or InvalidRequest if the
 * algorithm does not match the dialect.
 */
export function parseAuthorization(header: string, dialect: Dialect): Authorization {
  const blank = header.indexOf(' ');
  if (blank === -1 || header.slice(0, blank) !== dialect.algorithm) {
    throw new StorageError(
      'InvalidRequest',
      `read authorization: the mechanism is not supported; sign with ${dialect.algorithm}`,
    );
  }
  const fields = readFields(header.slice(blank + 1));
  const credential = parseCredential(fields.get('Credential') ?? '');
  const signedHeaders = parseSignedHeaders(fields.get('SignedHeaders') ?? '');
  const signature = fields.get('Signature');
  if (!credential) throw malformed('Credential must be key/date/region/service/terminator');
  if (!signedHeaders)
    throw malformed(
      `SignedHeaders must be up to ${MAX_SIGNED_HEADERS} lower-case names in ascending order`,
    );
  if (!signature) throw malformed('Signature is missing');
  return { credential, signedHeaders, signature };
}

/**
 * Parses a list of header names such as `host;x-svc-date`. Returns undefined unless the names are unique, in lower
 * case, in ascending order, and at most MAX_SIGNED_HEADERS.
 */
export function parseSignedHeaders(text: string): readonly string[] | undefined {
  if (!HEADER_NAMES.test(text)) return undefined;
  const names = text.split(';');
  if (names.length > MAX_SIGNED_HEADERS) return undefined;
  const ascending = names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name);
  return ascending ? names : undefined;
}

function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const piece of text.split(',')) {
    const field = piece.trim();
    const equals = field.indexOf('=');
    const [name, value] = [field.slice(0, Math.max(equals, 0)), field.slice(equals + 1)];
    if (value === '' || !FIELDS.has(name) || fields.has(name)) {
      throw malformed('it must have Credential, SignedHeaders and Signature, once each');
    }
    fields.set(name, value);
  }
  return fields;
}

function malformed(reason: string): StorageError {
  return new StorageError('AuthorizationHeaderMalformed', `read authorization header: ${reason}`);
}
