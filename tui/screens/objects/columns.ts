/** The columns in the list of objects below a prefix. */

import { paintedBar, shareBar } from '../../widgets/charts.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { LockFacts, ObjectFacts } from '../../data/row-facts.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { SumsOf } from './object-orders.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { lockTone } from '../../theme/tones.ts';
import { isStored, nameOf } from './object-rows.ts';
import type { ObjectRow } from './object-rows.ts';

/** Access to details about a row that the listing does not contain. */
export interface RowKnowledge {
  readonly factsOf: (row: ObjectRow) => ObjectFacts | undefined;
  readonly locksOf: (row: ObjectRow) => LockFacts | undefined;
  /** Returns whether a job reports a conflict for the row. */
  readonly isInConflict: (row: ObjectRow) => boolean;
  readonly hasVersions: boolean;
  readonly sumsOf: SumsOf;
  /** Whether objects in the bucket may have locks and legal holds. If so, flags that are not loaded yet are unknown. */
  readonly canLock: boolean;
  readonly now: () => number;
}

export function objectColumns(prefix: string, known: RowKnowledge): readonly Column<ObjectRow>[] {
  return [
    {
      title: 'NAME',
      width: 'grow',
      cut: 'middle',
      least: 24,
      cell: (row, look) => shownName(row, prefix, look),
      tone: ({ kind }) => (kind === 'folder' ? 'folder' : kind === 'up' ? 'dim' : undefined),
    },
    {
      title: 'SIZE',
      tone: 'size',
      width: 9,
      align: 'right',
      cell: (row, look) => sizeCell(row, known, look),
    },
    ...shareColumns(known.sumsOf(prefix)?.bytes ?? 0, known),
    {
      title: 'MODIFIED',
      tone: 'date',
      width: 16,
      drop: 2,
      cell: (row) => modifiedCell(row, known),
    },
    {
      title: 'V',
      width: 3,
      align: 'right',
      drop: 3,
      cell: (row, look) => versionsCell(row, known, look),
    },
    {
      title: 'FLAGS',
      width: 5,
      drop: 1,
      cell: (row) => flagsText(row, known),
      paint: (cell, row, look) => paintedFlags(cell, known.locksOf(row)?.retention?.mode, look),
    },
  ];
}

/** Colours each flag in its own tone, and the lock flag in the tone of its mode. */
function paintedFlags(flags: string, mode: string | undefined, look: Look): string {
  const tones: Readonly<Record<string, Tone | undefined>> = {
    L: lockTone(mode),
    H: 'hold',
    C: 'attention',
    D: 'removed',
    '-': 'dim',
  };
  return flags.replaceAll(/L|H|C|D|-+/g, (run) => look.paint(tones[run[0] ?? ''] ?? 'plain', run));
}

function shownName(row: ObjectRow, prefix: string, look: Look): string {
  if (row.kind === 'up') return '..';
  const name = nameOf(row).slice(prefix.length);
  // An object's name may be empty, or look like the row of the parent folder.
  return /^\.{0,2}$/.test(name) ? `"${name}"` : look.name(name);
}

/** Returns columns with a bar for each row's share of the prefix, or none until the prefix's size is known. */
function shareColumns(all: number, { sumsOf }: RowKnowledge): Column<ObjectRow>[] {
  if (all === 0) return [];
  const share = (row: ObjectRow) => {
    const bytes = row.kind === 'folder' ? sumsOf(row.prefix)?.bytes : sizeOf(row);
    return bytes === undefined ? undefined : Math.min(1, bytes / all);
  };
  return [
    {
      title: 'SHARE',
      width: 6,
      drop: 4,
      cell: (row, look, width) => {
        const part = share(row);
        return part === undefined ? '' : shareBar(part, width, look);
      },
      paint: (cell, _, look) => paintedBar(cell, 'chart', look),
    },
  ];
}

function sizeOf(row: ObjectRow): number | undefined {
  return row.kind === 'object' ? row.sizeBytes : undefined;
}

/** Returns the size of an object, or the size of the current versions below a folder. */
function sizeCell(row: ObjectRow, { sumsOf }: RowKnowledge, look: Look): string {
  if (row.kind === 'object') return bytesText(row.sizeBytes);
  if (row.kind !== 'folder') return row.kind === 'deleted' ? '(deleted)' : '';
  const sums = sumsOf(row.prefix);
  return sums ? bytesText(sums.bytes) : look.glyphs.none;
}

/**
 * Returns the modification time of an object. For a folder, returns the time of the newest version or delete marker
 * below it.
 */
function modifiedCell(row: ObjectRow, { sumsOf }: RowKnowledge): string {
  if (row.kind === 'up') return '';
  const at = row.kind === 'folder' ? sumsOf(row.prefix)?.newestAt : row.lastModifiedAt;
  return at === undefined ? '' : minuteText(at);
}

function versionsCell(row: ObjectRow, known: RowKnowledge, look: Look): string {
  if (!isStored(row)) return '';
  if (!known.hasVersions) return look.glyphs.none;
  const versions = row.versions ?? known.factsOf(row)?.versions;
  if (!versions) return look.glyphs.none;
  const more = versions.more ? '+' : '';
  return versions.count > 99 ? '99+' : `${versions.count}${more}`;
}

/**
 * Returns the flags `LHCD` (locked, on legal hold, in conflict, deleted). A hyphen means no, and a space means unknown.
 * Folders have no flags.
 */
export function flagsText(row: ObjectRow, known: RowKnowledge): string {
  if (!isStored(row)) return '';
  const locks = known.locksOf(row);
  const isUnknown = known.canLock && !locks && row.kind === 'object';
  const isLocked = locks?.retention !== undefined && locks.retention.retainUntil > known.now();
  const flags = [
    isUnknown ? ' ' : isLocked ? 'L' : '-',
    isUnknown ? ' ' : locks?.legalHold === true ? 'H' : '-',
    known.isInConflict(row) ? 'C' : '-',
    row.kind === 'deleted' ? 'D' : '-',
  ];
  return flags.join('');
}
