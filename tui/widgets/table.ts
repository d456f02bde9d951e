/** Draws the rows of a list below the column headings, one line for each row. */

import { numberText } from '../../src/text/amounts.ts';
import { pad, widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';
import { fitColumns, GAP, GUTTER, measure } from './column-widths.ts';
import type { Column, Fitted } from './column-widths.ts';
import { ends, filled, plain } from './layout.ts';
import type { ListModel } from './list-model.ts';
import type { Foot } from './panes.ts';

export interface TableOptions<Row> {
  readonly columns: readonly Column<Row>[];
  readonly width: number;
  /** The number of lines, including the line of headings. */
  readonly height: number;
  /** Whether the line of headings is shown. The default is true. */
  readonly titles?: boolean;
  readonly focused?: boolean;
  /** The text of an empty list. It names the key that adds an entry. */
  readonly empty: string;
  /** Returns the sign before a row, such as for a deleted object. It is one cell wide. */
  readonly sign?: (row: Row) => string | undefined;
  readonly tone?: (row: Row) => Tone | undefined;
  /** A sum over the marked rows, shown beside their number. */
  readonly marked?: string;
}

/** Draws the headings and the visible rows, and sets the height of the list. */
export function tableLines<Row>(
  list: ListModel<Row>,
  options: TableOptions<Row>,
  look: Look,
): string[] {
  const titleRows = options.titles === false ? 0 : 1;
  const height = Math.max(1, options.height - titleRows);
  list.fitTo(height);
  measure(options.columns, list.inView(height), list.measured, look);
  const columns = fitColumns(options.columns, options.width, list.measured);
  const head = titleRows === 0 ? [] : [titleLine(columns, look)];
  const { rows } = list;
  if (rows.count === 0) return filled([...head, emptyLine(list, options, look)], options.height);
  const lines = [...head];
  const drawn = new Map<number, string>();
  for (let index = list.top; index < Math.min(list.top + height, rows.count); index += 1) {
    const row = rows.row(index);
    if (row === undefined) lines.push(look.paint('dim', `  ${look.glyphs.ellipsis} loading`));
    else {
      const line = rowLine(list, { row, index, columns, options }, look);
      drawn.set(index, plain(line).trimEnd());
      lines.push(line);
    }
  }
  list.drawn = drawn;
  return filled(lines, options.height);
}

function titleLine<Row>(columns: readonly Fitted<Row>[], look: Look): string {
  const titles = columns.map(({ column, width }) => look.fit(column.title, width, alignOf(column)));
  return look.paint('heading', `${' '.repeat(GUTTER)}${titles.join(' '.repeat(GAP))}`);
}

interface RowToDraw<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Fitted<Row>[];
  readonly options: TableOptions<Row>;
}

function rowLine<Row>(list: ListModel<Row>, toDraw: RowToDraw<Row>, look: Look): string {
  const { row, index, options } = toDraw;
  const isCurrent = index === list.cursor && options.focused !== false;
  const isMarked = list.isMarked(row);
  const sign = isMarked ? look.glyphs.marked : (options.sign?.(row) ?? ' ');
  // In the row under the cursor, the second cell of the gutter shows the mark or sign.
  const gutter = pad(isCurrent ? look.pointer + sign : sign, GUTTER);
  const tone = isMarked ? 'marked' : options.tone?.(row);
  const cells = withRest(toDraw, look).map(({ column, width, text }) => {
    const cut = look.fit(text, width, alignOf(column));
    if (column.paint && tone === undefined) return column.paint(cut, row, look);
    const own = tone ?? (typeof column.tone === 'function' ? column.tone(row) : column.tone);
    return own === undefined ? cut : look.paint(own, cut);
  });
  const line = `${gutter}${cells.join(' '.repeat(GAP))}`;
  return isCurrent ? look.select(pad(line, options.width)) : line;
}

/** Returns the cells of a row. A sentence replaces all cells from its column to the end of the line. */
function withRest<Row>(
  { row, columns, options }: RowToDraw<Row>,
  look: Look,
): (Fitted<Row> & { readonly text: string })[] {
  const cells: (Fitted<Row> & { readonly text: string })[] = [];
  let start = GUTTER;
  for (const { column, width } of columns) {
    const room = options.width - start;
    const rest = column.rest?.(row, look, room);
    if (rest !== undefined) {
      const { paint: _, ...whole } = column;
      const left = { ...whole, align: 'left' as const };
      return [...cells, { column: left, width: room, text: rest }];
    }
    cells.push({ column, width, text: column.cell(row, look, width) });
    start += width + GAP;
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

/**
 * Returns the text for the lower border of a list: `11 of 48,213+   2 marked   /report   loading`. It may contain
 * colours.
 */
export function listFoot<Row>(
  list: ListModel<Row>,
  look: Look,
  legend = '',
  marked?: string,
): Foot {
  return { place: placeText(list, look, marked), legend: legend.trim() };
}

/** Returns the text of the list's lower border as a line, with the caller's text at the right. */
export function listStatus<Row>(
  list: ListModel<Row>,
  width: number,
  look: Look,
  right = '',
): string {
  const left = ` ${placeText(list, look)}`;
  return widthOf(left) + widthOf(right) < width
    ? ends(left, right, width, look)
    : ends(left, '', width, look);
}

function placeText<Row>(list: ListModel<Row>, look: Look, marked?: string): string {
  const { rows } = list;
  const { number, count } = list.place;
  const at = number === 0 && count > 0 ? look.glyphs.none : numberText(number);
  // An empty list shows its problem instead of rows.
  const isShown = rows.problem !== undefined && rows.count === 0;
  const isEmpty = count === 0 && (!rows.more || isShown) && !list.filter;
  const words = isEmpty ? [] : [`${at} of ${numberText(count)}${rows.more ? '+' : ''}`];
  if (list.marks.size > 0) {
    const sum = marked === undefined ? '' : `, ${marked}`;
    words.push(look.paint('marked', `${numberText(list.marks.size)} marked${sum}`));
  }
  if (list.filter) words.push(look.paint('accent', `/${look.name(list.filter.text)}`));
  if (list.filter?.problem !== undefined) words.push(look.paint('bad', list.filter.problem));
  if (list.order) words.push(`by ${list.order.name}`);
  if (rows.note !== undefined) words.push(look.paint('accent', rows.note));
  else if (rows.isLoading && rows.count > 0) words.push(look.paint('dim', 'loading'));
  if (rows.problem !== undefined && !isShown)
    words.push(look.paint('bad', look.name(rows.problem)));
  return words.join('   ');
}
