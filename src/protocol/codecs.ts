/** Codecs convert single values to and from their text form in headers, query parameters and XML elements. */

import type { ByteRange } from '../object-store/object-store.ts';
import { formatHttpDate, formatIsoDate, parseHttpDate, parseIsoDate } from './dates.ts';
import { fromHeaderBytes, toHeaderBytes } from './header-text.ts';
import { escapeXml } from './xml/element.ts';

/**
 * Converts a value to and from text. `decode` returns undefined for invalid text. The caller then throws an error that
 * names the value.
 */
export interface Codec<T> {
  readonly encode: (value: T) => string;
  readonly decode: (text: string) => T | undefined;
  /**
   * Encodes a value and escapes it for XML. A codec defines this method if few characters can need an escape, so that
   * it is faster than `escapeXml`.
   */
  readonly encodeXml?: (value: T) => string;
}

export const text: Codec<string> = { encode: (value) => value, decode: (value) => value };

/** A header value that may contain non-ASCII characters. */
export const headerText: Codec<string> = { encode: toHeaderBytes, decode: fromHeaderBytes };

export const httpDate: Codec<number> = { encode: formatHttpDate, decode: parseHttpDate };

export const isoDate: Codec<number> = {
  encode: formatIsoDate,
  encodeXml: formatIsoDate,
  decode: parseIsoDate,
};

/**
 * Reads an HTTP date or an ISO 8601 date. Writes an HTTP date, because S3 clients send an HTTP date in
 * `LastModifiedTime` of DeleteObjects.
 */
export const anyDate: Codec<number> = {
  encode: formatHttpDate,
  decode: (date) => parseHttpDate(date) ?? parseIsoDate(date),
};

/** Returns a codec for decimal integers without a sign. `min` and `max` are inclusive. */
export function integer(min = 0, max = Number.MAX_SAFE_INTEGER): Codec<number> {
  return {
    encode: String,
    encodeXml: String,
    decode: (digits) => {
      if (!/^\d{1,16}$/.test(digits)) return undefined;
      const value = Number(digits);
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** Returns a codec for a fixed set of values. `words` maps each value to its spelling in the protocol. */
export function oneOf<const T extends string | boolean>(
  words: readonly (readonly [value: T, word: string])[],
): Codec<T> {
  return {
    encode: (value) => words.find(([each]) => each === value)?.[1] ?? String(value),
    decode: (word) => words.find(([, each]) => each === word)?.[0],
  };
}

/** Returns a codec for a fixed set of words that are spelled the same in the code and in the protocol. */
export function words<const T extends string>(...each: readonly T[]): Codec<T> {
  return oneOf(each.map((word) => [word, word] as const));
}

export const flag: Codec<boolean> = {
  encode: String,
  decode: (word) => (/^(?:true|false)$/i.test(word) ? word.toLowerCase() === 'true' : undefined),
};

/**
 * Decodes `true`, in any case, as true, and any other text as false. The bypass-governance header requires this
 * (semantics B.4).
 */
export const trueOnly: Codec<boolean> = {
  encode: String,
  decode: (word) => word.toLowerCase() === 'true',
};

/** Writes an ETag with quotes, and reads it with or without quotes. */
export const etag: Codec<string> = {
  encode: (tag) => `"${tag}"`,
  encodeXml: (tag) => `&quot;${escapeXml(tag)}&quot;`,
  decode: unquote,
};

/** The `If-Match` header of a write: `*` or a single ETag. A quoted `*` is invalid because no object has that ETag. */
export const expectedEtag: Codec<string> = {
  encode: (tag) => (tag === '*' ? tag : `"${tag}"`),
  decode: (tag) => (tag === '"*"' ? undefined : unquote(tag)),
};

/**
 * The `If-None-Match` header of a write: `*` or a single ETag. A list or a weak ETag is rejected. If it were parsed as
 * a single ETag, it would match no object, and the write would succeed unconditionally.
 */
export const unexpectedEtag: Codec<string> = {
  encode: expectedEtag.encode,
  decode: (tag) => {
    const decoded = expectedEtag.decode(tag);
    return decoded === undefined || /[",\s]/.test(decoded) ? undefined : decoded;
  },
};

/**
 * The `If-Match` and `If-None-Match` headers of a read: `*` or a list of ETags. Each ETag may be weak or strong, quoted
 * or unquoted.
 */
export const etagList: Codec<readonly string[]> = {
  encode: (tags) => tags.map(expectedEtag.encode).join(', '),
  decode: (list) => list.split(',').map((tag) => unquote(tag.trim().replace(/^W\//, ''))),
};

function unquote(tag: string): string {
  return tag.length > 1 && tag.startsWith('"') && tag.endsWith('"') ? tag.slice(1, -1) : tag;
}

/**
 * A byte range: `bytes=a-b`, `bytes=a-` or `bytes=-n`. Multiple ranges, other units and `b < a` are invalid (semantics
 * B.14). A number may be larger than any object, because some tools write `bytes=5-9223372036854775806` to read from
 * offset 5 to the end.
 */
export const byteRange: Codec<ByteRange> = {
  encode: (range) =>
    'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`,
  decode: (header) => {
    const match = /^bytes=(\d*)-(\d*)$/.exec(header);
    if (match === null) return undefined;
    const [, first = '', last = ''] = match;
    if (first === '') return last === '' ? undefined : { suffix: exact(last) };
    if (last === '') return { first: exact(first) };
    return Number(last) < Number(first) ? undefined : { first: exact(first), last: exact(last) };
  },
};

/** Parses digits as a number. If the number is too large, returns the largest safe integer. */
function exact(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}
