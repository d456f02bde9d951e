/** Tests of the exclude pattern matcher, which bounds the number of steps per match. */

import * as fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, test } from 'vitest';

import { globMatches, ANY_NUMBER } from '../../../src/mirror/local/patterns/glob.ts';
import { keyMatcher, patternMatcher } from '../../../src/mirror/local/patterns/pattern-matcher.ts';

const NAME_PARTS = ['aabbA.*?\\[]-!#^:{($+| é'.split(''), '😀'].flat();
const OTHER_PARTS = '* ** *** **/ /**/ [: :] [[:alpha:]-] [a-b] [!a] \\* é 😀'.split(' ');
const PATTERN_PARTS = ['ab?/[]!^-#\\ {(+$|.'.split(''), OTHER_PARTS].flat();
const joined = (parts: readonly string[], sizes: fc.ArrayConstraints, separator = '') =>
  fc.array(fc.constantFrom(...parts), sizes).map((each) => each.join(separator));

const name = fc
  .oneof(
    joined(NAME_PARTS, { minLength: 1, maxLength: 3 }),
    joined(['a', 'b'], { minLength: 1, maxLength: 4 }),
  )
  .filter((each) => each !== '.' && each !== '..');
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));

/**
 * Functions that turn a file name into a pattern that usually matches the name, so that random
 * patterns match often.
 */
const WIDER: readonly ((name: string) => string)[] = [
  (each) => each,
  (each) => `\\${each}`,
  (each) => each.replace(/./g, '?'),
  (each) => `${each[0]}*`,
  (each) => `*${each.at(-1)}`,
  (each) => `*${each[0]}*`,
  (each) => `[${each[0]}-]*`,
  () => '*',
  () => '**',
  () => '**/**',
];
const wider = (of: string) =>
  fc
    .tuple(...of.split('/').map((each) => fc.constantFrom(...WIDER).map((widen) => widen(each))))
    .chain((names) =>
      fc
        .tuple(
          fc.nat(names.length - 1),
          fc.constantFrom('', '!', '/', '**/'),
          fc.constantFrom('', '', '/', '/**', '/*', ' '),
        )
        .map(([from, before, behind]) => before + names.slice(from).join('/') + behind),
    );

function ofPackage(patterns: readonly string[], asked: string, isDirectory: boolean) {
  const rules = ignore({ ignorecase: false }).add(patterns);
  const { ignored, unignored } = rules.test(isDirectory ? `${asked}/` : asked);
  return ignored ? true : unignored ? false : undefined;
}

describe('exclude patterns', () => {
  test('property: patterns match exactly the paths that the npm package "ignore" matches', () => {
    const asked = path.chain((each) => {
      const pattern = fc
        .oneof(wider(each), joined(PATTERN_PARTS, { minLength: 1, maxLength: 8 }))
        // The npm package does not match `*` to any character after an escaped slash, but git does.
        .filter((text) => !text.includes('\\/'));
      return fc.tuple(
        fc.constant(each),
        fc.array(pattern, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
      );
    });
    let matched = 0;
    fc.assert(
      fc.property(asked, ([each, patterns, isDirectory]) => {
        const expected = ofPackage(patterns, each, isDirectory);
        if (expected !== undefined) matched += 1;
        expect(patternMatcher(patterns)(each, isDirectory)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  test.each([
    ['**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/b', 'a/'.repeat(500)],
    ['*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(255)],
    ['*a?*a?*a?*a?*a?*a?*a?*a?*a?*a?*a?*b?', 'a'.repeat(255)],
    ['*[ab]?*[!b]*[ab]?*[!b]*[ab]?*[!b]*[ab]?*[!b]*[ab]?*[!b]*b?', 'a'.repeat(255)],
  ])(
    'the pattern matcher matches a pattern with nested wildcards without backtracking: %s',
    (pattern, hostile) => {
      expect(keyMatcher([pattern])(`${hostile}c`)).toBe(false);
    },
  );

  test('the pattern matcher matches exclude patterns correctly for 10,000 folders, more than the cache can hold', () => {
    const matches = patternMatcher(['folder-*5/']);
    const wrong = Array.from({ length: 10_000 }, (_, index) => index).filter(
      (index) => (matches(`folder-${index}/x`, false) === true) !== (index % 10 === 5),
    );
    expect(wrong).toEqual([]);
  });
});

describe('glob matching', () => {
  test('the pattern matcher matches a wildcard pattern in at most pattern length × (text length + 1) steps', () => {
    const part = fc.constantFrom('a', 'b', ANY_NUMBER);
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), text, (glob, parts) => {
        let steps = 0;
        globMatches(
          glob,
          parts.length,
          (expected, at) => (steps += 1) > 0 && parts[at] === expected,
        );
        expect(steps).toBeLessThanOrEqual(glob.length * (parts.length + 1));
      }),
    );
  });
});
