/** `holdfast restore`: a job's tree or a part of it, as it is or as it was, below a folder or where it came from. */

import { randomUUID } from 'node:crypto';

import { defined } from '../base/defined.ts';
import type { ControlClient } from '../control/client.ts';
import type { Params, Result } from '../control/messages.ts';
import { EXIT, usageError } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import type { FromOptions } from './restore-from.ts';
import { catchInterrupts } from './interrupts.ts';
import { problemLines } from './job-text.ts';
import { Progress } from './progress.ts';
import { restorePlan } from './restore-plan.ts';
import { subjectOf } from './subject.ts';
import { bytesText, countText, durationText, timeText, visible } from './text.ts';
import { undatedLine } from './undated-line.ts';
import { parseWhen } from './when.ts';

export interface RestoreOptions extends FromOptions {
  readonly to?: string;
  readonly inPlace?: boolean;
  readonly at?: string;
  readonly exact?: boolean;
  readonly dryRun?: boolean;
}

export type Report = Result<'restore.run'>;
export type Request = Params<'restore.plan'>;

const NOTHING_YET =
  'nothing had been stored by then: `holdfast versions BUCKET` tells since when there is something';

export async function restore(
  context: Context,
  typed: string | undefined,
  options: RestoreOptions,
): Promise<ExitCode> {
  const { from, credentials, dialect, region, caFile, keyFile } = options;
  if (from !== undefined) {
    if (typed !== undefined || options.inPlace)
      throw usageError(
        'restore --from: it takes neither JOB nor --in-place',
        'put a path behind BUCKET',
      );
    return (await import('./restore-from.ts')).restoreFrom(context, { ...options, from });
  }
  if (credentials ?? dialect ?? region ?? caFile ?? keyFile)
    throw usageError(
      'restore: --credentials, --dialect, --region, --ca-file and --key-file say something of --from',
    );
  const request = requestOf(context, typed, options);
  if (options.dryRun) return restorePlan(context, request);
  const report = await context.withDaemon((daemon) => run(context, daemon, request));
  return tellReport(context, request, report);
}

export async function tellReport(
  context: Context,
  request: Pick<Request, 'at'>,
  report: Report,
): Promise<ExitCode> {
  if (context.json) await context.out.json(report);
  else await context.out.lines(...reportLines(context, request, report));
  return report.problemCount > 0 || isBefore(request, report) ? EXIT.attention : EXIT.ok;
}

function requestOf(
  context: Context,
  typed: string | undefined,
  { to, inPlace, at, exact }: RestoreOptions,
): Request {
  if ((to === undefined) !== (inPlace ?? false)) {
    const hint = 'give --to DIR, or --in-place for where it came from';
    throw usageError('restore: it must be said where to', hint);
  }
  return defined({
    ...subjectOf(context, typed),
    to: to === undefined ? undefined : context.path(to),
    at: at === undefined ? undefined : parseWhen(at, context.io.clock.now()),
    exact,
  });
}

/** As of a time when nothing of the job had been stored: hardly what was meant. */
function isBefore({ at }: Pick<Request, 'at'>, report: Report): boolean {
  const { files, kept, directories, symlinks, problemCount } = report;
  return at !== undefined && files + kept + directories + symlinks + problemCount === 0;
}

async function run(context: Context, daemon: ControlClient, request: Request): Promise<Report> {
  const id = randomUUID();
  const progress = new Progress(context.io);
  daemon.onEvent(({ event }) => {
    if (event.type !== 'restore.progress' || event.id !== id) return;
    progress.show('restoring', defined(event));
  });
  await daemon.subscribe();
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    return await daemon.call('restore.run', { ...request, id }, { signal: interrupts.signal });
  } finally {
    progress.clear();
    interrupts.release();
  }
}

function reportLines(context: Context, request: Pick<Request, 'at'>, report: Report): string[] {
  const { at } = request;
  const { to, files, kept, directories, symlinks, bytes, seconds } = report;
  const amounts = [
    `${countText(files, 'file')}, ${bytesText(bytes)}`,
    countText(directories, 'folder'),
    countText(symlinks, 'link'),
  ];
  const when = at === undefined ? 'as they are now' : `as of ${timeText(at)}`;
  const { paint } = context.out;
  const { problems, problemCount } = report;
  return [
    `restored to ${visible(to)}, ${when}: ${amounts.join(', ')} in ${durationText(seconds * 1_000)}`,
    ...(kept > 0 ? [`${countText(kept, 'file')} were there already`] : []),
    ...asideLines(report),
    ...(report.undated > 0 ? [undatedLine(context, report.undated)] : []),
    ...earlyLines(report).map((line) => paint('attention', line)),
    ...(isBefore(request, report) ? [`${paint('attention', '!')} ${NOTHING_YET}`] : []),
    // Whoever restores must know each thing that is missing.
    ...problemLines(problems, problemCount, paint, problems.length),
  ];
}

export function asideLines({
  aside,
  asideFolder,
}: Pick<Report, 'aside' | 'asideFolder'>): string[] {
  if (asideFolder === undefined) return [];
  return [`what stood there and differs was moved to ${visible(asideFolder)}: ${aside}`];
}

function earlyLines({ early: { count, paths } }: Report): string[] {
  if (count === 0) return [];
  const named = paths.map(visible).join(', ');
  const more = count > paths.length ? ', …' : '';
  return [
    `${countText(count, 'object')} may not be what was there at that time, since services date ` +
      `large ones by their beginning, and a wrong clock those of its time: ${named}${more}`,
  ];
}
