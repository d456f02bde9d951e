/**
 * Property test of restores. Each restores the folder exactly as it was at a past time, whatever the target folder
 * contains.
 */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { picture } from '../helpers/tree-picture.ts';
import { randomFrom } from '../helpers/tree.ts';

const SEED = 20261121;
const STATES = 12;
/** The number of restores. The soak test runs a hundred. */
const TIMES = 25;
const NAMES = ['a', 'b', 'ü', 'A', 'x y'];

type Random = () => number;

const pick = <T>(from: readonly T[], random: Random): T | undefined =>
  from[Math.floor(random() * from.length)];

function somePath(random: Random): string {
  const depth = 1 + Math.floor(random() * 3);
  return Array.from({ length: depth }, () => pick(NAMES, random)).join('/');
}

/** Returns the file status of a path, or undefined if the path or a parent folder does not exist. */
function look(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Creates, changes, moves or deletes a random file, folder or symbolic link. */
function liveOneStep(root: string, random: Random): void {
  const path = join(root, somePath(random));
  const stats = look(path);
  const what = random();
  if (what < 0.15) return stats && rmSync(path, { recursive: true });
  if (what < 0.3 && stats && !stats.isSymbolicLink())
    return chmodSync(path, stats.isDirectory() ? 0o700 : 0o640);
  if (what < 0.4 && stats) {
    const [first = ''] = readdirSync(root);
    return renameSync(join(root, first), join(root, `moved ${Math.floor(random() * 1e6)}`));
  }
  for (let above = dirname(path); above !== root; above = dirname(above))
    if (look(above)?.isDirectory() === false) rmSync(above);
  if (look(path)) rmSync(path, { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  // The link has no target, because `picture` would follow other links endlessly.
  if (what < 0.5) symlinkSync(`nowhere/${pick(NAMES, random)}`, path);
  else if (what < 0.6) mkdirSync(path);
  else writeFileSync(path, `${random()}`.repeat(1 + Math.floor(random() * 20)));
}

test(`property: a restore returns a folder exactly at ${TIMES} random times, each over the previous restore`, async () => {
  const bench = await openMirrorBench();
  const random = randomFrom(SEED);
  const mirror = await bench.open();
  const states: { at: number; tree: Record<string, string> }[] = [];
  for (let state = 0; state < STATES; state++) {
    for (let step = 0; step < 6; step++) liveOneStep(bench.root, random);
    await mirror.settled();
    // Approves the deletes that the mass-change guard holds because of their number.
    if (mirror.heldChanges.approve().deletes > 0) await mirror.settled();
    states.push({ at: Date.now(), tree: picture(bench.root) });
    await laterMillisecond();
  }
  const to = join(bench.home, 'back');
  const { store, bucket } = bench;
  const place = { store, bucket, prefix: '', to, clock: systemClock, logger: silentLogger };
  for (let time = 0; time < TIMES; time++) {
    const state = pick(states, random);
    if (!state || Object.keys(state.tree).length === 0) continue;
    const { problems } = await restoreTree({ ...place, at: state.at, exact: true });
    expect({ problems, tree: picture(to) }).toEqual({ problems: [], tree: state.tree });
    if (random() < 0.5) liveOneStep(to, random);
  }
});
