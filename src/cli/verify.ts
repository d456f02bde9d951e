/** `holdfast verify` and `holdfast drill`: whether what was mirrored is there, and comes back. */

import { defined } from '../base/defined.ts';
import type { ControlClient } from '../control/client.ts';
import { type VerifyRow, verifyRowSchema } from '../control/methods/proof.ts';
import { readRows } from '../control/rows.ts';
import { EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import { catchInterrupts } from './interrupts.ts';
import { Progress } from './progress.ts';
import { bytesText, countText, timeText, visible } from './text.ts';

export interface VerifyOptions {
  readonly readBack?: number | true;
}

const GIGABYTE = 1e9;
type Done = Extract<VerifyRow, { is: 'done' }>;

/** Exit code 1 where something differs: scripts ask it. */
export async function verify(
  context: Context,
  names: readonly string[],
  { readBack }: VerifyOptions,
): Promise<ExitCode> {
  const readBackBytes =
    readBack === true ? Number.MAX_SAFE_INTEGER : readBack && readBack * GIGABYTE;
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    let findings = 0;
    await eachJob(context, names, async (daemon, name) => {
      const { signal } = interrupts;
      const asked = { name, ...defined({ readBackBytes: readBackBytes || undefined }) };
      const { stream } = await daemon.call('proof.verify', asked, { signal });
      const rows = readRows(daemon, { stream, row: verifyRowSchema }, signal);
      findings += await tellRows(context, name, rows);
    });
    return findings > 0 ? EXIT.failed : EXIT.ok;
  } finally {
    interrupts.release();
  }
}

async function tellRows(
  context: Context,
  name: string,
  rows: AsyncIterable<VerifyRow>,
): Promise<number> {
  const progress = new Progress(context.io);
  let findings = 0;
  try {
    for await (const row of rows) {
      if (row.is === 'progress') {
        progress.show(`verifying ${name}`, { files: row.entries, bytes: row.bytes });
        continue;
      }
      progress.clear();
      if (row.is === 'finding') findings += 1;
      if (context.json) await context.out.jsonLine({ job: name, ...row });
      else if (row.is === 'done') await context.out.lines(doneText(context, name, row));
      else await context.out.lines(`${visible(row.path)}: ${row.code}: ${visible(row.message)}`);
    }
    return findings;
  } finally {
    progress.clear();
  }
}

function doneText({ out }: Context, name: string, done: Done): string {
  const { entries, bytes, findings, changedMeanwhile, readBack, readBackBytes } = done;
  const amount = `${countText(entries, 'path')}, ${bytesText(bytes)}`;
  const verdict =
    findings === 0
      ? out.paint('good', 'each has a current version of equal checksum, locked as the policy asks')
      : out.paint('bad', countText(findings, 'difference'));
  const back = readBack > 0 ? [`${bytesText(readBackBytes)} read back`] : [];
  const changed = changedMeanwhile > 0 ? [`${changedMeanwhile} changed meanwhile`] : [];
  return [`${name}: ${amount}: ${verdict}`, ...back, ...changed].join('; ');
}

export async function drill(context: Context, names: readonly string[]): Promise<ExitCode> {
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    let failures = 0;
    const { signal } = interrupts;
    await eachJob(context, names, async (daemon, name) => {
      const report = await daemon.call('proof.drill', { name }, { signal });
      failures += report.failures.length;
      if (context.json) await context.out.jsonLine({ job: name, ...report });
      else {
        const { files, bytes, at } = report;
        const amount = `${countText(files, 'file')}, ${bytesText(bytes)}`;
        const lines = report.failures.map(
          ({ path, reason }) => `  ${visible(path)}: ${visible(reason)}`,
        );
        const verdict = lines.length === 0 ? 'came back as they were' : `${lines.length} did not`;
        const text = `${name}: restored for a drill ${timeText(at)}: ${amount}: ${verdict}`;
        await context.out.lines(text, ...lines);
      }
    });
    return failures > 0 ? EXIT.failed : EXIT.ok;
  } finally {
    interrupts.release();
  }
}

/** Those that are named, or all. */
async function eachJob(
  context: Context,
  names: readonly string[],
  work: (daemon: ControlClient, name: string) => Promise<void>,
): Promise<void> {
  await context.withDaemon(async (daemon) => {
    const all = async () => (await daemon.call('status', {})).jobs.map(({ name }) => name);
    for (const name of names.length > 0 ? names : await all()) await work(daemon, name);
  });
}
