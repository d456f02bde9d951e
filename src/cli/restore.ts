/** `holdfast restore`: a job's tree, as it is or as it was, below another folder. */

import { randomUUID } from 'node:crypto';

import { defined } from '../base/defined.ts';
import type { ControlClient } from '../control/client.ts';
import type { Params, Result } from '../control/messages.ts';
import { EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import { catchInterrupts } from './interrupts.ts';
import { problemLines } from './job-text.ts';
import { Progress } from './progress.ts';
import { bytesText, countText, durationText, timeText, visible } from './text.ts';
import { parseWhen } from './when.ts';

export interface RestoreOptions {
  readonly to: string;
  readonly at?: string;
}

type Report = Result<'restore.run'>;

const NOTHING_YET =
  'nothing had been stored by then: `holdfast versions BUCKET` tells since when there is something';

export async function restore(
  context: Context,
  job: string,
  options: RestoreOptions,
): Promise<ExitCode> {
  const at = options.at === undefined ? undefined : parseWhen(options.at, context.io.clock.now());
  const request = defined({ job, to: context.path(options.to), at, id: randomUUID() });
  const report = await context.withDaemon((daemon) => run(context, daemon, request));
  if (context.json) await context.out.json(report);
  else await context.out.lines(...reportLines(context, request, report));
  return report.problems.length > 0 || isBefore(request, report) ? EXIT.attention : EXIT.ok;
}

/** As of a time when nothing of the job had been stored: hardly what was meant. */
function isBefore({ at }: Params<'restore.run'>, report: Report): boolean {
  const { files, directories, symlinks, problems } = report;
  return at !== undefined && files + directories + symlinks + problems.length === 0;
}

async function run(
  context: Context,
  daemon: ControlClient,
  request: Params<'restore.run'>,
): Promise<Report> {
  const progress = new Progress(context.io);
  daemon.onEvent(({ event }) => {
    if (event.type !== 'restore.progress' || event.id !== request.id) return;
    progress.show('restoring', defined(event));
  });
  await daemon.subscribe();
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    return await daemon.call('restore.run', request, {
      signal: interrupts.signal,
    });
  } finally {
    progress.clear();
    interrupts.release();
  }
}

function reportLines(context: Context, request: Params<'restore.run'>, report: Report): string[] {
  const { to, at } = request;
  const { files, directories, symlinks, bytes, seconds, problems } = report;
  const amounts = [
    `${countText(files, 'file')}, ${bytesText(bytes)}`,
    countText(directories, 'folder'),
    countText(symlinks, 'link'),
  ];
  const when = at === undefined ? 'as they are now' : `as of ${timeText(at)}`;
  const { paint } = context.out;
  return [
    `restored to ${visible(to)}, ${when}: ${amounts.join(', ')} in ${durationText(seconds * 1_000)}`,
    ...(isBefore(request, report) ? [`${paint('attention', '!')} ${NOTHING_YET}`] : []),
    // Whoever restores must know each thing that is missing.
    ...problemLines(problems, problems.length, paint, problems.length),
  ];
}
