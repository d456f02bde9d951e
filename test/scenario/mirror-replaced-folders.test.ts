/** Tests that a job scans and watches a folder that replaces another folder. */

import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const FILES = ['d/f', 'd/sub/f', 'd/sub/deep/f'];

interface Place extends Pick<MirrorBench, 'root' | 'home'> {
  readonly make: (base: string, text: string) => void;
  /** Resolves when the job has noticed a change. */
  readonly noticed: () => Promise<unknown>;
}

test.each<readonly [string, (place: Place) => void | Promise<void>]>([
  [
    'is removed and created again',
    ({ root, make }) => {
      rmSync(join(root, 'd'), { recursive: true });
      make(root, 'new');
    },
  ],
  [
    'is replaced by a folder from elsewhere',
    ({ root, home, make }) => {
      make(join(home, 'other'), 'new');
      renameSync(join(root, 'd'), join(home, 'gone'));
      renameSync(join(home, 'other/d'), join(root, 'd'));
    },
  ],
  [
    'is replaced by a folder from elsewhere a moment later',
    async ({ root, home, make, noticed }) => {
      make(join(home, 'other'), 'new');
      renameSync(join(root, 'd'), join(home, 'gone'));
      await noticed();
      renameSync(join(home, 'other/d'), join(root, 'd'));
    },
  ],
  [
    'is moved away, changed and moved back',
    async ({ root, home, make, noticed }) => {
      mkdirSync(join(home, 'gone'));
      renameSync(join(root, 'd'), join(home, 'gone/d'));
      await noticed();
      make(join(home, 'gone'), 'new');
      renameSync(join(home, 'gone/d'), join(root, 'd'));
    },
  ],
  [
    'is exchanged with another folder',
    ({ root, make }) => {
      make(join(root, 'other'), 'new');
      renameSync(join(root, 'd'), join(root, 'x'));
      renameSync(join(root, 'other/d'), join(root, 'd'));
      renameSync(join(root, 'x'), join(root, 'other/d'));
    },
  ],
])('a job backs up a folder that %s, and later changes in it', async (_what, replace) => {
  const bench = await openMirrorBench();
  const { root, home } = bench;
  const make = (base: string, text: string) => {
    mkdirSync(join(base, 'd/sub/deep'), { recursive: true });
    for (const path of FILES) writeFileSync(join(base, path), text);
  };
  writeFileSync(join(root, 'beside'), 'so that the root is never empty');
  make(root, 'old');
  const mirror = await bench.open();
  const reached = (text: string) =>
    until(
      async () => {
        const heads = await bench.heads();
        return FILES.map((path) => heads[path]);
      },
      (heads) => heads.every((head) => head === text),
    );
  const noticed = () =>
    until(
      () => mirror.status().inSync,
      (inSync) => !inSync,
    );
  await mirror.settled();
  await replace({ root, home, make, noticed });
  await reached('new');
  make(root, 'newer');
  await reached('newer');
  expect(await bench.heads()).toMatchObject({ 'd/sub/deep/f': 'newer' });
});

test('a job backs up a root folder that is replaced by a copy of it, and later changes in it', async () => {
  const bench = await openMirrorBench();
  const { root } = bench;
  mkdirSync(join(root, 'd'));
  for (const path of ['f', 'd/f']) writeFileSync(join(root, path), 'old');
  const mirror = await bench.open();
  await mirror.settled();
  cpSync(root, `${root}.copy`, { recursive: true, preserveTimestamps: true });
  writeFileSync(`${root}.copy/new`, 'new');
  renameSync(root, `${root}.before`);
  renameSync(`${root}.copy`, root);
  const reached = (path: string, text: string) =>
    until(
      async () => (await bench.heads())[path],
      (head) => head === text,
    );
  await reached('new', 'new');
  for (const path of ['f', 'd/f']) {
    writeFileSync(join(root, path), 'newer');
    await reached(path, 'newer');
  }
  expect(await bench.heads()).toEqual(bench.tree());
});
