/**
 * Tests of restores into non-empty folders. No local file may be lost, and nothing may be written outside the
 * folder.
 */

import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { loadXattrs } from '../../src/mirror/local/xattrs.ts';
import { folderInPlace } from '../../src/restore/in-place.ts';
import { previewRestore } from '../../src/restore/restore-preview.ts';
import { loadSetMtime } from '../../src/mirror/local/set-mtime.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { until } from '../helpers/until.ts';
import { picture, states } from '../helpers/tree-picture.ts';

function options(bench: MirrorBench, changes: Partial<RestoreOptions> = {}): RestoreOptions {
  const { store, bucket, root: to } = bench;
  return {
    store,
    bucket,
    prefix: '',
    to,
    clock: systemClock,
    logger: silentLogger,
    ...changes,
  };
}

/** Backs up a folder, and returns its content and the current time. */
async function mirrored(files: Record<string, string>) {
  const bench = await openMirrorBench();
  write(bench.root, files);
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  return { bench, at: Date.now(), before: picture(bench.root) };
}

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function preview(what: RestoreOptions): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for await (const { path, is } of previewRestore(what)) rows[path] = is;
  return rows;
}

const NOTED = '[["user.note","b25l"]]';
const OTHERS = '[["user.note","dHdv"]]';
const xattrCalls = await loadXattrs();

