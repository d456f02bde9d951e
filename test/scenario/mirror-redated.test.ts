/**
 * Tests of point-in-time views on a service that changes the date of a version when its lock is renewed, as Ceph RGW
 * does.
 */

import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/durations.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { compareTimes, treeAt } from '../../src/restore/compare-times.ts';
import { folderAt } from '../../src/restore/folder-at.ts';
import { momentsOf } from '../../src/restore/moments.ts';
import { ownTimes } from '../../src/restore/own-times.ts';
import { planUndo } from '../../src/restore/undo.ts';
import { pruningPass } from '../../src/retention/pruning-pass.ts';
import { previewRestore } from '../../src/restore/restore-preview.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { allVersions } from '../../src/mirror/objects/version-listing.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { testProvenance } from '../helpers/provenance.ts';
import { redatingStore } from '../helpers/redating-store.ts';

const LOCK = { mode: 'GOVERNANCE', days: 1, refreshDays: 1 } as const;
const { signal } = new AbortController();

/** Renews the locks of all current versions, as a job does. */
async function renewLocks(store: ObjectStore, bucket: string, now: number): Promise<void> {
  const retention = { mode: 'GOVERNANCE', retainUntil: now + 9 * DAY_MS } as const;
  for await (const { key, kind, isLatest, versionId } of allVersions({ store, bucket, prefix: '' }))
    if (isLatest && kind === 'version')
      await store.putRetention({ bucket, key, versionId, retention });
}

/**
 * Backs up files, renews their locks, and changes or deletes most of them. Returns the time before these
 * changes.
 */
async function attacked({ writesForeign = false } = {}) {
  const bench = await openMirrorBench();
  const store = redatingStore(bench.store, systemClock);
  const { bucket } = bench;
  const put = (path: string, text: string) => writeFileSync(join(bench.root, path), text);
  mkdirSync(join(bench.root, 'd'));
  for (const path of ['changed', 'deleted', 'd/changed', 'same']) put(path, 'first');
  const mirror = await bench.open({ store, isRemote: true, lock: LOCK });
  await mirror.settled();
  if (writesForeign) await bench.writeForeign('foreign', 'theirs');
  const at = Date.now();
  await laterMillisecond();
  await renewLocks(store, bucket, Date.now());
  for (const path of ['changed', 'd/changed']) put(path, 'second');
  for (const path of ['deleted']) rmSync(join(bench.root, path));
  put('new', 'second');
  await mirror.settled();
  if (writesForeign) await bench.writeForeign('foreign', 'theirs later');
  const destination = { store, bucket, prefix: '', ...defined({ times: mirror.versionTimes() }) };
  const restored = join(bench.home, 'restored');
  const options = { ...destination, at, to: restored, clock: systemClock, logger: silentLogger };
  return { bench, mirror, store, bucket, at, destination, restored, options };
}

