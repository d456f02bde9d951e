/**
 * Tests of ransomware detection. A job detects an attack on its folder, holds the changes for review, and can restore
 * all files.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { silentLogger } from '../../src/base/logger.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { type Attack, ATTACKS, encrypt, fillFolder, filesBelow } from '../helpers/attacks.ts';
import { answers, faultyStore, hangsBeforeSending } from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { textOf } from '../helpers/sample-files.ts';
import { until } from '../helpers/until.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';

const LOCK = { mode: 'GOVERNANCE', days: 10, refreshDays: 5 } as const;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** Backs up a folder with `sets` files of each of eight kinds. */
async function mirrored({ sets = 1, ...options }: { sets?: number; versioned?: boolean } = {}) {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ ...options, clock });
  fillFolder(bench.root, sets);
  const open = () => bench.open(options.versioned === false ? {} : { lock: LOCK });
  const mirror = await open();
  await mirror.settled();
  clock.putForward(2 * DAY_MS);
  return { bench, clock, mirror, open, before: bench.tree() };
}

function attackAll({ root }: MirrorBench, attack: Attack): void {
  for (const path of filesBelow(root)) ATTACKS[attack](path);
}

/** Restores the tree as of `at`, the time just before the first anomaly, and returns its files. */
async function restoredBefore(bench: MirrorBench, clock: ShiftedClock, at: number) {
  const to = join(bench.home, 'restored');
  rmSync(to, { recursive: true, force: true });
  const { store, bucket } = bench;
  await restoreTree({ store, bucket, prefix: '', to, at, clock, logger: silentLogger });
  return Object.fromEntries(
    filesBelow(to).map((path) => [path.slice(to.length + 1), readFileSync(path, 'latin1')]),
  );
}

/** Returns the end of the retention of the oldest version of each key, in milliseconds since 1970. */
async function locksOf({ store, bucket }: MirrorBench, keys: readonly string[]) {
  return Promise.all(
    keys.map(async (key) => {
      const { versions } = await store.listVersions({ bucket, prefix: key });
      const first = versions.findLast((version) => version.key === key);
      const { info } = await store.headObject({ bucket, key, versionId: first?.versionId ?? '' });
      return info.retention?.retainUntil ?? 0;
    }),
  );
}

describe('a ransomware attack', () => {
  test.each(Object.keys(ATTACKS) as Attack[])(
    'a job holds the changes of the attack "%s" for review, and one restore returns the tree before the attack',
    async (attack) => {
      const { bench, clock, mirror, before } = await mirrored();
      attackAll(bench, attack);
      await mirror.settled();
      const status = mirror.status();
      expect(status).toMatchObject({ state: 'held', inSync: false });
      expect(status.reason).toContain('suspected ransomware attack');
      expect(bench.activities.some(({ action }) => action === 'alarm')).toBe(true);
      const { signs, changes, total } = mirror.heldChanges.review({ limit: 1000 });
      expect(total).toBeGreaterThan(0);
      expect(changes.every(({ why }) => why !== undefined)).toBe(true);
      expect(await restoredBefore(bench, clock, signs?.since ?? 0)).toEqual(before);
      const end = clock.now() + (LOCK.days + LOCK.refreshDays) * DAY_MS;
      const held = changes.map(({ path }) => path);
      for (const lock of await locksOf(bench, held)) {
        expect(lock).toBeGreaterThan(end - MINUTE_MS);
        expect(lock).toBeLessThanOrEqual(end);
      }
    },
  );
});

describe('a slow ransomware attack', () => {
  test('a job detects an attack that encrypts a file each minute at the fourth of sixteen files, and can restore all files', async () => {
    const { bench, clock, mirror, before } = await mirrored({ sets: 2 });
    const paths = filesBelow(bench.root);
    let encrypted = 0;
    for (; mirror.status().state !== 'held' && encrypted < paths.length; encrypted++) {
      clock.putForward(MINUTE_MS);
      ATTACKS['in place'](paths[encrypted] ?? '');
      await mirror.settled();
    }
    expect(encrypted).toBe(4);
    const { signs, changes } = mirror.heldChanges.review({ limit: 10 });
    expect(changes.map(({ path }) => path)).toEqual([paths[3]?.slice(bench.root.length + 1)]);
    expect(await restoredBefore(bench, clock, signs?.since ?? 0)).toEqual(before);
  });
});

