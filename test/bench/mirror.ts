/**
 * Measures a folder backup from the start of the process to its end. Compares it with rclone on the same sink server (a
 * server that stores no content), and compares the rescan with `find`.
 */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { awsSync, holdfast, makeTree, type MirrorSize, rclone } from './mirrors.ts';
import {
  installed,
  makeHome,
  medianOf,
  medianRun,
  startServer,
  timeCommand,
  twice,
} from './processes.ts';
import type { CommandRun, Twice } from './processes.ts';
import { limited, row } from './row.ts';
import type { Row } from './row.ts';

/**
 * The maximum number of files for `aws s3 sync`, which takes minutes for more files. With more files, the other
 * programs also run only once.
 */
const MOST_FILES_FOR_AWS = 10_000;
const RUNS = 3;

export async function benchMirror(folder: string, size: MirrorSize): Promise<Row[]> {
  const name = `${size.files} × ${size.fileBytes / 1024} KiB`;
  const tree = join(folder, `tree-${size.files}`);
  makeTree(tree, size);
  const sink = await startServer('sink-server.ts');
  try {
    const endpoint = `http://127.0.0.1:${sink.port}`;
    warmUp(folder, endpoint);
    const runs = Array.from({ length: size.files <= MOST_FILES_FOR_AWS ? RUNS : 1 }, (_, run) => {
      const home = makeHome(join(folder, `home-${size.files}-${run}`));
      const ours = twice(() => holdfast(tree, home, { endpoint, bucket: `ours-${run}` }));
      const hasPeer = installed('rclone');
      const place = { endpoint, bucket: `theirs-${run}` };
      return { ours, theirs: hasPeer ? twice(() => rclone(tree, place)) : undefined };
    });
    const ours = medianOf(runs.map((run) => run.ours));
    const peers = runs.flatMap((run) => run.theirs ?? []);
    const theirs = peers.length > 0 ? medianOf(peers) : undefined;
    const aws =
      size.files <= MOST_FILES_FOR_AWS ? awsSync(tree, { endpoint, bucket: 'aws' }) : undefined;
    const find = timeCommand('find', [tree, '-printf', '%s %T@ %C@ %i %p\n']);
    return [
      ...(theirs ? against(name, ours, theirs) : []),
      ...(aws
        ? [
            row(
              `mirror ${name}: wall`,
              's',
              {
                figure: ours.first.seconds,
                yardstick: 'aws s3 sync',
                yardstickFigure: aws.seconds,
              },
              { atMost: 0.5 },
            ),
          ]
        : []),
      ...(find
        ? [
            row(
              `again, nothing changed, ${name}: CPU`,
              's',
              {
                figure: ours.again.cpuSeconds,
                yardstick: 'find -printf',
                yardstickFigure: find.cpuSeconds,
              },
              { atMost: 2.5 },
            ),
          ]
        : []),
      limited(`mirror ${name}: peak RSS`, 'MiB', ours.first.peakRssMib, 150),
    ];
  } finally {
    await sink.stop();
  }
}

const LARGE: MirrorSize = { files: 20, fileBytes: 100 * 1024 ** 2 };

/** Measures a backup of large files. Compares it with rclone or `aws s3 sync`, whichever is faster. */
export async function benchLargeMirror(folder: string): Promise<Row[]> {
  const tree = join(folder, 'tree-of-large-files');
  makeTree(tree, LARGE);
  const sink = await startServer('sink-server.ts');
  try {
    const endpoint = `http://127.0.0.1:${sink.port}`;
    const rounds = Array.from({ length: RUNS }, (_, run) => {
      const home = makeHome(join(folder, `home-of-large-files-${run}`));
      const into = (name: string) => ({ endpoint, bucket: `${name}-${run}` });
      return {
        ours: holdfast(tree, home, into('ours')),
        rclone: installed('rclone') ? rclone(tree, into('rclone')) : undefined,
        aws: awsSync(tree, into('aws')),
      };
    });
    const ours = medianRun(rounds.map((round) => round.ours));
    const name = `mirror ${LARGE.files} × ${LARGE.fileBytes / 1024 ** 2} MiB`;
    const peers = (['rclone', 'aws'] as const).flatMap((yardstick) => {
      const runs = rounds.flatMap((round) => round[yardstick] ?? []);
      return runs.length > 0 ? [{ yardstick, ...medianRun(runs) }] : [];
    });
    const [best] = peers.toSorted((one, other) => one.seconds - other.seconds);
    const beside = (what: 'seconds' | 'cpuSeconds', peer: CommandRun & { yardstick: string }) => ({
      figure: ours[what],
      yardstick: `${peer.yardstick}, the quicker one`,
      yardstickFigure: peer[what],
    });
    return [
      ...(best
        ? [
            row(`${name}: wall`, 's', beside('seconds', best), { atMost: 1 }),
            row(`${name}: CPU`, 's', beside('cpuSeconds', best), { atMost: 1.1 }),
          ]
        : []),
      limited(`${name}: peak RSS`, 'MiB', ours.peakRssMib, 200),
    ];
  } finally {
    await sink.stop();
  }
}

/**
 * Runs each program once before the measurement, because the first run is slower: Holdfast caches compiled code, and
 * the kernel caches files.
 */
function warmUp(folder: string, endpoint: string): void {
  const tree = join(folder, 'tree-to-warm-up');
  makeTree(tree, { files: 1, fileBytes: 1 });
  const home = makeHome(join(folder, `home-to-warm-up-${randomUUID()}`));
  holdfast(tree, home, { endpoint, bucket: 'warm-ours' });
  if (installed('rclone')) rclone(tree, { endpoint, bucket: 'warm-theirs' });
}

function against(name: string, ours: Twice, theirs: Twice): Row[] {
  const yardstick = 'rclone, 32 transfers';
  const pair = (which: keyof Twice, what: keyof CommandRun) => ({
    figure: ours[which][what],
    yardstick,
    yardstickFigure: theirs[which][what],
  });
  return [
    row(`mirror ${name}: wall`, 's', pair('first', 'seconds'), { atMost: 0.6 }),
    row(`mirror ${name}: CPU`, 's', pair('first', 'cpuSeconds'), { atMost: 0.5 }),
    row(`again, nothing changed, ${name}: wall`, 's', pair('again', 'seconds'), { atMost: 0.15 }),
  ];
}
