/** `holdfast locks|release|forget`: what jobs keep locked, and what ends it. */

import { defined } from '../base/defined.ts';
import type { Result } from '../control/messages.ts';
import type { Context } from './context.ts';
import { type JobReport, locksLines } from './lock-text.ts';
import { subjectOf } from './subject.ts';
import { countText, timeText, visible } from './text.ts';

type Reasons = Result<'jobs.why'>;

export async function showLocks(context: Context, name: string | undefined): Promise<void> {
  const reports = await context.withDaemon(async (daemon) => {
    const names =
      name === undefined ? (await daemon.call('status', {})).jobs.map((job) => job.name) : [name];
    const all: JobReport[] = [];
    for (const job of names) {
      const { locks, days, retained } = await daemon.call('jobs.locks', { name: job });
      all.push({ job, days, retained, ...defined({ locks }) });
    }
    return all;
  });
  if (context.json) return context.out.json({ jobs: reports });
  const lines = reports.flatMap((report) => locksLines(report, context.io.clock.now()));
  if (lines.length === 0) return context.remark('no jobs yet');
  await context.out.lines(...lines);
}

export async function explainLock(context: Context, typed: string): Promise<void> {
  const why = await context.withDaemon((daemon) =>
    daemon.call('jobs.why', subjectOf(context, typed)),
  );
  if (context.json) return context.out.json(why);
  await context.out.lines(...reasonLines(why));
}

function reasonLines(why: Reasons): string[] {
  const { job, path, versionId, isHead, retention, legalHold, renewedAt, problem, ends } = why;
  const version = versionId === undefined ? 'the object' : `version ${visible(versionId)}`;
  return [
    `${visible(path)} of job ${job}: ${version}${isHead ? '' : ', which somebody covered'}`,
    retention === undefined
      ? '  no retention'
      : `  ${retention.mode} until ${timeText(retention.retainUntil)}`,
    ...(legalHold ? ['  legal hold: on'] : []),
    `  ${ruleText(why)}`,
    ...(renewedAt === undefined ? [] : [`  looked at next: ${timeText(renewedAt)}`]),
    ...(problem === undefined ? [] : [`  ${visible(problem)}`]),
    `  ${ends}`,
  ];
}

function ruleText({ terms, pattern, released, bucketDefault }: Reasons): string {
  const by = pattern === undefined ? 'the job' : `the pattern ${visible(pattern)}`;
  if (released) return 'its renewal was ended by `holdfast release`';
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
  const ends = firstEnd === undefined ? '' : `: their locks end ${spanText(firstEnd, lastEnd)}`;
  await context.out.lines(`${countText(versions, 'version')} renewed no longer${ends}`);
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
