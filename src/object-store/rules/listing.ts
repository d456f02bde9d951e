/** Implements the order, the common prefixes and the pages of listings. All names are well-formed Unicode. */

import { StorageError } from '../storage-error.ts';

/** The maximum and the default number of entries in a page. */
const MAX_PAGE_ENTRIES = 1000;

const SURROGATES_START = 0xd800;
const SURROGATES_END = 0xdfff;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Compares two names by their UTF-8 bytes, without encoding them. Returns a negative number, 0 or a positive number.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return utf8Rank(left) - utf8Rank(right);
  }
  return a.length - b.length;
}

/**
 * Returns a number by which UTF-16 code units sort in the order of UTF-8. UTF-16 sorts surrogates, which encode U+10000
 * and above, before U+E000 to U+FFFF; UTF-8 sorts them after. All other code units have the same order in both.
 */
function utf8Rank(unit: number): number {
  return unit >= SURROGATES_START && unit <= SURROGATES_END ? unit + 0x10000 : unit;
}

/**
 * Returns the common prefix of the key: the key up to and including the first `delimiter` after `prefix`. Returns
 * undefined if the listing contains the key itself.
 */
export function commonPrefix(
  key: string,
  prefix: string,
  delimiter: string | undefined,
): string | undefined {
  if (delimiter === undefined || delimiter === '' || !key.startsWith(prefix)) return undefined;
  const found = key.indexOf(delimiter, prefix.length);
  return found < 0 ? undefined : key.slice(0, found + delimiter.length);
}

/**
 * Returns the lowest name that sorts after all names with `prefix`. Returns undefined if no such name exists, as for
 * the empty prefix. The names with a prefix are those with `prefix <= name < afterPrefix(prefix)`.
 */
export function afterPrefix(prefix: string): string | undefined {
  const last = prefix.charCodeAt(prefix.length - 1);
  if (last < SURROGATES_START - 1) return prefix.slice(0, -1) + String.fromCharCode(last + 1);
  return afterRarePrefix(prefix);
}

/** Calculates `afterPrefix` for prefixes whose last UTF-16 code unit cannot simply be incremented. */
function afterRarePrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === SURROGATES_START ? SURROGATES_END + 1 : last + 1;
  return points.map((point) => String.fromCodePoint(point)).join('') + String.fromCodePoint(next);
}

/** The last entry of a page: a key or a common prefix. */
export interface ListPosition {
  readonly kind: 'key' | 'prefix';
  readonly name: string;
}

/** The position at which a listing resumes: at `name` if `inclusive` is set; otherwise at the first name after it. */
export interface ListBound {
  readonly name: string;
  readonly inclusive: boolean;
}

/**
 * Returns the position at which a listing resumes after `position`, or undefined if nothing can follow. If the position
 * is a common prefix or within one (`a/1` is within `a/`), all other keys with that prefix are skipped.
 */
export function resumeAfter(
  position: ListPosition,
  { prefix, delimiter }: { readonly prefix: string; readonly delimiter: string | undefined },
): ListBound | undefined {
  const passed =
    position.kind === 'prefix' ? position.name : commonPrefix(position.name, prefix, delimiter);
  if (passed === undefined) return { name: position.name, inclusive: false };
  const name = afterPrefix(passed);
  return name === undefined ? undefined : { name, inclusive: true };
}

/** The maximum number of characters of an invalid token that the error message repeats. */
const SHOWN_CHARACTERS = 80;

const TOKEN_VERSION = 1;
const TOKEN_KINDS = ['key', 'prefix'] as const;

/**
 * Returns the continuation token for a position: the base64url of a version byte, a kind byte and the name in UTF-8.
 * Clients must not interpret it.
 */
export function encodeListToken({ kind, name }: ListPosition): string {
  const head = Buffer.from([TOKEN_VERSION, TOKEN_KINDS.indexOf(kind)]);
  return Buffer.concat([head, Buffer.from(name)]).toString('base64url');
}

/**
 * Returns the position that a continuation token contains. Throws `InvalidArgument` for a token that `encodeListToken`
 * did not create.
 */
export function decodeListToken(token: string): ListPosition {
  const bytes = Buffer.from(token, 'base64url');
  const [version, kindIndex] = bytes;
  const kind = kindIndex === undefined ? undefined : TOKEN_KINDS[kindIndex];
  const name = bytes.toString('utf8', 2);
  // Accept only a token that is equal to its own re-encoding, because base64url decoding also accepts malformed text.
  if (version === TOKEN_VERSION && kind && encodeListToken({ kind, name }) === token) {
    return { kind, name };
  }
  throw new StorageError(
    'InvalidArgument',
    'list objects: The continuation token provided is incorrect',
    {
      details: {
        ArgumentName: 'continuation-token',
        ArgumentValue: token.slice(0, SHOWN_CHARACTERS),
      },
    },
  );
}

/**
 * Returns the maximum number of entries in a page. Throws `InvalidArgument` for an invalid number. `argument` is the
 * name of the parameter in the error message.
 */
export function pageSize(requested: number | undefined, argument: string): number {
  if (requested === undefined) return MAX_PAGE_ENTRIES;
  if (Number.isSafeInteger(requested) && requested >= 0)
    return Math.min(requested, MAX_PAGE_ENTRIES);
  throw new StorageError(
    'InvalidArgument',
    `list: ${argument} must be 0 or more, not ${requested}`,
    {
      details: { ArgumentName: argument, ArgumentValue: String(requested) },
    },
  );
}
