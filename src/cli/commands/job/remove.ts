/**
 * Implements `holdfast job remove`. On request, it also removes targets that no other job uses, and their key files.
 */

import { isTargetOf } from '../../../config/job-name.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import type { JobStatus } from '../../../control/shapes.ts';
import { askYesNo, isAskable } from '../../output/ask.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { timeText, utcDayText } from '../../../text/time.ts';

export interface RemoveJobOptions {
  readonly removeTarget?: boolean;
}

type Target = Result<'targets.list'>['targets'][number];

/** Returns lines about the versions that remain in the bucket, and how long they are locked. */
export async function removalDetails(context: Context, name: string): Promise<readonly string[]> {
  return context.withDaemon(async (daemon) => remains(daemon, await jobsOf(daemon, name)));
}

export async function removeJob(
  context: Context,
  name: string,
  options: RemoveJobOptions,
): Promise<ExitCode> {
  const removed = await context.withDaemon(async (daemon) => {
    const jobs = await jobsOf(daemon, name);
    const left = await remains(daemon, jobs);
    const unused = await onlyTargetsOf(daemon, jobs);
    const unwanted = await askForTargets(context, unused, options);
    const { notes = [] } = await daemon.call('jobs.remove', { name });
    const targets = await removeTargets(daemon, unwanted);
    const kept = unused.filter((target) => !unwanted.includes(target)).map(keptText);
    return { targets, notes: [...left, ...notes, ...kept] };
  });
  if (context.json) await context.out.json(removed);
  else
    await context.out.lines(
      `removed job ${name}`,
      ...removed.targets.map(removedText),
      ...removed.notes.map((note) => `  note: ${visible(note)}`),
    );
  return EXIT.ok;
}

async function jobsOf(daemon: ControlClient, name: string): Promise<readonly JobStatus[]> {
  const { jobs } = await daemon.call('status', {});
  return jobs.filter((job) => job.name === name || isTargetOf(name, job.name));
}

async function remains(
  daemon: ControlClient,
  jobs: readonly JobStatus[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name, bucket, prefix, counts, locks } of jobs) {
    const amount = `${countText(counts.files, 'file')}, ${bytesText(counts.bytes)}`;
    lines.push(`all versions stay in ${bucket}/${prefix} (current: ${amount})`);
    if (locks && locks.locked > 0) lines.push(await lockText(daemon, name, locks));
  }
  return lines;
}

async function lockText(
  daemon: ControlClient,
  name: string,
  { locked, earliestUntil }: NonNullable<JobStatus['locks']>,
): Promise<string> {
  const { days } = await daemon.call('jobs.locks', { name });
  const only = locked === 1;
  const first =
    earliestUntil === undefined
      ? ''
      : `${only ? '' : ', the first'} until ${timeText(earliestUntil)}`;
  const lastDay = days.at(-1)?.day;
  const last = lastDay === undefined || only ? '' : `, the last until ${utcDayText(lastDay)}`;
  const which = only ? '1 version stays' : `${countText(locked, 'version')} stay`;
  return `${which} locked${first}${last}; the locks are no longer renewed`;
}

/** Returns the targets that only these jobs use. */
async function onlyTargetsOf(
  daemon: ControlClient,
  jobs: readonly JobStatus[],
): Promise<readonly Target[]> {
  const names = new Set(jobs.map(({ name }) => name));
  const { targets } = await daemon.call('targets.list', {});
  return targets.filter((each) => each.jobs.length > 0 && each.jobs.every((job) => names.has(job)));
}

/**
 * Returns the unused targets to remove. `--yes` alone removes no target, because its key file may be the only copy of
 * the key.
 */
async function askForTargets(
  context: Context,
  unused: readonly Target[],
  { removeTarget }: RemoveJobOptions,
): Promise<readonly Target[]> {
  if (removeTarget) return unused;
  if (context.isConfirmed || !isAskable(context)) return [];
  const unwanted: Target[] = [];
  for (const target of unused) {
    const { name, endpoint } = target;
    const question = `No other job uses target ${name} (${endpoint}). Remove it and its key file?`;
    if (await askYesNo(context, visible(question))) unwanted.push(target);
  }
  return unwanted;
}

type RemovedTarget = { readonly name: string } & Result<'targets.remove'>;

async function removeTargets(
  daemon: ControlClient,
  targets: readonly Target[],
): Promise<readonly RemovedTarget[]> {
  const removed: RemovedTarget[] = [];
  for (const { name } of targets)
    removed.push({ name, ...(await daemon.call('targets.remove', { name })) });
  return removed;
}

function removedText({ name, keyFile }: RemovedTarget): string {
  return `removed target ${name}${keyFile === undefined ? '' : ` and its key file ${visible(keyFile)}`}`;
}

function keptText({ name }: Target): string {
  return `target ${name} and its key file were kept, although no job uses them now`;
}
