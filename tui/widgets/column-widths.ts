/**
 * Calculates the widths of list columns. Each column gets its required width, and the details beside the list get the
 * rest. If the columns do not fit, the following steps apply in order: the details move below the list or are omitted,
 * spare columns are omitted, columns use their short form, columns are omitted by `drop`, and names are truncated.
 */

import { widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';

export interface Column<Row> {
  readonly title: string;
  /**
   * The column's width in cells. `fit` is the width of the widest cell; `grow` may also use spare cells. Only one
   * column may grow.
   */
  readonly width: number | 'fit' | 'grow';
  /** For a measured column: the minimum width while other columns can still be omitted. */
  readonly least?: number;
  /** For a growing column: text up to this width is shown in full while other columns can still be omitted. */
  readonly whole?: number;
  /** For a measured column: the maximum width, if the start and the end of a text are enough to identify it. */
  readonly most?: number;
  readonly align?: 'left' | 'right';
  /** Columns with a higher number are omitted first. A column without a number is never omitted. */
  readonly drop?: number;
  /** Whether the column is shown only if all other columns have their required width. */
  readonly spare?: boolean;
  /** A shorter form of the column, used if the columns do not fit. */
  readonly short?: { readonly width: number; readonly cell: Cell<Row> };
  /** Where the text of a cell is truncated. Names use `middle`. */
  readonly cut?: 'end' | 'middle';
  readonly cell: Cell<Row>;
  readonly tone?: Tone | ((row: Row) => Tone | undefined);
  /** Colours parts of the truncated and padded cell. It must not change the width. */
  readonly paint?: (cell: string, row: Row, look: Look) => string;
  /**
   * Returns a sentence that replaces this cell and all cells to its right, and may use the rest of the line. It must be
   * safe to draw. The list truncates the sentence to `width` cells, so a shorter sentence should be returned if the
   * full one does not fit.
   */
  readonly rest?: (row: Row, look: Look, width: number) => string | undefined;
}

/**
 * Returns a cell's text, which must be safe to draw and must not contain colours. The list truncates it to `width`
 * cells.
 */
type Cell<Row> = (row: Row, look: Look, width: number) => string;

export interface Fitted<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/**
 * The widest cell and the longest sentence in each column, over all rows drawn so far. They prevent columns from
 * shifting while the user scrolls.
 */
export interface Measured {
  readonly cells: number[];
  readonly rests: number[];
}

export const GAP = 2;
/** The width of the selection symbol or mark, and a space. */
export const GUTTER = 2;
const LEAST_NAME = 16;
/**
 * A list shows names up to this width in full before it shows details beside the list. A growing column gets more cells
 * only if its text needs them.
 */
const MOST_NAME = 60;
/** Like `MOST_NAME`, for columns of short names, such as job names. */
const MOST_FIT = 20;
const UNCUT = 1_000;

/** Updates the column measurements with these rows. */
export function measure<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { cells, rests }: Measured,
  look: Look,
): void {
  for (const [index, { title, width, cell, rest }] of columns.entries()) {
    let [widest, longest] = [cells[index] ?? widthOf(title), rests[index] ?? 0];
    for (const row of rows) {
      const text = rest?.(row, look, UNCUT);
      if (text !== undefined) longest = Math.max(longest, widthOf(text));
      if (typeof width !== 'number') widest = Math.max(widest, widthOf(cell(row, look, UNCUT)));
    }
    cells[index] = widest;
    rests[index] = longest;
  }
}

/** Returns the width at which the list shows all its columns in full. */
export function neededWidth<Row>(
  columns: readonly Column<Row>[],
  measured: Measured,
  { withSpare }: { readonly withSpare: boolean },
): number {
  const needs = needsOf(columns, measured).filter(({ column }) => withSpare || !column.spare);
  return endOf(
    needs,
    needs.map(({ need }) => need),
  );
}

