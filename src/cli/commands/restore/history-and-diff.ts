/**
 * Implements `holdfast history` and `holdfast diff`, which list versions, a job's files at a past time, and the changes
 * between two times.
 */

import { defined } from '../../../base/defined.ts';
import {
  type DifferenceRow,
  differenceRowSchema,
  type TreeRow,
  treeRowSchema,
} from '../../../control/methods/history.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import { readRows } from '../../../control/rows.ts';
import { CommandError, EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { subjectOf } from '../../arguments/subject.ts';
import { splitVersion } from '../../arguments/thing.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { undatedLines } from './undated-line.ts';
import { parseAt } from '../../arguments/when.ts';

export interface HistoryOptions {
  readonly at?: string;
}

/**
 * Lists a job's files as of `--at`. Without it, lists the versions of the path, or those of BUCKET/KEY as `s3 versions`
 * does.
 */
export async function history(
  context: Context,
  subject: string | undefined,
  { at }: HistoryOptions,
): Promise<ExitCode> {
  if (at !== undefined) return listAt(context, parseAt(at, context.io.clock.now()), subject);
  if (subject === undefined)
    throw usageError('history: no file or folder was given', 'holdfast history PATH');
  const { versions } = await import('../s3/versions.ts');
  await versions(context, subject, { ifBoth: 'path', hasVersions: true });
  return EXIT.ok;
}

/** Compares two times. Differences do not change the exit code, because they are what the user asked for. */
export async function diff(
  context: Context,
  from: string,
  rest: readonly string[],
): Promise<ExitCode> {
  const { name, back } = splitVersion(from);
  const most = back === undefined ? 2 : 1;
  if (rest.length > most)
    throw usageError(`diff: too many arguments: ${rest.slice(most).join(' ')}`, DIFF_HINT);
  if (back !== undefined) return compareVersions(context, from, rest[0] ?? `${name}~0`);
  return compare(context, parseAt(from, context.io.clock.now()), rest);
}

const DIFF_HINT = 'holdfast diff FROM [TO|now] [PATH], or holdfast diff PATH~N [PATH~N]';

/** Compares two versions of a file. An object that is deleted now counts as removed. */
async function compareVersions(context: Context, from: string, to: string): Promise<ExitCode> {
  const [before, after] = [await versionOf(context, from), await versionOf(context, to)];
  const found = after ?? before;
  if (!found) throw new CommandError('NotFound', `cannot compare ${from}: it does not exist now`);
  const kept = before?.etag === after?.etag ? 'attributes' : 'changed';
  const is = !after ? 'removed' : before ? kept : 'added';
  const row = { path: found.key, is, ...defined({ before, after }) } as const;
  if (context.json) await context.out.json({ differences: [row] });
  else await context.out.lines(differenceText(row));
  return EXIT.ok;
}

async function versionOf(context: Context, typed: string) {
  const rules = { ifBoth: 'path', hasVersions: true, needsKey: true } as const;
  return withThing(context, typed, rules, async (daemon, place) => {
    try {
      const found = await daemon.call('objects.describe', place);
      const { sizeBytes, lastModifiedAt, etag, versionId = 'null' } = found;
      return { key: place.key, sizeBytes, lastModifiedAt, versionId, etag };
    } catch (error) {
      if (isControlError(error) && error.storageCode === 'NoSuchKey') return undefined;
      throw error;
    }
  });
}

async function listAt(context: Context, from: number, typed: string | undefined) {
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
      if (rows === 0) await nothingAt(context, typed === job ? undefined : typed);
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

/** Calls `count` with each row. Yields the rows as pages with one row, since they arrive one by one. */
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
 * Reports that no object was stored. Throws CommandError `NotFound` for a path, but not for a whole job, which may have
 * had no files.
 */
function nothingAt(context: Context, typed: string | undefined): Promise<void> {
  if (typed === undefined)
    return context.remark('nothing to list: no object was stored at that time');
  throw new CommandError(
    'NotFound',
    `cannot list ${typed}: no object was stored there at that time`,
    'to list the whole job: holdfast history JOB --at TIME',
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
 * Returns the exit code: `attention` if rows are uncertain. In that case, also prints a warning unless `--json` is set.
 */
async function endView(context: Context, uncertain: number): Promise<ExitCode> {
  if (uncertain === 0) return EXIT.ok;
  if (!context.json) await context.out.lines(...undatedLines(context, uncertain));
  return EXIT.attention;
}

async function compare(context: Context, from: number, rest: readonly string[]) {
  const { to, typed } = secondTime(context, rest);
  if (to !== undefined && to < from)
    throw usageError('compare times: the second is before the first', DIFF_HINT);
  return context.withDaemon(async (daemon) => {
    const asked = { ...subjectOf(context, typed), from, ...defined({ to }) };
    const { job, stream } = await daemon.call('history.compare', asked);
    const counts = { added: 0, removed: 0, changed: 0, attributes: 0, uncertain: 0 };
    const count = ({ is }: DifferenceRow) => void (counts[is] += 1);
    const found = onePerPage(readRows(daemon, { stream, row: differenceRowSchema }), count);
    const end = async () => {
      if (Object.values(counts).every((count) => count === 0))
        await checkStored(context, daemon, typed, from);
      return { job };
    };
    if (context.json) await context.out.jsonList('differences', found, end);
    else {
      for await (const page of found) await context.out.lines(...page.map(differenceText));
      await end();
      const { added, removed, changed, attributes } = counts;
      await context.out.lines(
        `${added} added, ${removed} removed, ${changed} changed, ${attributes} stored anew with the same bytes`,
      );
    }
    return endView(context, counts.uncertain);
  });
}

/**
 * Checks a path for which no difference was found. Throws CommandError `NotFound` if it had no object at either time.
 */
async function checkStored(
  context: Context,
  daemon: ControlClient,
  typed: string | undefined,
  at: number,
): Promise<void> {
  const { job, stream } = await daemon.call('history.list', { ...subjectOf(context, typed), at });
  for await (const _ of readRows(daemon, { stream, row: treeRowSchema })) return;
  if (typed === undefined || typed === job) return;
  throw new CommandError(
    'NotFound',
    `cannot compare ${typed}: no object was stored there at either time`,
    'to list the whole job: holdfast history JOB --at TIME',
  );
}

/** Parses `[TO|now] [PATH]`. Both are optional: a single argument that is not a time is the path. */
function secondTime(context: Context, [first, second]: readonly string[]) {
  if (first === undefined || first === 'now') return { to: undefined, typed: second };
  try {
    return { to: parseAt(first, context.io.clock.now()), typed: second };
  } catch (error) {
    if (second !== undefined || (error as CommandError).code !== 'Usage') throw error;
    return { to: undefined, typed: first };
  }
}

const MARKS = { added: '+', removed: '-', changed: '~', attributes: '=', uncertain: '?' } as const;

function differenceText({ path, is, before, after }: DifferenceRow): string {
  const sizes = [before, after].map((facts) => facts && bytesText(facts.sizeBytes));
  const amount = is === 'changed' ? sizes.join(' → ') : (sizes[1] ?? sizes[0] ?? '');
  return `${MARKS[is]} ${visible(path)}  ${amount}`;
}
