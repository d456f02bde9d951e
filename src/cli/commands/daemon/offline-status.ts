/**
 * Implements `holdfast status` while no daemon is running. It prints how the last daemon ended, and the configured
 * jobs.
 */

import type { Home } from '../../../config/home.ts';
import { lastSignOfLife, readLife } from '../../../config/life.ts';
import { ControlError, isControlError } from '../../../control/control-error.ts';
import type { OfflineJob, OfflineStatus } from '../../../control/offline-status.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import { namedJobs } from '../../arguments/named-jobs.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';

/** Prints the status and returns the exit code. If no jobs are configured, prints nothing and returns undefined. */
export async function printOfflineStatus(
  context: Context,
  names: readonly string[],
): Promise<ExitCode | undefined> {
  const { offlineStatus } = await import('../../../../daemon/offline/offline-status.ts');
  const status = await offlineStatus(await context.home());
  if (status.jobs.length === 0) return undefined;
  const shown = { ...status, jobs: [...namedJobs(status.jobs, names)] };
  if (context.json) await context.out.json(shown);
  else await context.out.prose(...statusLines(context, shown, names.length > 0));
  return EXIT.attention;
}

function statusLines({ out }: Context, status: OfflineStatus, areNamed: boolean): string[] {
  const { jobs } = status;
  const width = Math.max(...jobs.map(({ name }) => name.length));
  const areDetails = areNamed || jobs.length === 1;
  return [
    `${out.paint('bad', 'not running')}: ${endText(status)}`,
    'nothing is backed up until it runs: holdfast up --detach',
    ...(areDetails ? [] : ['']),
    ...jobs.flatMap((job) => {
      const state = job.paused ? 'paused' : 'not running';
      if (!areDetails)
        return [`${out.paint('strong', job.name.padEnd(width))}  ${state}  ${roundText(job)}`];
      return [
        '',
        `${out.paint('strong', job.name)}  ${state}`,
        `  ${visible(job.folder)} → bucket ${job.bucket}${job.prefix && `/${job.prefix}`} (${job.targetUrl})`,
        `  ${roundText(job)}`,
      ];
    }),
  ];
}

/** Returns text such as `Holdfast stopped at 2026-11-22 15:40:11; last round finished at 2026-11-22 15:39:58`. */
export function endText({ daemon, lastSignAt, jobs }: OfflineStatus): string {
  const rounds = jobs.flatMap(({ lastRoundAt }) => lastRoundAt ?? []);
  const last =
    rounds.length === 0 ? '' : `; last round finished at ${timeText(Math.max(...rounds))}`;
  if (!daemon) return `Holdfast has not been started in this home${last}`;
  const { stoppedAt, reason } = daemon;
  if (stoppedAt !== undefined)
    return `Holdfast stopped at ${timeText(stoppedAt)}${reason ? ` (${reason})` : ''}${last}`;
  const when = lastSignAt === undefined ? '' : ` after ${timeText(lastSignAt)}, its last log entry`;
  return `Holdfast stopped unexpectedly${when}${last}`;
}

/**
 * Returns a text such as `: it stopped unexpectedly after 2026-11-22 15:40:11`. Returns an empty text if the last
 * daemon shut down cleanly, or if it left no record.
 */
export function crashText(home: Home): string {
  const life = readLife(home);
  if (!life || life.stoppedAt !== undefined) return '';
  const lastSignAt = lastSignOfLife(home);
  return `: it stopped unexpectedly${lastSignAt === undefined ? '' : ` after ${timeText(lastSignAt)}`}`;
}

/**
 * Adds the process ID and a hint to the error for a daemon that is running but not responding. Returns other errors
 * unchanged.
 */
export function unanswered(error: unknown, home: Home): unknown {
  const pid = readLife(home)?.pid;
  if (!isControlError(error, 'Disconnected') || pid === undefined) return error;
  return new ControlError('Disconnected', `${error.message} (pid ${pid})`, {
    cause: error,
    hint: `its log: holdfast log; to stop it: kill -9 ${pid}; then, to start it again: holdfast up`,
  });
}

function roundText({ lastRoundAt, problem }: OfflineJob): string {
  if (problem !== undefined) return problem;
  return lastRoundAt === undefined
    ? 'no round has finished'
    : `last round finished at ${timeText(lastRoundAt)}`;
}
