/** The mirror as a whole process, against rclone on the same sink, and its rescan against `find`. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { inheritedEnvironment } from '../clients/lane.ts';
import { installed, makeHome, startServer, timeCommand } from './processes.ts';
import type { CommandRun } from './processes.ts';
import { limited, median, row } from './row.ts';
import type { Row } from './row.ts';

const FILES_A_FOLDER = 100;
/** It takes minutes for more, and so do several runs of the others, of which the median is told. */
const MOST_FILES_FOR_AWS = 10_000;
const RUNS = 3;
const CLI = join(import.meta.dirname, '../../dist/src/cli/main.js');

export interface MirrorSize {
  readonly files: number;
  readonly fileBytes: number;
}

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
    const aws = size.files <= MOST_FILES_FOR_AWS ? awsSync(tree, endpoint) : undefined;
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

interface Twice {
  readonly first: CommandRun;
  readonly again: CommandRun;
}

function twice(run: () => CommandRun): Twice {
  return { first: run(), again: run() };
}

/** Neither program is measured by its first call after it was built: ours keeps compiled code, and the kernel keeps files. */
function warmUp(folder: string, endpoint: string): void {
  const tree = join(folder, 'tree-to-warm-up');
  makeTree(tree, { files: 1, fileBytes: 1 });
  const home = makeHome(join(folder, `home-to-warm-up-${randomUUID()}`));
  holdfast(tree, home, { endpoint, bucket: 'warm-ours' });
  if (installed('rclone')) rclone(tree, { endpoint, bucket: 'warm-theirs' });
}

/** Of each figure by itself. */
function medianOf(runs: readonly Twice[]): Twice {
  const of = (which: keyof Twice, what: keyof CommandRun) =>
    median(runs.map((run) => run[which][what]));
  const figures = (which: keyof Twice): CommandRun => ({
    seconds: of(which, 'seconds'),
    cpuSeconds: of(which, 'cpuSeconds'),
    peakRssMib: of(which, 'peakRssMib'),
  });
  return { first: figures('first'), again: figures('again') };
}

interface Place {
  readonly endpoint: string;
  readonly bucket: string;
}

function against(name: string, ours: Twice, theirs: Twice): Row[] {
  const yardstick = 'rclone, 32 transfers';
  const pair = (which: keyof Twice, what: keyof CommandRun) => ({
    figure: ours[which][what],
    yardstick,
    yardstickFigure: theirs[which][what],
  });
  return [
    row(`mirror ${name}: wall`, 's', pair('first', 'seconds'), { atMost: 0.5 }),
    row(`mirror ${name}: CPU`, 's', pair('first', 'cpuSeconds'), { atMost: 0.4 }),
    row(`again, nothing changed, ${name}: wall`, 's', pair('again', 'seconds'), { atMost: 0.1 }),
  ];
}

function makeTree(tree: string, { files, fileBytes }: MirrorSize): void {
  for (let index = 0; index < files; index += 1) {
    const folder = join(tree, `folder-${Math.floor(index / FILES_A_FOLDER)}`);
    if (index % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${index}.txt`), `${index} `.padEnd(fileBytes, 'x'));
  }
}

function holdfast(tree: string, home: string, { endpoint, bucket }: Place): CommandRun {
  const args = [CLI, 'up', tree, '--once', '--home', home, '--to', endpoint, '--bucket', bucket];
  return required(timeCommand(process.execPath, args, environment()));
}

function rclone(tree: string, { endpoint, bucket }: Place): CommandRun {
  const remote = {
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_SINK_TYPE: 's3',
    RCLONE_CONFIG_SINK_PROVIDER: 'Other',
    RCLONE_CONFIG_SINK_ACCESS_KEY_ID: 'bench',
    RCLONE_CONFIG_SINK_SECRET_ACCESS_KEY: 'bench',
    RCLONE_CONFIG_SINK_ENDPOINT: endpoint,
  };
  const args = [
    'copy',
    tree,
    `sink:${bucket}`,
    '--transfers',
    '32',
    '--checkers',
    '32',
    '--fast-list',
  ];
  return required(timeCommand('rclone', args, { ...environment(), ...remote }));
}

/** Undefined where it is not installed. */
function awsSync(tree: string, endpoint: string): CommandRun | undefined {
  const args = ['s3', 'sync', tree, 's3://bench-aws', '--only-show-errors'];
  return timeCommand('aws', args, {
    ...inheritedEnvironment(),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_DEFAULT_REGION: 'us-east-1',
  });
}

const environment = (): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(),
  HOLDFAST_TARGET_ACCESS_KEY_ID: 'bench',
  HOLDFAST_TARGET_SECRET_ACCESS_KEY: 'bench-secret',
});

function required(run: CommandRun | undefined): CommandRun {
  if (!run) throw new Error('run bench: GNU time is missing; install the package `time`');
  return run;
}
