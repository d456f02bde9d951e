/** The columns of the list that shows a folder at a point in time. */

import type { Column } from '../../widgets/column-widths.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { DifferenceRow } from '../../../src/control/methods/history.ts';
import type { Look, Tone } from '../../theme/look.ts';
import type { FolderRow, Standing } from './folder-data.ts';
import { hasDifference } from './entry-sums.ts';
import type { Differences, EntrySums } from './entry-sums.ts';
import { nameOf } from './subject.ts';

/** Comparison results that the columns show in addition to a row's own fields. */
export interface Compared {
  /**
   * Returns how the entry differs from its current state. For a subfolder, this covers all files
   * below the subfolder.
   */
  readonly standing: (row: FolderRow) => Standing;
  readonly sumsOf: (row: FolderRow) => EntrySums | undefined;
  /** Whether the selected time is now, so that there is nothing to compare with. */
  readonly isNow: boolean;
}

export const STANDING_SIGNS: Readonly<Record<Standing, string>> = {
  same: ' ',
  rewritten: ' ',
  changed: '~',
  gone: '-',
  later: '+',
  unknown: ' ',
  uncertain: '?',
};

const TEXTS: Readonly<Record<Standing, string>> = {
  same: '',
  rewritten: 'same content',
  changed: 'changed since',
  gone: 'deleted since',
  later: 'created since',
  unknown: '',
  uncertain: 'not certain',
};

const TONES: Readonly<Record<Standing, Tone>> = {
  same: 'plain',
  rewritten: 'plain',
  changed: 'attention',
  gone: 'removed',
  later: 'added',
  unknown: 'plain',
  uncertain: 'attention',
};

/** The signs and tones of the files that differ between two times. */
export const DIFFERENCE_SIGNS = {
  added: '+',
  removed: '-',
  changed: '~',
  attributes: '=',
  uncertain: '?',
} as const;
export const DIFFERENCE_TONES: Readonly<Record<DifferenceRow['is'], Tone>> = {
  added: 'added',
  removed: 'removed',
  changed: 'attention',
  attributes: 'dim',
  uncertain: 'attention',
};

export function standingTone(standing: Standing): Tone {
  return TONES[standing];
}

export function folderColumns(compared: Compared): readonly Column<FolderRow>[] {
  const { sumsOf, isNow } = compared;
  return [
    {
      title: 'NAME',
      width: 'grow',
      cut: 'middle',
      cell: ({ path }, look) => look.name(nameOf(path)),
    },
    {
      title: isNow ? 'SIZE' : 'THEN',
      tone: 'size',
      width: 8,
      align: 'right',
      cell: (row, look) => size(row.was, sumsOf(row)?.before, look),
    },
    {
      title: 'MODIFIED',
      tone: 'date',
      width: 16,
      drop: 2,
      cell: (row, look) => modified(row.was, sumsOf(row)?.before, look),
    },
    ...(isNow ? [] : sinceColumns(compared)),
  ];
}

function sinceColumns({ standing, sumsOf }: Compared): readonly Column<FolderRow>[] {
  return [
    {
      title: 'SINCE',
      width: 13,
      cell: (row) => {
        const counts = row.is === 'unknown' ? sumsOf(row) : undefined;
        return counts && hasDifference(counts) ? countsText(counts, ' ') : TEXTS[standing(row)];
      },
    },
    {
      title: 'NOW',
      tone: 'size',
      width: 8,
      align: 'right',
      drop: 1,
      cell: (row, look) => size(row.now, sumsOf(row)?.after, look),
    },
  ];
}

const KINDS = [
  ['later', 'created'],
  ['changed', 'changed'],
  ['gone', 'deleted'],
  ['uncertain', 'uncertain'],
] as const;

/**
 * Returns the number of differences: `+2 ~1 -3`, or with words: `+ 2 created   ~ 1 changed   - 3 deleted`.
 */
export function countsText(counts: Differences, between: string, words = false): string {
  const parts = KINDS.flatMap(([kind, word]) => {
    const text = numberText(counts[kind]);
    if (counts[kind] === 0) return [];
    return [words ? `${STANDING_SIGNS[kind]} ${text} ${word}` : STANDING_SIGNS[kind] + text];
  });
  return parts.join(between);
}

type Facts = FolderRow['was'];

/** Returns the size of a file, or of all files of a folder. */
function size(facts: Facts, sums: EntrySums['before'] | undefined, look: Look): string {
  const bytes = facts?.sizeBytes ?? (facts && sums?.bytes);
  return bytes === undefined ? look.glyphs.none : bytesText(bytes);
}

/** Returns the time of a file. For a folder, which has no time, returns the number of its files. */
function modified(facts: Facts, sums: EntrySums['before'] | undefined, look: Look): string {
  if (facts?.lastModifiedAt !== undefined) return minuteText(facts.lastModifiedAt);
  return facts && sums ? countText(sums.files, 'file') : look.glyphs.none;
}
