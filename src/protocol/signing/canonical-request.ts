/**
 * The canonical request (semantics B.11.1): the request as both sides write it before hashing. It is a string
 * of one character a byte (latin1), since header values are bytes and all the rest is ASCII.
 */

import { percentDecode, percentEncode, percentEncodePath } from '../percent.ts';
import type { WireHeaders, WireQuery, WireRequest } from '../wire.ts';

export interface CanonicalParts {
  readonly request: WireRequest;
  /** Lower case, ascending. */
  readonly signedHeaders: readonly string[];
  /** The value of the content-sha256 header, whatever it says. */
  readonly payloadHash: string;
}

export function canonicalRequest({ request, signedHeaders, payloadHash }: CanonicalParts): string {
  return [
    request.method,
    canonicalUri(request.path),
    canonicalQuery(request.query),
    canonicalHeaders(request.headers, signedHeaders),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

const UNRESERVED_PATH = /^[A-Za-z0-9\-._~/]*$/;

/** Decoded once and encoded again; no dot segment, double slash or trailing slash is touched. */
export function canonicalUri(path: string): string {
  return UNRESERVED_PATH.test(path) ? path : percentEncodePath(percentDecode(path));
}

/** Sorted by encoded name, then value, in byte order; `?acl` and `?acl=` are the same. */
export function canonicalQuery(query: WireQuery): string {
  if (query.length === 0) return '';
  return query
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** One line a signed header, repeated ones joined in wire order. A signed header that is absent is empty. */
function canonicalHeaders(headers: WireHeaders, signedHeaders: readonly string[]): string {
  let lines = '';
  for (const signed of signedHeaders) {
    let joined: string | undefined;
    for (const [name, value] of headers) {
      if (name === signed) joined = joined === undefined ? trim(value) : `${joined},${trim(value)}`;
    }
    lines += `${signed}:${joined ?? ''}\n`;
  }
  return lines;
}

const BLANKS_TO_TRIM = /^[ \t]|[ \t]$| {2}/;

/**
 * Only blanks: `\s` would also eat the byte A0, which is half of many UTF-8 characters. The ends by hand, since nobody is known
 * to have signed yet: a pattern looks from each blank of a run anew for the end, for half a second in 16 KiB of them.
 */
function trim(value: string): string {
  if (!BLANKS_TO_TRIM.test(value)) return value;
  let [start, end] = [0, value.length];
  while (start < end && isBlank(value, start)) start += 1;
  while (end > start && isBlank(value, end - 1)) end -= 1;
  return value.slice(start, end).replace(/ {2,}/g, ' ');
}

function isBlank(value: string, at: number): boolean {
  return value[at] === ' ' || value[at] === '\t';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
