/** A list with the details of one of its rows: beside it where the list has the width that it needs, else below it. */

import type { Area } from '../app/screen.ts';
import type { Look } from '../theme/look.ts';
import { measure, neededWidth } from './column-widths.ts';
import type { Column } from './column-widths.ts';
import type { ListModel } from './list-model.ts';
import { tableLines } from './table.ts';
import type { TableOptions } from './table.ts';
import { beside } from './layout.ts';
import { pane } from './panes.ts';

interface ListDetail<Row> {
  readonly list: ListModel<Row>;
  readonly table: Omit<TableOptions<Row>, 'width' | 'height'>;
  /** Of the details, safe to draw. */
  readonly title: string;
  readonly details: (area: Area) => readonly string[];
  /** Lines of details below the list, without the frame; 0: none. */
  readonly below: number;
  /** The last line, over the whole width. */
  readonly status: string;
}

/** Narrower terminals have no room beside a list. */
export const WIDE_COLUMNS = 100;
/** Of the frame beside the list. */
export const LEAST_DETAIL = 36;
/** The list takes its spare columns from what the details have beyond that. */
const ROOMY_DETAIL = 60;
const FRAME = 2;
/** Titles and as many rows as a list needs to be one. */
const LEAST_LIST = 8;

export function listAndDetail<Row>(
  { columns, rows }: Area,
  { list, table, title, details, below, status }: ListDetail<Row>,
  look: Look,
): string[] {
  const room = rows - 1;
  measure(table.columns, list.inView(rows), list.measured, look);
  const width = widthBeside(list, table, columns);
  const framed = (size: { readonly width: number; readonly height: number }) => {
    const inner = { columns: size.width - FRAME - 2, rows: size.height - FRAME };
    const lines = details(inner).map((line) => ` ${line}`);
    return pane(lines, { title, ...size }, look);
  };
  if (width !== undefined) {
    const shown = tableLines(list, { ...table, width, height: room }, look);
    return [...beside([shown, framed({ width: columns - width - 1, height: room })], 1), status];
  }
  const lines = below === 0 || !list.current ? 0 : below + FRAME;
  const height = Math.min(lines, Math.max(Math.floor(room / 2), room - LEAST_LIST));
  const shown = tableLines(list, { ...table, width: columns, height: room - height }, look);
  return [...shown, ...framed({ width: columns, height }), status];
}

/** Cells of the list with details beside it; undefined if there are none, or if the list needs their width. */
function widthBeside<Row>(
  { measured, current }: ListModel<Row>,
  table: Pick<TableOptions<Row>, 'columns'>,
  columns: number,
): number | undefined {
  const needed = (withSpare: boolean) => neededWidth(table.columns, measured, { withSpare });
  const most = columns - 1 - LEAST_DETAIL;
  if (!current || columns < WIDE_COLUMNS || needed(false) > most) return undefined;
  const hasSpare = needed(true) <= columns - 1 - ROOMY_DETAIL;
  return Math.min(most, Math.max(needed(hasSpare), Math.floor(columns / 2)));
}

/** Cells that the rows in view and those drawn before need, without spare columns. */
export function listWidth<Row>(
  list: ListModel<Row>,
  columns: readonly Column<Row>[],
  height: number,
  look: Look,
): number {
  measure(columns, list.inView(height), list.measured, look);
  return neededWidth(columns, list.measured, { withSpare: false });
}
