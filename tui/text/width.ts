/** Measures, truncates and pads text in terminal cells. The text must not contain escape sequences. */

import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';

import type byUnicode from 'string-width';

/**
 * Matches text in which each character takes one cell: ASCII, Latin, box and chart characters. Most text contains
 * nothing else, and the full Unicode rules take a hundred times as long.
 */
const NARROW =
  /^[ -~\u{a1}-\u{ac}\u{ae}-\u{2ff}\u{2010}-\u{2027}\u{2190}-\u{2193}\u{2500}-\u{25fc}\u{276f}]*$/u;

/** Returns whether each character has one cell. False for text that needs the rules of Unicode. */
export const isNarrow = (text: string): boolean => NARROW.test(text);

export function widthOf(text: string): number {
  const bare = text.includes('\u{1b}') ? stripVTControlCharacters(text) : text;
  return NARROW.test(bare) ? bare.length : stringWidth(text);
}

/**
 * Measures text like the package `string-width`. That package loads slowly, so it is loaded only for the first text
 * that needs it.
 */
export function stringWidth(text: string, options?: { countAnsiEscapeCodes?: boolean }): number {
  if (NARROW.test(text)) return text.length;
  rules ??= (load('string-width') as { readonly default: typeof byUnicode }).default;
  return rules(text, options);
}

const load = createRequire(import.meta.url);
let rules: typeof byUnicode | undefined;

/** Splits the text into grapheme clusters, which must not be divided further. */
export function clustersOf(text: string): string[] {
  if (NARROW.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

let segmenter: Intl.Segmenter | undefined;

/** Returns the longest start of the text that fits into `width` cells. */
function headOf(clusters: readonly string[], width: number): string {
  let [taken, cells] = [0, 0];
  for (const cluster of clusters) {
    cells += widthOf(cluster);
    if (cells > width) break;
    taken += 1;
  }
  return clusters.slice(0, taken).join('');
}

/** Returns the longest end of the text that fits into `width` cells. */
export function tailOf(clusters: readonly string[], width: number): string {
  let [from, cells] = [clusters.length, 0];
  while (from > 0) {
    cells += widthOf(clusters[from - 1] ?? '');
    if (cells > width) break;
    from -= 1;
  }
  return clusters.slice(from).join('');
}

/** Returns the whole text if it fits, otherwise its start and an ellipsis. */
export function cutEnd(text: string, width: number, ellipsis = '…'): string {
  if (width <= 0) return '';
  if (widthOf(text) <= width) return text;
  const mark = width > widthOf(ellipsis) ? ellipsis : '';
  return headOf(clustersOf(text), width - widthOf(mark)) + mark;
}

/** Truncates the text in its middle, so that a file name keeps its extension. */
export function cutMiddle(text: string, width: number, ellipsis = '…'): string {
  if (width <= 0) return '';
  if (widthOf(text) <= width) return text;
  if (width < 2 + widthOf(ellipsis)) return cutEnd(text, width, ellipsis);
  const room = width - widthOf(ellipsis);
  const clusters = clustersOf(text);
  const tail = tailOf(clusters, Math.floor(room / 2));
  return headOf(clusters, room - widthOf(tail)) + ellipsis + tail;
}

/** Pads the text with spaces. A text that is wider than `width` is unchanged. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

/** Truncates or pads the text to exactly `width` cells. */
export function fit(text: string, width: number, how: Fit = {}): string {
  const cut = (how.cut === 'middle' ? cutMiddle : cutEnd)(text, width, how.ellipsis);
  return pad(cut, width, how.align);
}

export interface Fit {
  readonly align?: 'left' | 'right';
  readonly cut?: 'end' | 'middle';
  readonly ellipsis?: string;
}

/** Wraps the text into lines of at most `width` cells, at spaces where possible. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (widthOf(rest) > width) {
    const head = headOf(clustersOf(rest), width) || (clustersOf(rest)[0] ?? '');
    const cut = breakOf(rest, head.length);
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}

/** Returns where the line breaks: at its last blank, but not between a number and its unit if that is possible. */
function breakOf(text: string, length: number): number {
  const last = text.lastIndexOf(' ', length);
  if (last <= 0) return length;
  const isNumber = /\d/.test(text[last - 1] ?? '');
  const before = isNumber ? text.lastIndexOf(' ', last - 1) : last;
  return before > length / 2 ? before : last;
}
