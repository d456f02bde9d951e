/**
 * Patterns with `*` against long texts, 32 of a pattern's characters at a time. To go back to the last `*` takes as many
 * steps as the two lengths multiplied: seconds, for what a policy and a header can hold, on the thread that serves all.
 */

import { ANY_CHARACTER, ANY_TEXT, type Codes } from './pattern-codes.ts';

const WORD_BITS = 32;

/** Whether the whole text is as the pattern says, as `matchCodes` has it. */
export function matchLongCodes(codes: Codes, text: string): boolean {
  const points = pointsOf(text);
  const [first = [], ...between] = literalsOf(codes);
  const last = between.pop();
  if (last === undefined) return first.length === points.length && standsAt(first, points, 0);
  const end = points.length - last.length;
  if (end < first.length || !standsAt(first, points, 0) || !standsAt(last, points, end))
    return false;
  let from: number | undefined = first.length;
  for (const literal of between) {
    from = endOf(literal, points, { from, end });
    if (from === undefined) return false;
  }
  return true;
}

function pointsOf(text: string): Codes {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** What stands between the stars, in code points, since one `?` is one of these. */
function literalsOf(codes: Codes): readonly Codes[] {
  const literals: number[][] = [[]];
  for (const code of codes) {
    const literal = literals.at(-1) ?? [];
    const before = literal.at(-1) ?? 0;
    if (code === ANY_TEXT) literals.push([]);
    else if (isHigh(before) && isLow(code)) {
      literal.splice(-1, 1, ((before - 0xd800) << 10) + (code - 0xdc00) + 0x1_0000);
    } else literal.push(code);
  }
  return literals;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

function standsAt(literal: Codes, points: Codes, at: number): boolean {
  return literal.every((code, index) => code === ANY_CHARACTER || code === points[at + index]);
}

/** Behind the first place at which the literal stands (the shift-and algorithm). */
function endOf(
  literal: Codes,
  points: Codes,
  { from, end }: { readonly from: number; readonly end: number },
): number | undefined {
  if (literal.length === 0) return from;
  const words = wordsOf(literal);
  const found = 1 << ((literal.length - 1) % WORD_BITS);
  for (let at = from; at < end; at++) {
    const point = points[at] ?? 0;
    let carried = 1;
    for (const word of words) {
      const shifted = (word.state << 1) | carried;
      carried = word.state >>> (WORD_BITS - 1);
      word.state = shifted & (word.places.get(point) ?? word.anywhere);
    }
    if (((words.at(-1)?.state ?? 0) & found) !== 0) return at + 1;
  }
  return undefined;
}

/** Of up to 32 characters. A bit of the state: the text so far ends with the literal up to that character. */
interface Word {
  state: number;
  /** Where a character may stand. */
  readonly places: ReadonlyMap<number, number>;
  /** Where any may. */
  readonly anywhere: number;
}

function wordsOf(literal: Codes): readonly Word[] {
  return Array.from({ length: Math.ceil(literal.length / WORD_BITS) }, (_, index) =>
    wordOf(literal.slice(index * WORD_BITS, (index + 1) * WORD_BITS)),
  );
}

function wordOf(literal: Codes): Word {
  let anywhere = 0;
  for (const [bit, code] of literal.entries()) if (code === ANY_CHARACTER) anywhere |= 1 << bit;
  const places = new Map<number, number>();
  for (const [bit, code] of literal.entries()) {
    places.set(code, (places.get(code) ?? anywhere) | (1 << bit));
  }
  return { state: 0, places, anywhere };
}
