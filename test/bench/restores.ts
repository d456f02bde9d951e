/**
 * Measures `holdfast restore` in a separate process. Compares a restore from the embedded store with `restic restore`,
 * and a restore from a service with a round-trip time of 40 ms with rclone.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { isTemporaryName } from '../../src/mirror/local/temporary-name.ts';
import { BENCH_KEY } from './credentials.ts';
import { holdfastIn, LARGE, nameOf, resticIn, timed, treeIn } from './local-backups.ts';
import type { LocalBackup } from './local-backups.ts';
import { holdfast, holdfastRestore, makeRandomTree, rcloneRestore } from './mirrors.ts';
import type { MirrorSize } from './mirrors.ts';
import { installed, makeHome, medianRun, startServer } from './processes.ts';
import type { CommandRun } from './processes.ts';
import { limited, median, row } from './row.ts';
import type { Row } from './row.ts';

const SMALL: MirrorSize = { files: 20_000, fileBytes: 1024 };
const MANY: MirrorSize = { files: 100_000, fileBytes: 1024 };
const DISTANT: MirrorSize = { files: 10_000, fileBytes: 4096 };
const ROUND_TRIP_MS = '40';
/** The number of concurrent transfers that rclone uses. */
const TRANSFERS = 64;
const RUNS = 3;
const POLL_MS = 5;
const MAX_FIRST_FILE_MS = 1000;

export async function benchRestores(folder: string, isFull: boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of isFull ? [SMALL, MANY, LARGE] : [SMALL]) {
    const place = join(folder, `restore-${size.files}`);
    mkdirSync(place);
    rows.push(...(await benchRestore(place, size)));
    rmSync(place, { recursive: true });
  }
  return rows;
}

export async function benchDistantRestore(folder: string): Promise<Row[]> {
  if (!installed('rclone')) return [];
  const service = await startServer('holdfast-server.ts', join(folder, 'service'));
  const proxy = await startServer('delay-server.ts', String(service.port), ROUND_TRIP_MS);
  try {
    const tree = join(folder, 'tree');
    makeRandomTree(tree, DISTANT);
    const bucket = { bucket: 'distant', key: BENCH_KEY };
    holdfast(tree, makeHome(join(folder, 'home')), { ...bucket, endpoint: urlOf(service) });
    const far = { ...bucket, endpoint: urlOf(proxy) };
    const runs = Array.from({ length: RUNS }, (_, run) => ({
      ours: holdfastRestore(far, join(folder, `ours-${run}`)),
      theirs: rcloneRestore(far, join(folder, `theirs-${run}`), TRANSFERS),
    }));
    const [ours, theirs] = [runs.map((run) => run.ours), runs.map((run) => run.theirs)];
    const name = `restore ${nameOf(DISTANT)} over 40 ms`;
    const beside = (what: 'seconds' | 'cpuSeconds') => ({
      figure: median(ours.map((run) => run[what])),
      yardstick: `rclone, ${TRANSFERS} transfers`,
      yardstickFigure: median(theirs.map((run) => run[what])),
    });
    return [
      row(`${name}: wall`, 's', beside('seconds'), { atMost: 0.6 }),
      row(`${name}: CPU`, 's', beside('cpuSeconds')),
    ];
  } finally {
    await proxy.stop();
    await service.stop();
  }
}

const urlOf = ({ port }: { readonly port: number }) => `http://127.0.0.1:${port}`;

async function benchRestore(folder: string, size: MirrorSize): Promise<Row[]> {
  const tree = treeIn(folder, size);
  const programs = [holdfastIn(folder), resticIn(folder)].filter((each) => each !== undefined);
  for (const program of programs) timed(program, program.back(tree));
  const runs = new Map(programs.map((program) => [program, [] as CommandRun[]]));
  const firstFilesMs = new Map(programs.map((program) => [program, [] as number[]]));
  // Each run has a separate folder, which is deleted only at the end. Without a journal, ext4 does not reuse the inodes
  // of deleted files for minutes, and the search for free inodes takes several times as long as creating a file.
  for (let run = 0; run < RUNS; run += 1) {
    for (const program of programs) {
      const to = join(folder, `back-${program.name}-${run}`);
      firstFilesMs.get(program)?.push(await firstFileMs(program, `${to}-first`));
      runs.get(program)?.push(timed(program, program.restore(to)));
    }
  }
  const [ours, theirs] = programs.map((program) => medianRun(runs.get(program) ?? []));
  const [firstMs = Number.NaN, theirFirstMs] = programs.map((program) =>
    median(firstFilesMs.get(program) ?? []),
  );
  const name = `restore ${nameOf(size)}`;
  const yardstick = 'restic restore';
  const beside = (figure = Number.NaN, yardstickFigure = Number.NaN) => ({
    figure,
    yardstick,
    yardstickFigure,
  });
  return [
    ...(theirs
      ? [
          row(`${name}: wall`, 's', beside(ours?.seconds, theirs.seconds), { atMost: 1 }),
          row(`${name}: CPU`, 's', beside(ours?.cpuSeconds, theirs.cpuSeconds)),
          row(`${name}: first file`, 'ms', beside(firstMs, theirFirstMs)),
        ]
      : []),
    limited(`${name}: first file`, 'ms', firstMs, MAX_FIRST_FILE_MS),
    limited(`${name}: peak RSS`, 'MiB', ours?.peakRssMib ?? Number.NaN, 250),
  ];
}

/** Returns the time from the start of the command until the first file has its final name. Then ends the command. */
async function firstFileMs({ command, env, restore }: LocalBackup, to: string): Promise<number> {
  const begunAt = performance.now();
  const child = spawn(command, restore(to), { env, stdio: 'ignore' });
  const closed = once(child, 'close');
  while (!hasFile(to) && child.exitCode === null) await systemClock.sleep(POLL_MS);
  if (!hasFile(to)) throw new Error(`run ${command}: the command ended without a file in ${to}`);
  const ms = performance.now() - begunAt;
  child.kill('SIGTERM');
  await closed;
  return ms;
}

function hasFile(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const entries = readdirSync(folder, { withFileTypes: true });
  return (
    entries.some((entry) => entry.isFile() && !isTemporaryName(entry.name)) ||
    entries.some((entry) => entry.isDirectory() && hasFile(join(folder, entry.name)))
  );
}
