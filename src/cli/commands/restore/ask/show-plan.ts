/** Shows how many files and bytes a restore would write, and asks for confirmation. */

import { type RestoreRow, restoreRowSchema } from '../../../../control/methods/restore.ts';
import { readRows } from '../../../../control/rows.ts';
import { bytesText, countText } from '../../../../text/amounts.ts';
import { timeText } from '../../../../text/time.ts';
import { explainedText, type Item } from '../../../arguments/answers.ts';
import { CommandError } from '../../../output/command-error.ts';
import { Progress } from '../../../output/progress.ts';
import { visible } from '../../../output/text.ts';
import type { Request } from '../restore.ts';
import type { Asking } from './asking.ts';

/** Throws CommandError `Declined` unless the user confirms the restore. */
export async function confirmPlan(asking: Asking, request: Request, stream: string): Promise<void> {
  const { context, answers, job } = asking;
  const totals = await totalsOf(asking, stream);
  const when = request.at === undefined ? 'as it is now' : `as of ${timeText(request.at)}`;
  const to = request.to ?? job.folder;
  const lead = `${visible(job.name)} ${when}, to ${visible(to)}:`;
  const isStored = request.to === undefined;
  const explained = [lead, ...planItems(totals, isStored)];
  if (context.isConfirmed) {
    context.io.stderr.write(explainedText(explained, context.io.stderr.columns));
    return;
  }
  // An accidental Enter must not change the job's folder or replace a file.
  const isHarmless = !isStored && totals.counts.replace === 0;
  const proposed = isHarmless ? 'y' : 'n';
  const question = { text: 'Restore', explained, proposed, option: '--yes' };
  if (!(await answers.askYes(question)))
    throw new CommandError('Declined', 'not confirmed: nothing was changed');
}

interface Totals {
  readonly counts: Readonly<Record<RestoreRow['is'], number>>;
  readonly bytes: { readonly new: number; readonly replace: number };
  readonly problems: readonly string[];
}

const SHOWN_PROBLEMS = 5;

async function totalsOf({ context, source }: Asking, stream: string): Promise<Totals> {
  const counts = { new: 0, replace: 0, keep: 0, later: 0, problem: 0 };
  const bytes = { new: 0, replace: 0 };
  const problems: string[] = [];
  const progress = new Progress(context);
  const title = 'comparing with the files that are already there';
  progress.start(title);
  let files = 0;
  try {
    for await (const row of readRows(source, { stream, row: restoreRowSchema })) {
      counts[row.is] += 1;
      if (row.is === 'new' || row.is === 'replace') bytes[row.is] += row.sizeBytes ?? 0;
      if (row.is === 'problem' && problems.length < SHOWN_PROBLEMS)
        problems.push(`${row.path}: ${row.message ?? ''}`);
      progress.show(title, { scanned: (files += 1) });
    }
  } finally {
    progress.end();
  }
  return { counts, bytes, problems };
}

/**
 * Returns lines about what would be written. `isStored` means that replaced files are first uploaded as
 * versions.
 */
function planItems({ counts, bytes, problems }: Totals, isStored: boolean): readonly Item[] {
  const way = isStored
    ? 'the present bytes are stored as a version first, unless a version has them'
    : 'the present files are moved to a folder beside them first';
  const amount = (is: 'new' | 'replace') =>
    `${countText(counts[is], 'file')}, ${bytesText(bytes[is])}`;
  const more = counts.problem - problems.length;
  return [
    ['new', amount('new')],
    ['replaced', `${amount('replace')}${counts.replace === 0 ? '' : `; ${way}`}`],
    ['unchanged', countText(counts.keep, 'file')],
    ['to fetch', bytesText(bytes.new + bytes.replace)],
    ...problems.map((text): Item => ['not restored', visible(text)]),
    ...(more > 0 ? [['', `and ${countText(more, 'more problem')}`] as const] : []),
  ];
}