describe('changes held for review during an attack', () => {
  /**
   * Encrypts all files of the job's folder in place. The mass-change guard then holds their changes
   * for review.
   */
  async function attacked(options: { versioned?: boolean } = {}) {
    const parts = await mirrored(options);
    const { bench, mirror } = parts;
    attackAll(bench, 'in place');
    await mirror.settled();
    const review = mirror.heldChanges.review({ limit: 100 });
    return { ...parts, review, paths: review.changes.map(({ path }) => path) };
  }

  test('a job continues to upload new files and their changes while it holds an attack for review', async () => {
    const { bench, mirror, paths } = await attacked();
    writeFileSync(join(bench.root, 'new'), 'new');
    await mirror.settled();
    writeFileSync(join(bench.root, 'new'), 'newer');
    await mirror.settled();
    expect(await bench.heads()).toMatchObject({ new: 'newer' });
    expect(mirror.status()).toMatchObject({ state: 'held', counts: { held: paths.length } });
  });

  test('changes stay held for review after a restart, and the job does not read the files again', async () => {
    const { bench, mirror, open, review } = await attacked();
    const heads = await bench.heads();
    await mirror.close();
    const again = await open();
    expect(again.status().state).toBe('held');
    expect(again.heldChanges.review({ limit: 100 })).toEqual(review);
    await again.settled();
    expect(await bench.heads()).toEqual(heads);
    expect(again.status().counts.held).toBe(review.total);
    expect(bench.activities.filter(({ action }) => action === 'held')).toHaveLength(review.total);
  });

  test('an approval uploads only the reviewed content, and a file that changed after the review stays held', async () => {
    const { bench, mirror, review, paths } = await attacked();
    const [first = '', ...others] = paths;
    mirror.pause();
    writeFileSync(join(bench.root, first), encrypt(Buffer.alloc(5_000)));
    expect(mirror.heldChanges.approve(review.digest)).toEqual({
      deletes: 0,
      overwrites: paths.length,
      renames: 0,
    });
    expect(() => mirror.heldChanges.approve(review.digest)).toThrow('the digest does not match');
    mirror.resume();
    await mirror.settled();
    const [heads, tree] = [await bench.heads(), bench.tree()];
    for (const path of others) expect(heads[path] === tree[path]).toBe(true);
    // The review did not include the new content, so the file stays held.
    await until(
      () => mirror.status(),
      ({ state }) => state === 'watching',
    );
    expect(mirror.status()).toMatchObject({ counts: { held: 1 } });
    const again = mirror.heldChanges.review({ limit: 2 });
    expect(again.changes).toMatchObject([{ path: first, change: 'overwrite' }]);
    mirror.heldChanges.approve(again.digest);
    await mirror.settled();
    expect((await bench.heads())[first] === bench.tree()[first]).toBe(true);
  });

  test('a job keeps the object of a rejected change, and backs up the file again once its content is restored', async () => {
    const { bench, mirror, paths, before, open } = await attacked();
    const heads = await bench.heads();
    expect(mirror.heldChanges.reject()).toEqual({
      deletes: 0,
      overwrites: paths.length,
      renames: 0,
    });
    await mirror.settled();
    await mirror.close();
    const again = await open();
    await again.settled();
    expect(await bench.heads()).toEqual(heads);
    expect(again.status()).toMatchObject({
      state: 'watching',
      brake: { rejectedOverwrites: paths.length },
      counts: { held: 0 },
    });
    for (const [path, content] of Object.entries(before))
      writeFileSync(join(bench.root, path), content, 'latin1');
    await again.settled();
    expect(await bench.heads()).toEqual(before);
    expect(again.status()).not.toHaveProperty('brake');
  });

  test('a job uploads a file that gets plain content while its change is held, and no longer lists it for review', async () => {
    const { bench, mirror, paths } = await attacked();
    const [first = '', ...others] = paths;
    const listed = () => mirror.heldChanges.review({ limit: 100 }).changes.map(({ path }) => path);
    // A later sync round would also stop holding the change.
    const listedAtUpload: (readonly string[])[] = [];
    vi.spyOn(bench.activities, 'push').mockImplementation(({ action }) =>
      action === 'put' ? listedAtUpload.push(listed()) : 0,
    );
    writeFileSync(join(bench.root, first), 'plain');
    await mirror.settled();
    expect((await bench.heads())[first]).toBe('plain');
    expect(listedAtUpload).toEqual([others]);
    expect(listed()).toEqual(others);
  });

  test('a job holds another encrypted file for review a day after the attack if the user has not decided', async () => {
    const { bench, clock, mirror, paths } = await attacked();
    writeFileSync(join(bench.root, 'new.txt'), textOf(1, 5_000));
    await mirror.settled();
    clock.putForward(2 * DAY_MS);
    ATTACKS['in place'](join(bench.root, 'new.txt'));
    await mirror.settled();
    expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(paths.length + 1);
    expect((await bench.heads())['new.txt']).toBe(textOf(1, 5_000).toString('latin1'));
  });

  test('a change that is held for review is dropped once the content of its file is restored', async () => {
    const { bench, mirror, paths, before } = await attacked();
    for (const path of paths) writeFileSync(join(bench.root, path), before[path] ?? '', 'latin1');
    await mirror.settled();
    expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(0);
    expect(mirror.status()).toMatchObject({ state: 'held', counts: { held: 0 } });
    mirror.heldChanges.approve();
    await mirror.settled();
    expect(mirror.status().state).toBe('watching');
  });

  test('a job holds the first encrypted file in an unversioned bucket for review, so that no object is overwritten', async () => {
    const { bench, mirror, before } = await mirrored({ versioned: false });
    const path = filesBelow(bench.root).find((each) => each.endsWith('.txt')) ?? '';
    ATTACKS['in place'](path);
    await mirror.settled();
    expect(mirror.status().state).toBe('held');
    expect(await bench.heads()).toEqual(before);
    expect(mirror.status().reason).toContain('not extended: the bucket has no object lock');
  });

  test('a job holds all changes of an attack, and reports that the service refused to extend the locks', async () => {
    const { bench, mirror } = await mirrored();
    await mirror.close();
    const faulty = faultyStore(bench.store);
    void faulty.inject({ on: 'putRetention', fault: answers('AccessDenied'), times: 100 });
    const again = await bench.open({ lock: LOCK, store: faulty.store });
    await again.settled();
    attackAll(bench, 'in place');
    await again.settled();
    expect(again.status().reason).toContain('their locks were not extended');
    expect(again.heldChanges.review({ limit: 1 }).total).toBeGreaterThan(0);
  });

  test('a job detects an attack again after a crash during the first detection, and loses no version', async () => {
    const { bench, clock, mirror, open, before } = await mirrored();
    await mirror.close();
    const faulty = faultyStore(bench.store);
    const dying = await bench.open({ lock: LOCK, store: faulty.store });
    await dying.settled();
    const [first = '', second = '', ...others] = filesBelow(bench.root);
    for (const path of [first, second]) ATTACKS['in place'](path);
    await dying.settled();
    // The fault begins only now, because a job also sets a retention when it starts, to test its
    // permission.
    const crashed = faulty.inject({ on: 'putRetention', fault: hangsBeforeSending, times: 100 });
    for (const path of others) ATTACKS['in place'](path);
    await crashed;
    await dying.close();
    const again = await open();
    await again.settled();
    const { total, signs } = again.heldChanges.review({ limit: 1 });
    expect(total).toBeGreaterThan(0);
    expect(await restoredBefore(bench, clock, signs?.since ?? 0)).toEqual(before);
    const end = clock.now() + (LOCK.days + LOCK.refreshDays) * DAY_MS;
    const locks = await locksOf(bench, Object.keys(before));
    expect(Math.min(...locks)).toBeGreaterThan(end - MINUTE_MS);
  });

  test('a job detects an attack after its state database was lost and rebuilt from the bucket', async () => {
    const { bench, mirror, open } = await mirrored();
    for (const path of filesBelow(bench.root)) renameSync(path, path.replace(/\.[^.]+$/, ''));
    await mirror.settled();
    await mirror.close();
    rmSync(join(bench.home, 'state'), { recursive: true });
    const again = await open();
    await again.settled();
    expect(again.status().counts).toMatchObject({ uploadedVersions: 0 });
    attackAll(bench, 'in place');
    await again.settled();
    expect(again.status().reason).toContain('suspected ransomware attack');
  });

  test('a job without a lock policy reports that no lock was extended during an attack', async () => {
    const bench = await openMirrorBench();
    fillFolder(bench.root, 1);
    const mirror = await bench.open();
    await mirror.settled();
    attackAll(bench, 'in place');
    await mirror.settled();
    expect(mirror.status().reason).toContain('not extended: the job has no lock');
    const held = mirror.heldChanges.review({ limit: 100 }).changes.map(({ path }) => path);
    expect(new Set(await locksOf(bench, held))).toEqual(new Set([0]));
  });
});
