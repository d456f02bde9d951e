/** Implements `holdfast history --at`. It lists the files of a job at a past time. */

import { type TreeRow, treeRowSchema } from '../../../control/methods/history.ts';
import { readRows } from '../../../control/rows.ts';
import { CommandError, EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { subjectOf } from '../../arguments/subject.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { undatedLines } from './undated-line.ts';

/** Lists the files of a job at a time, or only those at or below a path. */
export async function listAt(context: Context, from: number, typed: string | undefined) {
  return context.withDaemon(async (daemon) => {
    const asked = { ...subjectOf(context, typed), at: from };
    const { job, stream } = await daemon.call('history.list', asked);
    let [rows, files, bytes, uncertain] = [0, 0, 0, 0];
    const count = (row: TreeRow) => {
      rows += 1;
      if (row.sizeBytes !== undefined) files += 1;
      bytes += row.sizeBytes ?? 0;
      if (row.isUncertain) uncertain += 1;
    };
    const listed = onePerPage(readRows(daemon, { stream, row: treeRowSchema }), count);
    const end = async () => {
      if (rows === 0) await nothingAt(context, job, typed);
      return { job };
    };
    if (context.json) await context.out.jsonList('entries', listed, end);
    else {
      for await (const page of listed) await context.out.lines(...page.map(treeText));
      await end();
      await context.out.lines(`${countText(files, 'object')}, ${bytesText(bytes)}`);
    }
    return endView(context, uncertain);
  });
}

/** Yields each row as a separate page, because rows arrive one by one. Calls `count` with each row. */
async function* onePerPage<T>(
  rows: AsyncIterable<T>,
  count: (row: T) => void,
): AsyncGenerator<readonly T[], void> {
  for await (const row of rows) {
    count(row);
    yield [row];
  }
}

/**
 * Reports that nothing was stored. Throws CommandError `NotFound` for a path. Does not throw for a whole job, because a
 * job may have had no files.
 */
function nothingAt(context: Context, job: string, typed = job): Promise<void> {
  if (typed === job) return context.remark('nothing to list: no object was stored at that time');
  throw new CommandError(
    'NotFound',
    `cannot list ${typed}: no object was stored there at that time`,
    `to list the whole job: holdfast history ${job} --at TIME`,
  );
}

function treeText({ path, sizeBytes, lastModifiedAt, isUncertain }: TreeRow): string {
  const time = lastModifiedAt === undefined ? '' : timeText(lastModifiedAt);
  const size = sizeBytes === undefined || path.endsWith('/') ? '' : bytesText(sizeBytes);
  const columns = [time.padEnd(TIME_CELLS), size.padStart(9), visible(path)];
  return `${columns.join('  ')}${isUncertain ? '  not certain' : ''}`;
}

/** The width of a time such as `2026-11-22 17:29:18`. */
const TIME_CELLS = 19;

/**
 * Returns the exit code, which is `attention` if rows are uncertain. In that case, also prints a warning unless
 * `--json` is given.
 */
async function endView(context: Context, uncertain: number): Promise<ExitCode> {
  if (uncertain === 0) return EXIT.ok;
  if (!context.json) await context.out.prose(...undatedLines(context, uncertain));
  return EXIT.attention;
}
