/** Implements `holdfast verify` and `holdfast test`. They check that backups are complete and can be restored. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import {
  type DrillReport,
  type VerifyRow,
  verifyRowSchema,
} from '../../../control/methods/proof.ts';
import { readRows } from '../../../control/rows.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachJob, type JobsDone, printFailedJobs } from '../job/each-job.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { Progress } from '../../output/progress.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { timeText, tookText } from '../../../text/time.ts';

export interface VerifyOptions {
  readonly readBack?: number | true;
}

const GIGABYTE = 1e9;
type Done = Extract<VerifyRow, { is: 'done' }>;
type Totals = Omit<Done, 'is'> & { readonly job: string };

/**
 * Verifies jobs and prints the differences. With `--json`, the result contains the totals of each job. Returns exit
 * code 1 if there are differences, or if a job cannot be verified.
 */
export async function verify(
  context: Context,
  names: readonly string[],
  { readBack }: VerifyOptions,
): Promise<ExitCode> {
  const readBackBytes =
    readBack === true ? Number.MAX_SAFE_INTEGER : readBack && readBack * GIGABYTE;
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    const totals = await ofEach(context, names, async (daemon, name) => {
      const { signal } = interrupts;
      const asked = { name, ...defined({ readBackBytes: readBackBytes || undefined }) };
      const { stream } = await daemon.call('proof.verify', asked, { signal });
      const rows = readRows(daemon, { stream, row: verifyRowSchema }, signal);
      return printRows(context, name, rows);
    });
    const hasFindings = totals.done.some(({ findings }) => findings > 0);
    return hasFindings || totals.failed.length > 0 ? EXIT.failed : EXIT.ok;
  } finally {
    interrupts.release();
  }
}

async function printRows(
  context: Context,
  name: string,
  rows: AsyncIterable<VerifyRow>,
): Promise<Totals> {
  const progress = new Progress(context);
  const title = `verifying ${visible(name)}`;
  const { clock } = context.io;
  const startedAt = clock.monotonic();
  let done: Done | undefined;
  try {
    progress.start(title);
    for await (const row of rows) {
      if (row.is === 'progress') {
        progress.show(title, defined(row.amounts));
        continue;
      }
      if (row.is === 'done') progress.end();
      else progress.clear();
      const tookMs = clock.monotonic() - startedAt;
      if (context.json) await context.out.jsonEvent({ job: name, ...row });
      else if (row.is === 'done')
        await context.out.lines(doneText(context, name, { ...row, tookMs }));
      else await context.out.prose(...findingLines(name, row));
      if (row.is === 'done') done = row;
    }
    if (!done) throw new Error(`the verification of ${name} ended without its totals`);
    return { job: name, ...totalsOf(done) };
  } finally {
    progress.end();
  }
}

function totalsOf(done: Done): Omit<Done, 'is'> {
  const { is: _, ...totals } = done;
  return totals;
}

/** Returns the line of a finding. For a missing folder, adds a line that says how to restore it. */
function findingLines(
  name: string,
  { path, code, message }: Extract<VerifyRow, { is: 'finding' }>,
): string[] {
  const line = `${visible(path || name)}: ${code}: ${visible(message)}`;
  if (path !== '' || !message.endsWith('does not exist')) return [line];
  return [line, `  mount its disk, or restore it: holdfast restore ${name} --in-place`];
}

function doneText(
  { out }: Context,
  name: string,
  done: Done & { readonly tookMs: number },
): string {
  const { entries, bytes, findings, changedMeanwhile, readBack, readBackBytes } = done;
  if (entries + findings + changedMeanwhile === 0)
    return `${name}: nothing to verify: the folder has no files`;
  const amount = `${countText(entries, 'path')}, ${bytesText(bytes)}${tookText(done.tookMs)}`;
  const verdict =
    findings === 0
      ? out.paint('good', `each matches the checksum of its current version, ${lockedText(done)}`)
      : out.paint('bad', countText(findings, 'difference'));
  const back = readBack > 0 ? [`${bytesText(readBackBytes)} read back`] : [];
  const changed = changedMeanwhile > 0 ? [`${changedMeanwhile} changed during the check`] : [];
  return [`${name}: ${amount}: ${verdict}`, ...back, ...changed].join('; ');
}

