/** Draws the attention list. The selected row shows its whole reason, on several lines if necessary. */

import { pad, widthOf, wrap } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import { GAP, GUTTER } from '../../widgets/column-widths.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Area } from '../../widgets/layout.ts';
import type { ListModel } from '../../widgets/list-model.ts';
import { tableLines } from '../../widgets/table.ts';
import type { AttentionRow } from './attention-rows.ts';

const KEY_TITLE = 'KEY';

interface AttentionList {
  readonly list: ListModel<AttentionRow>;
  readonly focused: boolean;
  readonly empty: string;
}

export function attentionLines(
  { list, focused, empty }: AttentionList,
  { columns, rows }: Area,
  look: Look,
): string[] {
  const { current } = list;
  const parts = current && focused ? partsOf(current, { list, columns }, look) : [];
  const more = parts.slice(1, rows);
  const table = { columns: columnsWith(current, parts[0]), titles: false, focused, empty };
  const lines = tableLines(list, { ...table, width: columns, height: rows - more.length }, look);
  const indent = ' '.repeat(indentOf(list));
  const below = more.map((part) =>
    look.select(pad(indent + look.paint(current ? toneOf(current) : 'bad', part), columns)),
  );
  return lines.toSpliced(list.cursor - list.top + 1, 0, ...below);
}

/** Returns the number of lines that the list needs for all rows, one of which shows its whole reason. */
export function attentionHeight(
  list: ListModel<AttentionRow>,
  columns: number,
  look: Look,
): number {
  let most = 1;
  for (let index = 0; index < list.rows.count; index += 1) {
    const row = list.rows.row(index);
    if (row) most = Math.max(most, partsOf(row, { list, columns }, look).length);
  }
  return list.rows.count + most - 1;
}

function partsOf(
  row: AttentionRow,
  { list, columns }: { readonly list: ListModel<AttentionRow>; readonly columns: number },
  look: Look,
): string[] {
  return wrap(textOf(row, look), Math.max(1, columns - indentOf(list)));
}

/** Returns the columns of the list. For the selected row, the list shows only the first line of the reason. */
function columnsWith(
  current: AttentionRow | undefined,
  firstPart: string | undefined,
): readonly Column<AttentionRow>[] {
  return [
    { title: KEY_TITLE, width: 'fit', tone: 'key', cell: ({ key }) => key },
    {
      title: 'ATTENTION',
      width: 'grow',
      tone: toneOf,
      cell: (row, look) => (row === current && firstPart ? firstPart : textOf(row, look)),
    },
  ];
}

/** Returns the column in which the reasons start. */
function indentOf({ rows, measured }: ListModel<AttentionRow>): number {
  let cells = Math.max(widthOf(KEY_TITLE), measured.cells[0] ?? 0);
  for (let index = 0; index < rows.count; index += 1) {
    cells = Math.max(cells, widthOf(rows.row(index)?.key ?? ''));
  }
  return GUTTER + cells + GAP;
}

const toneOf = ({ isKnown }: AttentionRow) => (isKnown ? ('dim' as const) : ('bad' as const));

function textOf({ job, text }: AttentionRow, look: Look): string {
  return look.name(job === undefined ? text : `${job}: ${text}`);
}
