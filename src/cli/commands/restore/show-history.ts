/**
 * Implements `holdfast history`. It lists the versions of a file, the changes of a folder by day, or the files at a
 * past time.
 */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { FileVersion } from '../../../control/methods/history.ts';
import { bytesText, numberText } from '../../../text/amounts.ts';
import { dayText, minuteText, shortDurationText } from '../../../text/time.ts';
import type { Context } from '../../context.ts';
import { type Found, withThing } from '../../arguments/resolve-thing.ts';
import { splitVersion } from '../../arguments/thing.ts';
import { parseAt } from '../../arguments/when.ts';
import { CommandError, EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import { type Column, tableLines } from '../../output/output.ts';
import { messageText, shellWord, visible } from '../../output/text.ts';
import { whyNot } from '../s3/versions.ts';
import { findVersions, type VersionsFound } from './file-versions.ts';
import { folderHistory, type Period, periodOf, type PeriodOptions } from './folder-history.ts';
import { undatedLines } from './undated-line.ts';

export interface HistoryOptions extends PeriodOptions {
  readonly at?: string;
  readonly all?: boolean;
}

/** The maximum number of versions listed without `--all`. Each version costs a request to the service. */
const NEWEST = 100;

export async function history(
  context: Context,
  subject: string | undefined,
  options: HistoryOptions,
): Promise<ExitCode> {
  const { at, all = false } = options;
  const period = periodOf(context, options);
  if (at !== undefined && period) throw usageError('cannot use --at with --day, --from or --to');
  if (at !== undefined) {
    const { listAt } = await import('./list-at.ts');
    return listAt(context, parseAt(at, context.io.clock.now()), subject);
  }
  if (subject === undefined)
    throw usageError(
      'cannot list the history: no file or folder is given',
      'name it: holdfast history PATH',
    );
  const rules = { ifBoth: 'path', hasVersions: true } as const;
  const code = await withThing(context, subject, rules, (daemon, place, found) =>
    historyOf(context, { typed: subject, period, all }, { daemon, found, place }),
  );
  if (code !== 'no job') return code;
  const { versions } = await import('../s3/versions.ts');
  await versions(context, subject, rules);
  return EXIT.ok;
}

interface Asked {
  readonly typed: string;
  readonly period: Period | undefined;
  readonly all: boolean;
}

interface Place {
  readonly daemon: ControlClient;
  readonly found: Found;
  readonly place: { readonly versionId?: string };
}

async function historyOf(
  context: Context,
  { typed, period, all }: Asked,
  { daemon, found, place }: Place,
): Promise<ExitCode | 'no job'> {
  const versions = await findVersions(daemon, found);
  if (versions.job === undefined) return 'no job';
  const why = await whyNot(daemon, { ...found, job: versions.job });
  const rows = period ? [] : await firstRows(versions, all, place.versionId);
  if (rows.length === 0) {
    const object = { bucket: found.bucket, key: found.key, target: found.target };
    const code = await folderHistory(context, { typed, object, ...defined({ period }) }, daemon);
    if (code !== 'nothing') return code;
    if (!why)
      throw new CommandError(
        'NotFound',
        `cannot show the history of ${typed}: job ${versions.job} has no version of it`,
        `to list the changes of the whole job: holdfast history ${shellWord(versions.job)}`,
      );
    const message = `job ${versions.job} does not back up ${typed}: ${why.reason}`;
    throw new CommandError('NotFound', message, why.hint);
  }
  const code = await showVersions(context, { typed, versions, rows, all });
  if (why) await context.remark(`no new version is uploaded: ${messageText(why.reason)}`);
  return code;
}

/**
 * Returns one row more than is shown, if there are more rows. With a version ID, returns only that version and the
 * version before it.
 */
async function firstRows(
  { rows }: VersionsFound,
  all: boolean,
  versionId: string | undefined,
): Promise<readonly FileVersion[]> {
  const found: FileVersion[] = [];
  for await (const row of rows) {
    if (versionId === undefined || row.versionId === versionId || found.length > 0) found.push(row);
    if (found.length > (versionId === undefined ? NEWEST : 1) && !(all && versionId === undefined))
      break;
  }
  return found;
}

interface Shown {
  readonly typed: string;
  readonly versions: VersionsFound;
  readonly rows: readonly FileVersion[];
  readonly all: boolean;
}

/**
 * Prints the versions. If `rows` has one row more than is shown, this row only serves to calculate the size change of
 * the row before it.
 */
async function showVersions(
  context: Context,
  { typed, versions: { job, path }, rows, all }: Shown,
): Promise<ExitCode> {
  const { name, back } = splitVersion(typed);
  const shown = rows.slice(0, back !== undefined ? 1 : all ? rows.length : NEWEST);
  const isCut = back === undefined && shown.length < rows.length;
  const changes = shown.map((row, index) => changeOf(row, rows[index + 1]));
  const undated = shown.filter(({ isUndated }) => isUndated).length;
  const code = undated > 0 ? EXIT.attention : EXIT.ok;
  if (context.json) {
    const versions = shown.map((row, index) => ({ ...row, ...defined(changes[index] ?? {}) }));
    await context.out.json({ job, path, versions, isComplete: !isCut });
    return code;
  }
  await context.remark(visible(`versions of ${path ?? ''} (job ${job})`));
  await context.out.lines(...versionLines(context, shown, changes));
  if (isCut)
    await context.out.lines(`the newest ${NEWEST} versions are listed; to list all: --all`);
  if (undated > 0) await context.out.prose(...undatedLines(context, 1));
  if (back === undefined && rows.some(({ back: n, kind }) => n > 0 && kind === 'version'))
    await context.remark(undoRemark(context, name));
  return code;
}

/**
 * Returns the remark with the undo command. The name has no leading `./`, because `./NAME~N` would be the whole name of
 * a file.
 */
function undoRemark(context: Context, name: string): string {
  const word = shellWord(name.startsWith('./') ? context.path(name) : name);
  return [
    `to make version N current again: holdfast undo ${word}~N`,
    `to compare it with the current one: holdfast diff ${word}~N`,
  ].join('\n');
}

/** Returns the size difference from the previous version. Returns undefined for a delete marker. */
function changeOf(
  row: FileVersion,
  older: FileVersion | undefined,
): { readonly changeBytes: number } | undefined {
  if (row.kind === 'delete-marker') return undefined;
  return { changeBytes: row.sizeBytes - (older?.kind === 'version' ? older.sizeBytes : 0) };
}

const WRITERS = {
  'this-job': 'this computer',
  'other-computer': 'other computer',
  'other-client': 'other client',
  unknown: '–',
} as const;

const COLUMNS: readonly Column[] = [
  { title: 'N', align: 'right' },
  { title: 'WHEN', align: 'right' },
  { title: 'DATE' },
  { title: 'SIZE', align: 'right' },
  { title: 'CHANGE', align: 'right' },
  { title: 'WRITTEN BY' },
];

function versionLines(
  { io, out }: Context,
  rows: readonly FileVersion[],
  changes: readonly ReturnType<typeof changeOf>[],
): readonly string[] {
  const now = io.clock.now();
  const cells = rows.map((row, index) => {
    const { back, lastModifiedAt: at, sizeBytes, kind, isUndated } = row;
    const size = kind === 'delete-marker' ? 'deleted' : bytesText(sizeBytes);
    const change = changes[index]?.changeBytes;
    const date = minuteText(at) + (isUndated ? '?' : '');
    const written = `${shortDurationText(Math.max(0, now - at))} ago`;
    return [numberText(back), written, date, size, signedText(change), WRITERS[row.writer]];
  });
  const moves = rows.map(moveText);
  const locks = rows.map(lockText);
  // A name can be long, so each move is printed on a separate line.
  const withNotes = ([titles = '', ...lines]: readonly string[], notes: readonly string[][]) => [
    titles,
    ...lines.flatMap((line, index) => [
      line,
      ...(notes[index] ?? []).map((note) => out.paint('dim', `      ${note}`)),
    ]),
  ];
  const isLocked = locks.some((lock) => lock !== '');
  const columns = isLocked ? [...COLUMNS, { title: 'LOCK' }] : COLUMNS;
  const table = tableLines(
    columns,
    cells.map((row, index) => (isLocked ? [...row, locks[index] ?? ''] : row)),
  );
  const { isTTY = false, columns: width = 80 } = io.stdout;
  if (!isLocked || !isTTY || table.every((line) => line.length <= width))
    return withNotes(table, moves);
  // On a narrow terminal, each lock is printed on a separate line.
  const notes = locks.map((lock, index) =>
    (moves[index] ?? []).concat(lock === '' ? [] : `lock: ${lock}`),
  );
  return withNotes(tableLines(COLUMNS, cells), notes);
}

function moveText({ movedFrom, movedTo }: FileVersion): string[] {
  return [
    ...(movedFrom === undefined ? [] : [`moved from ${visible(movedFrom)}`]),
    ...(movedTo === undefined ? [] : [`moved to ${visible(movedTo)}`]),
  ];
}

function signedText(bytes: number | undefined): string {
  if (bytes === undefined) return '';
  return bytes > 0 ? `+${bytesText(bytes)}` : bytesText(bytes);
}

function lockText({ retention, legalHold }: FileVersion): string {
  return [
    ...(retention ? [`${retention.mode} until ${dayText(retention.retainUntil)}`] : []),
    ...(legalHold ? ['legal hold'] : []),
  ].join(', ');
}
