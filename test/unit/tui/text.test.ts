/**
 * Tests of text on a terminal: exact widths of names, and escaping of names that could break a row.
 */

import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';

import { pane } from '../../../tui/widgets/panes.ts';
import { moveTo } from '../../../tui/widgets/window.ts';
import { asciiName, displayName } from '../../../tui/text/display-name.ts';
import { errorWords } from '../../../tui/text/error-words.ts';
import ownStringWidth from '../../../tui/text/string-width.ts';
import { cutMiddle, fit, widthOf, wrap } from '../../../tui/text/width.ts';
import { makeLook } from '../../../tui/theme/look.ts';
import { charsetOf } from '../../../tui/theme/terminal.ts';

const look = makeLook('mono');
const anyName = fc.string({ unit: 'binary', maxLength: 60 });

describe('display of file names on the terminal', () => {
  test.each([
    ['only plain characters', 'IMG_0001.jpg', 'IMG_0001.jpg'],
    ['a line feed', 'pano\nname.tif', 'pano␊name.tif'],
    ['an escape sequence', '\u{1b}[2Jx', '␛[2Jx'],
    ['a text direction mark', 'gpj.\u{202e}exe', 'gpj.‹U+202E›exe'],
    ['a family of emoji', '👩‍👩‍👧.png', '👩‿👩‿👧.png'],
    ['a skin tone', '👍🏽.png', '👍‹U+1F3FD›.png'],
    ['a heart emoji', '❤️.png', '❤.png'],
    ['a keycap emoji', '1️⃣.png', '1‹U+20E3›.png'],
    ['joined Hindi letters', 'हिन्दी', 'हिन्‿दी'],
    ['a Thai vowel of two code points', 'ทำ', 'ท\u{e4d}\u{e32}'],
    ['a joiner at the end', 'क\u{200d}', 'क‹U+200D›'],
    ['a flag', '🇩🇪.txt', '‹U+1F1E9›‹U+1F1EA›.txt'],
    ['a decomposed letter', 'e\u{301}.txt', 'é.txt'],
    ['50 combining marks', `a${'\u{316}'.repeat(50)}`, 'a\u{316}\u{316}'],
    ['a zero-width space', 'a\u{200b}b', 'a‹U+200B›b'],
    ['an unpaired surrogate', 'a\u{d800}b', 'a‹U+D800›b'],
    ['a C1 control character', 'a\u{85}b', 'a‹U+0085›b'],
    ['CR and LF', 'a\r\nb', 'a␍␊b'],
  ])('the dashboard displays a name with %s in a safe form', (_, name, shown) => {
    expect(displayName(name)).toBe(shown);
  });

  test('property: the dashboard never displays the control characters in a name', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(displayName(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(asciiName(name)).toMatch(/^[ -~]*$/);
      }),
    );
  });

  test('the dashboard displays joined emoji as wide as their parts, and different ones differently', () => {
    const emoji = ['👨', '👩', '👧', '👦'];
    const families = emoji.flatMap((one) => emoji.map((two) => `${one}\u{200d}${two}.jpg`));
    const shown = [...emoji, ...families].map(displayName);
    expect(new Set(shown).size).toBe(shown.length);
    for (const name of shown) {
      const cells = Array.from(name).reduce((sum, each) => sum + stringWidth(each), 0);
      expect(widthOf(name)).toBe(cells);
    }
  });

  test('property: the dashboard fills exactly the given width with a padded or truncated name', () => {
    fc.assert(
      fc.property(anyName, fc.integer({ min: 0, max: 40 }), fc.boolean(), (name, width, middle) => {
        const shown = fit(displayName(name), width, { cut: middle ? 'middle' : 'end' });
        expect(widthOf(shown)).toBe(width);
      }),
    );
  });

  test('the dashboard keeps the extension of a name that is truncated in the middle', () => {
    expect(cutMiddle('a-very-long-name-of-a-file.jpeg', 15)).toBe('a-very-…le.jpeg');
  });
});

