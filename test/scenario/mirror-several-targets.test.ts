/** Tests of one folder with several targets. It is scanned once, and the targets do not affect each other. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { FolderTree } from '../../src/mirror/local/tree/folder-tree.ts';
import { openMirror } from '../../src/mirror/open-mirror.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const FOLDERS = 12;
const FILES = 10;

/**
 * Opens a folder that counts its listings, and jobs on the folder with different prefixes of one
 * bucket.
 */
async function openBench() {
  const bench = await openMirrorBench();
  const { root, bucket, home } = bench;
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(root, `d${folder}`));
    for (let file = 0; file < FILES; file++) write(`d${folder}/f${file}`, `${folder} ${file}`);
  }
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
  const listed: string[] = [];
  const hooks = { onListed: (_directory: string) => undefined as unknown };
  const counting = {
    ...excluder,
    enter: (directory: string, names: readonly string[]) => {
      listed.push(directory);
      hooks.onListed(directory);
      return excluder.enter(directory, names);
    },
  };
  const common = { clock: systemClock, logger: silentLogger };
  const tree = new FolderTree({ root, excluder: counting, ...common });
  const open = async (name: string, store: ObjectStore = bench.store) => {
    const job: MirrorJob = {
      id: name,
      name,
      root,
      bucket,
      prefix: `${name}/`,
      exclude: [],
      conflict: 'keep-both',
      drift: 'report',
      conflictWindowDays: 30,
      rescanMinutes: 60,
      verifyDays: 0,
      unguarded: false,
    };
    const mirror = await openMirror({
      job,
      store,
      tree,
      stateDir: join(home, 'states', name),
      protectedFolders: [],
      hostId: 'host',
      ...common,
      onChange: () => undefined,
      onActivity: () => undefined,
    });
    onTestFinished(async () => void (await mirror.close()));
    mirror.start();
    return mirror;
  };
  const truth = () =>
    Object.fromEntries(Object.entries(bench.tree()).filter(([path]) => !path.endsWith('/')));
  return { bench, tree, write, listed, hooks, open, truth };
}

describe('a folder with two targets', () => {
  test('jobs with the same folder and two targets scan the folder once per sync round', async () => {
    const { bench, write, listed, open, truth } = await openBench();
    const mirrors = await Promise.all([open('near'), open('far')]);
    await until(
      () => mirrors.map((mirror) => mirror.status().inSync),
      (inSync) => inSync.every(Boolean),
    );
    for (const prefix of ['near/', 'far/']) expect(await bench.heads(prefix)).toEqual(truth());
    // A single job lists each folder once in its first sync round.
    expect(new Set(listed).size).toBe(FOLDERS + 1);
    const first = listed.length;
    expect(first).toBeLessThan(1.5 * (FOLDERS + 1));

    listed.length = 0;
    await Promise.all(mirrors.map((mirror) => mirror.settled()));
    expect(listed.sort()).toEqual([...new Set(listed)].sort());
    expect(listed).toHaveLength(FOLDERS + 1);

    for (let file = 0; file < FILES; file++) write(`d0/f${file}`, 'changed');
    await until(
      async () =>
        Object.entries({ ...(await bench.heads('near/')), ...(await bench.heads('far/')) }),
      (heads) => heads.filter(([, text]) => text === 'changed').length === FILES,
    );
  });

  test('a folder is backed up to one target while the other is down, and to the other when it is available again', async () => {
    const { bench, write, open, truth } = await openBench();
    let isDead = true;
    const fails = async () => {
      throw new TransportError('ConnectionRefused', 'talk to far: refused', { sent: false });
    };
    const dying = new Proxy(bench.store, {
      get(target, name) {
        if (name === 'bulkWriter') return undefined;
        return isDead ? fails : (target[name as 'headObject'] as () => unknown).bind(target);
      },
    });
    const far = await open('far', dying);
    const near = await open('near');
    await near.settled();
    write('d1/new', 'while it is dead');
    await near.settled();
    expect(await bench.heads('near/')).toEqual(truth());
    expect(far.status()).toMatchObject({ state: 'failed', inSync: false });
    await until(
      () => near.status(),
      ({ inSync, problems }) => inSync && problems.length === 0,
    );
    isDead = false;
    await far.runNow();
    expect(await bench.heads('far/')).toEqual(truth());
  });

  test('a folder is watched again if another job closed the shared file watcher in the middle of a round', async () => {
    const { bench, tree, write, hooks, open, truth } = await openBench();
    const near = await open('near');
    await near.settled();
    const nothing = () => undefined;
    const other = tree.join({ onHint: nothing, onOverflow: nothing, onScan: nothing });
    const { signal } = new AbortController();
    for await (const _ of other.listAll('', { after: tree.moment(), signal })) continue;
    hooks.onListed = (directory) => directory === 'd5' && other.closeWatch();
    await near.settled();
    hooks.onListed = nothing;
    await until(
      () => near.status().watch,
      (watch) => watch.startsWith('watching'),
    );
    write('d0/new', 'seen by the watch');
    await until(
      () => bench.heads('near/'),
      (heads) => heads['d0/new'] !== undefined,
    );
    expect(await bench.heads('near/')).toEqual(truth());
  });

  test('the shared file watcher of a folder is closed if a job cannot be opened', async () => {
    const { bench, tree, open } = await openBench();
    const stateDir = join(bench.home, 'states', 'far');
    mkdirSync(stateDir, { recursive: true });
    const state = openStateFile(join(stateDir, 'state.sqlite'));
    state.setMeta('proof', 'damaged');
    state.close();
    await expect(open('far')).rejects.toThrow(/JSON/);
    expect(tree.isUnused).toBe(true);
  });

  test('pausing or closing one of two jobs with the same folder does not affect the other job', async () => {
    const { bench, write, open, truth } = await openBench();
    const [near, far] = [await open('near'), await open('far')];
    await Promise.all([near.settled(), far.settled()]);
    far.pause();
    rmSync(join(bench.root, 'd2'), { recursive: true });
    write('d3/f0', 'newer');
    await near.settled();
    expect(await bench.heads('near/')).toEqual(truth());
    expect((await bench.heads('far/'))['d3/f0']).toBe('3 0');
    await near.close();
    far.resume();
    await far.settled();
    expect(await bench.heads('far/')).toEqual(truth());
    write('d4/new', 'seen by the watch of who is left');
    await until(
      () => bench.heads('far/'),
      (heads) => heads['d4/new'] !== undefined,
    );
    expect((await bench.heads('near/'))['d4/new']).toBeUndefined();
  });
});
