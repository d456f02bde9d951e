/** Blocks of lines: framed, beside one another, filled up. A block's lines all have the same width. */

import { stripVTControlCharacters } from 'node:util';

import { pad, widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

export interface PaneOptions {
  readonly title: string;
  readonly width: number;
  /** With both borders. */
  readonly height: number;
  readonly focused?: boolean;
}

/** Lines in a frame with its title in the upper border. What does not fit is left out: cut it before. */
export function pane(lines: readonly string[], options: PaneOptions, look: Look): string[] {
  const { title, width, height, focused = false } = options;
  if (width < 4 || height < 2) return [];
  const { topLeft, topRight, bottomLeft, bottomRight, across, down } = look.glyphs;
  const frame = (text: string) => look.paint(focused ? 'focus' : 'border', text);
  const shown = title === '' ? '' : ` ${look.cut(title, width - 6)} `;
  const rest = across.repeat(Math.max(0, width - 3 - widthOf(shown)));
  const heading = look.paint(focused ? 'focusedTitle' : 'title', shown);
  const body = Array.from({ length: height - 2 }, (_, row) => {
    return frame(down) + exactly(lines[row] ?? '', width - 2, look) + frame(down);
  });
  return [
    frame(topLeft + across) + heading + frame(rest + topRight),
    ...body,
    frame(bottomLeft + across.repeat(width - 2) + bottomRight),
  ];
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

/** Exactly `rows` lines. */
export function filled(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, row) => lines[row] ?? '');
}
