/** The columns of a folder at a time. */

import type { Column } from '../../widgets/column-widths.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Look, Tone } from '../../theme/look.ts';
import type { FolderRow, Standing } from './folder-data.ts';
import { nameOf } from './subject.ts';

/** How it stands, with what a look below a folder told. */
export type StandingOf = (row: FolderRow) => Standing;

export const STANDING_SIGNS: Readonly<Record<Standing, string>> = {
  same: ' ',
  changed: '~',
  gone: '-',
  later: '+',
  unknown: ' ',
  uncertain: '?',
};

const TEXTS: Readonly<Record<Standing, string>> = {
  same: '',
  changed: 'changed since',
  gone: 'gone since',
  later: 'came later',
  unknown: '',
  uncertain: 'not certain',
};

const TONES: Readonly<Record<Standing, Tone>> = {
  same: 'plain',
  changed: 'attention',
  gone: 'removed',
  later: 'added',
  unknown: 'plain',
  uncertain: 'attention',
};

export function standingTone(standing: Standing): Tone {
  return TONES[standing];
}

export function folderColumns(standingOf: StandingOf): readonly Column<FolderRow>[] {
  return [
    {
      title: 'NAME',
      width: 'grow',
      cut: 'middle',
      cell: ({ path }, look) => look.name(nameOf(path)),
    },
    {
      title: 'THEN',
      tone: 'size',
      width: 8,
      align: 'right',
      cell: ({ was }, look) => size(was, look),
    },
    {
      title: 'MODIFIED',
      tone: 'date',
      width: 16,
      drop: 2,
      cell: ({ was }, look) => modified(was, look),
    },
    { title: 'SINCE', width: 13, cell: (row) => TEXTS[standingOf(row)] },
    {
      title: 'NOW',
      tone: 'size',
      width: 8,
      align: 'right',
      drop: 1,
      cell: ({ now }, look) => size(now, look),
    },
  ];
}

type Facts = FolderRow['was'];

function size(facts: Facts, look: Look): string {
  return facts?.sizeBytes === undefined ? look.glyphs.none : bytesText(facts.sizeBytes);
}

function modified(facts: Facts, look: Look): string {
  return facts?.lastModifiedAt === undefined ? look.glyphs.none : minuteText(facts.lastModifiedAt);
}
