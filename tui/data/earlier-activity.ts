/**
 * Adds the activity from before this daemon started: one entry for each sync round, and the entries that are in the log.
 * The daemon stores activity entries only in memory, so the activity log would be empty after a restart.
 */

import type { Clock } from '../../src/base/clock.ts';
import type { Result } from '../../src/control/messages.ts';
import type { Status } from '../../src/control/shapes.ts';
import { bytesText, countText } from '../../src/text/amounts.ts';
import { clockText, dayText } from '../../src/text/time.ts';
import type { ActivityLog, EarlierActivity } from './activity-log.ts';
import type { Changes } from './changes.ts';
import type { DaemonLink } from './daemon-link.ts';
import { loggedActivity } from './logged-activity.ts';
import type { StatusStore } from './status-store.ts';

type Round = Result<'jobs.history'>['rounds'][number];

interface Stores {
  readonly clock: Clock;
  readonly link: DaemonLink;
  readonly status: StatusStore;
  readonly activity: ActivityLog;
  readonly changes: Changes;
}

/** Enough rounds per job to fill one screen. The job's history lists all rounds. */
const ROUNDS_OF_A_JOB = 20;

/** Reads the log and the sync rounds of all jobs once, as soon as the first status lists the jobs. */
export function logEarlierActivity({ clock, link, status, activity, changes }: Stores): void {
  const stop = status.onChange(() => {
    const { current } = status;
    if (!current) return;
    stop();
    const today = dayText(clock.now());
    const rounds = current.jobs.map(({ name }) => roundsOf(link, name, current));
    void Promise.all([loggedActivity(link, current), ...rounds]).then((earlier) => {
      activity.addEarlier(earlier.flat().map((entry) => withTime(entry, today)));
      changes.soon();
    });
  });
}

/** Reads a job's sync rounds. Returns none if the request fails, because the job's status reports the problem. */
async function roundsOf(
  link: DaemonLink,
  job: string,
  { startedAt }: Status,
): Promise<EarlierActivity[]> {
  const asked = { name: job, limit: ROUNDS_OF_A_JOB, onlyChanges: true } as const;
  const { rounds } = await link.call('jobs.history', asked).catch(() => ({ rounds: [] }));
  return rounds.filter(({ endedAt }) => endedAt < startedAt).map((round) => activityOf(job, round));
}

function activityOf(job: string, round: Round): EarlierActivity {
  const action = round.kind === 'event' ? 'changes' : 'round';
  return { job, level: 'info', action, at: round.endedAt, message: roundText(round) };
}

/** The activity row of an earlier day shows only the date, so the message starts with the time. */
function withTime(entry: EarlierActivity, today: string): EarlierActivity {
  const { at, message } = entry;
  if (dayText(at) === today) return entry;
  return { ...entry, message: `${clockText(at).slice(0, 5)} ${message}` };
}

/** Returns the result of a sync round, such as `200 versions, 3 kB, 2 deletes`. */
function roundText({ versions, bytes, deletes }: Round): string {
  const did = [
    ...(versions > 0 ? [countText(versions, 'version'), bytesText(bytes)] : []),
    ...(deletes > 0 ? [countText(deletes, 'delete')] : []),
  ];
  return did.join(', ');
}