function withDescriptor<T>(path: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r+');
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const setXattrs = (path: string, text: string) =>
  withDescriptor(path, (descriptor) => xattrCalls.write(descriptor, text));
const xattrsOf = (path: string) => withDescriptor(path, xattrCalls.read)?.text;

const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');

const TREE = { 'docs/a': 'one', 'docs/b': 'two', 'docs/deep/c': 'three', top: 'four' };

describe('in-place restores', () => {
  test('an in-place restore sets aside files that differ, and does not download files that are equal', async () => {
    const { bench, at, before } = await mirrored(TREE);
    write(bench.root, { 'docs/a': 'changed', 'docs/new': 'kept' });
    rmSync(join(bench.root, 'docs/b'));
    const report = await restoreTree(options(bench, { at }));
    expect(report).toMatchObject({ files: 2, kept: 2, aside: 1, bytes: 6, problemCount: 0 });
    const { 'docs/new': later, ...now } = picture(bench.root);
    expect([now, later]).toEqual([before, expect.stringMatching(/^file/)]);
    expect(read(report.asideFolder ?? '', 'docs/a')).toBe('changed');
    expect(dirname(report.asideFolder ?? '')).toBe(bench.home);
  });

  test('an in-place restore replaces a file with other content but the same size and mtime', async () => {
    const { bench, at, before } = await mirrored(TREE);
    const path = join(bench.root, 'docs/deep/c');
    const { mtimeNs } = lstatSync(path, { bigint: true });
    writeFileSync(path, '#####');
    (await loadSetMtime())(path, mtimeNs);
    const report = await restoreTree(options(bench, { at }));
    expect(report).toMatchObject({ files: 1, kept: 3, aside: 1, problemCount: 0 });
    expect(picture(bench.root)).toEqual(before);
  });

  test('an in-place restore writes nothing to files, links and folders that are unchanged', async () => {
    const bench = await openMirrorBench();
    write(bench.root, TREE);
    chmodSync(join(bench.root, 'docs/a'), 0o4750);
    chmodSync(join(bench.root, 'docs/deep'), 0o2750);
    symlinkSync('a', join(bench.root, 'docs/link'));
    linkSync(join(bench.root, 'docs/b'), join(bench.root, 'docs/same'));
    const mirror = await bench.open();
    await mirror.settled();
    await mirror.close();
    const before = states(bench.root);
    const trusted = { isProven: () => true };
    for (const changes of [trusted, { ...trusted, exact: true, at: Date.now() }, {}]) {
      const report = await restoreTree(options(bench, changes));
      expect(report).toMatchObject({ files: 0, symlinks: 0, kept: 6, bytes: 0, aside: 0 });
      expect(states(bench.root)).toEqual(before);
    }
  });

  test('an exact restore sets aside files that did not exist at the restored time, but not excluded files', async () => {
    const { bench, at, before } = await mirrored(TREE);
    write(bench.root, { 'new/x': 'later', 'docs/y': 'later', 'docs/deep/z.o': 'left out' });
    write(bench.root, { 'docs/deep/.holdfastignore': 'mine' });
    write(bench.root, { 'docs/deep/mine': 'left out by the tree' });
    symlinkSync('/etc', join(bench.root, 'link'));
    const excluder = createExcluder({
      root: bench.root,
      patterns: ['*.o'],
      protectedFolders: [],
    });
    const exact = { at, exact: true, excluder };
    const rows = [];
    for await (const row of previewRestore(options(bench, exact))) rows.push(row);
    const laterOnes = rows.filter(({ is }) => is === 'later').map(({ path }) => path);
    expect(laterOnes.sort()).toEqual([
      'docs/deep/.holdfastignore',
      'docs/y',
      'link',
      'new/',
      'new/x',
    ]);
    const report = await restoreTree(options(bench, exact));
    expect(report).toMatchObject({ files: 0, kept: 4, aside: 4 });
    const { 'docs/deep/z.o': leftOut, 'docs/deep/mine': byTree, ...now } = picture(bench.root);
    expect([now, leftOut, byTree]).toEqual([before, expect.any(String), expect.any(String)]);
    expect(read(report.asideFolder ?? '', 'new/x')).toBe('later');
  });

  test('an exact restore fails instead of emptying the folder if it would restore nothing or a single file', async () => {
    const { bench, at } = await mirrored(TREE);
    for (const what of [{ at: 1 }, { at, path: 'docs/a' }]) {
      const restoring = restoreTree(options(bench, { ...what, exact: true }));
      await expect(restoring).rejects.toMatchObject({ code: 'NothingToRestore' });
    }
    expect(picture(bench.root)).toHaveProperty('top');
  });

  test('an in-place restore handles files and folders that replaced each other, and sets the newer ones aside', async () => {
    const { bench, at, before } = await mirrored(TREE);
    rmSync(join(bench.root, 'docs'), { recursive: true });
    write(bench.root, { docs: 'a file now' });
    rmSync(join(bench.root, 'top'));
    write(bench.root, { 'top/in': 'a folder now' });
    const report = await restoreTree(options(bench, { at }));
    expect(picture(bench.root)).toEqual(before);
    const aside = report.asideFolder ?? '';
    expect([read(aside, 'docs'), read(aside, 'top/in')]).toEqual(['a file now', 'a folder now']);
  });

  test('an in-place restore of a single folder or file changes nothing else', async () => {
    const { bench, at } = await mirrored(TREE);
    write(bench.root, { 'docs/a': 'A', 'docs/deep/c': 'C', top: 'T' });
    for (const path of ['docs/deep', 'top']) {
      const what = options(bench, { path, at });
      const to = await folderInPlace(bench.root, what);
      await restoreTree({ ...what, to });
    }
    const now = ['docs/a', 'docs/deep/c', 'top'].map((path) => read(bench.root, path));
    expect(now).toEqual(['A', 'three', 'four']);
  });

  test('an in-place restore does not follow a symbolic link that replaced a folder', async () => {
    const { bench, at } = await mirrored(TREE);
    const outside = join(bench.home, 'outside');
    write(outside, { a: 'theirs' });
    rmSync(join(bench.root, 'docs'), { recursive: true });
    symlinkSync(outside, join(bench.root, 'docs'));
    const what = options(bench, { path: 'docs/deep', at });
    await expect(folderInPlace(bench.root, what)).rejects.toMatchObject({ code: 'LinkInTheWay' });
    await restoreTree(options(bench, { at }));
    expect(readdirSync(outside)).toEqual(['a']);
    expect(lstatSync(join(bench.root, 'docs')).isDirectory()).toBe(true);
    expect(read(bench.root, 'docs/a')).toBe('one');
  });
});

describe('restores into the same folder again', () => {
  test('a repeated restore continues an interrupted one and removes its partial files', async () => {
    const { bench, at, before } = await mirrored(TREE);
    const to = join(bench.home, 'back');
    const control = new AbortController();
    const broken = restoreTree(
      options(bench, {
        to,
        at,
        signal: control.signal,
        onProgress: ({ files }) => files === 2 && control.abort(new Error('enough')),
      }),
    );
    await expect(broken).rejects.toThrow('enough');
    const half = join(to, 'docs/.holdfast-0123456789abcdef');
    mkdirSync(dirname(half), { recursive: true });
    writeFileSync(half, 'ha');
    await restoreTree(options(bench, { to, at }));
    expect([existsSync(half), picture(to)]).toEqual([false, before]);
    const third = await restoreTree(options(bench, { to, at }));
    expect(third).toMatchObject({ files: 0, kept: 4, bytes: 0, aside: 0 });
  });

  test('a restore sets the attributes of an existing file without a download if only they differ', async () => {
    const { bench, at, before } = await mirrored(TREE);
    chmodSync(join(bench.root, 'docs/a'), 0o600);
    writeFileSync(join(bench.root, 'top'), 'four');
    const report = await restoreTree(options(bench, { at }));
    expect([report.bytes, report.aside, picture(bench.root)]).toEqual([0, 0, before]);
  });
});

test('a restore re-creates a hard link between separate files without a download', async () => {
  const bench = await openMirrorBench();
  write(bench.root, { one: 'shared' });
  linkSync(join(bench.root, 'one'), join(bench.root, 'two'));
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  const at = Date.now();
  rmSync(join(bench.root, 'two'));
  write(bench.root, { two: 'shared' });
  const inodes = () => ['one', 'two'].map((name) => lstatSync(join(bench.root, name)).ino);
  expect(new Set(inodes()).size).toBe(2);
  expect(await preview(options(bench, { at }))).toEqual({ one: 'keep', two: 'replace' });
  const report = await restoreTree(options(bench, { at }));
  expect(report).toMatchObject({ bytes: 0, kept: 2, aside: 1, problems: [] });
  expect(new Set(inodes()).size).toBe(1);
  expect(await restoreTree(options(bench, { at }))).toMatchObject({ kept: 2, aside: 0 });
});

test.each([
  ['sets missing extended attributes', '[]', { bytes: 0, aside: 0 }],
  ['sets a file with different extended attributes aside', OTHERS, { bytes: 7, aside: 1 }],
])('a restore %s', async (_what, text, expected) => {
  const bench = await openMirrorBench();
  write(bench.root, { f: 'content' });
  const path = join(bench.root, 'f');
  setXattrs(path, NOTED);
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  const at = Date.now();
  setXattrs(path, text);
  const dry = await preview(options(bench, { at }));
  expect(dry).toEqual({ f: expected.aside === 0 ? 'keep' : 'replace' });
  const report = await restoreTree(options(bench, { at }));
  expect(report).toMatchObject({ ...expected, problems: [] });
  expect(xattrsOf(path)).toBe(NOTED);
  if (report.asideFolder !== undefined) expect(xattrsOf(join(report.asideFolder, 'f'))).toBe(text);
});

test('a restore of one empty folder sets the attributes of a new folder, but not of an existing one', async () => {
  const bench = await openMirrorBench();
  mkdirSync(join(bench.root, 'empty'));
  chmodSync(join(bench.root, 'empty'), 0o750);
  const mirror = await bench.open();
  await mirror.settled();
  const { mtimeNs } = lstatSync(join(bench.root, 'empty'), { bigint: true });
  const to = join(bench.home, 'alone');
  expect(await restoreTree(options(bench, { path: 'empty', to }))).toMatchObject({ problems: [] });
  const stats = lstatSync(to, { bigint: true });
  expect([Number(stats.mode) & 0o777, stats.mtimeNs]).toEqual([0o750, mtimeNs]);
  chmodSync(to, 0o700);
  await restoreTree(options(bench, { path: 'empty', to }));
  expect(lstatSync(to).mode & 0o777).toBe(0o700);
});

test('a restore overwrites no file in a case-insensitive folder, and reports the colliding name', async () => {
  const bench = await openMirrorBench();
  for (const key of ['NAME', 'name']) await bench.writeForeign(key, `content of ${key}`);
  const to = join(bench.home, 'folded');
  // Simulates a case-insensitive folder, in which each file is also found by the other name.
  const folding = overriding(bench.store, {
    async getObject(request, call) {
      const content = await bench.store.getObject(request, call);
      if (request.key !== 'name') return content;
      await until(
        () => existsSync(join(to, 'NAME')),
        (isThere) => isThere,
      );
      linkSync(join(to, 'NAME'), join(to, 'name'));
      return content;
    },
  });
  const report = await restoreTree(options(bench, { to, store: folding }));
  expect(report).toMatchObject({ files: 1, aside: 0, problemCount: 1 });
  expect(report.problems).toMatchObject([
    { path: 'name', message: expect.stringContaining('differs in case or Unicode form') },
  ]);
  expect(read(to, 'NAME')).toBe('content of NAME');
  expect(read(to, 'name')).toBe('content of NAME');
});

test('a restore writes files into a read-only folder and keeps the mode of the folder', async () => {
  const { bench, at } = await mirrored({ 'fixed/a': 'one', 'fixed/b': 'two' });
  rmSync(join(bench.root, 'fixed/a'));
  chmodSync(join(bench.root, 'fixed'), 0o555);
  await restoreTree(options(bench, { at }));
  expect(read(bench.root, 'fixed/a')).toBe('one');
  expect(lstatSync(join(bench.root, 'fixed')).mode & 0o777).toBe(0o555);
  chmodSync(join(bench.root, 'fixed'), 0o755);
});

test('a preview lists what a restore would do, and changes nothing', async () => {
  const { bench, at } = await mirrored(TREE);
  write(bench.root, { 'docs/a': 'changed' });
  rmSync(join(bench.root, 'docs/b'));
  const before = picture(bench.root);
  expect(await preview(options(bench, { at }))).toEqual({
    'docs/a': 'replace',
    'docs/b': 'new',
    'docs/deep/c': 'keep',
    top: 'keep',
  });
  expect(picture(bench.root)).toEqual(before);
});
