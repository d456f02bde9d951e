/**
 * Tests that a job runs one action per key at a time. A second action would report the upload of the first as a
 * conflict.
 */

import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { type Fault, faultyStore } from '../helpers/faulty-store.ts';
import { putsAlone } from '../helpers/forgetful-store.ts';
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

test('the slow upload of one file does not delay the uploads of other files', async () => {
  const bench = await openMirrorBench();
  const names = Array.from({ length: 300 }, (_, index) => `file ${index}`);
  for (const name of names) writeFileSync(join(bench.root, name), name);
  const faulty = faultyStore(putsAlone(bench.store));
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
])(
  'a job deletes the object of %s during its first upload',
  async (_what, { make, key, change }) => {
    const bench = await openMirrorBench();
    const faulty = faultyStore(putsAlone(bench.store));
    const mirror = await bench.open({ store: faulty.store });
    await mirror.settled();
    const slow = gate();
    const isSlow = faulty.inject({ on: 'putObject', key, fault: slow.fault });
    make(join(bench.root, 'a'));
    await isSlow;
    change(join(bench.root, 'a'));
    // Lets an event round notice the change while the upload is in progress.
    writeFileSync(join(bench.root, 'other'), 'other');
    await isMirrored(bench, 'other');
    slow.open();
    const heads = await until(
      () => bench.heads(),
      (found) => !(key in found),
    );
    expect(heads).toMatchObject({ other: 'other' });
  },
);

