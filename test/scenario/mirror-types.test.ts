/**
 * Tests of paths that change their type. The job must upload the new object before it deletes the old
 * object.
 */

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { faultyStore, hangsAfterWriting, hangsBeforeSending } from '../helpers/faulty-store.ts';
import { until } from '../helpers/until.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const MAKE = {
  file: (path: string) => writeFileSync(path, 'a file'),
  folder: (path: string) => {
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), 'inside');
  },
  'empty folder': (path: string) => mkdirSync(path),
  link: (path: string) => symlinkSync('target of it', path),
};

type Kind = keyof typeof MAKE;

/** The object key for each kind of entry. */
const KEY: Record<Kind, string> = {
  file: 'x',
  folder: 'x/inside',
  'empty folder': 'x/',
  link: 'x',
};
const KINDS = Object.keys(MAKE) as Kind[];
const CHANGES = KINDS.flatMap((from) =>
  KINDS.filter((to) => from !== to).map((to) => [from, to] as const),
);

async function mirrored(from: Kind) {
  const bench = await openMirrorBench();
  const path = join(bench.root, 'x');
  writeFileSync(join(bench.root, 'other'), 'other');
  MAKE[from](path);
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  await mirror.settled();
  const become = (to: Kind) => {
    rmSync(path, { recursive: true });
    MAKE[to](path);
  };
  return { bench, faulty, mirror, become };
}

test.each(CHANGES)(
  'a job uploads the new object before it deletes the old one when a %s becomes a %s',
  async (from, to) => {
    const { bench, faulty, mirror, become } = await mirrored(from);
    const before = faulty.calls.length;
    mirror.pause();
    become(to);
    mirror.resume();
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    const calls = faulty.calls.slice(before);
    const put = calls.findIndex((call) => call === `putObject ${KEY[to]}`);
    const gone = calls.findIndex((call) => call === `deleteObject ${KEY[from]}`);
    expect(put).toBeGreaterThanOrEqual(0);
    // If both objects have the same key, the job deletes no object.
    if (KEY[from] === KEY[to]) expect(gone).toBe(-1);
    else expect(gone).toBeGreaterThan(put);
    expect(mirror.status().problems).toEqual([]);
  },
);

const SIX = CHANGES.filter((kinds) => !kinds.includes('empty folder'));

test.each(SIX.filter(([from, to]) => KEY[from] !== KEY[to]))(
  'a job completes the change of a %s to a %s if it was stopped between the upload and the delete',
  async (from, to) => {
    const { bench, faulty, mirror, become } = await mirrored(from);
    const key = KEY[from];
    const old = await bench.heads();
    const met = faulty.inject({ on: 'deleteObject', key, fault: hangsBeforeSending });
    mirror.pause();
    become(to);
    mirror.resume();
    await met;
    expect(await bench.heads()).toEqual({ ...bench.tree(), [key]: old[key] });
    const again = await bench.open();
    await again.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(await bench.history(key)).toEqual([expect.stringContaining('put'), 'marker']);
  },
);

test.each(SIX)(
  'a job completes the change of a %s to a %s if it was stopped after the upload',
  async (from, to) => {
    const { bench, faulty, mirror, become } = await mirrored(from);
    const met = faulty.inject({ on: 'putObject', key: KEY[to], fault: hangsAfterWriting });
    mirror.pause();
    become(to);
    mirror.resume();
    await met;
    const again = await bench.open();
    await again.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(again.status()).toMatchObject({ problems: [], counts: { conflicts: 0, held: 0 } });
  },
);

test.each([
  ['within the folder of the job', (root: string) => join(root, 'elsewhere')],
  ['out of the folder of the job', (_root: string, home: string) => join(home, 'elsewhere')],
])(
  'a job stores a symbolic link that replaces a folder which was moved %s',
  async (_where, elsewhere) => {
    const bench = await openMirrorBench();
    const { root, home } = bench;
    mkdirSync(join(root, 'x/y'), { recursive: true });
    for (const path of ['other', 'x/inside', 'x/y/deep']) writeFileSync(join(root, path), path);
    const mirror = await bench.open();
    await mirror.settled();
    mkdirSync(elsewhere(root, home));
    renameSync(join(root, 'x'), join(elsewhere(root, home), 'x'));
    symlinkSync(join(elsewhere(root, home), 'x'), join(root, 'x'));
    await mirror.settled();
    // Late file events make the job check files again.
    await until(
      () => Promise.resolve(mirror.status()),
      ({ inSync }) => inSync,
    );
    expect(await bench.heads()).toEqual(bench.tree());
    expect(mirror.status().problems).toEqual([]);
  },
);
