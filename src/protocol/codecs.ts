/** Defines codecs, which convert single values to and from their text in headers, queries and XML. */

import type { ByteRange } from '../object-store/object-store.ts';
import { formatHttpDate, formatIsoDate, parseHttpDate, parseIsoDate } from './dates.ts';
import { fromHeaderBytes, toHeaderBytes } from './header-text.ts';
import { escapeXml } from './xml/element.ts';

/**
 * Converts a value to and from its text. `decode` returns undefined for invalid text, and the caller throws an error with
 * the name of the value.
 */
export interface Codec<T> {
  readonly encode: (value: T) => string;
  readonly decode: (text: string) => T | undefined;
  /** Encodes and escapes a value for XML. Present if this is faster than `escapeXml`, because few characters can occur. */
  readonly encodeXml?: (value: T) => string;
}

export const text: Codec<string> = { encode: (value) => value, decode: (value) => value };

/** The value of a header that may contain non-ASCII characters. */
export const headerText: Codec<string> = { encode: toHeaderBytes, decode: fromHeaderBytes };

export const httpDate: Codec<number> = { encode: formatHttpDate, decode: parseHttpDate };

export const isoDate: Codec<number> = {
  encode: formatIsoDate,
  encodeXml: formatIsoDate,
  decode: parseIsoDate,
};

/** Reads an HTTP date or an ISO 8601 date. Writes an HTTP date, as S3 clients do in `LastModifiedTime` of DeleteObjects. */
export const anyDate: Codec<number> = {
  encode: formatHttpDate,
  decode: (date) => parseHttpDate(date) ?? parseIsoDate(date),
};

/** Returns a codec for integers from `min` to `max`, both included, in decimal digits without a sign. */
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

/** Returns a codec for a closed set of values. `words` maps each value to its spelling in the protocol. */
export function oneOf<const T extends string | boolean>(
  words: readonly (readonly [value: T, word: string])[],
): Codec<T> {
  return {
    encode: (value) => words.find(([each]) => each === value)?.[1] ?? String(value),
    decode: (word) => words.find(([, each]) => each === word)?.[0],
  };
}

/** Returns a codec for a closed set of words that have the same spelling in the code and in the protocol. */
export function words<const T extends string>(...each: readonly T[]): Codec<T> {
  return oneOf(each.map((word) => [word, word] as const));
}

export const flag: Codec<boolean> = {
  encode: String,
  decode: (word) => (/^(?:true|false)$/i.test(word) ? word.toLowerCase() === 'true' : undefined),
};

/**
 * Reads `true`, in upper or lower case, as true and any other text as false, as the bypass header requires (semantics B.4).
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

/**
 * The `If-Match` header of a write, which is `*` or one ETag. A quoted `*` is invalid, because no object has such an ETag.
 */
export const expectedEtag: Codec<string> = {
  encode: (tag) => (tag === '*' ? tag : `"${tag}"`),
  decode: (tag) => (tag === '"*"' ? undefined : unquote(tag)),
};

/**
 * The `If-None-Match` header of a write, which is `*` or one ETag. A list or a weak ETag is invalid: read as one ETag, it
 * would match no object, and the write would be performed without its condition.
 */
export const unexpectedEtag: Codec<string> = {
  encode: expectedEtag.encode,
  decode: (tag) => {
    const decoded = expectedEtag.decode(tag);
    return decoded === undefined || /[",\s]/.test(decoded) ? undefined : decoded;
  },
};

/**
 * The `If-Match` and `If-None-Match` headers of a read, which are `*` or a list of ETags. Each ETag may be weak or strong,
 * and quoted or not.
 */
export const etagList: Codec<readonly string[]> = {
  encode: (tags) => tags.map(expectedEtag.encode).join(', '),
  decode: (list) => list.split(',').map((tag) => unquote(tag.trim().replace(/^W\//, ''))),
};

function unquote(tag: string): string {
  return tag.length > 1 && tag.startsWith('"') && tag.endsWith('"') ? tag.slice(1, -1) : tag;
}

/**
 * A byte range, `bytes=a-b`, `bytes=a-` or `bytes=-n`. Several ranges, other units and `b < a` are invalid (semantics
 * B.14). A number may exceed the size of any object, because tools write `bytes=5-9223372036854775806` for all bytes from
 * offset 5.
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

/** Returns the number, or the largest safe integer if the number is larger. */
function exact(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}
