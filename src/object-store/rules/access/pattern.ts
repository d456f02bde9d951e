/**
 * Matches texts with the patterns of bucket policies, which contain `*`, `?` and variables such as `${aws:username}`.
 * Uses a matcher with a step budget instead of regular expressions. One user supplies the pattern and another user the
 * text, so the two could make a regular expression take unlimited time (security E.3).
 */

import type { StepBudget } from '../../../base/step-budget.ts';

/** Returns the value of a policy variable in this request, or undefined if the request has no value for it. */
export type ValueOf = (name: string) => string | undefined;

/** The policy variables and the step budget of a comparison. */
export interface Matching {
  readonly valueOf: ValueOf;
  readonly budget: StepBudget;
}

export interface Pattern {
  /**
   * Returns whether the pattern matches the whole text. A pattern with a variable that has no value matches nothing.
   * Throws StepLimitError.
   */
  matches(text: string, matching: Matching): boolean;
}

export interface PatternOptions {
  /** Whether `*` and `?` are wildcards. If false, they are literal characters. */
  readonly wildcards: boolean;
  /**
   * Returns the condition key for a name in `${}`, or undefined for an unknown name. If this function is absent, `${`
   * is literal.
   */
  readonly variables?: ((name: string) => string | undefined) | undefined;
}

/** A pattern as a sequence of UTF-16 code units and of the two wildcard codes below. */
type Codes = readonly number[];
/** The code of the wildcard `*`. */
const ANY_TEXT = -1;
/** The code of the wildcard `?`, which matches one code point. */
const ANY_CHARACTER = -2;
/** The code after the end of the pattern. */
const END = -3;

interface Variable {
  readonly variable: string;
}

/** The characters that can be escaped as `${*}`, `${?}` and `${$}`. */
const ESCAPED = new Set(['*', '?', '$']);

/**
 * Returns whether a text in a policy contains a wildcard or a variable, so that matching it costs more than one
 * comparison.
 */
export function isPattern(source: string): boolean {
  return /[*?]|\$\{/.test(source);
}

/** Compiles a text of a policy. Returns undefined for an unknown variable, and for a `${` without a closing brace. */
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

/** Returns the codes of a text. Adjacent `*` wildcards become one. */
function codesOf(text: string, wildcards: boolean): Codes {
  const codes = Array.from({ length: text.length }, (_, index) => {
    if (wildcards && text[index] === '*') return ANY_TEXT;
    if (wildcards && text[index] === '?') return ANY_CHARACTER;
    return text.charCodeAt(index);
  });
  return codes.filter((code, index) => code !== ANY_TEXT || codes[index - 1] !== ANY_TEXT);
}

/** Returns the length of the shortest text that can match. Each code except `*` matches at least one character. */
function leastOf(codes: Codes): number {
  return codes.filter((code) => code !== ANY_TEXT).length;
}

/** The number of steps for looking up one variable, whose value can be composed of several values. */
const EXPANSION_STEPS = 20;

/**
 * Returns the codes of the pattern with each variable replaced by its value. Wildcard characters in a value are
 * literal. Returns undefined if a variable has no value, or if all values together exceed `room` UTF-16 code units,
 * because the text is then too short to match.
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

/**
 * Returns whether the codes match the whole text. Backtracks only to the last `*`, so that the number of steps is at
 * most the product of both lengths. Counts the steps in a local variable, because a call for each step would take
 * longer than the comparison.
 */
function matchCodes(codes: Codes, text: string, budget: StepBudget): boolean {
  const most = budget.limit - budget.spent;
  const { length } = text;
  const end = codes.length;
  let steps = 0;
  let at = 0;
  let index = 0;
  let star = -1;
  let resumed = 0;
  while (index < length && ++steps <= most) {
    const code = at < end ? codes[at] : END;
    const given = text.charCodeAt(index);
    if (code === ANY_TEXT) {
      star = at;
      resumed = index;
      // A `*` at the end of the pattern matches the remaining text. Most patterns have the form `prefix/*`.
      if (star + 1 === end) index = length;
    } else if (code === given) index++;
    else if (code === ANY_CHARACTER) index += isHighSurrogate(given) ? pairLength(text, index) : 1;
    else if (star >= 0) {
      at = star;
      index = ++resumed;
    } else break;
    at++;
  }
  budget.spend(steps);
  while (codes[at] === ANY_TEXT) at++;
  return index === length && at === end;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Returns the number of code units of the code point that begins at an index with a high surrogate. */
function pairLength(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}
