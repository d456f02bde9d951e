/** Tests that the cost of a file event does not depend on the number of files in the folder. */

import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type CountedCalls, countCalls } from '../helpers/counted-calls.ts';
import { failsBeforeSending, faultyStore } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const SMALL = 10;
const LARGE = 300;

/** A change in a folder, and the expected content of the affected keys. */
interface Change {
  readonly make: (folder: string) => void;
  readonly heads: Readonly<Record<string, string | undefined>>;
}

const CHANGES: Readonly<Record<string, Change>> = {
  'a save in place': {
    make: (folder) => writeFileSync(join(folder, '0'), 'saved'),
    heads: { 'd/0': 'saved' },
  },
  'a save by an atomic rename': {
    make: (folder) => {
      writeFileSync(join(folder, '.0.tmp'), 'saved');
      renameSync(join(folder, '.0.tmp'), join(folder, '0'));
    },
    heads: { 'd/0': 'saved', 'd/.0.tmp': undefined },
  },
  'a new file': {
    make: (folder) => writeFileSync(join(folder, 'new'), 'new'),
    heads: { 'd/new': 'new' },
  },
  'a deleted file': { make: (folder) => rmSync(join(folder, '0')), heads: { 'd/0': undefined } },
  'a renamed file': {
    make: (folder) => renameSync(join(folder, '0'), join(folder, 'renamed')),
    heads: { 'd/0': undefined, 'd/renamed': 'content 0' },
  },
};

async function callsOf({ make, heads }: Change, files: number): Promise<CountedCalls> {
  const bench = await openMirrorBench();
  const folder = join(bench.root, 'd');
  mkdirSync(folder);
  for (let index = 0; index < files; index += 1)
    writeFileSync(join(folder, String(index)), `content ${index}`);
  const mirror = await bench.open();
  await mirror.settled();
  const calls = countCalls(bench.root);
  make(folder);
  await until(
    () => bench.heads(),
    (found) => Object.entries(heads).every(([key, text]) => found[key] === text),
  );
  return calls.stop();
}

/** Backs up a file with three hard links in two folders. */
async function linkedFile() {
  const bench = await openMirrorBench();
  for (const folder of ['d', 'e']) mkdirSync(join(bench.root, folder));
  const names = ['d/a', 'd/b', 'e/c'];
  writeFileSync(join(bench.root, 'd/a'), 'first');
  for (const name of names.slice(1)) linkSync(join(bench.root, 'd/a'), join(bench.root, name));
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  await mirror.settled();
  return { bench, names, faulty, mirror };
}

test('a job uploads a changed file with several hard links under all its names', async () => {
  const { bench, names } = await linkedFile();
  writeFileSync(join(bench.root, 'd/b'), 'second');
  const heads = await until(
    () => bench.heads(),
    (found) => names.every((name) => found[name] === 'second'),
  );
  expect(heads).toEqual(bench.tree());
});

test('a job uploads a changed file under all its names even if the first attempt fails', async () => {
  const { bench, faulty, mirror } = await linkedFile();
  void faulty.inject({ on: 'putObject', fault: failsBeforeSending, times: Infinity });
  writeFileSync(join(bench.root, 'd/b'), 'second');
  await until(
    () => mirror.status().state,
    (state) => state === 'failed',
  );
  faulty.removeFaults();
  await mirror.settled();
  expect(await bench.heads()).toEqual(bench.tree());
});

test.each(Object.entries(CHANGES))('a job lists no folder for %s', async (_, change) => {
  const [small, large] = [await callsOf(change, SMALL), await callsOf(change, LARGE)];
  expect(large.readdirSync).toBe(0);
  // The file watcher may report a change once or twice.
  expect(large.lstatSync).toBeLessThan(2 * small.lstatSync);
});

test('after a restart, the history of a job still has the uploads of the last sync round', async () => {
  const bench = await openMirrorBench();
  const mirror = await bench.open();
  await mirror.settled();
  writeFileSync(join(bench.root, 'new'), 'new');
  await until(
    () => mirror.status().counts,
    ({ uploadedVersions, pending }) => uploadedVersions === 1 && pending === 0,
  );
  const again = await bench.open();
  const [last] = again.work.rounds({ limit: 1, onlyChanges: true });
  expect(last).toMatchObject({ kind: 'event', versions: 1, bytes: 3 });
});
