/**
 * `*` and `?` as policies write them, and variables such as `${aws:username}`. Matched by hand: a pattern comes from a
 * user, and a regular expression made of it could take for ever (security E.3).
 */

import { matchLongCodes } from './long-pattern.ts';
import { ANY_CHARACTER, ANY_TEXT, type Codes } from './pattern-codes.ts';

/** What a variable stands for in this request. */
export type ValueOf = (name: string) => string | undefined;

export interface Pattern {
  /** A variable that stands for nothing matches nothing. */
  matches(text: string, valueOf: ValueOf): boolean;
}

export interface PatternOptions {
  /** Whether `*` and `?` are wildcards, else they are meant literally. */
  readonly wildcards: boolean;
  /** What a name in `${}` is called in the request. Absent: there are no variables, and `${` is text. */
  readonly variables?: ((name: string) => string | undefined) | undefined;
}

interface Variable {
  readonly variable: string;
}

/** `${*}`, `${?}` and `${$}` are these characters themselves. */
const ESCAPED = new Set(['*', '?', '$']);

/** Undefined for a variable that there is not, and for a `${` that is not closed. */
export function compilePattern(source: string, options: PatternOptions): Pattern | undefined {
  const pieces = readPieces(source, options);
  if (pieces === undefined) return undefined;
  const codes = expand(pieces, () => undefined);
  if (codes !== undefined) return { matches: (text) => matchesCodes(codes, text) };
  return {
    matches: (text, valueOf) => {
      const expanded = expand(pieces, valueOf);
      return expanded !== undefined && matchesCodes(expanded, text);
    },
  };
}

const VARIABLE = /\$\{([^}]*)(\}?)/g;

function readPieces(
  source: string,
  { wildcards, variables }: PatternOptions,
): readonly (Codes | Variable)[] | undefined {
  if (!variables) return [codesOf(source, wildcards)];
  const pieces: (Codes | Variable)[] = [];
  let end = 0;
  for (const match of source.matchAll(VARIABLE)) {
    const [whole, name = '', closed] = match;
    const variable = variables(name);
    if (closed === '' || (variable === undefined && !ESCAPED.has(name))) return undefined;
    pieces.push(codesOf(source.slice(end, match.index), wildcards));
    pieces.push(variable === undefined ? codesOf(name, false) : { variable });
    end = match.index + whole.length;
  }
  pieces.push(codesOf(source.slice(end), wildcards));
  return pieces;
}

function codesOf(text: string, wildcards: boolean): Codes {
  return Array.from({ length: text.length }, (_, index) => {
    if (wildcards && text[index] === '*') return ANY_TEXT;
    if (wildcards && text[index] === '?') return ANY_CHARACTER;
    return text.charCodeAt(index);
  });
}

/** What a variable stands for is meant literally, whatever characters are in it. */
function expand(pieces: readonly (Codes | Variable)[], valueOf: ValueOf): Codes | undefined {
  const codes: number[] = [];
  for (const piece of pieces) {
    if (!('variable' in piece)) {
      codes.push(...piece);
      continue;
    }
    const value = valueOf(piece.variable);
    if (value === undefined) return undefined;
    codes.push(...codesOf(value, false));
  }
  return codes;
}

/** What most patterns and texts stay below; a policy has room for a thousand patterns. */
const MAX_STEPS = 4096;

function matchesCodes(codes: Codes, text: string): boolean {
  const isShort = codes.length * text.length <= MAX_STEPS;
  return isShort ? matchCodes(codes, text) : matchLongCodes(codes, text);
}

/** Goes back to the last `*` alone, so that it takes at most as many steps as the two lengths multiplied. */
function matchCodes(codes: Codes, text: string): boolean {
  let at = 0;
  let index = 0;
  let star = -1;
  let resumed = 0;
  while (index < text.length) {
    const code = codes[at];
    if (code === ANY_TEXT) {
      star = at++;
      resumed = index;
    } else if (code === ANY_CHARACTER) {
      at++;
      index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
    } else if (code === text.charCodeAt(index)) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resumed;
    } else return false;
  }
  while (codes[at] === ANY_TEXT) at++;
  return at === codes.length;
}
