/** Shows the latest sync rounds of the job under the cursor, one per line. */

import type { JobStatus } from '../../../src/control/shapes.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { minuteText, shortDurationText } from '../../../src/text/time.ts';
import type { Ui } from '../../ui/ui.ts';
import type { SpanLine } from '../../syntax/span.ts';
import { CursorContent } from '../../widgets/cursor-content.ts';
import { ROUND_KINDS } from './rounds-section.ts';
import type { Round } from './rounds-section.ts';

/** The maximum number of sync rounds in the pane. The job's own screen lists all sync rounds. */
const RECENT_ROUNDS = 30;

export function recentRounds(ui: Ui): CursorContent<JobStatus> {
  return new CursorContent<JobStatus>({
    clock: ui.clock,
    changes: ui.changes,
    id: ({ name, lastRoundAt }) => `${name} ${lastRoundAt}`,
    async *read({ name }, signal) {
      const { rounds } = await ui.call('jobs.history', { name, limit: RECENT_ROUNDS }, { signal });
      yield rounds.length === 0 ? ['no round has ended yet'] : rounds.map(roundLine);
    },
  });
}

/**
 * Returns a sync round as a line: `2026-11-21 11:59  200 versions, 2 deletes, 3 kB  4 s  full`. A narrow pane truncates
 * the end, because it is the least important part.
 */
function roundLine(round: Round): SpanLine {
  const { startedAt, endedAt, kind } = round;
  return [
    { text: `${minuteText(startedAt)}  `, tone: 'date' },
    resultOf(round),
    { text: `  ${shortDurationText(endedAt - startedAt)}  ${ROUND_KINDS[kind]}`, tone: 'dim' },
  ];
}

function resultOf({ actions, versions, bytes, deletes }: Round): SpanLine[number] {
  const done = [
    ...(versions > 0 ? [countText(versions, 'version')] : []),
    ...(deletes > 0 ? [countText(deletes, 'delete')] : []),
    ...(bytes > 0 ? [bytesText(bytes)] : []),
  ];
  if (done.length > 0) return { text: done.join(', '), tone: 'plain' };
  if (actions === 0) return { text: 'no changes', tone: 'dim' };
  return { text: `${countText(actions, 'change')} found, none uploaded`, tone: 'attention' };
}