/** Returns the columns that fit, in their original order, with their widths. */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  measured: Measured,
): Fitted<Row>[] {
  const isRoomy = neededWidth(columns, measured, { withSpare: true }) <= width;
  let kept = needsOf(columns, measured).filter(({ column }) => isRoomy || !column.spare);
  const roomFor = (of: (each: Need<Row>) => number) =>
    width - GUTTER - GAP * Math.max(0, kept.length - 1) - sumOf(kept.map(of));
  if (roomFor(({ need }) => need) < 0) kept = kept.map(shortened);
  const all = kept;
  const dropped: Need<Row>[] = [];
  while (roomFor(({ least }) => least) < 0) {
    const [last] = kept.filter(({ column }) => column.drop !== undefined).toSorted(byDrop);
    if (!last) break;
    kept = kept.filter((each) => each !== last);
    dropped.unshift(last);
  }
  // A narrow column may fit into the space of a wide one that was omitted after it, without truncating a name.
  for (const each of dropped) {
    if (roomFor(({ need }) => need) < each.need + GAP) continue;
    const before = kept;
    kept = all.filter((other) => other === each || before.includes(other));
  }
  return shared(kept, width);
}

interface Need<Row> {
  readonly column: Column<Row>;
  readonly least: number;
  readonly need: number;
  /** The width of the widest cell, which may exceed the column's required width. */
  readonly widest: number;
  /** The width of the longest sentence in the column. */
  readonly rest: number;
}

function needsOf<Row>(columns: readonly Column<Row>[], measured: Measured): Need<Row>[] {
  return columns.map((column, index) => {
    const { width, title } = column;
    const rest = measured.rests[index] ?? 0;
    if (typeof width === 'number') {
      return { column, least: width, need: width, widest: width, rest };
    }
    const widest = measured.cells[index] ?? widthOf(title);
    if (width === 'grow') {
      const least = Math.max(column.least ?? LEAST_NAME, Math.min(widest, column.whole ?? 0));
      const need = Math.max(least, Math.min(widest, column.most ?? MOST_NAME));
      return { column, least, need, widest, rest };
    }
    const need = Math.min(widest, column.most ?? MOST_FIT);
    const least = Math.min(need, column.least ?? need);
    return { column, least, need, widest, rest };
  });
}

function shortened<Row>(each: Need<Row>): Need<Row> {
  const { column } = each;
  if (!column.short) return each;
  const { width } = column.short;
  const short = { ...column, ...column.short };
  return { ...each, column: short, least: width, need: width, widest: width };
}

/** Widens the columns to their required width, names before messages. The remaining cells go to the growing column. */
function shared<Row>(kept: readonly Need<Row>[], width: number): Fitted<Row>[] {
  const widths = kept.map(({ least }) => least);
  const growing = kept.findIndex(({ column }) => column.width === 'grow');
  const left = () => width - GUTTER - GAP * Math.max(0, kept.length - 1) - sumOf(widths);
  const widen = (index: number, to: number, room = left()) => {
    const now = widths[index] ?? 0;
    widths[index] = Math.max(now, Math.min(to, now + room));
  };
  const order = [growing, ...kept.keys()].filter((index) => index >= 0);
  for (const index of order) widen(index, kept[index]?.need ?? 0);
  const grown = kept[growing];
  if (grown && left() < 0) widths[growing] = Math.max(1, grown.least + left());
  if (grown) widen(growing, Math.max(grown.widest, MOST_NAME), width - endOf(kept, widths));
  return kept.map(({ column }, index) => ({ column, width: widths[index] ?? 0 }));
}

/** Returns the position where the row ends, in cells, including its sentences. */
function endOf<Row>(kept: readonly Need<Row>[], widths: readonly number[]): number {
  let [start, end] = [GUTTER, GUTTER];
  for (const [index, { rest }] of kept.entries()) {
    const width = widths[index] ?? 0;
    end = Math.max(end, start + width, start + rest);
    start += width + GAP;
  }
  return end;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function byDrop<Row>({ column: a }: Need<Row>, { column: b }: Need<Row>): number {
  return (b.drop ?? 0) - (a.drop ?? 0);
}
