/**
 * Implements `holdfast restore`. It restores all or part of a job's files, as they are or were at a time, to a folder
 * or in place.
 */

import { randomUUID } from 'node:crypto';

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { DaemonEvent, Params, Result } from '../../../control/messages.ts';
import { EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { FromOptions } from './restore-from.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { problemLines } from '../../output/job-text.ts';
import { Progress } from '../../output/progress.ts';
import { emptyText, restorePlan } from './restore-plan.ts';
import { flagsOf } from '../../arguments/remote-target.ts';
import { versionedSubject } from '../../arguments/subject.ts';
import { shellWord, visible } from '../../output/text.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';
import { durationText, timeText } from '../../../text/time.ts';
import { undatedLines } from './undated-line.ts';
import { parseAt } from '../../arguments/when.ts';

export interface RestoreOptions extends FromOptions {
  readonly to?: string;
  readonly inPlace?: boolean;
  readonly at?: string;
  readonly exact?: boolean;
  readonly dryRun?: boolean;
}

export type Report = Result<'restore.run'>;
export type Request = Params<'restore.plan'>;

export async function restore(
  context: Context,
  typed: string | undefined,
  paths: readonly string[],
  options: RestoreOptions,
): Promise<ExitCode> {
  if (typed === undefined && Object.keys(options).length === 0)
    return (await import('./ask/ask-restore.ts')).askRestore(context);
  const { from, credentials, profile, credentialsCommand } = options;
  const { protocol, region, caFile, keyFile, trustAttributes } = options;
  if (from !== undefined) {
    if (typed !== undefined || options.inPlace)
      throw usageError(
        'cannot use --from with JOB or --in-place',
        'to restore a part of the bucket: holdfast restore --from s3://BUCKET/PATH --to DIR',
      );
    return (await import('./restore-from.ts')).restoreFrom(context, { ...options, from });
  }
  const flags = flagsOf({
    credentials,
    profile,
    credentialsCommand,
    protocol,
    region,
    caFile,
    keyFile,
    trustAttributes,
  });
  if (flags !== '')
    throw usageError(
      `cannot use ${flags} without --from`,
      'name the bucket of the service: --from https://HOST/BUCKET',
    );
  const request = await requestOf(context, { typed, paths }, options);
  if (options.dryRun) return restorePlan(context, request);
  return runRestore(context, request);
}

/**
 * Restores with the daemon. If no daemon is running, restores from the embedded store. Prints the progress and the
 * report.
 */
export async function runRestore(context: Context, request: Request): Promise<ExitCode> {
  const offline = await withoutDaemon(context, request);
  const report = offline ?? (await context.withDaemon((daemon) => run(context, daemon, request)));
  return printReport(context, request, report);
}

async function withoutDaemon(context: Context, request: Request): Promise<Report | undefined> {
  const daemon = await context.connectIfRunning();
  daemon?.close();
  if (daemon) return undefined;
  const { restoreOffline } = await import('./offline-restore.ts');
  const report = await restoreOffline(context, request);
  if (report) return report;
  const { noJob } = await import('./ask/source.ts');
  throw noJob();
}

/** The parts of a request that its report depends on. */
type Shown = Pick<Request, 'at' | 'versionsBack'> & { readonly isFrom?: boolean };

export async function printReport(
  context: Context,
  request: Shown,
  report: Report,
): Promise<ExitCode> {
  if (context.json) await context.out.json(report);
  else await context.out.prose(...reportLines(context, request, report));
  const isWhole = report.problemCount === 0 && report.unproven === undefined;
  return isWhole && !isEmpty(report) ? EXIT.ok : EXIT.attention;
}

interface Typed {
  readonly typed: string | undefined;
  /** The paths to restore, relative to the folder of `typed`. */
  readonly paths: readonly string[];
}

async function requestOf(
  context: Context,
  { typed, paths }: Typed,
  { to, inPlace, at, exact }: RestoreOptions,
): Promise<Request> {
  if ((to === undefined) !== (inPlace ?? false)) {
    const command = `holdfast restore ${typed === undefined ? 'JOB' : shellWord(typed)}`;
    const hint = `to another folder: ${command} --to DIR; to its own folder: ${command} --in-place`;
    throw usageError('cannot restore: choose one place for the files, --to or --in-place', hint);
  }
  const { versionsBack: back = 0, ...subject } = await versionedSubject(context, typed);
  if (back > 0 && (at !== undefined || exact))
    throw usageError(`cannot use --at or --exact with ${typed}, which names a version`);
  if (paths.length > 0 && (back > 0 || exact))
    throw usageError(
      'cannot use ~N or --exact with several paths',
      'restore one folder or one file at a time',
    );
  return defined({
    ...subject,
    paths: paths.length === 0 ? undefined : [...paths],
    // `~0` is the current version, even for a folder.
    versionsBack: back === 0 ? undefined : back,
    to: to === undefined ? undefined : context.path(to),
    at: at === undefined ? undefined : parseAt(at, context.io.clock.now()),
    exact,
  });
}

/**
 * Returns whether the restore found nothing. The user probably expected files, so the exit code must be `attention`.
 */
function isEmpty({ files, kept, directories, symlinks, problemCount }: Report): boolean {
  return files + kept + directories + symlinks + problemCount === 0;
}

/** Returns whether nothing was written because every file already existed with equal content. */
function isSame({ files, directories, symlinks, kept, aside }: Report): boolean {
  return kept > 0 && files + directories + symlinks + aside === 0;
}

async function run(context: Context, daemon: ControlClient, request: Request): Promise<Report> {
  const interrupts = catchInterrupts(context.io.stderr);
  const { signal } = interrupts;
  try {
    return await whileRestoring(context, daemon, (id) =>
      daemon.call('restore.run', { ...request, id }, { signal }),
    );
  } finally {
    interrupts.release();
  }
}

/** Calls `work` with a new ID, and shows the progress that the daemon reports for this ID. */
export async function whileRestoring<T>(
  context: Context,
  daemon: ControlClient,
  work: (id: string) => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  const progress = new Progress(context);
  progress.start(RESTORING);
  daemon.onEvent(({ event }) => {
    if (event.type === 'restore.progress' && event.id === id) showRestore(progress, event);
  });
  try {
    await daemon.subscribe({ types: ['restore.progress'] });
    return await work(id);
  } finally {
    progress.end();
  }
}

export const RESTORING = 'restoring';

/** Shows the progress of a restore. While the restore lists objects, the totals are unknown. */
export function showRestore(progress: Progress, amounts: RestoreAmounts): void {
  const { files, bytes, totalFiles, totalBytes, listed: scanned, current } = amounts;
  progress.show(RESTORING, defined({ files, bytes, totalFiles, totalBytes, scanned, current }));
}

export type RestoreAmounts = Omit<
  Extract<DaemonEvent['event'], { type: 'restore.progress' }>,
  'type' | 'id'
>;

function reportLines(context: Context, request: Shown, report: Report): string[] {
  const { at, versionsBack = 0 } = request;
  const back = `${countText(versionsBack, 'version')} before the current one`;
  const current = versionsBack === 0 ? 'as they are now' : back;
  const when = at === undefined ? current : `as of ${timeText(at)}`;
  const { paint } = context.out;
  const { problems, problemCount } = report;
  if (isEmpty(report))
    return [`${paint('attention', '!')} ${emptyText(request)}`, ...asideLines(report)];
  return [
    ...doneLines(report, when),
    ...savedLines(report),
    ...asideLines(report),
    ...(report.undated > 0 ? undatedLines(context, report.undated, request) : []),
    ...earlyLines(report).map((line) => paint('attention', line)),
    ...unprovenLines(report, NOT_PROVEN).map((line) => paint('attention', line)),
    // Print all problems in the report, because the user must know which files are missing.
    ...problemLines(problems, problemCount, paint, problems.length),
  ];
}

function doneLines(report: Report, when: string): string[] {
  const { to, files, kept, directories, symlinks, bytes, seconds, problemCount } = report;
  if (isSame(report))
    return [`nothing to restore: ${countText(kept, 'file')} in ${visible(to)} already up to date`];
  const amounts = [
    `${countText(files, 'file')}, ${bytesText(bytes)}`,
    countText(directories, 'folder'),
    countText(symlinks, 'link'),
  ];
  const duration = durationText(seconds * 1_000);
  const others = `${numberText(kept)} unchanged, ${numberText(problemCount)} failed`;
  return [
    `restored to ${visible(to)}, ${when}`,
    `  ${amounts.join(', ')} in ${duration}: ${others}`,
  ];
}

export function asideLines({
  aside,
  asideFolder,
}: Pick<Report, 'aside' | 'asideFolder'>): string[] {
  if (asideFolder === undefined) return [];
  return [`different local files were moved to ${visible(asideFolder)}: ${aside}`];
}

/** Returns a line about local files that were uploaded before they were replaced. */
export function savedLines({ saved }: Pick<Report, 'saved'>): string[] {
  if (saved === 0) return [];
  return [
    `${countText(saved, 'local file')} that no version had: stored as a version before it was replaced`,
  ];
}

const NOT_PROVEN = 'as no proof shows that the job uploaded these versions';

/**
 * Returns lines about owners and special mode bits that were not restored. Each path has a separate line, because the
 * user must decide about each path.
 */
export function unprovenLines({ unproven }: Pick<Report, 'unproven'>, reason: string): string[] {
  if (!unproven) return [];
  const { count, paths } = unproven;
  const more = count - paths.length;
  return [
    `owner or special mode bits (setuid, setgid, sticky) not restored, ${reason}: ${countText(count, 'path')}`,
    ...paths.map((path) => `  ${visible(path)}`),
    ...(more > 0 ? [`  and ${countText(more, 'more path')}`] : []),
  ];
}

function earlyLines({ early: { count, paths } }: Report): string[] {
  if (count === 0) return [];
  const named = paths.map(visible).join(', ');
  const more = count > paths.length ? ', …' : '';
  return [
    `${countText(count, 'object')} may differ from the state at that time, because services date ` +
      `large uploads by their start, or because a clock was wrong: ${named}${more}`,
  ];
}
