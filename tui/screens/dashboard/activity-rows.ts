/** The latest of what jobs did, the newest first. */

import type { Column } from '../../components/table.ts';
import type { Activity } from '../../store/activity-log.ts';
import { clockText } from '../../text/amounts.ts';

/** More is on the screen of its own. */
const MOST_ROWS = 100;

export function latest(entries: readonly Activity[]): readonly Activity[] {
  return entries.slice(-MOST_ROWS).reverse();
}

export const ACTIVITY_COLUMNS: readonly Column<Activity>[] = [
  { title: 'TIME', width: 8, cell: ({ at }) => clockText(at), tone: () => 'dim' },
  {
    title: 'WHAT',
    width: 'grow',
    cut: 'middle',
    tone: ({ level }) => (level === 'error' ? 'bad' : level === 'warn' ? 'attention' : undefined),
    cell: ({ job, action, path, message }, look) =>
      look.name(`${job} ${action} ${path ?? message}`),
  },
];