function lockedText({ entries, toBeLocked }: Done): string {
  if (toBeLocked === 0) return 'not locked, as the job sets no locks';
  if (toBeLocked >= entries) return 'locked as configured';
  return `${toBeLocked} of them locked as configured`;
}

export async function drill(context: Context, names: readonly string[]): Promise<ExitCode> {
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    let [failures, untested] = [0, 0];
    const { signal } = interrupts;
    const { clock } = context.io;
    const { failed } = await ofEach(context, names, async (daemon, name) => {
      const startedAt = clock.monotonic();
      const report = await runDrill(context, daemon, { name, signal });
      const took = tookText(clock.monotonic() - startedAt);
      failures += report.failures.length;
      const isTested = report.files > 0 || report.ranges !== undefined;
      const held = isTested ? 0 : await filesOf(daemon, name);
      if (held > 0) untested += 1;
      const result = { job: name, ...report };
      if (context.json) await context.out.jsonEvent(result);
      else await context.out.prose(...drillLines(name, report, { held, took }));
      return result;
    });
    if (failures + failed.length > 0) return EXIT.failed;
    return untested > 0 ? EXIT.attention : EXIT.ok;
  } finally {
    interrupts.release();
  }
}

async function runDrill(
  context: Context,
  daemon: ControlClient,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<DrillReport> {
  const [id, progress] = [randomUUID(), new Progress(context)];
  const title = `testing ${visible(name)}`;
  const stopListening = daemon.onEvent(({ event }) => {
    if (event.type === 'drill.progress' && event.id === id) progress.show(title, defined(event));
  });
  try {
    progress.start(title);
    await daemon.subscribe({ types: ['drill.progress'] });
    return await daemon.call('proof.drill', { name, id }, { signal });
  } finally {
    progress.end();
    stopListening();
  }
}

export function drillLines(
  name: string,
  report: DrillReport,
  { held, took }: { readonly held: number; readonly took: string },
): readonly string[] {
  const { files, bytes, ranges, at } = report;
  const failures = report.failures.map(
    ({ path, reason }) => `  ${visible(path)}: ${visible(reason)}`,
  );
  if (files === 0 && !ranges) return [untestedText(name, held), ...failures];
  const whole = files > 0 ? [`${countText(files, 'file')}, ${bytesText(bytes)}`] : [];
  const verdict = failures.length === 0 ? 'restored unchanged' : `${failures.length} failed`;
  const amount = [...whole, ...(ranges ? [rangesText(ranges)] : [])].join('; ');
  return [`${name}: restore test of ${timeText(at)}: ${amount}${took}: ${verdict}`, ...failures];
}

/** Returns a text such as `2 ranges of 1 large file, 16 MB`. */
function rangesText({ count, files, bytes }: NonNullable<DrillReport['ranges']>): string {
  return `${countText(count, 'range')} of ${countText(files, 'large file')}, ${bytesText(bytes)}`;
}

async function filesOf(daemon: ControlClient, name: string): Promise<number> {
  const { jobs } = await daemon.call('status', {});
  return jobs.find((job) => job.name === name)?.counts.files ?? 0;
}

function untestedText(name: string, held: number): string {
  if (held === 0) return `${name}: nothing to test: the job has mirrored no files`;
  return (
    `${name}: no file was tested: none of its ${countText(held, 'file')} is suitable for a restore test; ` +
    `to read them back: holdfast verify ${name} --read-back`
  );
}

/**
 * Calls `work` for each named job. If `names` is empty, calls it for all jobs. Prints the failures and, with
 * `--json`, the results of all jobs.
 */
async function ofEach<T extends object>(
  context: Context,
  names: readonly string[],
  work: (daemon: ControlClient, name: string) => Promise<T>,
): Promise<JobsDone<T>> {
  const reports = await context.withDaemon((daemon) =>
    eachJob(daemon, names, (name) => work(daemon, name)),
  );
  const { done, failed } = reports;
  if (context.json) await context.out.json({ jobs: done, failed });
  await printFailedJobs(context, failed);
  return reports;
}
