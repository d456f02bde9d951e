/**
 * Draws a list with details of its selected row. The details are beside the list if the list has its required width,
 * otherwise below the list.
 */

import { widthOf } from '../text/width.ts';
import { plain } from './layout.ts';
import type { Area } from './layout.ts';
import type { Look } from '../theme/look.ts';
import { measure, neededWidth } from './column-widths.ts';
import type { Column } from './column-widths.ts';
import { framed } from './panes.ts';
import type { Pane } from './panes.ts';
import type { ListModel } from './list-model.ts';
import { listFoot, tableLines } from './table.ts';
import type { TableOptions } from './table.ts';

interface ListDetail<Row> {
  readonly list: ListModel<Row>;
  readonly listTitle: string;
  readonly table: Omit<TableOptions<Row>, 'width' | 'height'>;
  /** The title above the details. It must be safe to draw. */
  readonly title: string;
  readonly details: (area: Area) => readonly string[];
  /** The number of detail lines below the list, without the frame. If 0, the details are omitted. */
  readonly below: number;
  readonly content?: DetailContent | undefined;
  /** Text in the lower border of the list. It may contain colours. */
  readonly legend?: string;
}

/**
 * A second pane for the selected row. If the details are beside the list, this pane is below the details, otherwise
 * beside them. It is omitted if it does not fit.
 */
export interface DetailContent {
  /** The title of the pane. It must be safe to draw. */
  readonly title: string;
  readonly draw: (area: Area) => readonly string[];
}

interface FramedList<Row> {
  readonly list: ListModel<Row>;
  readonly title: string;
  readonly table: Omit<TableOptions<Row>, 'width' | 'height'>;
  readonly legend?: string;
}

/** Terminals with fewer columns never show details beside a list. */
export const WIDE_COLUMNS = 100;
/** The minimum width of the details beside the list, with their frame. */
export const LEAST_DETAIL = 36;
/** If the details are wider than this, the extra columns go to the list's spare columns. */
const ROOMY_DETAIL = 60;
const FRAME = 2;
/** The cells around a legend in the border: its corners, and a space and a line at both ends. */
const LEGEND_FRAME = 6;
/** The minimum height of a list: the column headings and some rows. */
const LEAST_LIST = 8;
/** The minimum number of lines in a content pane. */
const LEAST_CONTENT = 4;

export function listAndDetail<Row>(
  { columns, rows }: Area,
  { list, listTitle, table, title, details, below, content, legend = '' }: ListDetail<Row>,
  look: Look,
): string[] {
  measure(table.columns, list.inView(rows), list.measured, look);
  const shown = listPane(list, { title: listTitle, table, width: columns }, look);
  const foot = { place: '', legend: legend.trim() };
  const detail = { ...indented({ title, draw: details }), foot };
  const width = widthBeside(list, table, columns);
  if (width !== undefined) {
    const beside = { ...detail, width: columns - width - 1 };
    // The legend is below the list instead of the details if it would be truncated there.
    const fits = widthOf(plain(legend.trim())) <= beside.width - LEGEND_FRAME;
    const listed = {
      ...shown,
      width: width + 1,
      foot: listFoot(list, look, fits ? '' : legend, table.marked),
    };
    const room = { columns: beside.width - FRAME, rows: rows - FRAME };
    const described = fits ? beside : { ...beside, foot: undefined };
    const panes = [listed, withContent(described, content, room)];
    return framed([{ height: rows, panes }], look);
  }
  const lines = below === 0 || !list.current ? 0 : below + FRAME;
  const height = Math.min(lines, Math.max(Math.floor(rows / 2), rows - LEAST_LIST));
  if (height === 0) {
    const alone = { ...shown, foot: listFoot(list, look, legend, table.marked) };
    return framed([{ height: rows, panes: [alone] }], look);
  }
  const half = content && columns >= WIDE_COLUMNS ? Math.floor(columns / 2) : 0;
  // The line between the list and the details shows the title of the details, so the legend does not fit there.
  const lower = [{ ...detail, width: columns - half }];
  if (content && half > 0) lower.push({ ...indented(content), foot, width: half });
  return framed(
    [
      { height: rows - height, panes: [shown] },
      { height, panes: lower },
    ],
    look,
  );
}

/** Adds one space at the left and right side of a pane. */
function indented({ title, draw }: DetailContent): DetailContent {
  return {
    title,
    draw: (area) => draw({ ...area, columns: area.columns - 2 }).map((line) => ` ${line}`),
  };
}

/** Adds the content below the detail lines, in the same frame. */
function withContent(detail: Pane, content: DetailContent | undefined, room: Area): Pane {
  if (!content) return detail;
  const lines = detail.draw(room);
  if (room.rows - lines.length - 1 < LEAST_CONTENT) return detail;
  return { ...detail, draw: () => lines, lower: { ...indented(content), after: lines.length } };
}

/** Returns a list inside a separate frame. */
export function framedList<Row>(
  { columns, rows }: Area,
  { list, title, table, legend = '' }: FramedList<Row>,
  look: Look,
): string[] {
  const foot = listFoot(list, look, legend, table.marked);
  const pane = listPane(list, { title, table, foot, width: columns }, look);
  return framed([{ height: rows, panes: [pane] }], look);
}

/** Returns the pane for the list that receives the keys, for a frame with other panes. */
export function listPane<Row>(
  list: ListModel<Row>,
  { table, ...pane }: Omit<Pane, 'draw'> & Pick<ListDetail<Row>, 'table'>,
  look: Look,
): Pane {
  const draw = ({ columns: width, rows: height }: Area) =>
    tableLines(list, { ...table, width, height }, look);
  return { foot: listFoot(list, look, '', table.marked), ...pane, focused: true, draw };
}

/**
 * Returns the list's width if details fit beside the list. Returns undefined if they do not fit or no row is selected.
 */
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

/** Returns the number of cells that the visible and previously drawn rows need, without spare columns. */
export function listWidth<Row>(
  list: ListModel<Row>,
  columns: readonly Column<Row>[],
  height: number,
  look: Look,
): number {
  measure(columns, list.inView(height), list.measured, look);
  return neededWidth(columns, list.measured, { withSpare: false });
}
