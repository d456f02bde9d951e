/**
 * Implements `holdfast undo`. It makes older versions current again, both in the bucket and in the job's folder.
 */

import { defined } from '../../../base/defined.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { problemLines } from '../../output/job-text.ts';
import { asideLines, savedLines, unprovenLines, whileRestoring } from './restore.ts';
import { subjectOf, versionedSubject } from '../../arguments/subject.ts';
import { shellWord, visible } from '../../output/text.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { undatedLines } from './undated-line.ts';
import { parseAt } from '../../arguments/when.ts';

export interface UndoOptions {
  readonly at?: string;
  readonly versionId?: string;
  readonly dryRun?: boolean;
  readonly redo?: boolean;
}

export async function undo(
  context: Context,
  typed: string | undefined,
  { at, versionId, dryRun, redo }: UndoOptions,
): Promise<ExitCode> {
  if (redo) {
    if (at !== undefined || versionId !== undefined || dryRun)
      throw usageError('cannot use --redo with --at, --version-id or --dry-run');
    return run(context, { ...subjectOf(context, typed), redo });
  }
  if (typed === undefined)
    throw usageError(
      'cannot undo: no file or folder is given',
      'name it: holdfast undo PATH; to take the last undo back: holdfast undo --redo',
    );
  if (at !== undefined && versionId !== undefined)
    throw usageError('cannot use --at together with --version-id', 'use one of them');
  const subject = await versionedSubject(context, typed);
  if (subject.versionsBack !== undefined && (at ?? versionId) !== undefined)
    throw usageError(`cannot use --at or --version-id with ${typed}, which names a version`);
  const asked = defined({
    ...subject,
    at: at === undefined ? undefined : parseAt(at, context.io.clock.now()),
    versionId,
  });
  return dryRun ? printPlan(context, asked) : run(context, asked);
}

async function run(context: Context, asked: Omit<Params<'history.undo'>, 'id'>): Promise<ExitCode> {
  const interrupts = catchInterrupts(context.io.stderr);
  const { signal } = interrupts;
  try {
    const report = await context.withDaemon((daemon) =>
      whileRestoring(context, daemon, (id) =>
        daemon.call('history.undo', { ...asked, id }, { signal }),
      ),
    );
    if (context.json) await context.out.json(report);
    else await context.out.prose(...reportLines(context, asked, report));
    return report.problemCount > 0 || report.unproven ? EXIT.attention : EXIT.ok;
  } finally {
    interrupts.release();
  }
}

const NEVER = 'which undo never does (`holdfast restore --in-place --at` does)';

type Report = Result<'history.undo'>;
type Asked = Pick<Params<'history.undo'>, 'at' | 'redo'>;

function reportLines(context: Context, asked: Asked, report: Report): string[] {
  const { problems, problemCount } = report;
  return [
    ...doneLines(asked, report),
    ...savedLines(report),
    ...asideLines(report),
    ...(report.undated > 0 ? undatedLines(context, report.undated) : []),
    ...unprovenLines(report, NEVER).map((line) => context.out.paint('attention', line)),
    ...problemLines(problems, problemCount, context.out.paint, problems.length),
    ...(isNothing(report)
      ? []
      : [`to take it back: holdfast undo --redo ${shellWord(report.job)}`]),
  ];
}

function isNothing({ copied, removed, files, symlinks, directories, aside }: Report): boolean {
  return copied + removed + files + symlinks + directories + aside === 0;
}

/** Returns a line that explains what was done. */
function doneLines({ at, redo }: Asked, report: Report): string[] {
  const { to, files, symlinks, kept, copied, removed, first, job, moved } = report;
  if (isNothing(report)) {
    if (report.problemCount > 0) return ['nothing was changed'];
    return [
      `nothing to undo: ${countText(kept, 'file')} in ${visible(to)} already ${kept === 1 ? 'has' : 'have'} that version`,
    ];
  }
  const count = files + symlinks;
  const restored = first && count === 1 ? visible(first.path) : countText(count, 'file');
  if (redo) {
    const others = removed === 0 ? '' : `, ${numberText(removed)} removed`;
    return [`took back the last undo of job ${job}: ${restored} restored${others}`];
  }
  if (copied === 1 && first) {
    const { path, lastModifiedAt, sizeBytes } = first;
    const version = `the version of ${timeText(lastModifiedAt)} (${bytesText(sizeBytes)})`;
    if (moved?.isTakenBack) {
      const names = `${visible(moved.to)}: moved back to ${visible(path)}`;
      return [`${names}, ${version}, and no version was removed`];
    }
    const also = moved ? `; it also exists as ${visible(moved.to)}, to which it was moved` : '';
    return [`${visible(path)}: ${version} is current again, and no version was removed${also}`];
  }
  const when = at === undefined ? '' : `, as of ${timeText(at)}`;
  return [`${visible(to)}${when}: ${restored} restored, ${numberText(kept)} unchanged`];
}

async function printPlan(context: Context, asked: Params<'history.planUndo'>): Promise<ExitCode> {
  const plan = await context.withDaemon((daemon) => daemon.call('history.planUndo', asked));
  if (context.json) {
    await context.out.json(plan);
    return codeOf(plan);
  }
  const lines = plan.steps.map(({ path, sizeBytes, lastModifiedAt, isCurrent, movedTo }) => {
    const what = isCurrent ? 'is already current' : 'would be current again';
    const line = `${visible(path)}: the version of ${timeText(lastModifiedAt)} (${bytesText(sizeBytes)}) ${what}`;
    return movedTo === undefined ? line : `${line}, and ${visible(movedTo)} would be removed`;
  });
  const more = plan.total - lines.length;
  await context.out.prose(
    ...lines,
    ...(more > 0 ? [`and ${countText(more, 'more path')}`] : []),
    `the files would be restored to ${visible(plan.to)}, and different files there would be stored as versions first`,
    ...(plan.undatedCount > 0 ? undatedLines(context, plan.undatedCount) : []),
    ...plan.undated.map((path) => `  ${visible(path)}: would stay as it is`),
  );
  return codeOf(plan);
}

function codeOf({ undatedCount }: Result<'history.planUndo'>): ExitCode {
  return undatedCount > 0 ? EXIT.attention : EXIT.ok;
}
