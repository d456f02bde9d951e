/** Lines and blocks of lines: placed side by side, truncated and padded. All lines of a block have the same width. */

import { stripVTControlCharacters } from 'node:util';

import { pad, widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

/** A size in cells of the terminal. */
export interface Area {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Returns exactly `width` cells of a line that may contain colours. A line that is too wide is truncated and
 * loses its colours.
 */
export function exactly(line: string, width: number, look: Look): string {
  if (widthOf(line) <= width) return pad(line, width);
  return look.fit(plain(line), width);
}

/** Returns the text without colours. */
export const plain = stripVTControlCharacters;

const ESCAPE = '\u{1b}';
/** A control character that does not begin a colour sequence. */
const OBEYED = new RegExp(`(?!${ESCAPE}\\[[\\d;]*m)\\p{Cc}`, 'gu');

/**
 * Returns the line with its colours and without other control sequences. Callers escape names before; this is
 * a second safeguard.
 */
export function coloured(line: string): string {
  return line.replaceAll(OBEYED, '');
}

/** Returns blocks side by side, with the height of the highest one. */
export function beside(blocks: readonly (readonly string[])[], gap = 0): string[] {
  const height = Math.max(0, ...blocks.map((block) => block.length));
  const widths = blocks.map((block) => Math.max(0, ...block.map(widthOf)));
  return Array.from({ length: height }, (_, row) =>
    blocks.map((block, index) => pad(block[row] ?? '', widths[index] ?? 0)).join(' '.repeat(gap)),
  );
}

/** Returns both texts at the ends of one line. The left one is truncated if they do not both fit. */
export function ends(left: string, right: string, width: number, look: Look): string {
  const room = width - widthOf(right);
  if (room <= 0) return exactly(left, width, look);
  const start = widthOf(left) < room ? left : look.cut(plain(left), Math.max(0, room - 1));
  return pad(start, room) + right;
}

/** Returns a tab title: the active tab is a filled pill, or in brackets without colours. */
export function tabText(title: string, isActive: boolean, look: Look): string {
  if (!isActive) return ` ${title} `;
  return look.paint('tab', look.depth === 'mono' ? `[${title}]` : ` ${title} `);
}

/** Returns exactly `rows` lines. */
export function filled(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, row) => lines[row] ?? '');
}
