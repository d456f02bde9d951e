/** Compares the files of a folder in the bucket at two times. */

import { DAY_MS } from '../../../base/durations.ts';
import { defined } from '../../../base/defined.ts';
import { findMoves } from '../../../base/find-moves.ts';
import type { ControlClient } from '../../../control/client.ts';
import {
  type DifferenceRow,
  differenceRowSchema,
  treeRowSchema,
} from '../../../control/methods/history.ts';
import type { Subject } from '../../../control/methods/restore.ts';
import { readRows } from '../../../control/rows.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import type { Context } from '../../context.ts';
import { CommandError, EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import { shellWord, visible } from '../../output/text.ts';
import { undatedLines } from './undated-line.ts';

interface Asked {
  readonly subject: Subject;
  /** The argument of the command. Absent for the only job. */
  readonly typed?: string;
  readonly from?: number;
  readonly to?: number;
}

/** A difference. `movedFrom` is the path that a moved file had at the first time. */
interface Difference extends Omit<DifferenceRow, 'is'> {
  readonly is: DifferenceRow['is'] | 'moved';
  readonly movedFrom?: string;
}

/** The default of `--from`: one day ago. */
const FROM_AGO_MS = DAY_MS;

export async function diffFolder(
  context: Context,
  daemon: ControlClient,
  { subject, typed, from = context.io.clock.now() - FROM_AGO_MS, to }: Asked,
): Promise<ExitCode> {
  if (to !== undefined && to < from)
    throw usageError('diff: --to is more than one day ago; give --from too');
  const times = { from, ...defined({ to }) };
  const { job, stream } = await daemon.call('history.compare', { ...subject, ...times });
  const rows: DifferenceRow[] = [];
  for await (const row of readRows(daemon, { stream, row: differenceRowSchema })) rows.push(row);
  if (rows.length === 0) await checkStored(daemon, { subject, from, ...defined({ typed }) });
  const differences = withMoves(rows);
  const totals = totalsOf(differences);
  const uncertain = rows.filter(({ is }) => is === 'uncertain').length;
  if (context.json) await context.out.json({ job, ...times, totals, differences });
  else {
    const until = to === undefined ? 'now' : timeText(to);
    await context.remark(
      visible(`${typed ?? job} in the bucket, from ${timeText(from)} to ${until}`),
    );
    await context.out.lines(totalsText(totals), ...differences.map(differenceText));
  }
  if (uncertain === 0) return EXIT.ok;
  if (!context.json) await context.out.prose(...undatedLines(context, uncertain));
  return EXIT.attention;
}

/**
 * Throws CommandError `NotFound` if the path had no object at either time. Does not throw for a whole job,
 * because a job may have had no files.
 */
async function checkStored(
  daemon: ControlClient,
  { subject, typed, from }: Pick<Asked, 'subject' | 'typed'> & { readonly from: number },
): Promise<void> {
  const { stream } = await daemon.call('history.list', { ...subject, at: from });
  for await (const _ of readRows(daemon, { stream, row: treeRowSchema })) return;
  const { path } = await daemon.call('history.versions', subject);
  if (typed === undefined || path === undefined) return;
  throw new CommandError(
    'NotFound',
    `cannot compare ${typed}: no object was stored there at either time`,
    `to list when it changed: holdfast history ${shellWord(typed)}`,
  );
}

function withMoves(rows: readonly DifferenceRow[]): readonly Difference[] {
  const content = (row: DifferenceRow) => {
    const { etag = '', sizeBytes = 0 } = row.after ?? row.before ?? {};
    return { path: row.path, etag, sizeBytes, row };
  };
  const only = (is: DifferenceRow['is']) => rows.filter((row) => row.is === is).map(content);
  const { moved } = findMoves(only('removed'), only('added'));
  if (moved.length === 0) return rows;
  const isMoved = new Set(moved.flatMap(({ from, to }) => [from.row, to.row]));
  const joined = moved.map(({ from, to }): Difference =>
    Object.assign({}, to.row, defined({ before: from.row.before }), {
      is: 'moved' as const,
      movedFrom: from.path,
    }),
  );
  return [...rows.filter((row) => !isMoved.has(row)), ...joined].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

type Totals = Readonly<Record<Difference['is'], number>> & {
  /** The number of folders that were added, removed or changed. */
  readonly folders: number;
  readonly addedBytes: number;
  readonly removedBytes: number;
  /** The size of the changed files at the second time minus their size at the first time. */
  readonly changedBytes: number;
};

function totalsOf(differences: readonly Difference[]): Totals {
  const totals = {
    added: 0,
    changed: 0,
    removed: 0,
    moved: 0,
    attributes: 0,
    uncertain: 0,
    folders: 0,
    addedBytes: 0,
    removedBytes: 0,
    changedBytes: 0,
  };
  for (const { path, is, before, after } of differences) {
    if (path.endsWith('/')) {
      totals.folders += 1;
      continue;
    }
    totals[is] += 1;
    const [was, now] = [before?.sizeBytes ?? 0, after?.sizeBytes ?? 0];
    if (is === 'added') totals.addedBytes += now;
    if (is === 'removed') totals.removedBytes += was;
    if (is === 'changed') totals.changedBytes += now - was;
  }
  return totals;
}

function totalsText(totals: Totals): string {
  const { added, changed, removed, moved, attributes, folders } = totals;
  const { addedBytes, changedBytes, removedBytes } = totals;
  const sign = changedBytes > 0 ? '+' : '';
  const parts = [
    `${numberText(added)} added${added > 0 ? ` (${bytesText(addedBytes)})` : ''}`,
    `${numberText(changed)} changed${changed > 0 ? ` (${sign}${bytesText(changedBytes)})` : ''}`,
    `${numberText(removed)} removed${removed > 0 ? ` (${bytesText(removedBytes)})` : ''}`,
    `${numberText(moved)} moved`,
    ...(attributes > 0 ? [`${numberText(attributes)} with other attributes only`] : []),
  ];
  return parts.join(', ') + (folders > 0 ? `; ${countText(folders, 'folder')}` : '');
}

const MARKS = {
  added: '+',
  removed: '-',
  changed: '~',
  moved: '>',
  attributes: '=',
  uncertain: '?',
} as const;

function differenceText({ path, is, before, after, movedFrom }: Difference): string {
  const isFolder = path.endsWith('/');
  const sizes = isFolder ? [] : [before, after].map((facts) => facts && bytesText(facts.sizeBytes));
  const amount = is === 'changed' && !isFolder ? sizes.join(' → ') : (sizes[1] ?? sizes[0] ?? '');
  const name = movedFrom === undefined ? visible(path) : `${visible(movedFrom)} → ${visible(path)}`;
  return `${MARKS[is]} ${name}${amount === '' ? '' : `  ${amount}`}`;
}
