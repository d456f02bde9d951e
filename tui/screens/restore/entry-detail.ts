/** Describes the entry under the cursor in the restore browser: at the selected time, and now. */

import { bytesText, countText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { facts } from '../../widgets/facts.ts';
import { countsText } from './columns.ts';
import type { EntrySubject } from './entry-content.ts';
import { hasDifference } from './entry-sums.ts';
import type { EntrySums } from './entry-sums.ts';
import type { FolderRow, Standing } from './folder-data.ts';

/** The number of detail lines below a list that needs the whole width of a wide terminal. */
export const DETAIL_LINES = 6;

/** What has happened to an entry since the selected time. */
const WORDS: Readonly<Record<Standing, string>> = {
  same: 'unchanged',
  rewritten: 'another version with the same content',
  changed: 'changed',
  gone: 'deleted',
  later: 'created',
  unknown: '',
  uncertain: 'not certain',
};

/** Returns the lines of the details, `width` cells wide. */
export function entryLines(
  { row, at, sums }: EntrySubject,
  standing: Standing,
  look: Look,
  width: number,
): readonly string[] {
  const { was, now } = row;
  const since = sums && hasDifference(sums) ? countsText(sums, '  ', true) : WORDS[standing];
  const isPast = at !== undefined;
  return facts(
    [
      ...(isPast ? [['then', stateText(row, was, sums?.before)] as const] : []),
      ['now', stateText(row, now, sums?.after)],
      ...(isPast ? [['since', since] as const] : []),
      ...(was?.versionId === undefined ? [] : [['version', was.versionId] as const]),
    ],
    look,
    width,
  );
}

/** Returns the size and time of a file, or the number and size of the files below a folder. */
function stateText(
  { isFolder }: FolderRow,
  entry: FolderRow['was'],
  sums: EntrySums['before'] | undefined,
): string {
  if (!entry) return 'does not exist';
  if (isFolder) return sums ? `${countText(sums.files, 'file')}, ${bytesText(sums.bytes)}` : '';
  const { sizeBytes = 0, lastModifiedAt } = entry;
  const when = lastModifiedAt === undefined ? '' : `, ${timeText(lastModifiedAt)}`;
  return `${bytesText(sizeBytes)}${when}`;
}
