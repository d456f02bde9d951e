/** The latest activity entries of all jobs, newest first. */

import type { Column } from '../../widgets/column-widths.ts';
import type { Activity } from '../../data/activity-log.ts';
import { recentText } from '../../../src/text/time.ts';
import { widthOf } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';

/** The maximum number of rows. The activity screen shows more. */
const MOST_ROWS = 100;

export function latest(entries: readonly Activity[]): readonly Activity[] {
  return entries.slice(-MOST_ROWS).reverse();
}

export const activityColumns = (now: number): readonly Column<Activity>[] => [
  { title: 'TIME', width: 8, cell: ({ at }) => recentText(at, now), tone: () => 'dim' },
  {
    title: 'WHAT',
    width: 'grow',
    tone: ({ level }) => (level === 'error' ? 'bad' : level === 'warn' ? 'attention' : undefined),
    cell: whatCell,
  },
];

/** Shows the message beside the path if both fit. Truncates a path in its middle, so that its end remains visible. */
function whatCell({ job, action, path, message }: Activity, look: Look, width: number): string {
  const head = look.name(`${job} ${action} `.trimStart());
  if (path === undefined) return head + look.name(message);
  const whole = `${head}${look.name(path)}  ${look.name(message)}`;
  if (!message.includes(path) && widthOf(whole) <= width) return whole;
  return head + look.cut(look.name(path), width - widthOf(head), 'middle');
}
