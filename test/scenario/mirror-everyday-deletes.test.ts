/**
 * Tests of deletes by everyday tools. A job deletes the objects of files that git deleted in a work tree, and
 * holds other mass deletes for review.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { textOf } from '../helpers/sample-files.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { until } from '../helpers/until.ts';

/** More files than the mass-change guard allows to delete. */
const MANY = 75;
const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];

function git(folder: string, ...command: readonly string[]): void {
  execFileSync('git', ['-C', folder, ...WHO, ...command], { stdio: 'pipe' });
}

function writeFiles(folder: string, count: number, extension = 'c'): void {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index++)
    // Each file has different content. A file whose content also exists elsewhere would count as renamed.
    writeFileSync(
      join(folder, `${index}.${extension}`),
      `${folder} ${textOf(index, 600).toString()}`,
    );
}

/**
 * Backs up a work tree whose checked-out branch `large` has 75 files that `main` does not have.
 */
async function workTree(prepare: (folder: string) => void = () => undefined) {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ clock });
  const folder = join(bench.root, 'project');
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main');
  writeFiles(join(folder, 'kept'), 5);
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
  git(folder, 'checkout', '-q', '-b', 'large');
  writeFiles(join(folder, 'src'), MANY);
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'second');
  writeFileSync(join(bench.root, 'beside'), 'so that the folder is never empty');
  prepare(folder);
  const mirror = await bench.open();
  await mirror.settled();
  const sources = async () => (await bench.keys()).filter((key) => key.startsWith('project/src/'));
  expect(await sources()).toHaveLength(MANY);
  return { bench, clock, folder, mirror, sources };
}

describe('a git checkout that removes 75 files', () => {
  test.each([
    ['loose objects', () => undefined],
    ['packed objects', (folder: string) => git(folder, 'gc', '-q')],
    [
      'an index of version 4',
      (folder: string) => git(folder, 'update-index', '--index-version', '4'),
    ],
  ])(
    'a git checkout that removes 75 files needs no approval: repository with %s',
    async (_what, prepare) => {
      const { bench, folder, mirror, sources } = await workTree(prepare);
      git(folder, 'checkout', '-q', 'main');
      await mirror.settled();
      await mirror.settled();
      expect([await sources(), mirror.status().counts.held]).toEqual([[], 0]);
      // The checkout counts as one change, so the limit still allows 40 other deletes.
      writeFiles(join(bench.root, 'other'), 40);
      await mirror.settled();
      rmSync(join(bench.root, 'other'), { recursive: true });
      await mirror.settled();
      expect(mirror.status().counts.held).toBe(0);
    },
  );

  test('while a git index is locked, a job neither applies nor holds deletes in the work tree', async () => {
    const { folder, mirror, sources } = await workTree();
    writeFileSync(join(folder, '.git/index.lock'), '');
    rmSync(join(folder, 'src'), { recursive: true });
    await mirror.settled();
    const { held } = mirror.status().counts;
    expect([(await sources()).length, held]).toEqual([MANY, 0]);
    rmSync(join(folder, '.git/index.lock'));
    git(folder, 'rm', '-q', '-r', '--cached', 'src');
    await mirror.settled();
    await mirror.settled();
    expect([await sources(), mirror.status().counts.held]).toEqual([[], 0]);
  });

  test('no change stays pending if the deleted files return while the git index is locked', async () => {
    const { bench, folder, mirror } = await workTree();
    const [source, elsewhere] = [join(folder, 'src'), join(bench.home, 'elsewhere')];
    writeFileSync(join(folder, '.git/index.lock'), '');
    renameSync(source, elsewhere);
    await mirror.settled();
    expect(mirror.status().counts.pending).toBeGreaterThanOrEqual(MANY);
    renameSync(elsewhere, source);
    await mirror.settled();
    // The file watcher may report the move later.
    const { counts } = await until(
      () => mirror.status(),
      ({ inSync }) => inSync,
    );
    expect(counts).toMatchObject({ pending: 0, held: 0 });
  });

  test.each<[string, (store: ObjectStore) => Partial<ObjectStore>]>([
    [
      'the service refuses to list versions of the index',
      (store) => ({
        listVersions: async (request, options) => {
          if (request.prefix?.endsWith('.git/index'))
            throw new StorageError('AccessDenied', 'not allowed');
          return store.listVersions(request, options);
        },
      }),
    ],
    [
      'the mirrored index is damaged',
      (store) => ({
        getObject: async (request, options) => {
          if (request.key.endsWith('.git/index'))
            throw new StorageError('InternalError', 'damaged');
          return store.getObject(request, options);
        },
      }),
    ],
  ])('a job holds the deletes of a git checkout for review if %s', async (_what, failing) => {
    const { bench, folder, mirror } = await workTree();
    await mirror.close();
    const again = await bench.open({ store: overriding(bench.store, failing(bench.store)) });
    await again.settled();
    git(folder, 'checkout', '-q', 'main');
    await again.settled();
    await again.settled();
    expect(again.status().counts.held).toBe(MANY);
  });

  test('a job holds deletes in a git work tree for review if the lock file of its index is an hour old', async () => {
    const { clock, folder, mirror } = await workTree();
    writeFileSync(join(folder, '.git/index.lock'), '');
    clock.putForward(3_600_000);
    rmSync(join(folder, 'src'), { recursive: true });
    await mirror.settled();
    expect(mirror.status().counts.held).toBe(MANY);
  });
});

