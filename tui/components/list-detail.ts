/** A list with the details of one of its rows: beside it where the terminal is wide, else below it. */

import type { Area } from '../app/screen.ts';
import type { Look } from '../theme/look.ts';
import { beside, pane } from './layout.ts';

interface ListDetail {
  readonly table: (width: number, height: number) => readonly string[];
  readonly title: string;
  readonly details: (area: Area) => readonly string[];
  /** How many lines of details there are room for below the list, without the frame. */
  readonly below: number;
  /** The last line, over the whole width. */
  readonly status: string;
}

/** From there on the details stand beside the list. */
export const WIDE_COLUMNS = 100;
const LIST_SHARE = 0.56;
const FRAME = 2;
/** Titles and as many rows as a list needs to be one. */
const LEAST_LIST = 8;

export function listAndDetail(
  { columns, rows }: Area,
  { table, title, details, below, status }: ListDetail,
  look: Look,
): string[] {
  const room = rows - 1;
  const isWide = columns >= WIDE_COLUMNS;
  const tableWidth = isWide ? Math.floor(columns * LIST_SHARE) : columns;
  const height = isWide
    ? room
    : Math.min(below + FRAME, Math.max(Math.floor(room / 2), room - LEAST_LIST));
  const width = isWide ? columns - tableWidth - 1 : columns;
  const inner = { columns: width - FRAME - 2, rows: height - FRAME };
  const lines = details(inner).map((line) => ` ${line}`);
  const detail = pane(lines, { title, width, height }, look);
  const list = table(tableWidth, isWide ? room : room - height);
  return isWide ? [...beside([list, detail], 1), status] : [...list, ...detail, status];
}
