/** Wraps sentences for a terminal. Otherwise the terminal would break words and commands at its last column. */

import { stripVTControlCharacters } from 'node:util';

import { cellsOf } from './cells.ts';

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Matches words. A command that a user may copy is a single word. It is between backticks, after a colon, on a separate
 * line, or the argument of `eval`.
 */
const WORDS = /`[^`]+`\S*|eval "\$\([^)]+\)"|(?<=: |^ *)holdfast [^;]+;?|\S+/g;
const HANGING = 2;

/**
 * Splits a line at spaces into lines that fit the terminal. All lines except the first are indented by two more spaces.
 * A word that is wider than the terminal is not split. If the output is not a terminal, returns the line unchanged.
 */
export function wrapped(line: string, { isTTY, columns = 0 }: Terminal): string[] {
  if (isTTY !== true || columns === 0 || widthOf(line) <= columns) return [line];
  const indent = / */.exec(stripVTControlCharacters(line))?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  for (const [word] of line.matchAll(WORDS)) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (widthOf(longer) <= columns || current === '') current = longer;
    else {
      lines.push(current);
      current = indent + ' '.repeat(HANGING) + word;
    }
  }
  return [...lines, current];
}

function widthOf(text: string): number {
  return cellsOf(stripVTControlCharacters(text));
}
