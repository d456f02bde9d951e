/**
 * Implements `holdfast conflict list`, `show` and `resolve`. A conflict is a path that changed both in the folder and
 * in the bucket.
 */

import { isAbsolute, join } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { isAbort } from '../../../base/errors.ts';
import type { ControlClient } from '../../../control/client.ts';
import { type ControlError, isControlError } from '../../../control/control-error.ts';
import type { Params, Result } from '../../../control/messages.ts';
import type { Subject } from '../../../control/methods/restore.ts';
import { choice } from '../../arguments/choices.ts';
import { CommandError, EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { type FailedJob, failureOf, isOfJob, namesOf, printFailedJobs } from '../job/each-job.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { subjectOf } from '../../arguments/subject.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { visible } from '../../output/text.ts';
import { type ConflictChoice, chooseConflicts } from './conflict-choice.ts';

type Conflict = Result<'conflicts.list'>['conflicts'][number];

export interface ListOptions {
  readonly all?: boolean;
}

export interface ResolveOptions {
  readonly keep: string;
  readonly all?: boolean;
  readonly job?: string;
  readonly dryRun?: boolean;
}

const PAGE = 1000;

export async function listConflicts(
  context: Context,
  name: string | undefined,
  { all = false }: ListOptions,
): Promise<ExitCode> {
  return context.withDaemon(async (daemon) => {
    let open = 0;
    const failed: FailedJob[] = [];
    const names = await namesOf(daemon, name === undefined ? [] : [name]);
    const isOfOne = names.length === 1;
    const pages = conflictsOf(daemon, { names, isNamed: name !== undefined, all, failed });
    const counted = async function* () {
      for await (const page of pages) {
        open += page.filter(({ state }) => state !== 'resolved').length;
        yield page;
      }
    };
    if (context.json) await context.out.jsonList('conflicts', counted(), () => ({ failed }));
    else
      for await (const page of counted())
        await context.out.lines(...page.map((each) => lineOf(each, isOfOne ? '' : `${each.job}/`)));
    if (open > 0 || failed.length === 0)
      await context.remark(open === 0 ? 'no open conflicts' : wayOut(open, names));
    await printFailedJobs(context, failed);
    return open + failed.length === 0 ? EXIT.ok : EXIT.attention;
  });
}

interface Listed {
  readonly names: readonly string[];
  /** Whether the user specified the job. */
  readonly isNamed: boolean;
  readonly all: boolean;
  /** Collects the jobs whose conflicts cannot be listed. It stays empty if the user specified the job. */
  readonly failed: FailedJob[];
}

async function* conflictsOf(daemon: ControlClient, { names, isNamed, all, failed }: Listed) {
  for (const job of names) {
    try {
      yield* pagesOf(daemon, job, all);
    } catch (error) {
      if (isNamed || !isOfJob(error)) throw error;
      failed.push(failureOf(job, error));
    }
  }
}

async function* pagesOf(daemon: ControlClient, job: string, all: boolean) {
  let after: string | undefined;
  do {
    const page = await daemon.call('conflicts.list', {
      job,
      all,
      limit: PAGE,
      ...defined({ after }),
    });
    yield page.conflicts.map((conflict) => ({ job, ...conflict }));
    after = page.next;
  } while (after !== undefined);
}

/**
 * Returns a line with the time, state, path and content, such as
 * `2026-11-21 14:03:22  held      a/b.txt  differs from …`.
 */
function lineOf(conflict: Conflict, prefix = ''): string {
  const { at, state, path } = conflict;
  return `${timeText(at)}  ${state.padEnd(8)}  ${visible(prefix + path)}  ${whatOf(conflict)}`;
}

function whatOf({ state, side, sizeBytes, resolution, wish, gaveWayTo }: Conflict): string {
  const size = sizeBytes === undefined ? '' : `, ${bytesText(sizeBytes)}`;
  const where = side === 'bucket' ? 'the object in the bucket' : 'the file in the folder';
  if (gaveWayTo !== undefined)
    return `${where}${size}: superseded when a conflict was resolved, and is kept`;
  if (state === 'resolved') return `${where}${size}: resolved, keep ${resolution}`;
  const asked = wish === undefined ? '' : `; keep ${wish} was requested`;
  return state === 'held'
    ? `differs from ${where}${size}: both are kept until the conflict is resolved${asked}`
    : `${where}${size === '' ? '' : `${size},`} was superseded, and is kept${asked}`;
}

function wayOut(open: number, [job = 'JOB', ...others]: readonly string[]): string {
  const which = others.length === 0 ? `PATH --job ${job}` : 'JOB/PATH';
  return (
    `${countText(open, 'conflict')}: \`holdfast conflict show ${which}\` shows both sides, ` +
    `\`holdfast conflict resolve ${which} --keep local|remote|both\` resolves it`
  );
}

export interface ShowOptions {
  readonly job?: string;
}

export async function showConflict(
  context: Context,
  typed: string,
  { job: name }: ShowOptions,
): Promise<void> {
  const answer = await context.withDaemon((daemon) => known(context, daemon, { typed, name }));
  const { job, path, conflicts } = answer;
  if (conflicts.length === 0)
    throw new CommandError(
      'NotFound',
      `job ${job} has no conflict of ${path}`,
      `to list the conflicts: holdfast conflict list ${job}`,
    );
  if (context.json) return context.out.json(answer);
  await context.out.lines(...conflicts.flatMap(detailsOf));
}

/**
 * Returns the conflicts of a path. Without `--job`, first resolves the path against the working directory. Then
 * resolves it against the folder of the specified job, or of each job, because `conflict list` prints relative paths.
 */
async function known(
  context: Context,
  daemon: ControlClient,
  { typed, name }: { readonly typed: string; readonly name: string | undefined },
): Promise<Result<'conflicts.show'>> {
  const ask = async (subject: Subject) => {
    try {
      return { answer: await daemon.call('conflicts.show', subject) };
    } catch (error) {
      if (!isControlError(error, 'NotFound', 'Failed')) throw error;
      return { error };
    }
  };
  const first = name === undefined ? await ask(subjectOf(context, typed)) : undefined;
  if (first?.answer && first.answer.conflicts.length > 0) return first.answer;
  const { jobs } = await daemon.call('status', {});
  const meant = jobs.filter((job) => name === undefined || job.name === name);
  let empty = first?.answer;
  let failure: ControlError | undefined;
  for (const job of meant) {
    const path = isAbsolute(typed) ? typed : join(job.folder, typed);
    // The form JOB/PATH selects this job even if several jobs back up the same folder.
    const { answer, error } = await ask({ job: `${job.name}/${typed}`, path });
    if (answer && answer.conflicts.length > 0) return answer;
    empty ??= answer;
    // A job that failed may have the conflict. So if none of the jobs returns the conflict, this error is thrown.
    if (error && isControlError(error, 'Failed')) failure ??= error;
  }
  if (failure) throw failure;
  if (empty) return empty;
  const none = `unknown job "${name}"`;
  throw first?.error ?? new CommandError('NotFound', none, 'to list the jobs: holdfast job list');
}

function detailsOf(conflict: Conflict): string[] {
  const { versionId, savedAs, retainUntil, sha256, state, side } = conflict;
  const lines = [lineOf(conflict)];
  if (state === 'held') lines.push('  in the bucket: the current version');
  else if (savedAs !== undefined) lines.push(`  kept in the bucket as ${visible(savedAs)}`);
  else if (versionId !== undefined) lines.push(`  kept in the bucket as version ${versionId}`);
  if (retainUntil !== undefined) lines.push(`  retained until ${timeText(retainUntil)}`);
  if (sha256 !== undefined) lines.push(`  sha256 ${sha256}`);
  if (state === 'resolved') return lines;
  return [...lines, ...MEANINGS[state === 'held' ? 'held' : side].map((line) => `  ${line}`)];
}

const MEANINGS = {
  held: [
    '--keep local: uploads the file over the object, which is saved first in a bucket without versions',
    '--keep remote: replaces the file with the object; the file is saved in the bucket first',
    '--keep both: saves the object as a new file next to the file, and uploads the file over the object',
  ],
  bucket: [
    '--keep local: changes nothing',
    '--keep remote: replaces the file with this object; the file is kept in the bucket',
    '--keep both: saves this object as a new file next to the file',
  ],
  folder: [
    '--keep local: restores this file; the file that replaced it is kept in the bucket',
    '--keep remote: changes nothing',
    '--keep both: restores this file under a new name next to the file',
  ],
} as const;

export async function resolveConflicts(
  context: Context,
  patterns: readonly string[],
  { keep: word, all = false, job, dryRun = false }: ResolveOptions,
): Promise<ExitCode> {
  const keep = choice('--keep', word, ['local', 'remote', 'both'] as const);
  if (all === patterns.length > 0)
    throw usageError('cannot resolve conflicts: give either paths or patterns, or --all');
  const chosen = await context.withDaemon((daemon) =>
    chooseConflicts(context, daemon, { typed: patterns, job }),
  );
  const report = await resolve(context, { keep, dryRun, ...chosen });
  if (!all && report.matched === 0)
    throw new CommandError(
      'NotFound',
      `job ${report.job} has no open conflict at that path`,
      `holdfast conflict list ${report.job}`,
    );
  if (context.json) await context.out.json(report);
  else await context.out.lines(...reportLines(report, keep, dryRun));
  return report.waiting.length === 0 ? EXIT.ok : EXIT.attention;
}

/**
 * Resolves conflicts through the daemon. The daemon stores the decision and carries it out in a sync round. While it
 * waits, prints how many conflicts remain. An interrupt ends only the wait.
 */
async function resolve(
  context: Context,
  asked: Params<'conflicts.resolve'> & ConflictChoice,
): Promise<Result<'conflicts.resolve'>> {
  const interrupts = catchInterrupts(context.io.stderr);
  const over = new AbortController();
  try {
    return await context.withDaemon(async (daemon) => {
      const resolving = daemon.call('conflicts.resolve', asked, { signal: interrupts.signal });
      const reporting = printLeft(context, daemon, { job: asked.job, signal: over.signal });
      try {
        return await resolving;
      } finally {
        over.abort();
        await reporting;
      }
    });
  } catch (error) {
    if (isAbort(error)) await context.remark('the decision is stored; the daemon carries it out');
    throw error;
  } finally {
    interrupts.release();
  }
}

const REPORT_EVERY_MS = 1_000;

/**
 * Prints the number of remaining conflicts each time it changes, until `signal` aborts. Ignores errors of the daemon,
 * because the call that resolves the conflicts reports them.
 */
async function printLeft(
  context: Context,
  daemon: ControlClient,
  { job: name, signal }: { readonly job: string; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for (let reported: number | undefined; !signal.aborted;) {
      await context.io.clock.sleep(REPORT_EVERY_MS, signal);
      const { jobs } = await daemon.call('status', {});
      const left = jobs.find((job) => job.name === name)?.counts.conflicts;
      if (left !== reported && left !== undefined)
        await context.remark(`${countText(left, 'conflict')} left`);
      reported = left;
    }
  } catch (error) {
    if (!isAbort(error) && !isControlError(error)) throw error;
  }
}

const STEPS = {
  dismiss: 'nothing would change',
  cover: 'the file would be uploaded over the object',
  replace: 'the kept content would replace the file',
  beside: 'the kept content would be saved as a new file next to the file',
} as const;

function reportLines(
  { job, matched, steps, resolved, waiting }: Result<'conflicts.resolve'>,
  keep: string,
  dryRun: boolean,
): string[] {
  if (matched === 0) return [`nothing to resolve: job ${job} has no open conflict`];
  if (dryRun) {
    const rest = matched - steps.length;
    const more = rest > 0 ? [`and ${countText(rest, 'more conflict')}`] : [];
    return [...steps.map(({ path, does }) => `${visible(path)}: ${STEPS[does]}`), ...more];
  }
  const left = matched - resolved;
  const done = `resolved ${countText(resolved, 'conflict')} of job ${job}: keep ${keep}`;
  if (left === 0) return [done];
  const named = waiting.map(({ path, why }) => `  ${visible(path)}: ${visible(why)}`);
  return [done, `${countText(left, 'conflict')} not resolved yet:`, ...named];
}
