import { describe, expect, test } from 'vitest';

import { wrapped } from '../../../src/cli/output/wrap.ts';

const TERMINAL = { isTTY: true, columns: 32 };

describe('line wrapping on the terminal', () => {
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
      'for a shell: eval "$(holdfast admin credentials --env)"',
      ['for a shell:', '  eval "$(holdfast admin credentials --env)"'],
    ],
    [
      '  holdfast restore letters --to /home/ann/back',
      ['  holdfast restore letters --to /home/ann/back'],
    ],
    ['a/very/long/path/without/any/blank/in/it', ['a/very/long/path/without/any/blank/in/it']],
  ])('the command line wraps the line %j at spaces, but not within commands', (line, lines) => {
    expect(wrapped(line, TERMINAL)).toEqual(lines);
  });

  test('the command line does not count escape sequences of colors as columns', () => {
    const line = '\u{1b}[31mat risk\u{1b}[39m: three files held';
    expect(wrapped(line, TERMINAL)).toEqual([line]);
  });

  test('the command line does not wrap lines for a file or a pipe', () => {
    const line = 'word '.repeat(100);
    expect(wrapped(line, {})).toEqual([line]);
  });
});
