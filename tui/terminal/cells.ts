/** Splits a line with colours into terminal cells. */

import { endOf } from '../theme/styles.ts';
import { clustersOf, isNarrow, widthOf } from '../text/width.ts';

/** The attributes of a cell. Two cells with equal attributes share one object. */
export interface CellStyle {
  /** The codes of an SGR sequence (ECMA-48), in a fixed order. */
  readonly codes: string;
  /** Whether a blank in this style is visible, for example because it has a background colour. */
  readonly fills: boolean;
}

export interface Cells {
  /** The text of each cell. The second cell of a wide character has an empty text. */
  readonly texts: string[];
  readonly styles: CellStyle[];
  /** Whether the line contains a character whose width differs between terminals. */
  isUnsure: boolean;
}

export const PLAIN: CellStyle = { codes: '', fills: false };
const STYLES = new Map<string, CellStyle>([['', PLAIN]]);
/**
 * Caches the style that results from a style and an SGR sequence. A theme has only a few
 * combinations.
 */
const FOLLOWING = new Map<string, CellStyle>();

/** Returns the style of the text after an SGR sequence. */
function styleAfter({ codes }: CellStyle, more: string): CellStyle {
  const both = `${codes};${more === '' ? '0' : more}`;
  let style = FOLLOWING.get(both);
  if (!style) {
    style = styleOf(both.split(';').filter(Boolean).map(Number));
    FOLLOWING.set(both, style);
  }
  return style;
}

function styleOf(numbers: readonly number[]): CellStyle {
  const on = new Map<number, readonly number[]>();
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) on.clear();
    else if (ENDS.has(code)) {
      for (const [key] of on) if (endOf(key) === code) on.delete(key);
    } else {
      const length = code !== 38 && code !== 48 ? 1 : numbers[at + 1] === 5 ? 3 : 5;
      // A colour replaces the previous colour, but bold and dim do not replace each other.
      on.set(REPLACED[endOf(code)] ?? code, numbers.slice(at, at + length));
      at += length - 1;
    }
  }
  const codes = [...on]
    .toSorted(([a], [b]) => a - b)
    .map(([, each]) => each.join(';'))
    .join(';');
  const style = STYLES.get(codes) ?? { codes, fills: on.has(7) || on.has(48) };
  STYLES.set(codes, style);
  return style;
}

const ENDS: ReadonlySet<number> = new Set([22, 27, 39, 49]);
const REPLACED: Readonly<Record<number, number>> = { 39: 38, 49: 48 };
const ESCAPE = '\u{1b}';
const SEQUENCE = new RegExp(`${ESCAPE}\\[([\\d;]*)m`, 'gu');

/** Splits the line into exactly `columns` cells. */
export function cellsOf(line: string, columns: number): Cells {
  const cells: Cells = { texts: [], styles: [], isUnsure: false };
  let [style, from] = [PLAIN, 0];
  for (const { 0: sequence, 1: codes = '', index } of line.matchAll(SEQUENCE)) {
    append(cells, line.slice(from, index), style);
    style = styleAfter(style, codes);
    from = index + sequence.length;
  }
  append(cells, line.slice(from), style);
  append(cells, ' '.repeat(Math.max(0, columns - cells.texts.length)), PLAIN);
  cut(cells, columns);
  return cells;
}

function append(cells: Cells, text: string, style: CellStyle): void {
  const { texts, styles } = cells;
  const isNarrowText = isNarrow(text);
  cells.isUnsure ||= !isNarrowText;
  for (const cluster of clustersOf(text)) {
    const width = isNarrowText ? 1 : widthOf(cluster);
    if (width === 0) texts[texts.length - 1] += cluster;
    for (let cell = 0; cell < width; cell += 1) {
      texts.push(cell === 0 ? cluster : '');
      styles.push(cluster === ' ' && !style.fills ? PLAIN : style);
    }
  }
}

function cut({ texts, styles }: Cells, columns: number): void {
  if (texts.length > columns && texts[columns] === '') texts[columns - 1] = ' ';
  texts.length = columns;
  styles.length = columns;
}

/**
 * Replaces the cells from a column on with other cells. If this cuts a wide character in half, the
 * remaining half becomes a blank.
 */
export function placeCells(under: Cells, left: number, over: Cells): void {
  const { texts, styles } = under;
  const right = Math.min(texts.length, left + over.texts.length);
  if (texts[left] === '') texts[left - 1] = ' ';
  if (texts[right] === '') texts[right] = ' ';
  for (let at = left; at < right; at += 1) {
    texts[at] = over.texts[at - left] ?? ' ';
    styles[at] = over.styles[at - left] ?? PLAIN;
  }
  under.isUnsure ||= over.isUnsure;
}
