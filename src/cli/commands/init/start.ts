/** Starts the job that `holdfast init` has added, follows its first backup, and prints next steps. */

import type { ControlClient } from '../../../control/client.ts';
import type { JobStatus } from '../../../control/shapes.ts';
import { CommandError, EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { protectionLine } from '../../output/job-text.ts';
import { lockNotes } from '../../output/lock-text.ts';
import { shellWord } from '../../output/text.ts';
import { follow } from '../daemon/follow.ts';
import { startDaemon } from '../daemon/start-daemon.ts';
import { drillLines } from '../verify/verify.ts';
import type { Installed } from '../service/install.ts';
import type { Asking } from './asking.ts';

const LOCKS_TESTED_WITHIN_MS = 5_000;
const LOCKS_POLL_MS = 200;

/** How the job is started. `running` means that a daemon is already running and reloads config.yaml. */
export type Start = 'detached' | 'no' | 'running' | 'service';

/** The end of the question that starts with `Write the job to FILE`, for each way to start the job. */
export const STARTS: Readonly<Record<Start, string>> = {
  detached: ' and start it',
  no: '',
  running: ' and start it',
  service: ', start it, and start it again with the system',
};

/**
 * Returns how to start the job. If a user can confirm it and Holdfast can be installed as a system service, uses the
 * service. Otherwise uses a daemon in the background.
 */
export async function chooseStart({ context, options }: Asking): Promise<Start> {
  const { checkInstallable } = await import('../service/install.ts');
  if (options.service) await checkInstallable(context, {});
  const daemon = await context.connectIfRunning();
  daemon?.close();
  if (daemon) return 'running';
  if (options.service) return 'service';
  if (options.start === false) return 'no';
  // With `--yes`, no service is installed, because only a user may decide that Holdfast starts with the system.
  return !context.isConfirmed && (await canBeService(context)) ? 'service' : 'detached';
}

/** Returns whether a service manager is reachable and the program is installed at a permanent path. */
async function canBeService(context: Context): Promise<boolean> {
  const { checkInstallable } = await import('../service/install.ts');
  try {
    await checkInstallable(context, {});
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** Starts the job, or makes the running daemon reload config.yaml. If a service was installed, returns it. */
export async function startJob(context: Context, start: Start): Promise<Installed | undefined> {
  if (start === 'detached') await startDaemon(context);
  if (start === 'running') await context.withDaemon((daemon) => daemon.call('config.reload', {}));
  if (start !== 'service') return undefined;
  const { install, installedLines } = await import('../service/install.ts');
  const installed = await install(context, {});
  if (!context.json) await context.out.lines(...installedLines(installed, {}));
  return installed;
}

/**
 * Follows the job until all its files are durable or the user presses Ctrl-C. Then restores some of the files as a
 * test, and prints what is protected and what to try next.
 */
export async function followFirstBackup(context: Context, name: string): Promise<ExitCode> {
  const interrupts = catchInterrupts(context.io.stderr);
  const { signal } = interrupts;
  try {
    return await context.withDaemon(async (daemon) => {
      const jobs = [beforeBackup(await jobNamed(daemon, name))];
      const followed = await follow({ context, daemon, own: false, signal, jobs, once: true });
      if (signal.aborted) return EXIT.ok;
      if (followed === EXIT.ok) await testBackup(context, daemon, name, signal);
      const job = await lockedJob(context, daemon, name);
      const { targets } = await daemon.call('targets.list', {});
      const target = targets.find((each) => each.name === job.target);
      if (!context.json) await printClosing(context, job, target?.endpoint);
      return followed;
    });
  } finally {
    interrupts.release();
  }
}

async function testBackup(
  context: Context,
  daemon: ControlClient,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const report = await daemon.call('proof.drill', { name }, { signal });
  const held = (await jobNamed(daemon, name)).counts.files;
  if (!context.json) await context.out.prose(...drillLines(name, report, { held, took: '' }));
}

/**
 * Returns the status of the job when the daemon has tested whether it may renew the locks. This takes about a second
 * after the first upload.
 */
async function lockedJob({ io }: Context, daemon: ControlClient, name: string): Promise<JobStatus> {
  const giveUpAt = io.clock.monotonic() + LOCKS_TESTED_WITHIN_MS;
  for (;;) {
    const job = await jobNamed(daemon, name);
    const { locked = 0, renewalRight } = job.locks ?? {};
    if (locked === 0 || renewalRight !== 'unknown') return job;
    if (io.clock.monotonic() > giveUpAt) return job;
    await io.clock.sleep(LOCKS_POLL_MS);
  }
}

/** Returns the status before the first backup. A small folder may already be uploaded before the first request. */
function beforeBackup(job: JobStatus): JobStatus {
  return { ...job, counts: { ...job.counts, uploadedVersions: 0, uploadedBytes: 0, deleted: 0 } };
}

async function jobNamed(daemon: ControlClient, name: string): Promise<JobStatus> {
  const { jobs } = await daemon.call('status', {});
  const job = jobs.find((each) => each.name === name);
  if (job) return job;
  throw new CommandError('NotStarted', `the daemon does not run job ${name}`, 'see: holdfast log');
}

/**
 * Prints the closing lines. `endpoint` is undefined for the embedded store, which would be lost together with this
 * machine.
 */
async function printClosing(
  { out }: Context,
  job: JobStatus,
  endpoint: string | undefined,
): Promise<void> {
  const folder = shellWord(job.folder);
  await out.prose(
    '',
    `${out.paint('strong', job.name)} is ${protectionLine(job, out.paint)}`,
    ...(job.locks?.renewalRight === 'refused' ? lockNotes(job.locks) : []).map(
      (note) => `  ${note}`,
    ),
    'Try next:',
    `  holdfast history ${folder}`,
    `  holdfast restore ${shellWord(job.name)} --to ${shellWord(`${job.folder}-restored`)}`,
  );
  if (endpoint === undefined) return;
  const from = shellWord(`${endpoint}/${job.bucket}/${job.prefix}`.replace(/\/$/, ''));
  await out.prose(
    'Store the access key outside this machine, too. If this machine is lost, run on another one:',
  );
  // The home folder is omitted, because the command is for another machine.
  await out.lines(`  holdfast restore --from ${from} --to DIR`);
}
