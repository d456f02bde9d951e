/** Starts a verification or a restore test, and shows its findings as they arrive. */

import { defined } from '../../../src/base/defined.ts';
import { bytesText, countText, readSize } from '../../../src/text/amounts.ts';
import { verifyRowSchema } from '../../../src/control/methods/proof.ts';
import type { VerifyRow } from '../../../src/control/methods/proof.ts';
import { readRows } from '../../../src/control/rows.ts';
import { onlyInBucketText } from '../../../src/control/job-standing.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Question } from '../../commands/command.ts';
import type { Ui, Work } from '../../ui/ui.ts';
import { FormOverlay } from '../../widgets/form.ts';
import { FindingsScreen } from './findings-screen.ts';
import { placeText } from './job-text.ts';

type Done = Extract<VerifyRow, { is: 'done' }>;

/**
 * Asks how many bytes the verification should download and compare. The verification runs in the background while a
 * screen shows its findings.
 */
export function openVerify(ui: Ui, { name }: JobStatus): void {
  const field = {
    name: 'readBack',
    label: 'read back',
    help: 'bytes to download and compare, such as 10GB; empty: compare checksums only',
    check: (text: string) =>
      text.trim() === '' || readSize(text.trim()) !== undefined
        ? undefined
        : 'write a size such as 500MB or 10GB, or nothing',
  };
  const submit = async ({ readBack = '' }: Readonly<Record<string, string>>) => {
    const readBackBytes = readSize(readBack.trim()) || undefined;
    void ui.attempt(() => verify(ui, name, readBackBytes));
  };
  ui.openOverlay(
    new FormOverlay(ui, { title: `Verify ${name}`, act: 'verify', fields: [field], submit }),
  );
}

async function verify(ui: Ui, name: string, readBackBytes: number | undefined): Promise<void> {
  await ui.work(`verifying ${name}`, async (work) => {
    const { signal } = work.abort;
    const asked = { name, ...defined({ readBackBytes }) };
    const { stream } = await ui.call('proof.verify', asked, { signal });
    const daemon = await ui.link.client();
    const rows = readRows(daemon, { stream, row: verifyRowSchema }, signal);
    await follow(ui, { name, rows, work });
  });
}

interface Following {
  readonly name: string;
  readonly rows: AsyncIterable<VerifyRow>;
  readonly work: Work;
}

/** Opens the findings screen when the first finding arrives. Without findings, shows only a message. */
async function follow(ui: Ui, { name, rows, work }: Following): Promise<void> {
  let screen: FindingsScreen | undefined;
  for await (const row of rows) {
    if (row.is === 'finding') {
      screen ??= openFindings(ui, `verification of ${name}`);
      screen.add({ path: row.path, what: `${row.code}: ${row.message}` });
    } else if (row.is === 'progress') {
      work.progress = `${countText(row.entries, 'path')} ${bytesText(row.bytes)}`;
      ui.changes.soon();
    } else {
      // The daemon sends no event when the share of reread content changes.
      await ui.status.refresh();
      notifyDone(ui, name, row);
    }
  }
}

function notifyDone(ui: Ui, name: string, done: Done): void {
  const { entries, bytes, findings, changedMeanwhile, readBack, readBackBytes } = done;
  const job = ui.status.job(name);
  const only = job && onlyInBucketText([job], countText);
  const said = [
    `${name}: ${countText(entries, 'path')}, ${bytesText(bytes)}`,
    findings === 0 ? 'no differences' : countText(findings, 'difference'),
    ...(only === undefined ? [] : [only]),
    ...(readBack > 0 ? [`${bytesText(readBackBytes)} read back`] : []),
    ...(changedMeanwhile > 0 ? [`${changedMeanwhile} changed in the meantime`] : []),
  ].join('; ');
  if (findings === 0 && only === undefined) ui.notify(said);
  else ui.warn(said);
}

export function drillQuestion({ look }: Ui, job: JobStatus): Question {
  const { name, placement, proof } = job;
  const at = proof?.lastDrillAt;
  return {
    title: `Run a restore test of ${name} now?`,
    facts: [
      `It restores a sample of files from ${look.name(placeText(job))} to a temporary folder, compares them, and removes the folder. The job's folder and the bucket stay as they are.`,
      ...(placement === 'elsewhere' ? ['The service may charge for the download.'] : []),
      at === undefined ? 'No restore test has run yet.' : `The last one ran ${minuteText(at)}.`,
    ],
  };
}

export async function drill(ui: Ui, { name }: JobStatus): Promise<void> {
  const report = await ui.work(`restore test of ${name}`, ({ abort }) =>
    ui.call('proof.drill', { name }, { signal: abort.signal }),
  );
  await ui.status.refresh();
  const { files, bytes, ranges, failures } = report;
  const large = ranges && [
    `${countText(ranges.count, 'range')} of ${countText(ranges.files, 'large file')}, ${bytesText(ranges.bytes)}`,
  ];
  const whole = files > 0 ? [`${countText(files, 'file')}, ${bytesText(bytes)}`] : [];
  const amount = [...whole, ...(large ?? [])].join('; ');
  if (failures.length === 0)
    return amount === ''
      ? ui.warn(`${name}: no file was tested`)
      : ui.notify(`${name}: restored ${amount} without a difference`);
  ui.warn(`${name}: could not restore ${countText(failures.length, 'file')}`);
  const screen = openFindings(ui, `restore test of ${name}`);
  for (const { path, reason } of failures) screen.add({ path, what: reason });
}

function openFindings(ui: Ui, title: string): FindingsScreen {
  const screen = new FindingsScreen(ui, title);
  ui.router.open(screen);
  return screen;
}
