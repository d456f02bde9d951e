/**
 * Implements `holdfast job forget` and `holdfast lock list|why|release`. The lock commands show the
 * locks of jobs and stop renewing them.
 */

import { defined } from '../../../base/defined.ts';
import type { Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachJob, exitWith, printFailedJobs } from '../job/each-job.ts';
import { locksLines } from '../../output/lock-text.ts';
import { subjectOf } from '../../arguments/subject.ts';
import { countText } from '../../../text/amounts.ts';
import { messageText, visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';

type Reasons = Result<'jobs.why'>;

export async function showLocks(context: Context, name: string | undefined): Promise<ExitCode> {
  const reports = await context.withDaemon((daemon) =>
    eachJob(daemon, name === undefined ? [] : [name], async (job) => {
      const { locks, days, retained } = await daemon.call('jobs.locks', { name: job });
      return { job, days, retained, ...defined({ locks }) };
    }),
  );
  const { done, failed } = reports;
  const lines = done.flatMap((report) => locksLines(report, context.io.clock.now()));
  if (context.json) await context.out.json({ jobs: done, failed });
  else if (done.length + failed.length === 0) await context.remark('no jobs yet');
  else if (lines.length > 0) await context.out.lines(...lines);
  await printFailedJobs(context, failed);
  return exitWith(reports, EXIT.ok);
}

export async function explainLock(context: Context, typed: string): Promise<void> {
  const why = await context.withDaemon((daemon) =>
    daemon.call('jobs.why', subjectOf(context, typed)),
  );
  if (context.json) return context.out.json(why);
  await context.out.lines(...reasonLines(why));
}

function reasonLines(why: Reasons): string[] {
  const { job, path, versionId, isHead, retention, legalHold, renewedAt } = why;
  const { problem, excluded, ends } = why;
  const version = versionId === undefined ? 'the object' : `version ${visible(versionId)}`;
  return [
    `${visible(path)} of job ${job}: ${version}${isHead ? '' : ', which is superseded'}`,
    retention === undefined
      ? '  not locked'
      : `  ${retention.mode} until ${timeText(retention.retainUntil)}`,
    ...(legalHold ? ['  legal hold: on'] : []),
    `  ${ruleText(why)}`,
    ...(renewedAt === undefined ? [] : [`  checked next: ${timeText(renewedAt)}`]),
    ...(problem === undefined ? [] : [`  ${messageText(problem)}`]),
    ...(excluded ? [`  ${visible(excluded.reason)}: no new version is uploaded`] : []),
    `  ${ends}`,
  ];
}

function ruleText({ terms, pattern, released, bucketDefault }: Reasons): string {
  const by = pattern === undefined ? 'the job' : `the pattern ${visible(pattern)}`;
  if (released) return 'its renewal was ended by `holdfast lock release`';
  if (terms) {
    const days = countText(terms.days, 'day');
    return `kept by ${by}: ${terms.mode}, ${days}, renewed every ${countText(terms.refreshDays, 'day')}`;
  }
  if (pattern !== undefined) return `${by} locks nothing here`;
  return bucketDefault
    ? 'the job locks nothing; its bucket does by default'
    : 'the job locks nothing';
}

export async function releaseLocks(
  context: Context,
  job: string,
  typed: readonly string[],
): Promise<void> {
  const paths = typed.map((path) => context.path(path));
  const released = await context.withDaemon((daemon) =>
    daemon.call('jobs.release', { job, paths }),
  );
  if (context.json) return context.out.json(released);
  const { versions, firstEnd, lastEnd } = released;
  const [locks, end] = versions === 1 ? ['the lock', 'it ends'] : ['the locks', 'they end'];
  const ends = firstEnd === undefined ? '' : `; ${end} ${spanText(firstEnd, lastEnd)}`;
  await context.out.lines(`released ${locks} of ${countText(versions, 'version')}${ends}`);
}

function spanText(first: number, last = first): string {
  return first === last ? timeText(first) : `from ${timeText(first)} to ${timeText(last)}`;
}

export async function forgetPaths(
  context: Context,
  job: string,
  typed: readonly string[],
): Promise<void> {
  const paths = typed.map((path) => context.path(path));
  const forgotten = await context.withDaemon((daemon) =>
    daemon.call('jobs.forget', { job, paths }),
  );
  if (context.json) return context.out.json(forgotten);
  const what = countText(forgotten.objects, 'object');
  await context.out.lines(
    `${what}: to be deleted by the round that has begun; earlier versions stay`,
  );
}
