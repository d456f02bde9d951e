import { describe, expect, test } from 'vitest';

import { wrapped } from '../../../src/cli/output/wrap.ts';

const TERMINAL = { isTTY: true, columns: 32 };

describe('wrapping sentences', () => {
  test.each([
    ['it fits', ['it fits']],
    [
      '  kept: the store is on the same disk as the folder',
      ['  kept: the store is on the same', '    disk as the folder'],
    ],
    [
      'to list them: holdfast lock list letters --home /home/ann',
      ['to list them:', '  holdfast lock list letters --home /home/ann'],
    ],
    [
      'to see its state: holdfast status; to stop it: holdfast down',
      ['to see its state:', '  holdfast status; to stop it:', '  holdfast down'],
    ],
    [
      'if the date is correct, run `holdfast admin store trust-clock`, and wait',
      ['if the date is correct, run', '  `holdfast admin store trust-clock`,', '  and wait'],
    ],
    [
      '  holdfast restore letters --to /home/ann/back',
      ['  holdfast restore letters --to /home/ann/back'],
    ],
    ['a/very/long/path/without/any/blank/in/it', ['a/very/long/path/without/any/blank/in/it']],
  ])('%j is split at blanks, but not in commands', (line, lines) => {
    expect(wrapped(line, TERMINAL)).toEqual(lines);
  });

  test('escape sequences of colours take no room', () => {
    const line = '\u{1b}[31mat risk\u{1b}[39m: three files held';
    expect(wrapped(line, TERMINAL)).toEqual([line]);
  });

  test('a line for a file or a pipe is unchanged', () => {
    const line = 'word '.repeat(100);
    expect(wrapped(line, {})).toEqual([line]);
  });
});
