/**
 * Tests of damaged state databases. The job sets the file aside and rebuilds it from the folder and the bucket, and no
 * version is lost.
 */

import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { rebuildState, stateWarnings } from '../../src/mirror/state/rebuild-state.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { ATTACKS, filesBelow, fillFolder } from '../helpers/attacks.ts';
import { leavesOf, overwritePages, pagesOf, somePages } from '../helpers/damaged-database.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const FILES = 120;
const nameOf = (index: number) => `file-${String(index).padStart(4, '0')}-${'x'.repeat(60)}`;

/** Backs up a folder, closes the job, and returns the path of its state database. */
async function mirrored() {
  const bench = await openMirrorBench();
  for (let index = 0; index < FILES; index++)
    writeFileSync(join(bench.root, nameOf(index)), `content ${index}`);
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  return { ...bench, path: join(bench.home, 'state', 'state.sqlite') };
}

const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  'without its first page': (path) => overwritePages(path, [1]),
  'a text file': (path) => writeFileSync(path, 'this is not a database\n'),
  'cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096),
  emptied: (path) => truncateSync(path, 0),
  'without its baseline': (path) => overwritePages(path, pagesOf(path, 'baseline')),
  'without a third of its pages': (path) => overwritePages(path, somePages(path, 0.33)),
};

const setAside = (home: string) =>
  readdirSync(join(home, 'state')).filter((name) => /^state\.sqlite\.damaged-[^-]*$/.test(name));

/**
 * Opens a job with a damaged state database, and opens it again after the rebuild, as the daemon
 * does.
 */
async function openUntilSound(bench: MirrorBench): Promise<Mirror> {
  let again: Promise<Mirror> | undefined;
  const mirror = await bench.open({ onStateDamaged: () => void (again = bench.open()) });
  await mirror.settled();
  const sound = await (again ?? mirror);
  await sound.settled();
  return sound;
}

test.each(Object.keys(DAMAGE))(
  'a job rebuilds a state database that is %s, and loses no version',
  async (kind) => {
    const bench = await mirrored();
    DAMAGE[kind]?.(bench.path);
    rmSync(join(bench.root, nameOf(4)));
    writeFileSync(join(bench.root, 'new'), 'new');
    const mirror = await openUntilSound(bench);
    expect(setAside(bench.home)).toHaveLength(1);
    const heads = await bench.heads();
    // A job with a new state database deletes nothing, so the object of the deleted file stays in
    // the bucket.
    expect([heads[nameOf(4)], heads['new']]).toEqual(['content 4', 'new']);
    for (const index of [0, 1, FILES - 1])
      expect(await bench.history(nameOf(index))).toEqual([`put content ${index}`]);
    const { state, warnings, problems } = mirror.status();
    expect([state, problems]).toEqual(['watching', []]);
    expect(warnings).toContainEqual(
      expect.stringContaining('state of this job was damaged') as string,
    );
    // After the rebuild, the job backs up changes again, including deletes.
    rmSync(join(bench.root, nameOf(5)));
    await mirror.settled();
    expect(await bench.history(nameOf(5))).toEqual(['put content 5', 'marker']);
  },
);

test('a job rebuilds a state database that is damaged while the job runs', async () => {
  const bench = await mirrored();
  let again: Promise<Mirror> | undefined;
  const first = await bench.open({ onStateDamaged: () => void (again = bench.open()) });
  await first.settled();
  const database = new Database(bench.path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  overwritePages(bench.path, somePages(bench.path, 1));
  for (let index = 0; index < FILES; index++)
    writeFileSync(join(bench.root, nameOf(index)), 'all new');
  await until(
    () => again,
    (opening) => opening !== undefined,
  );
  const mirror = await again;
  await mirror?.settled();
  expect(setAside(bench.home)).toHaveLength(1);
  expect(mirror?.status().state).not.toBe('failed');
});

test('the warning about a damaged state database ends when the user removes the damaged file', async () => {
  const bench = await mirrored();
  overwritePages(bench.path, [1]);
  const mirror = await openUntilSound(bench);
  const damageWarnings = () =>
    mirror.status().warnings.filter((each) => each.includes('was damaged'));
  expect(damageWarnings()).toHaveLength(1);
  for (const name of setAside(bench.home)) rmSync(join(bench.home, 'state', name));
  expect(damageWarnings()).toEqual([]);
});

test('rebuilding a damaged state database keeps the readable conflicts, and warns that unreadable ones are lost', () => {
  const path = join(temporaryFolder('rebuild'), 'state.sqlite');
  const state = openStateFile(path);
  const record = (index: number) =>
    state.conflicts.record({
      id: `id-${String(index).padStart(4, '0')}`,
      key: `key-${index}-${'x'.repeat(200)}`,
      side: 'bucket',
      at: index,
      etag: 'etag',
    });
  state.together(() => {
    for (let index = 0; index < 200; index++) record(index);
  });
  state.setMeta('root', '"the root"');
  state.close();
  const leaves = leavesOf(path, 'conflicts');
  overwritePages(path, [...pagesOf(path, 'baseline'), leaves[3] ?? 0]);
  rebuildState(path, Date.now());
  const rebuilt = openStateFile(path);
  onTestFinished(() => rebuilt.close());
  expect(rebuilt.meta('root')).toBe('"the root"');
  const kept = rebuilt.conflicts.countOpen();
  expect(kept).toBeGreaterThan(150);
  expect(kept).toBeLessThan(200);
  expect(stateWarnings(rebuilt, systemClock)[0]).toContain('recorded conflicts');
});

test('a job completes an interrupted rebuild of its state database at the next start', async () => {
  const bench = await mirrored();
  overwritePages(bench.path, [1]);
  rebuildState(bench.path, Date.now());
  renameSync(bench.path, `${bench.path}.rebuilt`);
  const mirror = await openUntilSound(bench);
  expect(mirror.status().warnings.filter((each) => each.includes('was damaged'))).toHaveLength(1);
});

test('a job whose state database cannot be opened fails, and does not set the file aside', async () => {
  const bench = await mirrored();
  rmSync(bench.path);
  mkdirSync(bench.path);
  await expect(bench.open()).rejects.toThrow('EISDIR');
  expect(setAside(bench.home)).toEqual([]);
});

test('conflicts stay open if the user approves their overwrites after the state database was rebuilt', async () => {
  const bench = await openMirrorBench();
  fillFolder(bench.root, 1);
  const mirror = await bench.open();
  await mirror.settled();
  for (const path of filesBelow(bench.root)) ATTACKS['in place'](path);
  await mirror.settled();
  const heads = await bench.heads();
  const { total } = mirror.heldChanges.review({ limit: 1 });
  await mirror.close();
  rebuildState(join(bench.home, 'state', 'state.sqlite'), systemClock.now());
  const again = await bench.open();
  await again.settled();
  again.heldChanges.approve(again.heldChanges.review({ limit: 1 }).digest);
  await again.settled();
  expect(await bench.heads()).toEqual(heads);
  expect(again.status().counts).toMatchObject({ held: total, conflicts: total });
});
