/**
 * Implements `holdfast status`, which prints what is protected and what is not. `holdfast` without a command also does
 * this, except on a terminal.
 */

import { isControlError } from '../../../control/control-error.ts';
import { isProtectedOrKept } from '../../../control/protection.ts';
import type { JobStatus, Status } from '../../../control/shapes.ts';
import { alarmStatusLines } from '../../output/alarm-text.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import {
  amountText,
  attentionLines,
  commonWarnings,
  keepLines,
  mannersText,
  protectionLine,
  routeText,
  stateText,
} from '../../output/job-text.ts';
import type { Paint } from '../../output/output.ts';
import { proofLines } from '../../output/proof-text.ts';
import { lockLines } from '../../output/lock-text.ts';
import { clockWarning, storeLines } from '../../output/store-text.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';
import { durationText, timeText } from '../../../text/time.ts';

export async function status(context: Context): Promise<ExitCode> {
  try {
    const current = await context.withDaemon((daemon) => daemon.call('status', {}));
    return await printStatus(context, current);
  } catch (error) {
    if (!isControlError(error, 'NotRunning')) throw error;
    const { printOfflineStatus } = await import('./offline-status.ts');
    const exitCode = await printOfflineStatus(context);
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}

async function printStatus({ json, out, io }: Context, current: Status): Promise<ExitCode> {
  if (json) await out.json(current);
  else await out.lines(...statusLines(current, out.paint, io.clock.now()));
  const isInOrder =
    current.store.state === 'in order' &&
    current.alarms.length === 0 &&
    current.jobs.every(isProtectedOrKept);
  return isInOrder ? EXIT.ok : EXIT.attention;
}

export function statusLines(status: Status, paint: Paint, now: number): string[] {
  const { version, pid, home, startedAt, listeners, jobs } = status;
  const age = durationText(Math.max(0, now - startedAt));
  const noJobs = status.storeOnly
    ? 'runs the store only; jobs run in daemons that have a key of this store'
    : 'no jobs yet; to add one: holdfast up FOLDER';
  return [
    `${paint('strong', `holdfast ${version}`)}  pid ${pid}, up ${age}, home ${visible(home)}`,
    ...listeners.map(({ name, url }) => `${name}  ${url}`),
    ...storeLines(status.store, paint),
    ...alarmStatusLines(status.alarms, paint),
    ...(jobs.length === 0 ? ['', noJobs] : jobs.flatMap((job) => ['', ...jobLines(job, paint)])),
    // A warning that several jobs have is printed once, with their names.
    ...warningLines(
      [...status.warnings, ...clockWarning(status.store), ...commonWarnings(jobs)],
      paint,
    ),
  ];
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
    `${paint('strong', job.name)}  ${stateText(job, paint)}${comparedText(job)}`,
    `  ${protectionLine(job, paint)}`,
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

/** Returns when the bucket was last compared. Later changes by other clients of a remote service are not known yet. */
function comparedText({ state, comparedAt }: JobStatus): string {
  if (state !== 'watching' || comparedAt === undefined) return '';
  return `; bucket last compared ${timeText(comparedAt)}`;
}

function warningLines(warnings: readonly string[], paint: Paint): string[] {
  if (warnings.length === 0) return [];
  return ['', ...warnings.map((warning) => `${paint('attention', '!')} ${visible(warning)}`)];
}
