/** Places blocks of lines side by side, and truncates and pads lines. All lines in a block have the same width. */

import { stripVTControlCharacters } from 'node:util';

import { pad, widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

/** A size in terminal cells. */
export interface Area {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Truncates or pads a line to exactly `width` cells. The line may contain colours, but loses them if it is truncated.
 */
export function exactly(line: string, width: number, look: Look): string {
  if (widthOf(line) <= width) return pad(line, width);
  return look.fit(plain(line), width);
}

/** Returns the text without colours. */
export const plain = stripVTControlCharacters;

const ESCAPE = '\u{1b}';
/** Matches a control character that does not start a colour sequence. */
const OBEYED = new RegExp(`(?!${ESCAPE}\\[[\\d;]*m)\\p{Cc}`, 'gu');

/**
 * Removes all control sequences except colours from the line. Callers already escape names; this is a second safeguard.
 */
export function coloured(line: string): string {
  return line.replaceAll(OBEYED, '');
}

/** Places blocks side by side. All blocks get the height of the highest block. */
export function beside(blocks: readonly (readonly string[])[], gap = 0): string[] {
  const height = Math.max(0, ...blocks.map((block) => block.length));
  const widths = blocks.map((block) => Math.max(0, ...block.map(widthOf)));
  return Array.from({ length: height }, (_, row) =>
    blocks.map((block, index) => pad(block[row] ?? '', widths[index] ?? 0)).join(' '.repeat(gap)),
  );
}

/** Places two texts at the left and right end of a line. If they do not both fit, the left text is truncated. */
export function ends(left: string, right: string, width: number, look: Look): string {
  const room = width - widthOf(right);
  if (room <= 0) return exactly(left, width, look);
  const start = widthOf(left) < room ? left : look.cut(plain(left), Math.max(0, room - 1));
  return pad(start, room) + right;
}

/** Returns the title of a tab. The active tab is a filled pill, or is in brackets on a terminal without colours. */
export function tabText(title: string, isActive: boolean, look: Look): string {
  if (!isActive) return ` ${title} `;
  return look.paint('tab', look.depth === 'mono' ? `[${title}]` : ` ${title} `);
}

/** Returns exactly `rows` lines. Missing lines are empty, and extra lines are dropped. */
export function filled(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, row) => lines[row] ?? '');
}
