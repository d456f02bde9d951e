/** Lines and blocks of lines: beside one another, cut and filled up. A block's lines all have the same width. */

import { stripVTControlCharacters } from 'node:util';

import { pad, widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

/** Cells of the terminal. */
export interface Area {
  readonly columns: number;
  readonly rows: number;
}

/** A line that may hold colours, as wide as it has to be. One that is too wide loses its colours and is cut. */
export function exactly(line: string, width: number, look: Look): string {
  if (widthOf(line) <= width) return pad(line, width);
  return look.fit(plain(line), width);
}

/** Without colours. */
export const plain = stripVTControlCharacters;

const ESCAPE = '\u{1b}';
/** A control that does not begin a colour. */
const OBEYED = new RegExp(`(?!${ESCAPE}\\[[\\d;]*m)\\p{Cc}`, 'gu');

/** With its colours, and nothing else that a terminal obeys: names are safe before, this is for what was forgotten. */
export function coloured(line: string): string {
  return line.replaceAll(OBEYED, '');
}

/** Blocks side by side, as high as the highest. */
export function beside(blocks: readonly (readonly string[])[], gap = 0): string[] {
  const height = Math.max(0, ...blocks.map((block) => block.length));
  const widths = blocks.map((block) => Math.max(0, ...block.map(widthOf)));
  return Array.from({ length: height }, (_, row) =>
    blocks.map((block, index) => pad(block[row] ?? '', widths[index] ?? 0)).join(' '.repeat(gap)),
  );
}

/** Left and right at the two ends of one line; the left one is cut when they do not both fit. */
export function ends(left: string, right: string, width: number, look: Look): string {
  const room = width - widthOf(right);
  if (room <= 0) return exactly(left, width, look);
  const start = widthOf(left) < room ? left : look.cut(plain(left), Math.max(0, room - 1));
  return pad(start, room) + right;
}

/** A tab: the active one is a filled pill, or in brackets without colours. */
export function tabText(title: string, isActive: boolean, look: Look): string {
  if (!isActive) return ` ${title} `;
  return look.paint('tab', look.depth === 'mono' ? `[${title}]` : ` ${title} `);
}

/** Exactly `rows` lines. */
export function filled(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, row) => lines[row] ?? '');
}
