/**
 * The canonical request (semantics B.11.1): the request as both sides write it before hashing. It is a string
 * of one character a byte (latin1), since header values are bytes and all the rest is ASCII.
 */

import { percentDecode, percentEncode, percentEncodePath } from '../percent.ts';
import type { Headers } from '../headers.ts';
import type { WireHeaders, WireQuery, WireRequest } from '../wire.ts';

/** What of the headers is signed. */
export interface CanonicalHeaders {
  /** Lower case, ascending, each once, with `;` between them. */
  readonly names: string;
  /** One line a name, `name:value\n`. */
  readonly lines: string;
}

/** `payloadHash` is the value of the content-sha256 header, whatever it says. */
export function canonicalRequest(
  { method, path, query }: Omit<WireRequest, 'headers'>,
  { names, lines }: CanonicalHeaders,
  payloadHash: string,
): string {
  const [uri, parameters] = [canonicalUri(path), canonicalQuery(query)];
  return `${method}\n${uri}\n${parameters}\n${lines}\n${names}\n${payloadHash}`;
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

/** Of a request to be signed: all its headers, repeated ones joined in wire order. */
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

/** Of a request that was signed: the headers that it says were. One that is absent is empty. */
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
