/** How a prefix looks: its rows, and beside them on a wide terminal what is known of the one under the cursor. */

import type { Area } from '../../app/screen.ts';
import { beside, pane } from '../../components/layout.ts';
import { WIDE_COLUMNS } from '../../components/list-detail.ts';
import type { ListModel } from '../../components/list-model.ts';
import { listStatus, tableLines } from '../../components/table.ts';
import { clamp } from '../../components/window.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { factLines, objectFacts } from '../object/object-facts.ts';
import { objectColumns } from './columns.ts';
import type { RowKnowledge } from './columns.ts';
import { isStored, nameOf } from './object-rows.ts';
import type { ObjectRow } from './object-rows.ts';

/** Of the pane beside the list, and what the list needs to show when objects were changed. */
const DETAIL_COLUMNS = { least: 36, most: 44 };
const LIST_COLUMNS = 68;

export interface ObjectsView {
  readonly list: ListModel<ObjectRow>;
  readonly prefix: string;
  readonly known: RowKnowledge;
}

export function objectsLines(view: ObjectsView, { columns, rows }: Area, look: Look): string[] {
  const { list, prefix, known } = view;
  const isWide = columns >= WIDE_COLUMNS;
  const { least, most } = DETAIL_COLUMNS;
  const detail = { columns: clamp(columns - LIST_COLUMNS, least, most), rows: rows - 1 };
  const table = {
    columns: objectColumns(prefix, known),
    width: isWide ? columns - detail.columns - 1 : columns,
    height: rows - 1,
    empty: EMPTY,
    sign: (row: ObjectRow) => (row.kind === 'deleted' ? look.glyphs.deleted : undefined),
    tone: (row: ObjectRow) => (row.kind === 'deleted' ? ('dim' as const) : undefined),
  };
  const shown = tableLines(list, table, look);
  if (isEmpty(list)) shown[2] = look.paint('dim', look.fit(`  ${EMPTY}`, table.width));
  const lines = isWide ? beside([shown, detailLines(view, detail, look)], 1) : shown;
  return [...lines, listStatus(list, columns, look, legend(list, look))];
}

const EMPTY = 'empty: U uploads';

/** Only the row that leads up is listed. */
function isEmpty({ filter, rows }: ListModel<ObjectRow>): boolean {
  return !filter && rows.count === 1 && rows.row(0)?.kind === 'up' && !rows.more;
}

function detailLines({ list, prefix, known }: ObjectsView, area: Area, look: Look): string[] {
  const { current } = list;
  const isNamed = current !== undefined && current.kind !== 'up';
  const title = isNamed ? look.name(nameOf(current).slice(prefix.length)) : '';
  const facts = current && known.factsOf(current);
  const judged = { now: known.now(), hasLock: known.canLock };
  const lines = facts ? factLines(objectFacts(facts, judged), area.columns - 4, look) : [];
  const options = { title, width: area.columns, height: area.rows };
  return pane(
    lines.map((line) => ` ${line}`),
    options,
    look,
  );
}

/** How much is marked, and what the letters of the flags mean. */
function legend(list: ListModel<ObjectRow>, look: Look): string {
  const marked = [...list.marks.values()].filter(isStored);
  const bytes = marked.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const letters = look.paint('dim', 'L lock  H hold  C conflict  D deleted ');
  return marked.length === 0 ? letters : `${bytesText(bytes)}   ${letters}`;
}
