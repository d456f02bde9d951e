/**
 * What jobs did before this daemon was started, each round as one line: single activities are kept only as long as the
 * daemon runs, and whoever opens the dashboard after that would be told of nothing.
 */

import type { Result } from '../../src/control/messages.ts';
import type { Status } from '../../src/control/shapes.ts';
import { bytesText, clockText, countOf } from '../text/amounts.ts';
import type { ActivityLog, EarlierActivity } from './activity-log.ts';
import type { Changes } from './changes.ts';
import type { DaemonLink } from './daemon-link.ts';
import type { StatusStore } from './status-store.ts';

type Round = Result<'jobs.history'>['rounds'][number];

interface Stores {
  readonly link: DaemonLink;
  readonly status: StatusStore;
  readonly activity: ActivityLog;
  readonly changes: Changes;
}

/** A screenful; all of them are in the history of each job. */
const ROUNDS_OF_A_JOB = 20;

/** As soon as it is known which jobs there are, and once. */
export function tellEarlierRounds({ link, status, activity, changes }: Stores): void {
  const stop = status.onChange(() => {
    const { current } = status;
    if (!current) return;
    stop();
    const jobs = current.jobs.map(({ name }) => roundsOf(link, name, current));
    void Promise.all(jobs).then((rounds) => {
      activity.addEarlier(rounds.flat());
      changes.soon();
    });
  });
}

/** None of a job that cannot be asked: what is wrong with it is said elsewhere. */
async function roundsOf(
  link: DaemonLink,
  job: string,
  { startedAt }: Status,
): Promise<EarlierActivity[]> {
  const asked = { name: job, limit: ROUNDS_OF_A_JOB };
  const { rounds } = await link.call('jobs.history', asked).catch(() => ({ rounds: [] }));
  return rounds
    .filter((round) => round.endedAt < startedAt && round.versions + round.deletes > 0)
    .map((round) => ({
      job,
      level: 'info',
      action: round.kind === 'event' ? 'changes' : 'round',
      at: round.endedAt,
      message: roundText(round),
    }));
}

/** `14:03 200 versions, 3.0 kB, 2 deletes`: of another day its row tells the date alone. */
function roundText({ endedAt, versions, bytes, deletes }: Round): string {
  const did = [
    ...(versions > 0 ? [countOf(versions, 'version'), bytesText(bytes)] : []),
    ...(deletes > 0 ? [countOf(deletes, 'delete')] : []),
  ];
  return `${clockText(endedAt).slice(0, 5)} ${did.join(', ')}`;
}
