/**
 * Property test of random folder changes and restarts at random times. In the end, the bucket must equal the folder.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const STEPS = 60;

/** Returns a mulberry32 random number generator. Equal seeds give equal changes. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Random = (below: number) => number;

const NAMES = ['a', 'b', 'c-d', 'ü', 'A', 'x y'];

function somePath(random: Random): string {
  const depth = 1 + random(3);
  return Array.from({ length: depth }, () => NAMES[random(NAMES.length)]).join('/');
}

function write(root: string, path: string, text: string): void {
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const above = join(root, ...parts.slice(0, depth));
    if (existsSync(above) && !statSync(above).isDirectory()) rmSync(above);
  }
  mkdirSync(join(root, path, '..'), { recursive: true });
  rmSync(join(root, path), { recursive: true, force: true });
  writeFileSync(join(root, path), text);
}

function liveOneStep(root: string, random: Random): void {
  const path = somePath(random);
  const full = join(root, path);
  switch (random(8)) {
    case 0:
    case 1:
    case 2:
      return write(root, path, `text ${random(1_000)}`);
    case 3:
      if (existsSync(full) && statSync(full).isFile()) writeFileSync(full, `edit ${random(1_000)}`);
      return;
    case 4:
      return rmSync(full, { recursive: true, force: true });
    case 5: {
      const [first] = readdirSync(root);
      if (first !== undefined)
        renameSync(join(root, first), join(root, `moved ${random(3)}`, '..', `m${random(1_000)}`));
      return;
    }
    case 6:
      if (!existsSync(full)) mkdirSync(full, { recursive: true });
      return;
    default:
      rmSync(full, { recursive: true, force: true });
      mkdirSync(join(full, '..'), { recursive: true });
      symlinkSync(`nowhere ${random(10)}`, full);
  }
}

/** Ignores a step that the current tree does not allow, such as a file in a path that needs a folder. */
function tryOneStep(root: string, random: Random): void {
  try {
    liveOneStep(root, random);
  } catch (error) {
    if (!['ENOTDIR', 'EEXIST', 'ENOENT'].includes((error as { code: string }).code)) throw error;
  }
}

test.each([1, 2, 3, 4, 5, 6])(
  'the bucket equals the folder after random changes, pauses and restarts (seed %d)',
  async (seed) => {
    const random = randomFrom(seed);
    const bench = await openMirrorBench();
    let mirror = await bench.open();
    for (let step = 0; step < STEPS; step++) {
      tryOneStep(bench.root, random);
      const pause = random(10);
      if (pause === 0) await mirror.settled();
      if (pause === 1) mirror = await bench.open();
      if (pause === 2) mirror.pause();
      if (pause === 3) mirror.resume();
      if (pause >= 8) await new Promise(setImmediate);
    }
    // Keeps the root from becoming empty. It would count as missing after the loss of more than ten files.
    writeFileSync(join(bench.root, 'last'), 'last');
    mirror.resume();
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    // The test waits, because events of the last change may arrive after the sync round that
    // handled the change.
    const status = await until(
      () => mirror.status(),
      ({ state }) => state === 'watching',
    );
    expect(status).toMatchObject({ problems: [], counts: { conflicts: 0, held: 0 } });
  },
);
