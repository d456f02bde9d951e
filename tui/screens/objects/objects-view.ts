/**
 * Draws the rows of a prefix. A wide terminal also shows the details and content of the row under the cursor. A narrow
 * terminal shows the content of an object and the details of a folder, if it is high enough.
 */

import type { Area } from '../../widgets/layout.ts';
import { facts } from '../../widgets/facts.ts';
import { framedList, listAndDetail, WIDE_COLUMNS } from '../../widgets/list-detail.ts';
import type { DetailContent } from '../../widgets/list-detail.ts';
import type { ListModel } from '../../widgets/list-model.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import { pad, wrap } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import { factLines, objectFacts } from './object-facts.ts';
import { objectColumns } from './columns.ts';
import type { RowKnowledge } from './columns.ts';
import type { Sums } from './folder-sums.ts';
import { isStored, nameOf } from './object-rows.ts';
import type { ObjectRow } from './object-rows.ts';

/** The number of detail lines below the list, and the minimum height of the screen for showing them. */
const DETAIL_ROWS = { below: 10, from: 32 };
/**
 * On a narrow terminal, the minimum height of the screen for a pane below the list. A terminal of 80×24 has this
 * height.
 */
const LEAST_NARROW = 20;
/** The share of the height that the pane below the list gets. At 80×24, the list keeps ten rows. */
const NARROW_SHARE = 1 / 4;

export interface ObjectsView {
  readonly list: ListModel<ObjectRow>;
  readonly prefix: string;
  readonly known: RowKnowledge;
  readonly content?: DetailContent | undefined;
}

export function objectsLines(view: ObjectsView, area: Area, look: Look): string[] {
  const { list, prefix, known } = view;
  const { current } = list;
  const isNarrow = area.columns < WIDE_COLUMNS;
  const table = {
    columns: objectColumns(prefix, known),
    empty: EMPTY,
    sign: (row: ObjectRow) => (row.kind === 'deleted' ? look.glyphs.deleted : undefined),
    tone: (row: ObjectRow) => (row.kind === 'deleted' ? ('dim' as const) : undefined),
    marked: bytesText(markedBytes(view)),
  };
  if (isEmpty(list)) {
    const lines = framedList(area, { list, title: LIST_TITLE, table }, look);
    const note = pad(look.paint('dim', `  ${EMPTY}`), area.columns - 2);
    const side = look.paint('focus', look.glyphs.down);
    return lines.with(FIRST_BELOW, side + note + side);
  }
  const isNamed = current !== undefined && current.kind !== 'up';
  return listAndDetail(
    area,
    {
      list,
      listTitle: LIST_TITLE,
      table,
      title: isNamed ? look.name(nameOf(current).slice(prefix.length)) : '',
      details: (inner) =>
        isNarrow && view.content
          ? view.content.draw(inner)
          : detailLines(view, inner.columns, look),
      below: rowsBelow(area),
      content: view.content,
      legend: look.paint('dim', 'L lock  H hold  C conflict  D deleted'),
    },
    look,
  );
}

/** Returns the number of lines of the pane below the list. */
function rowsBelow({ columns, rows }: Area): number {
  if (columns >= WIDE_COLUMNS) return rows >= DETAIL_ROWS.from ? DETAIL_ROWS.below : 0;
  return rows >= LEAST_NARROW ? Math.floor(rows * NARROW_SHARE) : 0;
}

const EMPTY = 'no objects; press U to upload';
const LIST_TITLE = 'Objects';
/** The first line below the border, the headings and the row of the parent folder. */
const FIRST_BELOW = 3;

/** Returns whether the list contains only the row of the parent folder. */
function isEmpty({ filter, rows }: ListModel<ObjectRow>): boolean {
  return !filter && rows.count === 1 && rows.row(0)?.kind === 'up' && !rows.more;
}

function detailLines({ list, known }: ObjectsView, columns: number, look: Look): string[] {
  const { current } = list;
  if (current?.kind === 'folder') {
    const sums = known.sumsOf(current.prefix);
    return sums ? facts(sumFacts(sums), look, columns) : [look.paint('dim', NOT_COUNTED)];
  }
  if (current?.kind === 'deleted') {
    const how = wrap(DELETED, columns).map((line) => look.paint('dim', line));
    return [...facts([['deleted', timeText(current.lastModifiedAt)]], look, columns), ...how];
  }
  const described = current && known.factsOf(current);
  const judged = { now: known.now(), hasLock: known.canLock };
  return described ? factLines(objectFacts(described, judged), columns, look) : [];
}

function sumFacts(sums: Sums): [name: string, value: string][] {
  const { objects, bytes, olderVersions, olderBytes, deleteMarkers, newestAt } = sums;
  return [
    ['current', `${bytesText(bytes)} in ${countText(objects, 'object')}`],
    ['older', `${bytesText(olderBytes)} in ${countText(olderVersions, 'version')}`],
    ['delete markers', numberText(deleteMarkers)],
    ['newest change', timeText(newestAt)],
  ];
}

const DELETED = 'R restores the newest version; v shows all versions';
const NOT_COUNTED = 'not counted yet; press z to count';

/** Returns the total size of the marked objects and of the marked folders that are counted. */
function markedBytes({ list, known }: ObjectsView): number {
  return [...list.marks.values()].reduce((sum, row) => {
    if (row.kind === 'folder') return sum + (known.sumsOf(row.prefix)?.bytes ?? 0);
    return isStored(row) ? sum + row.sizeBytes : sum;
  }, 0);
}
