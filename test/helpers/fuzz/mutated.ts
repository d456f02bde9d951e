/** Generates valid texts with a few edits. They reach more code of a parser than random texts. */

import * as fc from 'fast-check';

const EDITS = ['insert', 'replace', 'delete', 'double', 'cut', 'repeat'] as const;

const PARTS = 1_000_000;

interface Edit {
  readonly kind: (typeof EDITS)[number];
  /**
   * Position of the edit: an integer from 0 to `PARTS`, which stands for 0 to 100 % of the text. An
   * integer is used because random doubles are almost always close to 0.
   */
  readonly at: number;
  readonly length: number;
  readonly piece: string;
}

/** Strings that are special in most grammars, such as separators and quotes. */
const EVERYWHERE = [
  '',
  ' ',
  '\t',
  '\r\n',
  '\n',
  '\0',
  '%',
  '"',
  "'",
  ';',
  ',',
  '=',
  ':',
  '/',
  '\\',
  '..',
];
const NUMBERS = [
  '0',
  '-1',
  '+1',
  '1e3',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  '١',
  'NaN',
];
const TEXTS = [
  '__proto__',
  'constructor',
  'toString',
  '\u00e9',
  '\u{1f600}',
  '\ufeff',
  '\u202e',
  '\ud800',
];

export type Edits = (text: string) => string;

/**
 * Generates functions that make up to four edits in a text. `tokens` are typical pieces of the
 * text's grammar.
 */
export function edits(tokens: readonly string[] = []): fc.Arbitrary<Edits> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...tokens, ' ') },
    { weight: 2, arbitrary: fc.constantFrom(...EVERYWHERE) },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS, ...TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  );
  const edit: fc.Arbitrary<Edit> = fc.record({
    kind: fc.constantFrom(...EDITS),
    at: fc.nat(PARTS),
    length: fc.integer({ min: 1, max: 12 }),
    piece,
  });
  return fc.array(edit, { maxLength: 4 }).map((made) => (text: string) => made.reduce(apply, text));
}

export function mutated(
  valid: fc.Arbitrary<string>,
  tokens: readonly string[] = [],
): fc.Arbitrary<string> {
  return fc.tuple(valid, edits(tokens)).map(([text, made]) => made(text));
}

type Change = (after: string, length: number, piece: string) => string;

const CHANGES: Readonly<Record<Edit['kind'], Change>> = {
  insert: (after, _, piece) => piece + after,
  replace: (after, length, piece) => piece + after.slice(length),
  delete: (after, length) => after.slice(length),
  double: (after, length) => after.slice(0, length) + after,
  cut: () => '',
  repeat: (after, length, piece) => piece.repeat(length * 20) + after,
};

function apply(text: string, { kind, at, length, piece }: Edit): string {
  const from = Math.floor((at / PARTS) * text.length);
  return text.slice(0, from) + CHANGES[kind](text.slice(from), length, piece);
}