function pathsOf(root: string): readonly (readonly [string, string])[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  return names
    .filter((name) => lstatSync(join(root, name)).isFile())
    .map((name) => [name, readFileSync(join(root, name), 'utf8')] as const);
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/**
 * Returns the paths of all files at a time, folder by folder. A path whose existence is uncertain ends with
 * `?`.
 */
async function walked(destination: Parameters<typeof folderAt>[0], at: number): Promise<string[]> {
  const paths: string[] = [];
  let after: Awaited<ReturnType<typeof folderAt>>['next'];
  do {
    const page = await folderAt(destination, { at, limit: 1, ...(after && { after }) });
    for (const { path, isUncertain } of page.entries)
      if (path.endsWith('/'))
        paths.push(...(await walked({ ...destination, path: path.slice(0, -1) }, at)));
      else paths.push(isUncertain ? `${path}?` : path);
    after = page.next;
  } while (after);
  return paths.toSorted();
}

const BEFORE = ['changed', 'd/changed', 'deleted', 'same'];

describe('point-in-time views on a service that changes version dates', () => {
  test('a restore returns the complete tree before a lock renewal, even if the service changed the version dates', async () => {
    const { options, restored } = await attacked();
    expect(await restoreTree(options)).toMatchObject({
      files: BEFORE.length,
      undated: 0,
      problemCount: 0,
    });
    expect(pathsOf(restored)).toEqual(BEFORE.map((path) => [path, 'first']));
  });

  test('a restore finds a past tree by the upload times in the metadata, without a local state database', async () => {
    const { options, restored, store, bucket } = await attacked();
    const times = ownTimes({ store, bucket, prefix: '' });
    const report = await restoreTree({ ...options, times });
    expect(report).toMatchObject({ undated: 0, problemCount: 0 });
    expect(pathsOf(restored)).toEqual(BEFORE.map((path) => [path, 'first']));
  });

  test('a point-in-time view ignores upload times without a valid proof of the job, and reports the affected files', async () => {
    const { options, store, bucket } = await attacked();
    const times = ownTimes({ store, bucket, prefix: '', provenance: testProvenance() });
    const { undated, problems } = await restoreTree({ ...options, times });
    expect(undated).toBeGreaterThan(0);
    for (const { code, message } of problems) {
      expect(code).toBe('undated');
      expect(message).toMatch(
        /a newer version, whose recorded upload time is missing or not proven$/,
      );
    }
  });

  test('a past tree can be listed, browsed and compared even if the service changed the version dates', async () => {
    const { destination, at } = await attacked();
    const tree = await all(treeAt(destination, at));
    expect(tree.map(({ path }) => path)).toEqual(BEFORE);
    for (const { lastModifiedAt = 0 } of tree) expect(lastModifiedAt).toBeLessThanOrEqual(at);
    expect(await walked(destination, at)).toEqual(BEFORE);
    const differences = await all(compareTimes(destination, { from: at }));
    expect(differences.map(({ is, path }) => `${is} ${path}`)).toEqual([
      'changed changed',
      'changed d/changed',
      'removed deleted',
      'added new',
    ]);
  });

  test('undo finds the version of a past time even if the service changed the version dates', async () => {
    const { destination, at } = await attacked();
    const steps = await all(planUndo({ ...destination, path: 'changed', at }));
    expect(steps).toMatchObject([{ key: 'changed', wanted: { isLatest: false } }]);
  });

  test('a point-in-time view reports that it may be incomplete if a version has no upload time', async () => {
    const { destination, at, options } = await attacked({ writesForeign: true });
    const undated = { path: 'foreign', code: 'undated' };
    const report = await restoreTree(options);
    expect(report).toMatchObject({ files: BEFORE.length, undated: 1, problems: [undated] });
    const preview = await all(previewRestore({ ...options, to: `${options.to}3` }));
    expect(preview.filter(({ is }) => is === 'problem')).toMatchObject([{ path: 'foreign' }]);
    const rows = await all(treeAt(destination, at));
    expect(rows.filter(({ isUncertain }) => isUncertain)).toEqual([
      { path: 'foreign', isUncertain: true },
    ]);
    const differences = await all(compareTimes(destination, { from: at }));
    expect(differences).toContainEqual(
      expect.objectContaining({ path: 'foreign', is: 'uncertain' }),
    );
    expect(await walked(destination, at)).toContain('foreign?');
    expect((await momentsOf(destination, 10)).undated).toBe(2);
    const steps = await all(planUndo({ ...destination, path: 'foreign', at }));
    expect(steps).toEqual([{ key: 'foreign', isUndated: true }]);
  });

  test('a restore of a past tree ignores an upload time that another client forged', async () => {
    const { at, store, bucket, options, restored } = await attacked();
    const { info } = await store.headObject({ bucket, key: 'same' });
    const uploaded = { 'holdfast-uploaded': ((at - 1) / 1_000).toFixed(3) };
    const attributes = { metadata: { ...info.metadata, ...uploaded } };
    await store.putObject({ bucket, key: 'same', body: bytesBody('ransom'), attributes });
    const problems = [{ path: 'same', code: 'undated' }];
    expect(await restoreTree(options)).toMatchObject({
      files: BEFORE.length,
      undated: 1,
      problems,
    });
    expect(pathsOf(restored)).toEqual(BEFORE.map((path) => [path, 'first']));
  });

  test('a job probes whether the service changes version dates, and reads no upload times if it does not', async () => {
    const { mirror, bench } = await attacked();
    expect(mirror.status().capabilities?.answers.versionDates).toBe('changed');
    const kept = await openMirrorBench();
    const other = await kept.open({ isRemote: true });
    expect(other.versionTimes()).toBeDefined();
    await other.settled();
    expect(other.status().capabilities?.answers.versionDates).toBe('kept');
    expect(other.versionTimes()).toBeUndefined();
    expect((await bench.open()).versionTimes()).toBeUndefined();
  });
});

test('pruning keeps versions that a kept day needs or that have no reliable date, and reads each upload time once', async () => {
  const clock = new FakeClock();
  const bench = await openMirrorBench({ clock });
  const { bucket } = bench;
  const store = redatingStore(bench.store, clock);
  const state = openStateFile(join(bench.home, 'keep.sqlite'));
  onTestFinished(() => state.close());
  const put = (key: string, isDated: boolean) => {
    const uploaded = { 'holdfast-uploaded': (clock.now() / 1_000).toFixed(3) };
    const metadata = { 'holdfast-journal': 'row', ...(isDated && uploaded) };
    return store.putObject({ bucket, key, body: bytesBody('x'), attributes: { metadata } });
  };
  const keys = [
    ['dated', true],
    ['undated', false],
  ] as const;
  for (const [key, isDated] of keys) await put(key, isDated);
  clock.advance(9 * DAY_MS);
  await renewLocks(store, bucket, clock.now());
  clock.advance(HOUR_MS);
  for (const [key, isDated] of keys) await put(key, isDated);
  clock.advance(10 * DAY_MS);
  const rule = { all: 7 * DAY_MS, daily: 30 * DAY_MS };
  let heads = 0;
  const headObject: ObjectStore['headObject'] = (request) => {
    heads += 1;
    return store.headObject(request);
  };
  const counting = overriding(store, { headObject });
  const times = ownTimes({ store: counting, bucket, prefix: '' }, state);
  const destination = { store, bucket, prefix: '' };
  const pass = (later = 0) =>
    pruningPass({
      destination,
      state,
      rule,
      times,
      now: clock.now() + later,
      isDryRun: false,
      signal,
    });
  expect(await pass()).toMatchObject({ versions: 0, undated: 1 });
  expect(await pass()).toMatchObject({ versions: 0, undated: 1 });
  expect(heads).toBe(4);
  // By the dates of the service alone, pruning would delete both versions.
  const byService = { destination, state, rule, now: clock.now(), isDryRun: true, signal };
  expect(await pruningPass(byService)).toMatchObject({ versions: 2 });
  expect(await pass(100 * DAY_MS)).toMatchObject({ versions: 1, undated: 1 });
});
