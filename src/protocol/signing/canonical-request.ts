/**
 * Creates the canonical request (semantics B.11.1), which the client and the service both hash. The string has one
 * character per byte (latin1), because header values are bytes and all other parts are ASCII.
 */

import { percentDecode, percentEncode, percentEncodePath } from '../percent.ts';
import type { Headers } from '../headers.ts';
import type { WireHeaders, WireQuery, WireRequest } from '../wire.ts';

/** The signed headers in canonical form. */
export interface CanonicalHeaders {
  /** The unique header names in lower case and ascending order, separated by `;`. */
  readonly names: string;
  /** One line for each header name, `name:value\n`. */
  readonly lines: string;
}

/**
 * Returns the canonical request. `payloadHash` is the value of the content-sha256 header, which may also be a keyword
 * such as UNSIGNED-PAYLOAD.
 */
export function canonicalRequest(
  { method, path, query }: Omit<WireRequest, 'headers'>,
  { names, lines }: CanonicalHeaders,
  payloadHash: string,
): string {
  const [uri, parameters] = [canonicalUri(path), canonicalQuery(query)];
  return `${method}\n${uri}\n${parameters}\n${lines}\n${names}\n${payloadHash}`;
}

const UNRESERVED_PATH = /^[A-Za-z0-9\-._~/]*$/;

/**
 * Returns the canonical path: decoded once and encoded again. Dot segments, double slashes and trailing slashes are
 * unchanged.
 */
export function canonicalUri(path: string): string {
  return UNRESERVED_PATH.test(path) ? path : percentEncodePath(percentDecode(path));
}

/**
 * Returns the canonical query: sorted by encoded name and then by encoded value, in byte order. `?acl` and `?acl=` have
 * the same canonical form.
 */
export function canonicalQuery(query: WireQuery): string {
  if (query.length === 0) return '';
  return query
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/**
 * Returns the canonical form of all headers of a request to be signed. Values of repeated headers are joined in message
 * order.
 */
export function allHeaders(headers: WireHeaders): CanonicalHeaders {
  let [names, lines, before] = ['', '', ''];
  for (const [name, value] of headers.toSorted(byName)) {
    if (name === before) {
      lines = `${lines.slice(0, -1)},${trim(value)}\n`;
      continue;
    }
    names += names === '' ? name : `;${name}`;
    lines += `${name}:${trim(value)}\n`;
    before = name;
  }
  return { names, lines };
}

/**
 * Returns the canonical form of the headers that a received request lists as signed. A listed header that is absent has
 * an empty value.
 */
export function claimedHeaders(
  headers: Headers,
  signedHeaders: readonly string[],
): CanonicalHeaders {
  let lines = '';
  for (const signed of signedHeaders) lines += `${signed}:${signedValue(headers, signed)}\n`;
  return { names: signedHeaders.join(';'), lines };
}

function signedValue(headers: Headers, name: string): string {
  if (!headers.repeated.includes(name)) return trim(headers.get(name) ?? '');
  const values = headers.list.filter(([each]) => each === name);
  return values.map(([, value]) => trim(value)).join(',');
}

function byName([one]: WireHeaders[number], [other]: WireHeaders[number]): number {
  return compare(one, other);
}

const BLANKS_TO_TRIM = /^[ \t]|[ \t]$| {2}/;

/**
 * Trims spaces and tabs at both ends, and collapses each run of spaces to one space. `\s` would also match the byte A0,
 * which is part of many UTF-8 characters. A regular expression for the trailing spaces would search again from each
 * space: an unauthenticated client could use half a second of CPU time with 16 KiB of spaces.
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
