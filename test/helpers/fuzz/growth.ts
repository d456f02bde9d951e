/**
 * Lengthens inputs up to the limits of their fields. A long input can make a computation slow,
 * while most other edits only make the computation fail.
 */

import type { FuzzInput, FuzzTarget } from './target.ts';

/** Returns a random number that is at least 0 and less than 1. */
export type Random = () => number;

/** Characters that separate elements of JSON, XML, forms, headers, patterns and paths. */
const BOUNDARY = /[<>{}[\],"/\r\n;&=:*$\s]/g;
/** Maximum number of element boundaries in a piece of text that is repeated. */
const MAX_PIECE_BOUNDARIES = 16;

/** Returns a copy of `input` in which one field is longer. */
export function grown(input: FuzzInput, { fields }: FuzzTarget, random: Random): FuzzInput {
  const name = pick(Object.keys(fields), random) ?? '';
  const text = input[name] ?? '';
  const room = (fields[name]?.maxLength ?? 0) - text.length;
  if (random() < 0.1) return { ...input, [name]: nested(text, room, random) };
  const other = input[pick(Object.keys(input), random) ?? ''] ?? '';
  // Sometimes repeats a piece of another field, because the computation may compare the two fields.
  const isForeign = random() < 0.15;
  const [from, to] = pieceOf(isForeign ? other : text, random);
  const piece = (isForeign ? other : text).slice(from, to);
  if (piece === '' || room < piece.length) return input;
  const most = Math.floor(room / piece.length);
  const count = random() < 0.3 ? most : Math.ceil((most + 1) ** random()) - 1;
  const at = isForeign ? pieceOf(text, random)[0] : to;
  return { ...input, [name]: text.slice(0, at) + piece.repeat(count) + text.slice(at) };
}

/** Exponents for the number of repetitions of an element, which is floor(maximum ** exponent). */
const SHARES = [0.2, 0.4, 0.6, 0.8, 1];

/**
 * Returns functions that create inputs in which one element is repeated. The number of repetitions
 * ranges from a few to the limit of the field. The order is random.
 */
export function repetitions(
  inputs: readonly FuzzInput[],
  { fields }: FuzzTarget,
  random: Random,
): (() => FuzzInput)[] {
  const found = inputs.flatMap((input) =>
    Object.entries(fields).flatMap(([name, { maxLength }]) => {
      const text = input[name] ?? '';
      return elementsOf(text).flatMap(([from, to]) => {
        const most = Math.floor((maxLength - text.length) / (to - from));
        const repeated = (count: number) =>
          text.slice(0, to) + text.slice(from, to).repeat(count) + text.slice(to);
        return SHARES.map((share) => () => ({
          ...input,
          [name]: most < 1 ? text : repeated(Math.floor(most ** share)),
        }));
      });
    }),
  );
  return found
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

const BRACKETS = [
  ['[', ']'],
  ['{"a":', '}'],
  ['<a>', '</a>'],
] as const;

/**
 * Encloses a piece of the text in brackets that are nested as deeply as the field allows, or less
 * deeply.
 */
function nested(text: string, room: number, random: Random): string {
  const [from, to] = pieceOf(text, random);
  const [open, close] = pick(BRACKETS, random) ?? BRACKETS[0];
  const most = Math.floor(room / (open.length + close.length));
  const depth = random() < 0.5 ? most : Math.floor(most ** random());
  return (
    text.slice(0, from) +
    open.repeat(depth) +
    text.slice(from, to) +
    close.repeat(depth) +
    text.slice(to)
  );
}

/**
 * Returns the range of a complete element, of the text between two boundaries, or of up to four
 * characters.
 */
function pieceOf(text: string, random: Random): readonly [from: number, to: number] {
  const chance = random();
  if (chance < 0.6) {
    const element = pick(elementsOf(text), random);
    if (element) return element;
  }
  if (chance > 0.85) {
    const from = Math.floor(random() * text.length);
    return [from, from + 1 + Math.floor(random() * 4)];
  }
  const ends = boundariesOf(text);
  const first = Math.floor(random() * ends.length);
  const last = Math.min(ends.length - 1, first + 1 + Math.floor(random() * MAX_PIECE_BOUNDARIES));
  return [ends[first] ?? 0, ends[last] ?? text.length];
}

function elementsOf(text: string): readonly (readonly [from: number, to: number])[] {
  const found = text.slice(0, SEARCHED_CHARACTERS).matchAll(ELEMENT);
  return Array.from(found, ({ index, 1: element = '' }) => [index, index + element.length]);
}

/**
 * Matches an element: an XML element with its content, a JSON string, word or object, one or two
 * folders of a path, or a line. Matches may overlap.
 */
const ELEMENT =
  /(?=(<(\w+)>[^]*?<\/\2>|"[^"]*",|\{[^{}]*\},|(?<![^/\n])(?:[^/\n<>"]+\/){1,2}|^[^\n]+\n|\b\w+,))/gm;

/**
 * Number of characters that are searched for boundaries. The rest of a long text usually repeats
 * its beginning.
 */
const SEARCHED_CHARACTERS = 2_000;

function boundariesOf(text: string): readonly number[] {
  const start = text.slice(0, SEARCHED_CHARACTERS);
  const ends = new Set([0, text.length]);
  for (const { index } of start.matchAll(BOUNDARY)) ends.add(index).add(index + 1);
  return [...ends].sort((a, b) => a - b);
}

export function pick<T>(from: readonly T[], random: Random): T | undefined {
  return from[Math.floor(random() * from.length)];
}
