/**
 * Implements `holdfast status`. It prints what is protected and what is not. `holdfast` without a command also runs
 * it, except on a terminal.
 */

import { isControlError } from '../../../control/control-error.ts';
import { isProtectedOrKept } from '../../../control/protection.ts';
import type { JobStatus, Status } from '../../../control/shapes.ts';
import { alarmStatusLines } from '../../output/alarm-text.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import { namedJobs } from '../../arguments/named-jobs.ts';
import type { Context } from '../../context.ts';
import {
  amountText,
  attentionLines,
  commonWarnings,
  keepLines,
  mannersText,
  overviewText,
  protectionLine,
  routeText,
  scanText,
  stateText,
} from '../../output/job-text.ts';
import type { Paint } from '../../output/output.ts';
import { proofLines } from '../../output/proof-text.ts';
import { lockLines } from '../../output/lock-text.ts';
import { clockWarning, storeLines } from '../../output/store-text.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { durationText, minuteText, timeText } from '../../../text/time.ts';

/** Prints one line per job. If there is only one job, or if `names` is given, prints the details of these jobs. */
export async function status(context: Context, names: readonly string[]): Promise<ExitCode> {
  try {
    const current = await context.withDaemon((daemon) => daemon.call('status', {}));
    return await printStatus(context, current, names);
  } catch (error) {
    if (!isControlError(error, 'NotRunning')) throw error;
    const { printOfflineStatus } = await import('./offline-status.ts');
    const exitCode = await printOfflineStatus(context, names);
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}

async function printStatus(
  context: Context,
  current: Status,
  names: readonly string[],
): Promise<ExitCode> {
  const { json, out, io, options } = context;
  const jobs = [...namedJobs(current.jobs, names)];
  const shown = { ...current, jobs };
  const areDetails = names.length > 0 || jobs.length === 1;
  const { paint } = out;
  const areAddresses = options.verbose ?? false;
  const viewed = { paint, now: io.clock.now(), areDetails, areAddresses };
  if (json) await out.json(shown);
  else await out.prose(...statusLines(shown, viewed));
  const isInOrder =
    current.store.state === 'in order' &&
    current.alarms.length === 0 &&
    jobs.every(isProtectedOrKept);
  return isInOrder ? EXIT.ok : EXIT.attention;
}

interface Viewed {
  readonly paint: Paint;
  readonly now: number;
  /** Whether to print the details of each job. */
  readonly areDetails: boolean;
  /** Whether to print the process ID, the home folder and the addresses of the daemon. */
  readonly areAddresses: boolean;
}

function statusLines(status: Status, viewed: Viewed): string[] {
  const { paint, now, areDetails, areAddresses } = viewed;
  const { version, pid, home, startedAt, listeners, jobs } = status;
  const age = durationText(Math.max(0, now - startedAt));
  const noJobs = status.storeOnly
    ? 'runs the store only; jobs run in daemons that have a key of this store'
    : 'no jobs yet; to add one: holdfast up FOLDER';
  const details = areDetails
    ? jobs.flatMap((job) => ['', ...jobLines(job, paint)])
    : ['', ...overviewLines(jobs, paint, now)];
  return [
    `${paint('strong', `holdfast ${version}`)}  running for ${age}${areAddresses ? `, pid ${pid}, home ${visible(home)}` : ''}`,
    ...(areAddresses ? listeners.map(({ name, url }) => `${name}  ${url}`) : []),
    ...storeLines(status.store, paint),
    ...alarmStatusLines(status.alarms, paint),
    ...(jobs.length === 0 ? ['', noJobs] : details),
    // A warning that several jobs have in common is printed once, with their names.
    ...warningLines(
      [...status.warnings, ...clockWarning(status.store), ...commonWarnings(jobs)],
      paint,
    ),
  ];
}

/** Returns one line for each job, and one line with their totals. */
function overviewLines(jobs: readonly JobStatus[], paint: Paint, now: number): string[] {
  const width = Math.max(...jobs.map(({ name }) => name.length));
  const nextAt = Math.min(...jobs.map(({ proof }) => proof?.nextDrillAt ?? Infinity));
  const groups = Object.entries(Object.groupBy(jobs, ({ protection }) => protection.is));
  const sum = (value: (job: JobStatus) => number) =>
    jobs.reduce((total, job) => total + value(job), 0);
  const totals = [
    `${countText(jobs.length, 'job')}: ${groups.map(([is, { length }]) => `${length} ${is}`).join(', ')}`,
    `${countText(
      sum(({ counts }) => counts.files),
      'file',
    )}, ${bytesText(sum(({ counts }) => counts.bytes))}`,
    ...(nextAt === Infinity ? [] : [`next restore test ${minuteText(nextAt)}`]),
  ];
  return [
    ...jobs.map(
      (job) => `${paint('strong', job.name.padEnd(width))}  ${overviewText(job, paint, now)}`,
    ),
    '',
    totals.join('; '),
    ...keptLines(jobs),
    'details of a job: holdfast status JOB',
  ];
}

/** Returns a line for each reason why the protection of jobs is only `kept`, with the names of these jobs. */
function keptLines(jobs: readonly JobStatus[]): string[] {
  const kept = jobs.filter(({ protection }) => protection.is === 'kept');
  const groups = Map.groupBy(kept, ({ protection }) => protection.reason);
  return [...groups].map(
    ([reason, each]) =>
      `kept against mistakes only: ${each.map(({ name }) => name).join(', ')}: ${reason}`,
  );
}

export function jobLines(job: JobStatus, paint: Paint): string[] {
  const { uploadedVersions, deleted, foreign, skipped = 0 } = job.counts;
  const notes = [
    `${countText(uploadedVersions, 'version')} created`,
    ...(deleted > 0 ? [`${countText(deleted, 'delete marker')} created`] : []),
    ...(foreign > 0 ? [`${countText(foreign, 'object')} of other clients left unchanged`] : []),
    ...(skipped > 0
      ? [`${countText(skipped, 'special file')} skipped (sockets, pipes, devices)`]
      : []),
  ];
  const last = job.lastRoundAt === undefined ? '' : `, last round ${timeText(job.lastRoundAt)}`;
  return [
    `${paint('strong', job.name)}  ${[stateText(job, paint), ...scanText(job)].join(', ')}${comparedText(job)}`,
    `  ${protectionLine(job, paint, { isAfterState: true })}`,
    `  ${routeText(job)}`,
    `  ${amountText(job)}; since the start: ${notes.join(', ')}`,
    `  ${visible(job.watch)}${last}`,
    ...mannersText(job).map((text) => `  ${text}`),
    ...keepLines(job).map((line) => `  ${line}`),
    ...lockLines(job).map((line) => `  ${line}`),
    ...proofLines(job, paint).map((line) => `  ${line}`),
    ...attentionLines(job, paint).map((line) => `  ${line}`),
  ];
}

/**
 * Returns when the bucket was last compared. Changes that other clients of a remote service have made since then are
 * not known yet.
 */
function comparedText({ state, comparedAt }: JobStatus): string {
  if (state !== 'watching' || comparedAt === undefined) return '';
  return `; bucket last compared ${timeText(comparedAt)}`;
}

function warningLines(warnings: readonly string[], paint: Paint): string[] {
  if (warnings.length === 0) return [];
  return ['', ...warnings.map((warning) => `${paint('attention', '!')} ${visible(warning)}`)];
}
