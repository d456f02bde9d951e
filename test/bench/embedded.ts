/**
 * Measures the first backup of a tree to the embedded store, and a second backup in a new process. Compares both with
 * restic.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { holdfastIn, LARGE, nameOf, resticIn, timed, treeIn } from './local-backups.ts';
import type { LocalBackup } from './local-backups.ts';
import type { MirrorSize } from './mirrors.ts';
import { medianOf, twice } from './processes.ts';
import type { CommandRun, Twice } from './processes.ts';
import { limited, row } from './row.ts';
import type { Goal, Row } from './row.ts';

const SMALL: MirrorSize = { files: 10_000, fileBytes: 4096 };
const MANY: readonly MirrorSize[] = [
  { files: 100_000, fileBytes: 1024 },
  { files: 1_000_000, fileBytes: 1024 },
];
const RUNS = 3;
/**
 * The maximum number of files in a tree that is backed up several times. A larger tree is backed up only once, because
 * each run takes long.
 */
const MOST_FILES_AGAIN = 10_000;
const MAX_CPU_MS_OF_A_FILE = 0.16;
/** The maximum ratio of the cost per file in the largest tree to the cost per file in the smallest tree. */
const MAX_GROWTH = 1.3;

interface Runs {
  readonly ours: Twice;
  readonly theirs?: Twice;
}

export async function benchEmbedded(folder: string, isFull: boolean): Promise<Row[]> {
  mirrorBoth(join(folder, 'warm-up'), { files: 1, fileBytes: 1 });
  const small = measure(folder, SMALL);
  const many = isFull ? MANY.map((size) => ({ size, runs: measure(folder, size) })) : [];
  const most = many.at(-1);
  return [
    ...rowsOf(SMALL, small),
    ...many.flatMap(({ size, runs }) => rowsOf(size, runs)),
    ...(most ? [growth(small, most)] : []),
    ...(isFull ? largeRows(measure(folder, LARGE)) : []),
  ];
}

function measure(folder: string, size: MirrorSize): Runs {
  const count = size.files <= MOST_FILES_AGAIN ? RUNS : 1;
  const runs = Array.from({ length: count }, (_, run) => {
    const place = join(folder, `${size.files}-${run}`);
    const both = mirrorBoth(place, size);
    rmSync(place, { recursive: true });
    return both;
  });
  const theirs = runs.flatMap((run) => run.theirs ?? []);
  return {
    ours: medianOf(runs.map((run) => run.ours)),
    ...(theirs.length > 0 && { theirs: medianOf(theirs) }),
  };
}

function mirrorBoth(folder: string, size: MirrorSize): Runs {
  mkdirSync(folder);
  const tree = treeIn(folder, size);
  const backTwice = (program: LocalBackup) => twice(() => timed(program, program.back(tree)));
  const restic = resticIn(folder);
  return {
    ours: backTwice(holdfastIn(folder)),
    ...(restic && { theirs: backTwice(restic) }),
  };
}

function rowsOf(size: MirrorSize, runs: Runs): Row[] {
  const name = `embedded ${nameOf(size)}`;
  const { cpuSeconds, peakRssMib } = runs.ours.first;
  const cpuMs = (1000 * cpuSeconds) / size.files;
  return [
    ...against(`${name}: wall`, runs, ['first', 'seconds'], { atMost: 1 }),
    ...against(`${name}: CPU`, runs, ['first', 'cpuSeconds']),
    limited(`${name}: CPU of a file`, 'ms', cpuMs, MAX_CPU_MS_OF_A_FILE),
    limited(`${name}: peak RSS`, 'MiB', peakRssMib, 250),
    ...against(`${name}, again: wall`, runs, ['again', 'seconds'], { atMost: 0.4 }),
    ...against(`${name}, again: CPU`, runs, ['again', 'cpuSeconds']),
  ];
}

function largeRows(runs: Runs): Row[] {
  const name = `embedded ${nameOf(LARGE)}`;
  return [
    ...against(`${name}: wall`, runs, ['first', 'seconds'], { atMost: 1 }),
    ...against(`${name}: CPU`, runs, ['first', 'cpuSeconds'], { atMost: 0.7 }),
    limited(`${name}: peak RSS`, 'MiB', runs.ours.first.peakRssMib, 250),
    ...against(`${name}, again: wall`, runs, ['again', 'seconds']),
  ];
}

/** Returns a row that compares Holdfast with restic. Returns no row if restic is not installed. */
function against(
  name: string,
  { ours, theirs }: Runs,
  [which, what]: readonly [keyof Twice, keyof CommandRun],
  goal?: Goal,
): Row[] {
  if (!theirs) return [];
  const measured = { yardstick: 'restic backup', yardstickFigure: theirs[which][what] };
  return [row(name, 's', { figure: ours[which][what], ...measured }, goal)];
}

function growth(small: Runs, most: { readonly size: MirrorSize; readonly runs: Runs }): Row {
  const cpuMs = ({ ours }: Runs, { files }: MirrorSize) => (1000 * ours.first.cpuSeconds) / files;
  const yardstick = `${SMALL.files} files`;
  const figures = { figure: cpuMs(most.runs, most.size), yardstickFigure: cpuMs(small, SMALL) };
  const name = `embedded, CPU of a file among ${most.size.files}`;
  return row(name, 'ms', { ...figures, yardstick }, { atMost: MAX_GROWTH });
}