test('the dashboard returns the same widths as the package string-width, which it replaces', () => {
  const narrow = fc.string({
    unit: fc.constantFrom('a', 'Ä', '│', '█', '▁', '❯', '●', '…'),
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.oneof(anyName, narrow), fc.boolean(), (text, countAnsiEscapeCodes) => {
      const options = { countAnsiEscapeCodes };
      expect(ownStringWidth(text, options)).toBe(stringWidth(text, options));
    }),
  );
});

test('property: the dashboard draws a pane as a rectangle for any content', () => {
  const size = fc.record({
    width: fc.integer({ min: 8, max: 40 }),
    height: fc.integer({ min: 2, max: 8 }),
  });
  fc.assert(
    fc.property(
      fc.array(anyName, { maxLength: 10 }),
      anyName,
      size,
      (lines, title, { width, height }) => {
        const framed = pane(
          lines.map(displayName),
          { title: displayName(title), width, height },
          look,
        );
        expect(framed.map(widthOf)).toEqual(Array.from({ length: height }, () => width));
      },
    ),
  );
});

test('the dashboard does not break a line between a number and its unit', () => {
  expect(wrap('41,208 versions, 98 GB, first ends', 19)).toEqual([
    '41,208 versions,',
    '98 GB, first ends',
  ]);
  expect(wrap('a picture as of 2026-11-20 12:00', 28)).toEqual([
    'a picture as of',
    '2026-11-20 12:00',
  ]);
  expect(wrap('1 aaaaaaaaaaaaaa', 12)).toEqual(['1', 'aaaaaaaaaaaa', 'aa']);
});

test('property: the dashboard wraps text within the width and loses only white space', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      const lines = wrap(text.replaceAll('\n', ' '), width);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(2, width));
      const bare = (some: string) => some.replaceAll(/\s/g, '');
      expect(bare(lines.join(''))).toBe(bare(text));
    }),
  );
});

test('property: a scroll window contains the cursor and only existing rows', () => {
  const rows = fc.nat({ max: 1_000_000 });
  fc.assert(
    fc.property(rows, rows, rows, fc.integer({ min: 1, max: 60 }), (top, cursor, count, height) => {
      const window = moveTo({ cursor: 0, top }, cursor, count, height);
      expect(window.cursor).toBe(Math.max(0, Math.min(cursor, count - 1)));
      expect(window.top).toBeGreaterThanOrEqual(0);
      expect(window.top).toBeLessThanOrEqual(Math.max(0, count - height));
      expect(window.cursor - window.top).toBeGreaterThanOrEqual(0);
      expect(window.cursor - window.top).toBeLessThan(height);
    }),
  );
});

test.each([
  [{ LANG: 'en_US.UTF-8' }, 'unicode'],
  [{ LANG: 'de_DE', LC_ALL: 'C.utf8' }, 'unicode'],
  [{ LANG: 'C' }, 'ascii'],
  [{}, 'ascii'],
  [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, 'ascii'],
])('the dashboard selects the character set from the environment %j: %s', (env, charset) => {
  expect(charsetOf(env, 'linux')).toBe(charset);
});

test('the dashboard treats only characters as one cell wide that Unicode defines as such', () => {
  const ranges = [
    [0x20, 0x7e],
    [0xa1, 0xac],
    [0xae, 0x2ff],
    [0x2010, 0x2027],
    [0x2190, 0x2193],
    [0x2500, 0x25fc],
    [0x276f, 0x276f],
  ] as const;
  const others = ranges.flatMap(([first, last]) => {
    const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    return all.filter((codePoint) => stringWidth(String.fromCodePoint(codePoint)) !== 1);
  });
  expect(others).toEqual([]);
  expect(widthOf('\u{1b}[1;31m─█\u{1b}[0m…')).toBe(3);
});

test('the dashboard asks the user to open it again if one of its files was removed while it ran', () => {
  const code = 'ERR_MODULE_NOT_FOUND';
  const error = Object.assign(new Error("Cannot find module 'screens.js'"), { code });
  expect(errorWords(error)).toContain('Close the dashboard and open it again');
});
