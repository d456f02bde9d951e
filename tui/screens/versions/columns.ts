/** The columns of the version list. */

import type { Column } from '../../widgets/column-widths.ts';
import type { LockFacts } from '../../data/row-facts.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { minuteText, timeText } from '../../../src/text/time.ts';
import { isRetained, shortLock } from '../../text/locks.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { lockTone } from '../../theme/tones.ts';
import { VERSION_CELLS } from '../../acts/names.ts';
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
      most: VERSION_CELLS,
      cut: 'middle',
      cell: ({ versionId }, look) => look.name(versionId),
    },
    {
      title: 'MODIFIED',
      tone: 'date',
      width: 19,
      cell: ({ lastModifiedAt }) => timeText(lastModifiedAt),
      short: { width: 16, cell: ({ lastModifiedAt }) => minuteText(lastModifiedAt) },
    },
    {
      title: 'SIZE',
      tone: 'size',
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
      tone: ({ isLatest }) => (isLatest ? 'good' : undefined),
      short: { width: 7, cell: (row) => stateText(row).replace('delete ', '') },
    },
    {
      title: 'RETAIN UNTIL',
      width: 12,
      tone: (row) => retainTone(row, known),
      cell: (row, look) => retainCell(row, known, look),
    },
    {
      title: 'HOLD',
      width: 4,
      tone: (row) => (known.locksOf(row)?.legalHold === true ? 'hold' : 'dim'),
      cell: (row, look) => holdCell(row, known, look),
    },
  ];
}

function stateText(row: VersionRow): string {
  if (isMarker(row)) return 'delete marker';
  return row.isLatest ? 'current' : '';
}

function retainTone(row: VersionRow, known: VersionKnowledge): Tone {
  const locks = known.locksOf(row);
  const mode = locks && isRetained(locks, known.now()) ? locks.retention?.mode : undefined;
  return lockTone(mode) ?? 'dim';
}

/**
 * Returns the lock of a version as text. An expired lock no longer protects the version, so it is
 * not shown.
 */
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