test('a job uploads a changed file without a conflict while the upload of another file is in progress', async () => {
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
  const faulty = faultyStore(putsAlone(bench.store));
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

describe('a full sync round that waits for its uploads', () => {
  const FILES = 1_300;
  /** The last file of the listing, which is sorted by name. */
  const LAST = 999;

  /**
   * Backs up `before`. Then starts a full sync round with many new files, whose uploads wait for
   * `release`.
   */
  async function waitingRound(before: Readonly<Record<string, string>> = {}, folder?: string) {
    const bench = await openMirrorBench();
    const write = (key: string, content: string) =>
      key.endsWith('/')
        ? mkdirSync(join(bench.root, key))
        : writeFileSync(join(bench.root, key), content);
    for (const [key, content] of Object.entries(before)) write(key, content);
    const first = await bench.open();
    await first.settled();
    await first.close();
    if (folder !== undefined) {
      mkdirSync(join(bench.root, folder));
      write(`${folder}/x`, 'x');
    }
    mkdirSync(join(bench.root, 'many'));
    for (let index = 0; index < FILES; index += 1) write(`many/${index}`, `content ${index}`);
    const waiting: (() => void)[] = [];
    let isOpen = false;
    const waits: Fault = async ({ run }) => {
      if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
      return run();
    };
    const faulty = faultyStore(putsAlone(bench.store));
    const inject = (key: string, fault: Fault) =>
      void faulty.inject({ on: 'putObject', key, fault, times: FILES });
    if (folder !== undefined) inject(`${folder}/x`, waits);
    for (let index = 0; index < FILES; index += 1)
      if (index !== LAST) inject(`many/${index}`, waits);
    const mirror = await bench.open({ store: faulty.store });
    // The round has planned two batches of 512 files, and waits with the third batch.
    await until(
      () => mirror.status().counts.pending,
      (pending) => pending >= 1_024,
    );
    const releaseAll = () => {
      isOpen = true;
      for (const resolve of waiting) resolve();
    };
    // After a failed assertion, the job could not close without this.
    onTestFinished(releaseAll);
    const puts = (key: string) => faulty.calls.filter((call) => call === `putObject ${key}`).length;
    const started = () => faulty.calls.filter((call) => call.startsWith('putObject many/')).length;
    /**
     * Lets the waiting uploads end, a few at a time, until the key is uploaded. Fails if the uploads of half of the
     * other files start first.
     */
    const releaseUntilPut = async (key: string) => {
      await until(
        () => {
          for (const release of waiting.splice(0, 8)) release();
          return puts(key) === 1 || started() >= FILES / 2;
        },
        (hasEnded) => hasEnded,
      );
      expect(puts(key)).toBe(1);
    };
    const saved = async () => {
      write('saved', 'saved');
      await releaseUntilPut('saved');
    };
    return { bench, write, mirror, releaseAll, releaseUntilPut, saved, puts };
  }

  test('a saved file is uploaded before the files that wait for their turn in a full sync round', async () => {
    const { mirror, releaseAll, saved } = await waitingRound();
    await saved();
    releaseAll();
    await mirror.settled();
    expect(mirror.status().counts.files).toBe(FILES + 1);
  });

  test('a file that changed after its folder was listed is uploaded only once', async () => {
    const { bench, write, mirror, releaseAll, releaseUntilPut, puts } = await waitingRound();
    write(`many/${LAST}`, 'changed');
    await releaseUntilPut(`many/${LAST}`);
    releaseAll();
    await mirror.settled();
    expect(puts(`many/${LAST}`)).toBe(1);
    expect(await bench.heads()).toMatchObject({ [`many/${LAST}`]: 'changed' });
    expect(mirror.status()).toMatchObject({ problems: [], counts: { files: FILES } });
  });

  test.each([
    [
      'an exclude file that the round has not read yet excludes',
      { rules: 'z/.holdfastignore', file: 'z/secret', isNew: false },
    ],
    [
      'a new exclude file excludes',
      { rules: 'a/.holdfastignore', file: 'a/b/secret', isNew: true },
    ],
  ])('a job does not upload a saved file that %s', async (_what, { rules, file, isNew }) => {
    const { bench, write, mirror, saved, releaseAll, puts } = await waitingRound({
      'a/': '',
      'a/b/': '',
      'a/b/x': 'x',
      'z/': '',
      'z/x': 'x',
      ...(isNew ? {} : { [rules]: 'secret\n' }),
    });
    if (isNew) write(rules, 'secret\n');
    write(file, 'not for the bucket');
    await saved();
    releaseAll();
    await mirror.settled();
    expect(puts(file)).toBe(0);
    expect(await bench.heads()).toMatchObject({ [rules]: 'secret\n', 'a/b/x': 'x', 'z/x': 'x' });
  });

  test('deleted and renamed files are processed at the end of a full sync round', async () => {
    const before = { deleted: 'deleted', renamed: 'renamed', kept: 'kept' };
    const { bench, write, mirror, releaseAll, releaseUntilPut } = await waitingRound(before);
    rmSync(join(bench.root, 'deleted'));
    renameSync(join(bench.root, 'renamed'), join(bench.root, 'new name'));
    write('saved', 'after both');
    await releaseUntilPut('saved');
    releaseAll();
    await mirror.settled();
    const heads = await bench.heads();
    expect(heads).toMatchObject({ 'new name': 'renamed', kept: 'kept', saved: 'after both' });
    expect(heads).not.toHaveProperty('deleted');
    expect(heads).not.toHaveProperty('renamed');
    expect(mirror.status().problems).toEqual([]);
  });

  test('a job deletes the object of a folder that was removed during the upload of its file', async () => {
    const { bench, mirror, saved, releaseAll, puts } = await waitingRound({}, 'a');
    await until(
      () => puts('a/x'),
      (started) => started === 1,
    );
    rmSync(join(bench.root, 'a'), { recursive: true });
    await saved();
    await until(
      () => bench.activities.some(({ path }) => path === 'a/x'),
      (isIt) => isIt,
    );
    releaseAll();
    await mirror.settled();
    expect(await bench.heads()).not.toHaveProperty('a/x');
    expect(mirror.status().counts.files).toBe(FILES + 1);
  });

  test('a job keeps the object of an empty folder in which a file appears and disappears', async () => {
    const { bench, write, mirror, saved, releaseAll } = await waitingRound({ 'empty/': '' });
    write('empty/f', 'f');
    await saved();
    rmSync(join(bench.root, 'empty', 'f'));
    releaseAll();
    await mirror.settled();
    const heads = await bench.heads();
    expect(heads).toHaveProperty('empty/');
    expect(heads).not.toHaveProperty('empty/f');
  });
});
