/** The columns of the held changes, and of the folders that group them. */

import { bytesText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { heldText } from './held-answers.ts';
import type { Change, HeldGroup } from './held-answers.ts';

const COLUMNS: readonly Column<Change>[] = [
  { title: 'CHANGE', width: 9, cell: ({ change }) => change },
  { title: 'PATH', width: 'grow', cut: 'middle', cell: ({ path }, look) => look.name(path) },
  { title: 'SIZE', width: 'fit', align: 'right', cell: ({ bytes }) => bytesText(bytes) },
];

/** The columns if changes are held because of their content, and not only because of their number. */
const WITH_WHY: readonly Column<Change>[] = [
  ...COLUMNS,
  {
    title: 'WHY',
    width: 'fit',
    least: 24,
    most: 200,
    drop: 1,
    tone: () => 'attention',
    cell: ({ why = 'one of many deletes' }, look) => look.name(why),
  },
];

export function changeColumns(changes: readonly Change[]): readonly Column<Change>[] {
  return changes.some(({ why }) => why !== undefined) ? WITH_WHY : COLUMNS;
}

export const GROUP_COLUMNS: readonly Column<HeldGroup>[] = [
  { title: 'FOLDER', width: 'grow', cut: 'middle', cell: folderText },
  { title: 'CHANGES', width: 'fit', most: 44, cell: (group) => heldText(group) },
  { title: 'SIZE', width: 'fit', align: 'right', cell: ({ bytes }) => bytesText(bytes) },
];

function folderText({ folder, isDirect }: HeldGroup, look: Look): string {
  if (folder === '') return "files in the job's folder";
  return isDirect ? `files in ${look.name(folder)}` : look.name(folder);
}
