/**
 * `*` and `?` as policies write them, and variables such as `${aws:username}`. Matched by hand under a step budget: a
 * pattern comes from one user and the text from another, and together they could take unlimited time (security E.3).
 */

import type { StepBudget } from '../../../base/step-budget.ts';

/** The value of a variable in this request. */
export type ValueOf = (name: string) => string | undefined;

/** What texts are compared with patterns under. */
export interface Matching {
  readonly valueOf: ValueOf;
  readonly budget: StepBudget;
}

export interface Pattern {
  /** A pattern whose variable has no value matches no text. Throws StepLimitError. */
  matches(text: string, matching: Matching): boolean;
}

export interface PatternOptions {
  /** Whether `*` and `?` are wildcards, else they are meant literally. */
  readonly wildcards: boolean;
  /** What a name in `${}` is called in the request. Absent: there are no variables, and `${` is text. */
  readonly variables?: ((name: string) => string | undefined) | undefined;
}

/** Codes of UTF-16 to be met one after the other, with these two among them. */
type Codes = readonly number[];
/** `*` */
const ANY_TEXT = -1;
/** `?`, which is one code point. */
const ANY_CHARACTER = -2;

interface Variable {
  readonly variable: string;
}

/** `${*}`, `${?}` and `${$}` are these characters themselves. */
const ESCAPED = new Set(['*', '?', '$']);

/** Whether a text of a policy costs more than one comparison: it has a wildcard or a variable. */
export function isPattern(source: string): boolean {
  return /[*?]|\$\{/.test(source);
}

/** Undefined for an unknown variable, and for a `${` that is not closed. */
export function compilePattern(source: string, options: PatternOptions): Pattern | undefined {
  const pieces = readPieces(source, options);
  if (pieces === undefined) return undefined;
  const least = pieces.reduce((sum, piece) => sum + ('variable' in piece ? 0 : leastOf(piece)), 0);
  const [codes] = pieces;
  const fixed = pieces.length === 1 && codes && !('variable' in codes) ? codes : undefined;
  return {
    matches: (text, matching) => {
      matching.budget.spend();
      if (text.length < least) return false;
      const expanded = fixed ?? expand(pieces, text.length - least, matching);
      return expanded !== undefined && matchCodes(expanded, text, matching.budget);
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

/** `**` is `*`. */
function codesOf(text: string, wildcards: boolean): Codes {
  const codes = Array.from({ length: text.length }, (_, index) => {
    if (wildcards && text[index] === '*') return ANY_TEXT;
    if (wildcards && text[index] === '?') return ANY_CHARACTER;
    return text.charCodeAt(index);
  });
  return codes.filter((code, index) => code !== ANY_TEXT || codes[index - 1] !== ANY_TEXT);
}

/** The length of the shortest text that matches: all codes but `*` take one character or more. */
function leastOf(codes: Codes): number {
  return codes.filter((code) => code !== ANY_TEXT).length;
}

/** What it costs to look one variable up: its value may be made of other values. */
const EXPANSION_STEPS = 20;

/**
 * The value of a variable is meant literally, whatever characters are in it. Undefined where a variable has no value, and
 * where the values are longer than the `room` that the text has for them.
 */
function expand(
  pieces: readonly (Codes | Variable)[],
  room: number,
  { valueOf, budget }: Matching,
): Codes | undefined {
  const codes: number[] = [];
  let left = room;
  for (const piece of pieces) {
    if (!('variable' in piece)) {
      budget.spend(piece.length);
      for (const code of piece) codes.push(code);
      continue;
    }
    const value = valueOf(piece.variable);
    if (value === undefined) return undefined;
    left -= value.length;
    if (left < 0) return undefined;
    budget.spend(EXPANSION_STEPS + value.length);
    for (let index = 0; index < value.length; index++) codes.push(value.charCodeAt(index));
  }
  return codes;
}

/** Returns to the last `*` alone, so that it takes at most as many steps as the two lengths multiplied. */
function matchCodes(codes: Codes, text: string, budget: StepBudget): boolean {
  let at = 0;
  let index = 0;
  let star = -1;
  let resumed = 0;
  while (index < text.length) {
    budget.spend();
    const code = codes[at];
    if (code === ANY_TEXT) {
      star = at++;
      resumed = index;
      // The most frequent form, `prefix/*`, needs no more.
      if (at === codes.length) return true;
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
