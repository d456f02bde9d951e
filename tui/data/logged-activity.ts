/**
 * Reads activity entries from the log of earlier daemons. The daemon logs requested actions and events of a whole job,
 * so locks, decisions, pauses, restores and errors remain visible after a restart.
 */

import type { Status } from '../../src/control/shapes.ts';
import type { EarlierActivity } from './activity-log.ts';
import type { DaemonLink } from './daemon-link.ts';

/** The number of log lines that are read. A typical daemon writes as many lines in a few days. */
const LOG_LINES = 2_000;

const LEVELS: readonly EarlierActivity['level'][] = ['info', 'warn', 'error'];

/** Returns the entries from before this daemon started. Returns none if the log cannot be read. */
export async function loggedActivity(
  link: Pick<DaemonLink, 'call'>,
  { startedAt }: Pick<Status, 'startedAt'>,
): Promise<EarlierActivity[]> {
  const { lines } = await link.call('log.tail', { lines: LOG_LINES }).catch(() => ({ lines: [] }));
  return lines.flatMap(activityOf).filter(({ at }) => at < startedAt);
}

interface LogLine {
  readonly time?: unknown;
  readonly level?: unknown;
  readonly job?: unknown;
  readonly action?: unknown;
  readonly path?: unknown;
  readonly msg?: unknown;
}

function activityOf(line: string): EarlierActivity[] {
  const { time, level, job, action, path, msg } = parsed(line);
  const at = Date.parse(String(time));
  const known = LEVELS.find((each) => each === level);
  const isActivity = typeof job === 'string' && typeof action === 'string';
  if (!isActivity || known === undefined || Number.isNaN(at)) return [];
  const about = typeof path === 'string' ? { path } : {};
  return [{ at, level: known, job, action, ...about, message: String(msg) }];
}

/** Returns the fields of a log line. Returns no fields for a line that a stopped process left incomplete. */
function parsed(line: string): LogLine {
  try {
    return (JSON.parse(line) ?? {}) as LogLine;
  } catch {
    return {};
  }
}
