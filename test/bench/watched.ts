/**
 * Measures a daemon that watches a large folder: its cost while no file changes, and its cost when a whole folder is
 * renamed.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import type { ControlClient } from '../../src/control/client.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import { inheritedEnvironment } from '../clients/lane.ts';
import { type DaemonProcess, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { seconds } from './load.ts';
import { timeCommand } from './processes.ts';
import { limited, median, percentile, row } from './row.ts';
import type { Row } from './row.ts';

const JOB = 'watched';
const FILES_A_FOLDER = 100;
const SMALL_BYTES = 100;
const RESCANS = 3;
const MAX_RSS_MIB = 250;
const MAX_STALL_MS = 50;
/** The maximum total size of the bodies that a job uploads after a folder was renamed. */
const MAX_SENT_MIB = 1;
const MIB = 2 ** 20;
/** The number of clock ticks per second in /proc/PID/stat on Linux. */
const TICKS_A_SECOND = 100;

export async function benchWatched(folder: string, files: number): Promise<Row[]> {
  const root = join(folder, JOB);
  makeFiles(root, files, SMALL_BYTES);
  const home = join(folder, 'home-watched');
  makeHome(home);
  const name = `${files} files`;
  const before = await startDaemonProcess(home);
  let first: number;
  try {
    first = await firstMirror(before, root);
  } finally {
    await before.stop();
  }
  // The daemon is restarted, because the first backup leaves a larger heap than watching needs.
  const daemon = await startDaemonProcess(home);
  try {
    await settled(daemon.client);
    const startRssMib = readRssMib(daemon);
    const looks = [];
    for (let round = 0; round < RESCANS; round += 1) looks.push(await rescan(daemon));
    const finds = looks.map(
      () => timeCommand('find', [root, '-printf', '%s %T@ %C@ %i %p\n'])?.cpuSeconds ?? Number.NaN,
    );
    const cpuSeconds = median(looks.map((look) => look.cpuSeconds));
    const stallsMs = looks.flatMap((look) => look.stallsMs);
    const find = { yardstick: 'find -printf', yardstickFigure: median(finds) };
    return [
      row(`first mirror into the store, ${name}`, 'files/s', {
        figure: files / first,
        yardstick: 'a second',
        yardstickFigure: 1,
      }),
      row(
        `rescan, nothing changed, ${name}: CPU`,
        's',
        { figure: cpuSeconds, ...find },
        { atMost: 2.5 },
      ),
      limited(`daemon with its watches, ${name}: RSS`, 'MiB', startRssMib, MAX_RSS_MIB),
      limited(`the same after ${RESCANS} rescans: RSS`, 'MiB', readRssMib(daemon), MAX_RSS_MIB),
      limited(
        `answers during a rescan, ${name}: p99`,
        'ms',
        percentile(stallsMs, 0.99),
        MAX_STALL_MS,
      ),
    ];
  } finally {
    await daemon.stop();
  }
}

