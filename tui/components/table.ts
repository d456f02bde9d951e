/** The rows of a list under their titles: which columns there is room for, and each row as one line. */

import { numberText } from '../../src/text/amounts.ts';
import { pad, widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';
import { ends, filled, plain } from './layout.ts';
import type { ListModel } from './list-model.ts';

export interface Column<Row> {
  readonly title: string;
  /** Cells; `grow` takes what is left, and only one column may. */
  readonly width: number | 'grow';
  /** Of a growing column: below that, columns are dropped. */
  readonly least?: number;
  readonly align?: 'left' | 'right';
  /** Columns with a higher number are dropped first; those without are never. */
  readonly drop?: number;
  /** `middle` for names. */
  readonly cut?: 'end' | 'middle';
  /** Safe to draw, without colours; cut when it has more than `width` cells. */
  readonly cell: (row: Row, look: Look, width: number) => string;
  readonly tone?: (row: Row) => Tone | undefined;
  /** What stands in place of this cell and of all after it, as a sentence does; undefined: they do. Safe to draw. */
  readonly rest?: (row: Row, look: Look) => string | undefined;
}

export interface TableOptions<Row> {
  readonly columns: readonly Column<Row>[];
  readonly width: number;
  /** Lines that it takes, the line of titles among them. */
  readonly height: number;
  /** False: no line of titles. */
  readonly titles?: boolean;
  readonly focused?: boolean;
  /** What stands there when there are no rows, and how to get some. */
  readonly empty: string;
  /** Before a row: deleted, in error. One cell. */
  readonly sign?: (row: Row) => string | undefined;
  readonly tone?: (row: Row) => Tone | undefined;
}

const GAP = 2;
/** Pointer or mark, and a blank. */
const GUTTER = 2;
const LEAST_NAME = 16;

/** Columns that fit, in their order, with the width that each has. */
export function fitColumns<Row>(columns: readonly Column<Row>[], width: number): Fitted<Row>[] {
  let kept = [...columns];
  for (;;) {
    const fixed = kept.reduce((sum, { width: cells }) => sum + (cells === 'grow' ? 0 : cells), 0);
    const left = width - GUTTER - fixed - GAP * Math.max(0, kept.length - 1);
    const growing = kept.find((column) => column.width === 'grow');
    const least = growing ? (growing.least ?? LEAST_NAME) : 0;
    const first = kept.filter(({ drop }) => drop !== undefined).sort(byDrop)[0];
    if (left >= least || !first) {
      const grown = Math.max(1, left);
      return kept.map((column) => {
        return { column, width: column.width === 'grow' ? grown : column.width };
      });
    }
    kept = kept.filter((column) => column !== first);
  }
}

const byDrop = (a: { drop?: number }, b: { drop?: number }) => (b.drop ?? 0) - (a.drop ?? 0);

/** Titles and the rows in view. Tells the list how many there is room for. */
export function tableLines<Row>(
  list: ListModel<Row>,
  options: TableOptions<Row>,
  look: Look,
): string[] {
  const columns = fitColumns(options.columns, options.width);
  const head = options.titles === false ? [] : [titleLine(columns, look)];
  const height = Math.max(1, options.height - head.length);
  list.fitTo(height);
  const { rows } = list;
  if (rows.count === 0) return filled([...head, emptyLine(list, options, look)], options.height);
  const lines = [...head];
  for (let index = list.top; index < Math.min(list.top + height, rows.count); index += 1) {
    const row = rows.row(index);
    if (row === undefined) lines.push(look.paint('dim', `  ${look.glyphs.ellipsis} loading`));
    else lines.push(rowLine(list, { row, index, columns, options }, look));
  }
  return filled(lines, options.height);
}

interface Fitted<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

function titleLine<Row>(columns: readonly Fitted<Row>[], look: Look): string {
  const titles = columns.map(({ column, width }) => look.fit(column.title, width, alignOf(column)));
  return look.paint('dim', `${' '.repeat(GUTTER)}${titles.join(' '.repeat(GAP))}`);
}

interface RowToDraw<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Fitted<Row>[];
  readonly options: TableOptions<Row>;
}

