/** The columns of the versions of an object. */

import type { Column } from '../../components/column-widths.ts';
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

export function versionColumns(known: VersionKnowledge): readonly Column<VersionRow>[] {
  return [
    {
      title: 'VERSION',
      width: 'grow',
      least: 8,
      most: 12,
      cut: 'middle',
      cell: ({ versionId }, look) => look.name(versionId),
    },
    {
      title: 'MODIFIED',
      width: 19,
      cell: ({ lastModifiedAt }) => timeText(lastModifiedAt),
      short: { width: 16, cell: ({ lastModifiedAt }) => minuteText(lastModifiedAt) },
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
      width: 13,
      drop: 1,
      cell: stateText,
      short: { width: 7, cell: (row) => stateText(row).replace('delete ', '') },
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