/** Measures how a job handles a renamed folder with `files` files of `fileBytes` bytes each. */
export async function benchMovedFolder(
  folder: string,
  { files, fileBytes }: { readonly files: number; readonly fileBytes: number },
): Promise<Row[]> {
  const root = join(folder, JOB);
  makeFiles(join(root, 'before'), files, fileBytes);
  const home = join(folder, 'home-moved');
  makeHome(home);
  const daemon = await startDaemonProcess(home);
  try {
    const firstMirrorSeconds = await firstMirror(daemon, root);
    const { counts } = await settled(daemon.client);
    const { endpointUrl, ...keys } = await daemon.client.call('credentials', {});
    const env = rcloneEnvironment(endpointUrl, keys);
    const sync = ['sync', root, 'store:rclone', '--track-renames', '--transfers', '32'];
    timeCommand('rclone', ['mkdir', 'store:rclone'], env);
    timeCommand('rclone', sync, env);
    const logBefore = await logLines(daemon.client);
    renameSync(join(root, 'before'), join(root, 'after'));
    const took = await seconds(() => untilMoved(daemon.client, counts.uploadedVersions + files));
    const after = await settled(daemon.client);
    const theirs = timeCommand('rclone', sync, env);
    const name = `mv of a folder of ${files} files, ${Math.round((files * fileBytes) / MIB)} MiB`;
    const sentMib = (after.counts.uploadedBytes - counts.uploadedBytes) / MIB;
    const lines = (await logLines(daemon.client)) - logBefore;
    const rclone = { yardstick: 'rclone sync --track-renames' };
    return [
      limited(`${name}: bodies sent`, 'MiB', sentMib, MAX_SENT_MIB),
      limited(`${name}: lines in the log`, 'lines', lines, 1),
      row(
        `${name}: wall`,
        's',
        { figure: took, ...rclone, yardstickFigure: theirs?.seconds ?? Number.NaN },
        { atMost: 1 },
      ),
      row(
        `${name}: wall`,
        's',
        { figure: took, yardstick: 'its first mirror', yardstickFigure: firstMirrorSeconds },
        { atMost: 1.5 },
      ),
    ];
  } finally {
    await daemon.stop();
  }
}

function makeFiles(root: string, files: number, fileBytes: number): void {
  for (let index = 0; index < files; index += 1) {
    const folder = join(root, `folder-${Math.floor(index / FILES_A_FOLDER)}`);
    if (index % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${index}.txt`), `${index} `.padEnd(fileBytes, 'x'));
  }
}

/** Backs up the folder for the first time. Returns the duration in seconds. */
async function firstMirror({ client }: DaemonProcess, root: string): Promise<number> {
  return seconds(async () => {
    await client.call('jobs.add', { folder: root });
    await settled(client);
  });
}

async function settled(client: ControlClient): Promise<JobStatus> {
  return (await client.call('jobs.settled', { name: JOB })).job;
}

/**
 * Measures a full sync round that finds no change. Calls the daemon meanwhile to measure the delay of its event loop.
 */
async function rescan(daemon: DaemonProcess) {
  const before = readCpuSeconds(daemon);
  const stallsMs: number[] = [];
  const over = new AbortController();
  const round = settled(daemon.client).finally(() => over.abort());
  while (!over.signal.aborted) {
    const askedAt = performance.now();
    await daemon.client.call('jobs.review', { name: JOB, limit: 1 });
    stallsMs.push(performance.now() - askedAt);
    await systemClock.sleep(5);
  }
  await round;
  return { cpuSeconds: readCpuSeconds(daemon) - before, stallsMs };
}

async function untilMoved(client: ControlClient, uploadedVersions: number): Promise<void> {
  for (;;) {
    const { jobs } = await client.call('status', {});
    const job = jobs[0];
    if (job?.inSync && job.counts.uploadedVersions >= uploadedVersions) return;
    await systemClock.sleep(20);
  }
}

/** Returns the number of log lines. Ignores the first restore test, because it can run at any time. */
async function logLines(client: ControlClient): Promise<number> {
  const { lines } = await client.call('log.tail', { lines: 10_000 });
  return lines.filter((line) => !JSON.stringify(line).includes('restore test:')).length;
}

function readRssMib({ process: { pid } }: DaemonProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/**
 * Returns the user and system CPU time in seconds: fields 14 and 15 of the process status. The fields are counted after
 * the process name, because the name can contain spaces.
 */
function readCpuSeconds({ process: { pid } }: DaemonProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function rcloneEnvironment(
  endpoint: string,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string },
): NodeJS.ProcessEnv {
  return {
    ...inheritedEnvironment(),
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_STORE_TYPE: 's3',
    RCLONE_CONFIG_STORE_PROVIDER: 'Other',
    RCLONE_CONFIG_STORE_ACCESS_KEY_ID: keys.accessKeyId,
    RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: keys.secretAccessKey,
    RCLONE_CONFIG_STORE_ENDPOINT: endpoint,
  };
}
