/** Shows the changes of a folder: either the totals of each day, or the files that changed within a period. */

import { DAY_MS } from '../../../base/durations.ts';
import { defined } from '../../../base/defined.ts';
import { movesAmong } from '../../../base/find-moves.ts';
import type { ControlClient } from '../../../control/client.ts';
import { type ChangeRow, changeRowSchema } from '../../../control/methods/history.ts';
import type { Subject } from '../../../control/methods/restore.ts';
import { readRows } from '../../../control/rows.ts';
import { bytesText, numberText } from '../../../text/amounts.ts';
import { dayText, timeText } from '../../../text/time.ts';
import { parseAt, parseWhen } from '../../arguments/when.ts';
import type { Context } from '../../context.ts';
import { EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import { type Column, tableLines } from '../../output/output.ts';
import { shellWord, visible } from '../../output/text.ts';
import { undatedLines } from './undated-line.ts';

export interface PeriodOptions {
  readonly day?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface Period {
  /** The period in milliseconds since 1970. Both ends are inclusive. */
  readonly from?: number;
  readonly to?: number;
}

/**
 * Returns the period that the options select, or undefined if none of these options is given. Throws a usage error.
 */
export function periodOf(
  { io: { clock } }: Context,
  { day, from, to }: PeriodOptions,
): Period | undefined {
  const now = clock.now();
  if (day !== undefined) {
    if (from !== undefined || to !== undefined)
      throw usageError('cannot use --day with --from or --to');
    const at = new Date(parseWhen(day, now));
    const begin = at.setHours(0, 0, 0, 0);
    // A day has 23 or 25 hours when daylight saving time starts or ends.
    return { from: begin, to: new Date(begin + 1.5 * DAY_MS).setHours(0, 0, 0, 0) - 1 };
  }
  if (from === undefined && to === undefined) return undefined;
  const period = defined({
    from: from === undefined ? undefined : parseWhen(from, now),
    to: to === undefined ? undefined : parseAt(to, now),
  });
  if (period.from !== undefined && period.to !== undefined && period.to < period.from)
    throw usageError('cannot list the history: --to is before --from');
  return period;
}

interface Asked {
  readonly typed: string;
  readonly object: NonNullable<Subject['object']>;
  readonly period?: Period;
}

/** Shows the changes at or below a path. Returns `nothing` if the path never had a version. */
export async function folderHistory(
  context: Context,
  { typed, object, period }: Asked,
  daemon: ControlClient,
): Promise<ExitCode | 'nothing'> {
  const { job, stream, path } = await daemon.call('history.changes', { object, ...period });
  const rows: ChangeRow[] = [];
  for await (const row of readRows(daemon, { stream, row: changeRowSchema })) rows.push(row);
  if (rows.length === 0 && (!period || !(await hasChanges(daemon, object)))) {
    if (path !== undefined) return 'nothing';
    await context.remark(`job ${job} has no stored version`);
  }
  const undated = new Set(rows.filter(({ isUndated }) => isUndated).map((row) => row.path)).size;
  const found = { job, ...defined({ path }) };
  if (period) await showFiles(context, rows, found);
  else await showDays(context, rows, { ...found, typed });
  if (undated === 0) return EXIT.ok;
  if (!context.json) await context.out.prose(...undatedLines(context, undated));
  return EXIT.attention;
}

async function hasChanges(daemon: ControlClient, object: Asked['object']): Promise<boolean> {
  const { stream } = await daemon.call('history.changes', { object });
  for await (const _ of readRows(daemon, { stream, row: changeRowSchema })) return true;
  return false;
}

interface Found {
  readonly job: string;
  readonly path?: string;
}

const DAY_COLUMNS: readonly Column[] = [
  { title: 'DAY' },
  { title: 'ADDED', align: 'right' },
  { title: 'CHANGED', align: 'right' },
  { title: 'REMOVED', align: 'right' },
  { title: 'MOVED', align: 'right' },
  { title: 'UPLOADED', align: 'right' },
];

async function showDays(
  context: Context,
  rows: readonly ChangeRow[],
  { typed, ...found }: Found & { readonly typed: string },
): Promise<void> {
  const days = [...dayTotals(rows)]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, totals]) => Object.assign({ day }, totals));
  if (context.json) return context.out.json({ ...found, days });
  if (days.length === 0) return;
  const cells = days.map(({ day, added, changed, removed, moved, bytes }) => [
    day,
    ...[added, changed, removed, moved].map(numberText),
    bytesText(bytes),
  ]);
  await context.out.lines(...tableLines(DAY_COLUMNS, cells));
  const day = days[0]?.day ?? '';
  await context.remark(
    `to list the files of a day: holdfast history ${shellWord(typed)} --day ${day}`,
  );
}

export interface DayTotals {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly moved: number;
  readonly bytes: number;
}

/** Returns the totals of each day with changes, by its date in the local time zone, such as `2026-11-20`. */
export function dayTotals(rows: readonly ChangeRow[]): Map<string, DayTotals> {
  const days = Map.groupBy(rows, ({ at }) => dayText(at));
  return new Map([...days].map(([day, changes]) => [day, totalsOf(changes)]));
}

/**
 * Returns the totals of one day. `bytes` is the size of the added and changed versions. A moved file adds no bytes,
 * because it is copied.
 */
function totalsOf(rows: readonly ChangeRow[]): DayTotals {
  const { moved, added, removed } = movesAmong(rows);
  const changed = rows.filter(({ is }) => is === 'changed');
  const bytes = [...added, ...changed].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    moved: moved.length,
    bytes,
  };
}

type FileRow = ChangeRow & { readonly from?: string };

async function showFiles(
  context: Context,
  rows: readonly ChangeRow[],
  found: Found,
): Promise<void> {
  const { moved, added, removed } = movesAmong(rows);
  const others = rows.filter(({ is }) => is === 'changed' || is === 'attributes');
  const files = [...added, ...removed, ...others, ...moved.map(asMove)];
  files.sort((a, b) => b.at - a.at);
  const totals = totalsOf(rows);
  if (context.json) {
    const changes = files.map(jsonOf);
    await context.out.json({ ...found, ...totals, changes });
    return;
  }
  const counts = (['added', 'changed', 'removed', 'moved'] as const)
    .map((is) => `${numberText(totals[is])} ${is}`)
    .join(', ');
  await context.out.lines(`${counts}; ${bytesText(totals.bytes)} uploaded`, ...files.map(fileText));
  if (files.length === 0) await context.remark('no file changed within that time');
}

function asMove({ from, to }: { readonly from: ChangeRow; readonly to: ChangeRow }): FileRow {
  return { ...to, from: from.path };
}

function jsonOf({ from, ...row }: FileRow) {
  // In JSON output, the property `from` is always a time. So the path is renamed to `movedFrom`.
  return from === undefined ? row : { ...row, is: 'moved', movedFrom: from };
}

const MARKS = { added: '+', removed: '-', changed: '~', attributes: '=' } as const;

function fileText({ path, at, is, sizeBytes, from }: FileRow): string {
  const mark = from === undefined ? MARKS[is] : '>';
  const size = bytesText(sizeBytes).padStart(8);
  const name = from === undefined ? visible(path) : `${visible(from)} → ${visible(path)}`;
  return `${timeText(at)}  ${size}  ${mark} ${name}`;
}
