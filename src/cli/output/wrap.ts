/** Wraps sentences for a terminal, which would cut words and commands at its last column. */

import { stripVTControlCharacters } from 'node:util';

import { cellsOf } from './cells.ts';

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Matches words. A command that a user may copy is one word: between backticks, after a colon or on a line of its own.
 */
const WORDS = /`[^`]+`\S*|(?<=: |^ *)holdfast [^;]+;?|\S+/g;
const HANGING = 2;

/**
 * Splits a line at blanks into lines that fit the terminal. All but the first have two more blanks at the start. A word
 * that is wider than the terminal stays whole. Without a terminal, returns the line unchanged.
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
