/** Implements `holdfast undo`, which makes older versions current again, in the bucket and in the job's folder. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../../base/defined.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { problemLines } from '../../output/job-text.ts';
import { asideLines, unprovenLines } from './restore.ts';
import { versionedSubject } from '../../arguments/subject.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { undatedLines } from './undated-line.ts';
import { parseAt } from '../../arguments/when.ts';

export interface UndoOptions {
  readonly at?: string;
  readonly versionId?: string;
  readonly dryRun?: boolean;
}

export async function undo(
  context: Context,
  typed: string,
  { at, versionId, dryRun }: UndoOptions,
): Promise<ExitCode> {
  if (at !== undefined && versionId !== undefined)
    throw usageError('cannot use --at together with --version-id', 'use one of them');
  const subject = await versionedSubject(context, typed);
  if (subject.versionsBack !== undefined && (at ?? versionId) !== undefined)
    throw usageError(`undo ${typed}: it names a version, and takes neither --at nor --version-id`);
  const asked = defined({
    ...subject,
    at: at === undefined ? undefined : parseAt(at, context.io.clock.now()),
    versionId,
  });
  return dryRun ? printPlan(context, asked) : run(context, asked);
}

async function run(context: Context, asked: Params<'history.planUndo'>): Promise<ExitCode> {
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    const report = await context.withDaemon((daemon) =>
      daemon.call('history.undo', { ...asked, id: randomUUID() }, { signal: interrupts.signal }),
    );
    if (context.json) await context.out.json(report);
    else await context.out.lines(...reportLines(context, report));
    return report.problemCount > 0 || report.unproven ? EXIT.attention : EXIT.ok;
  } finally {
    interrupts.release();
  }
}

const NEVER = 'which undo never does (`holdfast restore --in-place --at` does)';

function reportLines(context: Context, report: Result<'history.undo'>): string[] {
  const { problems, problemCount } = report;
  return [
    ...doneLines(report),
    ...asideLines(report),
    ...(report.undated > 0 ? undatedLines(context, report.undated) : []),
    ...unprovenLines(report, NEVER).map((line) => context.out.paint('attention', line)),
    ...problemLines(problems, problemCount, context.out.paint, problems.length),
  ];
}

function doneLines(report: Result<'history.undo'>): string[] {
  const { to, files, symlinks, directories, aside, kept, copied } = report;
  if (copied + files + symlinks + directories + aside === 0)
    return [
      `nothing to undo: ${countText(kept, 'file')} in ${visible(to)} already have that version`,
    ];
  return [
    `in the bucket: ${countText(copied, 'older version')} made current again; nothing was removed`,
    `in ${visible(to)}: ${countText(files + symlinks, 'file')} restored, ${kept} unchanged`,
  ];
}

async function printPlan(context: Context, asked: Params<'history.planUndo'>): Promise<ExitCode> {
  const plan = await context.withDaemon((daemon) => daemon.call('history.planUndo', asked));
  if (context.json) {
    await context.out.json(plan);
    return codeOf(plan);
  }
  const lines = plan.steps.map(({ path, sizeBytes, lastModifiedAt, isCurrent }) => {
    const what = isCurrent ? 'is already current' : 'would be current again';
    return `${visible(path)}: that of ${timeText(lastModifiedAt)}, ${bytesText(sizeBytes)}, ${what}`;
  });
  const more = plan.total - lines.length;
  await context.out.lines(
    ...lines,
    ...(more > 0 ? [`and ${countText(more, 'more path')}`] : []),
    `the files would be restored to ${visible(plan.to)}, and different files there would be set aside`,
    ...(plan.undatedCount > 0 ? undatedLines(context, plan.undatedCount) : []),
    ...plan.undated.map((path) => `  ${visible(path)}: left as it is`),
  );
  return codeOf(plan);
}

function codeOf({ undatedCount }: Result<'history.planUndo'>): ExitCode {
  return undatedCount > 0 ? EXIT.attention : EXIT.ok;
}