describe('deletes in a git work tree that are held for review', () => {
  test.each<readonly [string, (folder: string) => void]>([
    [
      'rm of files that the index lists',
      (folder) => rmSync(join(folder, 'src'), { recursive: true }),
    ],
    ['rm of the whole work tree', (folder) => rmSync(folder, { recursive: true })],
    [
      'rm of the work tree and its replacement by another repository',
      (folder) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        git(folder, 'init', '-q');
        writeFileSync(join(folder, 'new'), 'new');
        git(folder, 'add', '.');
      },
    ],
    [
      'a delete of files whose content git does not have',
      (folder) => {
        git(folder, 'rm', '-q', '-r', 'src');
        rmSync(join(folder, '.git/objects'), { recursive: true });
      },
    ],
  ])('a job holds these deletes in a git work tree for review: %s', async (_what, doing) => {
    const { mirror, folder, sources } = await workTree();
    doing(folder);
    await mirror.settled();
    await mirror.settled();
    expect((await sources()).length).toBe(MANY);
    expect(mirror.status().counts.held).toBeGreaterThanOrEqual(MANY);
  });

  test('a job holds the deletes of a forced git checkout that discards uncommitted changes for review', async () => {
    const { mirror, folder, sources } = await workTree();
    for (let index = 0; index < MANY; index++)
      writeFileSync(join(folder, `src/${index}.c`), `not committed ${index}`);
    await mirror.settled();
    git(folder, 'checkout', '-q', '-f', 'main');
    await mirror.settled();
    await mirror.settled();
    expect([(await sources()).length, mirror.status().counts.held]).toEqual([MANY, MANY]);
  });

  test('a job holds the deletes of 90 untracked build files in a git work tree for review', async () => {
    const { bench, folder, mirror } = await workTree();
    writeFiles(join(folder, 'out'), 90, 'o');
    await mirror.settled();
    rmSync(join(folder, 'out'), { recursive: true });
    await mirror.settled();
    expect(mirror.status().counts.held).toBe(90);
    mirror.heldChanges.approve(mirror.heldChanges.review({ limit: 1 }).digest);
    await mirror.settled();
    expect(await bench.keys()).not.toContain('project/out/0.o');
  });
});

test('a job holds the deletes of 60 files that gzip compressed for review, and uploads the .gz files', async () => {
  const bench = await openMirrorBench();
  writeFiles(join(bench.root, 'data'), 60, 'csv');
  const mirror = await bench.open();
  await mirror.settled();
  const names = readdirSync(join(bench.root, 'data'));
  execFileSync('gzip', names, { cwd: join(bench.root, 'data') });
  await mirror.settled();
  expect(mirror.status().counts.held).toBe(60);
  expect(await bench.keys()).toHaveLength(120);
  mirror.heldChanges.approve(mirror.heldChanges.review({ limit: 1 }).digest);
  await mirror.settled();
  expect(await bench.heads()).toEqual(bench.tree());
});
