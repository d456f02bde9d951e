/**
 * Tests that the mirror runs one task per key at a time; a second task would report the first one's upload as a
 * conflict.
 */

import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type Fault, faultyStore } from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

/**
 * Returns a fault that carries out the write and delays its response until `open` is called, and the function `open`.
 */
function gate(): { readonly fault: Fault; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const fault: Fault = async ({ run, reached }) => {
    const answer = await run();
    reached();
    await promise;
    return answer;
  };
  return { fault, open: resolve };
}

const isMirrored = (bench: MirrorBench, key: string) =>
  until(
    () => bench.activities.some(({ action, path }) => action === 'put' && path === key),
    (isIt) => isIt,
  );

test('a file whose upload takes long delays no other file', async () => {
  const bench = await openMirrorBench();
  const names = Array.from({ length: 300 }, (_, index) => `file ${index}`);
  for (const name of names) writeFileSync(join(bench.root, name), name);
  const faulty = faultyStore(bench.store);
  const slow = gate();
  void faulty.inject({ on: 'putObject', key: 'file 0', fault: slow.fault });
  const mirror = await bench.open({ store: faulty.store });
  await until(
    () => mirror.status().counts.files,
    (files) => files === names.length - 1,
  );
  expect(mirror.status().counts.pending).toBe(1);
  slow.open();
  await mirror.settled();
  expect(mirror.status().counts.files).toBe(names.length);
});

test.each<[string, { make: (path: string) => void; key: string; change: (path: string) => void }]>([
  [
    'an empty folder that is removed',
    { make: (path) => mkdirSync(path), key: 'a/', change: (path) => rmdirSync(path) },
  ],
  [
    'a file that a folder replaces',
    {
      make: (path) => writeFileSync(path, 'file'),
      key: 'a',
      change: (path) => {
        rmSync(path);
        mkdirSync(path);
        writeFileSync(join(path, 'x'), 'inside');
      },
    },
  ],
])('deletes the object of %s during its first upload', async (_what, { make, key, change }) => {
  const bench = await openMirrorBench();
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  await mirror.settled();
  const slow = gate();
  const isSlow = faulty.inject({ on: 'putObject', key, fault: slow.fault });
  make(join(bench.root, 'a'));
  await isSlow;
  change(join(bench.root, 'a'));
  // Lets an event round see the change while the upload is in progress.
  writeFileSync(join(bench.root, 'other'), 'other');
  await isMirrored(bench, 'other');
  slow.open();
  const heads = await until(
    () => bench.heads(),
    (found) => !(key in found),
  );
  expect(heads).toMatchObject({ other: 'other' });
});

test('uploads a changed file without a conflict while another file takes longer', async () => {
  const bench = await openMirrorBench();
  const write = (key: string, content: string) => writeFileSync(join(bench.root, key), content);
  write('f', 'first');
  write('slow', 'first');
  const before = await bench.open();
  await before.settled();
  await before.close();
  bench.activities.length = 0;
  // The first round uploads both files. Another client's version makes `slow` need a second attempt.
  write('f', 'second');
  write('slow', 'second');
  await bench.writeForeign('slow', 'theirs');
  const faulty = faultyStore(bench.store);
  const [slow, third] = [gate(), gate()];
  const isSlow = faulty.inject({ on: 'putObject', key: 'slow', fault: slow.fault });
  const mirror = await bench.open({ store: faulty.store });
  await isSlow;
  const isThird = faulty.inject({ on: 'putObject', key: 'f', fault: third.fault });
  write('f', 'third');
  await isThird;
  slow.open();
  await isMirrored(bench, 'slow');
  write('f', 'fourth');
  write('later', 'of the same round');
  await isMirrored(bench, 'later');
  const sent = faulty.calls.filter((call) => call === 'putObject f').length;
  third.open();
  await mirror.settled();
  expect(sent).toBe(2);
  expect(mirror.conflicts.list({ limit: 9 }).conflicts.map(({ path }) => path)).toEqual(['slow']);
  expect(await bench.history('f')).toEqual(
    ['first', 'second', 'third', 'fourth'].map((each) => `put ${each}`),
  );
});
