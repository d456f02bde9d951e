/**
 * Tests of interrupted replacements of files. Each replaced file must still exist, or the conflict log must refer to
 * it.
 */

import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { toEntry } from '../../src/mirror/local/local-entry.ts';
import { setAsideName } from '../../src/mirror/local/temporary-name.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { collect } from '../../src/object-store/body.ts';
import { faultyStore, slipsIn } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const temporary = (digit: string) => `.holdfast-${digit.repeat(16)}`;

test('a job restores several files of one folder that were set aside at the time of a crash', async () => {
  const bench = await openMirrorBench();
  const names = ['a', 'b', 'c'];
  for (const name of names) writeFileSync(join(bench.root, name), `old ${name}`);
  const mirror = await bench.open({ conflict: 'remote' });
  await mirror.settled();
  await mirror.close();
  const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
  for (const [index, name] of names.entries()) {
    const path = join(bench.root, name);
    writeFileSync(path, `edited ${name}`);
    const entry = toEntry(name, 'file', lstatSync(path));
    state.replacements.begin({ key: name, temporary: temporary(String(index)), entry });
    renameSync(path, join(bench.root, temporary(String(index))));
    // A program that still had the file open wrote to it, so no other copy of the content exists.
    writeFileSync(join(bench.root, temporary(String(index))), `edited again ${name}`);
  }
  state.close();
  const again = await bench.open({ conflict: 'remote' });
  await again.settled();
  await again.settled();
  const expected = Object.fromEntries(names.map((name) => [name, `edited again ${name}`]));
  expect(bench.tree()).toEqual(expected);
  expect(await bench.heads()).toEqual(expected);
});

test('resolving a conflict does not replace a folder that now has the name of the file', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'f'), 'ours');
  const mirror = await bench.open();
  await mirror.settled();
  mirror.pause();
  await bench.writeForeign('f', 'theirs');
  writeFileSync(join(bench.root, 'f'), 'edited');
  mirror.resume();
  await mirror.runNow();
  expect(mirror.status().counts.conflicts).toBe(1);
  rmSync(join(bench.root, 'f'));
  mkdirSync(join(bench.root, 'f'));
  writeFileSync(join(bench.root, 'f/below'), 'kept');
  await mirror.runNow();
  await mirror.conflicts.resolve({ keep: 'remote' });
  await mirror.settled();
  expect(readFileSync(join(bench.root, 'f/below'), 'utf8')).toBe('kept');
  expect(readdirSync(bench.root)).toEqual(['f']);
  expect(await bench.heads()).toEqual({ 'f/below': 'kept' });
  expect(mirror.status().state).toBe('watching');
});

test('the resolution of a conflict is ignored if a file replaced the parent folder of its file', async () => {
  const bench = await openMirrorBench();
  mkdirSync(join(bench.root, 'd'));
  writeFileSync(join(bench.root, 'd/f'), 'ours');
  const mirror = await bench.open();
  await mirror.settled();
  mirror.pause();
  await bench.writeForeign('d/f', 'theirs');
  writeFileSync(join(bench.root, 'd/f'), 'edited');
  mirror.resume();
  await mirror.runNow();
  expect(mirror.status().counts.conflicts).toBe(1);
  rmSync(join(bench.root, 'd'), { recursive: true });
  writeFileSync(join(bench.root, 'd'), 'a file');
  await mirror.runNow();
  await mirror.conflicts.resolve({ keep: 'remote' });
  await mirror.settled();
  expect(bench.tree()).toEqual({ d: 'a file' });
  expect(await bench.heads()).toMatchObject({ d: 'a file' });
  expect(mirror.status().state).toBe('watching');
});

test('a job does not write through a symbolic link that replaces the parent folder during a download', async () => {
  const bench = await openMirrorBench();
  mkdirSync(join(bench.root, 'd'));
  writeFileSync(join(bench.root, 'd/f'), 'ours');
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ conflict: 'ask', store: faulty.store });
  await mirror.settled();
  mirror.pause();
  await bench.writeForeign('d/f', 'theirs');
  writeFileSync(join(bench.root, 'd/f'), 'edited');
  mirror.resume();
  await mirror.runNow();
  expect(mirror.status().counts.held).toBe(1);
  const elsewhere = join(bench.home, 'elsewhere');
  const swap = () => {
    renameSync(join(bench.root, 'd'), elsewhere);
    symlinkSync(elsewhere, join(bench.root, 'd'));
  };
  void faulty.inject({ on: 'getObject', key: 'd/f', fault: slipsIn(swap) });
  await mirror.conflicts.resolve({ keep: 'remote' });
  await mirror.settled();
  expect(readdirSync(elsewhere)).toEqual(['f']);
  expect(readFileSync(join(elsewhere, 'f'), 'utf8')).toBe('edited');
});

test('a job logs where a replaced file is saved, even if the new file changes immediately', async () => {
  const bench = await openMirrorBench({ versioned: false });
  const path = join(bench.root, 'f');
  writeFileSync(path, 'ours');
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ conflict: 'remote', store: faulty.store });
  await mirror.settled();
  mirror.pause();
  await bench.writeForeign('f', 'theirs');
  writeFileSync(path, 'edited');
  // Another program changes the downloaded file before the job records the replacement.
  const fault = slipsIn(() => {
    const poll = setInterval(() => {
      if (readFileSync(path, 'utf8') !== 'theirs') return;
      clearInterval(poll);
      writeFileSync(path, 'edited anew');
    }, 0);
  });
  void faulty.inject({ on: 'getObject', key: 'f', fault });
  mirror.resume();
  await mirror.runNow();
  await mirror.settled();
  const digest = createHash('sha256').update('edited').digest('hex');
  const entries = mirror.conflicts.show('f').filter(({ side }) => side === 'folder');
  expect(entries.map(({ sha256 }) => sha256)).toContain(digest);
  const { savedAs: key = '' } = entries.find(({ sha256 }) => sha256 === digest) ?? {};
  const { body } = await bench.store.getObject({ bucket: bench.bucket, key });
  expect(Buffer.from(await collect(body, 100)).toString()).toBe('edited');
});

test("a restore into the job's folder keeps files that were set aside at the time of a crash", async () => {
  const bench = await openMirrorBench();
  const path = join(bench.root, 'f');
  writeFileSync(path, 'mirrored');
  const mirror = await bench.open({ conflict: 'remote' });
  await mirror.settled();
  await mirror.close();
  const away = setAsideName();
  const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
  const entry = toEntry('f', 'file', lstatSync(path));
  state.replacements.begin({ key: 'f', temporary: away, entry });
  state.close();
  renameSync(path, join(bench.root, away));
  writeFileSync(join(bench.root, away), 'written by who had it open');
  const { store, bucket, root: to } = bench;
  const clock = systemClock;
  await restoreTree({ store, bucket, prefix: '', to, clock, logger: silentLogger });
  expect(readFileSync(join(bench.root, away), 'utf8')).toBe('written by who had it open');
  await (await bench.open({ conflict: 'remote' })).settled();
  expect(readdirSync(bench.root).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(Object.values(bench.tree()).sort()).toEqual(['mirrored', 'written by who had it open']);
});
