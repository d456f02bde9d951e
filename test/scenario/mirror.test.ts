/**
 * Tests that a job backs up a folder to its bucket, with the real storage engine and real files.
 */

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openMirrorBench } from '../helpers/mirror-bench.ts';

test('a job backs up a folder with files, symbolic links, empty folders and a file uploaded in parts', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'a file.txt'), 'hello');
  mkdirSync(join(bench.root, 'deep/er'), { recursive: true });
  writeFileSync(join(bench.root, 'deep/er/ü.txt'), 'umlaut');
  mkdirSync(join(bench.root, 'empty'));
  symlinkSync('../elsewhere', join(bench.root, 'deep/link'));
  writeFileSync(join(bench.root, 'large.bin'), Buffer.alloc(20 * 1024 * 1024, 'x'));
  const mirror = await bench.open();
  await mirror.settled();
  expect(await bench.heads()).toEqual(bench.tree());
  expect(mirror.status()).toMatchObject({
    state: 'watching',
    inSync: true,
    lagMs: 0,
    problems: [],
    counts: { files: 3, uploadedVersions: 5, pending: 0 },
  });
});

test('settled() of a job resolves only after edits, deletes and renamed folders are backed up', async () => {
  const bench = await openMirrorBench();
  mkdirSync(join(bench.root, 'a'));
  for (let index = 0; index < 20; index++)
    writeFileSync(join(bench.root, `a/${index}`), String(index));
  const mirror = await bench.open();
  await mirror.settled();
  writeFileSync(join(bench.root, 'a/1'), 'edited');
  rmSync(join(bench.root, 'a/2'));
  renameSync(join(bench.root, 'a'), join(bench.root, 'b'));
  await mirror.settled();
  expect(await bench.heads()).toEqual(bench.tree());
});
