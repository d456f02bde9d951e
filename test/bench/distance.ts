/**
 * Measures a job that backs up to a service with a round-trip time of 40 ms. Compares it with
 * rclone over the same distance.
 */

import { join } from 'node:path';

import { holdfast, makeTree, rclone } from './mirrors.ts';
import { type CommandRun, installed, makeHome, startServer } from './processes.ts';
import { median, row } from './row.ts';
import type { Goal, Row } from './row.ts';

const ROUND_TRIP_MS = '40';
const RUNS = 3;
const SMALL = { files: 10_000, fileBytes: 4096 };
const LARGE = { files: 20, fileBytes: 100 * 1024 ** 2 };

interface Compared {
  readonly tree: string;
  /** The number of concurrent transfers that rclone uses. */
  readonly transfers: number;
  readonly name: string;
}

export async function benchDistance(folder: string): Promise<Row[]> {
  if (!installed('rclone')) return [];
  const sink = await startServer('sink-server.ts');
  const proxy = await startServer('delay-server.ts', String(sink.port), ROUND_TRIP_MS);
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  try {
    const small = join(folder, 'distant-small');
    makeTree(small, SMALL);
    const files = compare(folder, endpoint, { tree: small, transfers: 64, name: 'small' });
    const large = join(folder, 'distant-large');
    makeTree(large, LARGE);
    const bytes = compare(folder, endpoint, { tree: large, transfers: 32, name: 'large' });
    const [few, many] = ['20 × 100 MiB', '10,000 × 4 KiB'];
    return [
      against(`mirror ${many} over 40 ms: wall`, files.first, 'seconds', { atMost: 0.6 }),
      against(`mirror ${many} over 40 ms: CPU`, files.first, 'cpuSeconds', { atMost: 0.5 }),
      against(`again, nothing changed, over 40 ms: wall`, files.again, 'seconds', { atMost: 0.2 }),
      against(`mirror ${few} over 40 ms: wall`, bytes.first, 'seconds', { atMost: 1 }),
    ];
  } finally {
    await proxy.stop();
    await sink.stop();
  }
}

interface Pair {
  readonly ours: readonly CommandRun[];
  readonly theirs: readonly CommandRun[];
  readonly yardstick: string;
}

/**
 * Runs both programs in turn. Each program copies the tree into a new bucket, and then runs once
 * more without changes.
 */
function compare(
  folder: string,
  endpoint: string,
  { tree, transfers, name }: Compared,
): { readonly first: Pair; readonly again: Pair } {
  const runs = Array.from({ length: RUNS }, (_, run) => {
    const home = makeHome(join(folder, `home-distant-${name}-${run}`));
    const ours = () => holdfast(tree, home, { endpoint, bucket: `${name}-ours-${run}` });
    const place = { endpoint, bucket: `${name}-theirs-${run}` };
    const theirs = () => rclone(tree, place, transfers);
    return { ours: [ours(), ours()] as const, theirs: [theirs(), theirs()] as const };
  });
  const pair = (which: 0 | 1): Pair => ({
    ours: runs.map(({ ours }) => ours[which]),
    theirs: runs.map(({ theirs }) => theirs[which]),
    yardstick: `rclone, ${transfers} transfers`,
  });
  return { first: pair(0), again: pair(1) };
}

function against(
  name: string,
  { ours, theirs, yardstick }: Pair,
  what: 'seconds' | 'cpuSeconds',
  goal: Goal,
): Row {
  const of = (runs: readonly CommandRun[]) => median(runs.map((run) => run[what]));
  return row(name, 's', { figure: of(ours), yardstick, yardstickFigure: of(theirs) }, goal);
}
