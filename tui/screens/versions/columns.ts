/** The columns of the versions of an object. */

import type { Column } from '../../components/table.ts';
import type { LockFacts } from '../../store/row-facts.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { minuteText, timeText } from '../../../src/text/time.ts';
import { isRetained, shortLock } from '../../text/locks.ts';
import type { Look } from '../../theme/look.ts';
import { isMarker } from './version-rows.ts';
import type { VersionRow } from './version-rows.ts';

export interface VersionKnowledge {
  readonly locksOf: (row: VersionRow) => LockFacts | undefined;
  readonly now: () => number;
}

/** Narrower than that, times are of the minute and states of one word. */
const FULL_COLUMNS = 78;

export function versionColumns(
  known: VersionKnowledge,
  width: number,
): readonly Column<VersionRow>[] {
  const isFull = width >= FULL_COLUMNS;
  return [
    {
      title: 'VERSION',
      width: 'grow',
      least: 8,
      cut: 'middle',
      cell: ({ versionId }, look) => look.name(versionId),
    },
    {
      title: 'MODIFIED',
      width: isFull ? 19 : 16,
      cell: ({ lastModifiedAt }) => (isFull ? timeText : minuteText)(lastModifiedAt),
    },
    {
      title: 'SIZE',
      width: 8,
      align: 'right',
      drop: 2,
      cell: (row, look) => (isMarker(row) ? look.glyphs.none : bytesText(row.sizeBytes)),
    },
    {
      title: 'STATE',
      width: isFull ? 13 : 7,
      drop: 1,
      cell: (row) => (isFull ? stateText(row) : stateText(row).replace('delete ', '')),
    },
    { title: 'RETAIN UNTIL', width: 12, cell: (row, look) => retainCell(row, known, look) },
    { title: 'HOLD', width: 4, cell: (row, look) => holdCell(row, known, look) },
  ];
}

function stateText(row: VersionRow): string {
  if (isMarker(row)) return 'delete marker';
  return row.isLatest ? 'current' : '';
}

/** A lock that has ended protects nothing, and is not shown as one. */
function retainCell(row: VersionRow, known: VersionKnowledge, look: Look): string {
  const locks = known.locksOf(row);
  if (isMarker(row) || !locks) return isMarker(row) ? look.glyphs.none : '';
  const { retention } = locks;
  return retention && isRetained(locks, known.now()) ? shortLock(retention) : look.glyphs.none;
}

function holdCell(row: VersionRow, known: VersionKnowledge, look: Look): string {
  const locks = known.locksOf(row);
  if (!locks) return isMarker(row) ? look.glyphs.none : '';
  return locks.legalHold === true ? 'ON' : look.glyphs.none;
}
