/** The columns of the conflict list. */

import type { Column } from '../../widgets/column-widths.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { dayText, minuteText } from '../../../src/text/time.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { ANSWER_NAMES } from './conflict-data.ts';
import type { Answer, ConflictRow, Step } from './conflict-data.ts';

type Facts = Pick<ConflictRow, 'side' | 'sizeBytes' | 'stands'>;

/**
 * Returns the sizes of the local file and of the object. Both may have been replaced since the
 * conflict was recorded.
 */
export function sizesOf({ side, sizeBytes, stands }: Facts): {
  readonly local: number | undefined;
  readonly remote: number | undefined;
} {
  const other = stands?.sizeBytes;
  return side === 'bucket'
    ? { local: other, remote: sizeBytes }
    : { local: sizeBytes, remote: other };
}

const size = (bytes: number | undefined, look: Look): string =>
  bytes === undefined ? look.glyphs.none : bytesText(bytes);

export const CONFLICT_COLUMNS: readonly Column<ConflictRow>[] = [
  { title: 'JOB', width: 'fit', drop: 1, cell: ({ job }, look) => look.name(job), cut: 'middle' },
  {
    title: 'PATH',
    width: 'grow',
    whole: 30,
    cut: 'middle',
    cell: ({ path }, look) => look.name(path),
  },
  { title: 'STATE', width: 8, cell: stateText, tone: stateTone },
  {
    title: 'LOCAL',
    tone: 'size',
    width: 8,
    align: 'right',
    cell: (row, look) => size(sizesOf(row).local, look),
  },
  {
    title: 'BUCKET',
    width: 8,
    align: 'right',
    cell: (row, look) => size(sizesOf(row).remote, look),
  },
  {
    title: 'SINCE',
    tone: 'date',
    width: 16,
    drop: 2,
    short: { width: 10, cell: ({ at }) => dayText(at) },
    cell: ({ at }) => minuteText(at),
  },
  {
    title: 'RETAINED',
    width: 10,
    spare: true,
    cell: ({ retainUntil }, look) =>
      retainUntil === undefined ? look.glyphs.none : dayText(retainUntil),
  },
];

/**
 * Returns the state of a conflict. If the user has chosen a resolution that is not applied yet,
 * returns that resolution.
 */
function stateText({ state, wish, resolution, gaveWayTo }: ConflictRow): string {
  if (gaveWayTo !== undefined) return '  kept';
  if (state === 'resolved') return `= ${resolution ? ANSWER_NAMES[resolution] : ''}`;
  return wish === undefined ? state : `> ${ANSWER_NAMES[wish]}`;
}

function stateTone({ state, wish }: ConflictRow): Tone {
  if (state === 'resolved') return 'dim';
  return wish === undefined ? 'attention' : 'accent';
}

/** Returns the effect of a step. `answer` is the resolution that causes it. */
export function stepText(step: Step, answer: Answer): string {
  if (step !== 'dismiss') return STEP_TEXTS[step];
  return answer === 'remote'
    ? 'the object stays; the folder has its content already'
    : 'the file stays; the bucket has its content already';
}

const STEP_TEXTS: Readonly<Record<Exclude<Step, 'dismiss'>, string>> = {
  cover: 'the file replaces the object in the bucket',
  replace: "the object replaces the file; the file's content is stored in the bucket first",
  beside: 'the object is saved beside the file under another name',
};

export const STEPS: readonly Step[] = ['dismiss', 'cover', 'replace', 'beside'];
