/**
 * Tests of unreadable folders and files that are renamed. The bucket must keep one current object for each
 * file.
 */

import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

async function mirrored() {
  const bench = await openMirrorBench();
  const at = (path: string) => join(bench.root, path);
  for (const folder of ['a/deep', 'other']) mkdirSync(at(folder), { recursive: true });
  for (const path of ['a/f', 'a/deep/g', 'other/h', 'top']) writeFileSync(at(path), path);
  const mirror = await bench.open({});
  await mirror.settled();
  return { bench, mirror, at };
}

const keys = (bench: MirrorBench) => bench.keys();
const ALL = ['a/deep/g', 'a/f', 'other/h', 'top'];
const MOVED = ['b/deep/g', 'b/f', 'other/h', 'top'];

test.each([
  ['noticed before its rename', true],
  ['renamed at once', false],
])(
  'a job keeps the objects of an unreadable folder (%s) under their old keys until the folder is readable',
  async (_, isSeen) => {
    const { bench, mirror, at } = await mirrored();
    chmodSync(at('a'), 0o000);
    if (isSeen) await mirror.settled();
    renameSync(at('a'), at('b'));
    await mirror.settled();
    expect(await keys(bench)).toEqual(ALL);
    renameSync(at('b'), at('c'));
    writeFileSync(at('top'), 'changed');
    await mirror.settled();
    expect(await keys(bench)).toEqual(ALL);
    expect(mirror.status().problems).toMatchObject([{ path: 'c', code: 'unlistable' }]);
    renameSync(at('c'), at('b'));
    chmodSync(at('b'), 0o755);
    await mirror.settled();
    expect(await keys(bench)).toEqual(MOVED);
    expect(mirror.status().problems).toEqual([]);
  },
);

test('a job keeps the objects of an unreadable folder that was renamed while the job was closed', async () => {
  const { bench, mirror, at } = await mirrored();
  await mirror.close();
  chmodSync(at('a'), 0o000);
  renameSync(at('a'), at('b'));
  for (let start = 0; start < 2; start++) {
    const again = await bench.open({});
    await again.settled();
    expect(await keys(bench)).toEqual(ALL);
    await again.close();
  }
  chmodSync(at('b'), 0o700);
  await (await bench.open({})).settled();
  expect(await keys(bench)).toEqual(['b/', ...MOVED]);
});

test('a job keeps the objects of an unreadable folder that was created in the same clock tick as its file', async () => {
  const bench = await openMirrorBench();
  const at = (path: string) => join(bench.root, path);
  makeFolderAndFileAtOnce(at('a'));
  const mirror = await bench.open({});
  await mirror.settled();
  await mirror.close();
  chmodSync(at('a'), 0o000);
  renameSync(at('a'), at('b'));
  await (await bench.open({})).settled();
  expect(await keys(bench)).toEqual(['a/f']);
});

const MOST_ATTEMPTS = 1_000;

/**
 * Creates a folder and a file whose times are equal, but whose floating-point quotients differ in the last bit. Gives
 * up after many attempts, because the clock of some file systems is too fine for equal times.
 */
function makeFolderAndFileAtOnce(folder: string): void {
  for (let attempt = 1; ; attempt++) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'f'), 'content');
    const { birthtimeNs } = statSync(folder, { bigint: true });
    const { ctimeNs } = statSync(join(folder, 'f'), { bigint: true });
    const { ctimeMs } = statSync(join(folder, 'f'));
    const differ = birthtimeNs === ctimeNs && Number(birthtimeNs) / 1e6 > ctimeMs;
    if (differ || attempt === MOST_ATTEMPTS) return;
    rmSync(folder, { recursive: true });
  }
}

test('a job keeps the objects of an unreadable folder inside a renamed folder', async () => {
  const { bench, mirror, at } = await mirrored();
  chmodSync(at('a/deep'), 0o000);
  await mirror.settled();
  renameSync(at('a'), at('b'));
  await mirror.settled();
  expect(await keys(bench)).toEqual(['a/deep/g', 'b/f', 'other/h', 'top']);
  chmodSync(at('b/deep'), 0o755);
  await mirror.settled();
  expect(await keys(bench)).toEqual(MOVED);
});

test('a job deletes the objects of a deleted folder even if another folder is unreadable', async () => {
  const { bench, mirror, at } = await mirrored();
  mkdirSync(at('shut'), { mode: 0o000 });
  rmSync(at('other'), { recursive: true });
  await mirror.settled();
  expect(await keys(bench)).toEqual(['a/deep/g', 'a/f', 'top']);
  rmSync(at('a'), { recursive: true });
  await mirror.settled();
  expect(await keys(bench)).toEqual(['top']);
});

test('a job deletes the objects of a renamed unreadable folder once the folder is deleted', async () => {
  const { bench, mirror, at } = await mirrored();
  chmodSync(at('a'), 0o000);
  renameSync(at('a'), at('b'));
  await mirror.settled();
  chmodSync(at('b'), 0o700);
  rmSync(at('b'), { recursive: true });
  await mirror.settled();
  expect(await keys(bench)).toEqual(['other/h', 'top']);
});

test('a job keeps the object of an unreadable file under its old name until the file is readable', async () => {
  const { bench, mirror, at } = await mirrored();
  chmodSync(at('top'), 0o000);
  await mirror.settled();
  renameSync(at('top'), at('moved'));
  await mirror.settled();
  writeFileSync(at('beside'), 'beside');
  await mirror.settled();
  expect(await keys(bench)).toEqual(['a/deep/g', 'a/f', 'beside', 'other/h', 'top']);
  await mirror.close();
  const again = await bench.open({});
  await again.settled();
  expect(await keys(bench)).toContain('top');
  chmodSync(at('moved'), 0o644);
  await again.settled();
  expect(await keys(bench)).toEqual(['a/deep/g', 'a/f', 'beside', 'moved', 'other/h']);
});

test('a job keeps the objects of an unreadable folder that is moved into another unreadable folder', async () => {
  const { bench, mirror, at } = await mirrored();
  chmodSync(at('a'), 0o200);
  await mirror.settled();
  renameSync(at('a'), at('b'));
  await mirror.settled();
  mkdirSync(at('new'));
  renameSync(at('b'), at('new/b'));
  await mirror.settled();
  chmodSync(at('new'), 0o000);
  await mirror.settled();
  renameSync(at('new'), at('newer'));
  await mirror.settled();
  await mirror.settled();
  expect(await keys(bench)).toEqual(expect.arrayContaining(ALL));
  chmodSync(at('newer'), 0o700);
  await mirror.settled();
  expect(await keys(bench)).toEqual(expect.arrayContaining(ALL));
  chmodSync(at('newer/b'), 0o700);
  await mirror.settled();
  const files = (await keys(bench)).filter((key) => !key.endsWith('/'));
  expect(files).toEqual(['newer/b/deep/g', 'newer/b/f', 'other/h', 'top']);
});
