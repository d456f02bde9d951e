/** Places blocks of lines side by side, and truncates and pads lines. All lines in a block have the same width. */

import { stripVTControlCharacters } from 'node:util';

import { pad, widthOf, wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

/** A size in terminal cells. */
export interface Area {
  readonly columns: number;
  readonly rows: number;
}

/** Truncates or pads a line to exactly `width` cells. The line may contain colours. */
export function exactly(line: string, width: number, look: Look): string {
  return pad(cutColoured(line, width, look), width);
}

/** Truncates a line to `width` cells. The line may contain colours. */
function cutColoured(line: string, width: number, look: Look): string {
  if (widthOf(line) <= width) return line;
  const cut = look.cut(plain(line), width);
  const end = cut.endsWith(look.glyphs.ellipsis) ? look.glyphs.ellipsis : '';
  return sliced(line, 0, cut.length - end.length, end);
}

/** Wraps a text like `wrap`. The text may contain colours, and each of its parts keeps its colour. */
export function wrapColoured(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const bare = plain(text);
  let at = 0;
  return wrap(bare, width).map((line) => {
    const from = bare.indexOf(line, at);
    at = from + line.length;
    return sliced(text, from, at);
  });
}

/**
 * Returns the characters from `from` to `to` of a text, and `end` after them. All its colour sequences remain, because
 * each style that starts also ends.
 */
function sliced(text: string, from: number, to: number, end = ''): string {
  let at = 0;
  return text.replaceAll(PARTS, (part: string) => {
    if (part.startsWith(ESCAPE)) return part;
    const start = at;
    at += part.length;
    const kept = part.slice(Math.max(0, from - start), Math.max(0, to - start));
    return start < to && to <= at ? kept + end : kept;
  });
}

/** Returns the text without colours. */
export const plain = stripVTControlCharacters;

const ESCAPE = '\u{1b}';
/** Matches a colour sequence, or the text up to the next one. */
const PARTS = new RegExp(`${ESCAPE}\\[[\\d;]*m|[^${ESCAPE}]+`, 'gu');
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
  const start = widthOf(left) < room ? left : cutColoured(left, Math.max(0, room - 1), look);
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