function rowLine<Row>(list: ListModel<Row>, toDraw: RowToDraw<Row>, look: Look): string {
  const { row, index, columns, options } = toDraw;
  const isCurrent = index === list.cursor && options.focused !== false;
  const isMarked = list.isMarked(row);
  const sign = isMarked ? look.glyphs.marked : (options.sign?.(row) ?? ' ');
  // Under the cursor a mark or sign is seen in the gutter's second cell.
  const gutter = pad(isCurrent ? look.glyphs.pointer + sign : sign, GUTTER);
  const tone = isMarked ? 'marked' : options.tone?.(row);
  const cells = withRest(columns, row, look).map(({ column, width, text }) => {
    const cut = look.fit(text, width, alignOf(column));
    const own = isCurrent ? undefined : (tone ?? column.tone?.(row));
    return own === undefined ? cut : look.paint(own, cut);
  });
  const line = `${gutter}${cells.join(' '.repeat(GAP))}`;
  return isCurrent ? look.paint('selected', pad(line, options.width)) : line;
}

/** The cells of a row; the one with the rest of it is as wide as all from there on. */
function withRest<Row>(
  columns: readonly Fitted<Row>[],
  row: Row,
  look: Look,
): (Fitted<Row> & { readonly text: string })[] {
  const cells: (Fitted<Row> & { readonly text: string })[] = [];
  for (const [index, { column, width }] of columns.entries()) {
    const rest = column.rest?.(row, look);
    if (rest === undefined) {
      cells.push({ column, width, text: column.cell(row, look, width) });
      continue;
    }
    const after = columns.slice(index + 1).reduce((sum, each) => sum + GAP + each.width, 0);
    return [...cells, { column: { ...column, align: 'left' }, width: width + after, text: rest }];
  }
  return cells;
}

function alignOf<Row>({ align = 'left', cut = 'end' }: Column<Row>): {
  readonly align: 'left' | 'right';
  readonly cut: 'end' | 'middle';
} {
  return { align, cut };
}

function emptyLine<Row>(
  list: ListModel<Row>,
  { empty, width }: TableOptions<Row>,
  look: Look,
): string {
  const { problem, isLoading } = list.rows;
  if (problem !== undefined) return look.paint('bad', look.cut(`  ${look.name(problem)}`, width));
  if (isLoading) return look.paint('dim', `  ${look.glyphs.ellipsis} loading`);
  const none = list.filter ? 'no row matches the filter (Esc clears it)' : empty;
  return look.paint('dim', look.cut(`  ${none}`, width));
}

/** `11 of 48,213+   2 marked   /report   loading`, with the caller's words at the right. */
export function listStatus<Row>(
  list: ListModel<Row>,
  width: number,
  look: Look,
  right = '',
): string {
  const { rows } = list;
  const { number, count } = list.place;
  const at = number === 0 && count > 0 ? look.glyphs.none : numberText(number);
  const words = [`${at} of ${numberText(count)}${rows.more ? '+' : ''}`];
  if (list.marks.size > 0)
    words.push(look.paint('marked', `${numberText(list.marks.size)} marked`));
  if (list.filter) words.push(look.paint('accent', `/${look.name(list.filter.text)}`));
  if (list.filter?.problem !== undefined) words.push(look.paint('bad', list.filter.problem));
  if (list.order) words.push(`by ${list.order.name}`);
  if (rows.note !== undefined) words.push(look.paint('accent', rows.note));
  else if (rows.isLoading && rows.count > 0) words.push(look.paint('dim', 'loading'));
  if (rows.problem !== undefined) words.push(look.paint('bad', look.name(rows.problem)));
  const left = ` ${words.join('   ')}`;
  return widthOf(left) + widthOf(right) < width
    ? ends(left, right, width, look)
    : ends(left, '', width, look);
}

/** Name and value in two columns, for details. Values may hold colours. */
export function facts(rows: readonly (readonly [string, string])[], look: Look): string[] {
  const width = Math.max(...rows.map(([name]) => widthOf(name))) + GAP;
  return rows.map(([name, value]) => {
    const shown = plain(value) === '' ? look.glyphs.none : value;
    return look.paint('dim', pad(name, width)) + shown;
  });
}
