/**
 * The columns of a list and their widths. The rule for all lists:
 *
 * 1. Each column gets the width that its content needs, and a pane of details beside the list gets the rest.
 * 2. Where that does not fit, the details go below the list or are omitted (`list-detail.ts`). Then spare columns are
 *    omitted, then columns take their short form, then columns are omitted in the order of `drop`. Names are cut last.
 * 3. Of what is left over, a growing column takes only as much as names usually need, so that the cells of a row stay
 *    together on a wide terminal.
 */

import { widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';

export interface Column<Row> {
  readonly title: string;
  /** Cells; `fit`: those of the widest cell; `grow`: the same, and what is left over. Only one column may grow. */
  readonly width: number | 'fit' | 'grow';
  /** Of a measured column: cells that it keeps while other columns can be omitted. */
  readonly least?: number;
  /** Of a measured column: it needs no more cells, since the start and the end of a text identify it. */
  readonly most?: number;
  readonly align?: 'left' | 'right';
  /** Columns with a higher number are omitted first; those without a number are never omitted. */
  readonly drop?: number;
  /** Shown only where the other columns have all the width that they need. */
  readonly spare?: boolean;
  /** What the column shows where the columns do not fit. */
  readonly short?: { readonly width: number; readonly cell: Cell<Row> };
  /** `middle` for names. */
  readonly cut?: 'end' | 'middle';
  readonly cell: Cell<Row>;
  readonly tone?: Tone | ((row: Row) => Tone | undefined);
  /** Paints parts of the cell, which is cut and padded by then. It must not change its width. */
  readonly paint?: (cell: string, row: Row, look: Look) => string;
  /** A sentence that replaces this cell and all after it, and may take the rest of the line. Safe to draw. */
  readonly rest?: (row: Row, look: Look) => string | undefined;
}

/** Safe to draw, without colours; cut when it has more than `width` cells. */
type Cell<Row> = (row: Row, look: Look, width: number) => string;

export interface Fitted<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/**
 * The widest cell and the longest sentence of each column among the rows drawn so far: the columns of a list that is
 * scrolled do not move back and forth.
 */
export interface Measured {
  readonly cells: number[];
  readonly rests: number[];
}

export const GAP = 2;
/** Pointer or mark, and a blank. */
export const GUTTER = 2;
const LEAST_NAME = 16;
/**
 * Names of up to that width are shown whole before there are details beside the list. A growing column takes no more of
 * what is left over unless its content needs it.
 */
const MOST_NAME = 60;
/** The same for a column of short names, such as those of jobs. */
const MOST_FIT = 20;
const UNCUT = 1_000;

/** Adds these rows to what was measured. */
export function measure<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { cells, rests }: Measured,
  look: Look,
): void {
  for (const [index, { title, width, cell, rest }] of columns.entries()) {
    let [widest, longest] = [cells[index] ?? widthOf(title), rests[index] ?? 0];
    for (const row of rows) {
      const text = rest?.(row, look);
      if (text !== undefined) longest = Math.max(longest, widthOf(text));
      if (typeof width !== 'number') widest = Math.max(widest, widthOf(cell(row, look, UNCUT)));
    }
    cells[index] = widest;
    rests[index] = longest;
  }
}

/** Cells of a list that shows all that it has. */
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

/** The columns for which there is room, in their order, each with its width. */
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
  while (roomFor(({ least }) => least) < 0) {
    const [dropped] = kept.filter(({ column }) => column.drop !== undefined).toSorted(byDrop);
    if (!dropped) break;
    kept = kept.filter((each) => each !== dropped);
  }
  return shared(kept, width);
}

interface Need<Row> {
  readonly column: Column<Row>;
  readonly least: number;
  readonly need: number;
  /** Of its widest cell, which may be more than the column needs. */
  readonly widest: number;
  /** Of its longest sentence. */
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
      const least = column.least ?? LEAST_NAME;
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

/** Names get what they need before messages do; then the growing column gets of what is left over. */
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

/** The cell after the last one that the row or one of its sentences takes. */
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
