/**
 * Tests of restores and verification of a store with damaged database pages. Readable objects must be restored,
 * and the others reported.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { verifyFolder } from '../../src/verification/verify.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { leavesOf, overwritePages, somePages } from '../helpers/damaged-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes } from '../helpers/test-engine.ts';

const BUCKET = 'bucket';
const OBJECTS = 1_500;
const nameOf = (index: number) => `object-${String(index).padStart(5, '0')}`;
const bytesOf = (index: number) => patternBytes(40 + (index % 5) * 300, index);

/** Creates a store with small objects, closes it, damages its database file and opens it again. */
async function damagedStore(damage: (path: string) => void) {
  const dir = temporaryFolder('damaged-store');
  const first = await openTestEngine({ dir, passive: true });
  await first.store.createBucket({ bucket: BUCKET });
  await Promise.all(
    Array.from({ length: OBJECTS }, (_, index) =>
      first.store.putObject({
        bucket: BUCKET,
        key: nameOf(index),
        body: bytesBody(bytesOf(index)),
      }),
    ),
  );
  await first.engine.close();
  damage(join(dir, 'store.sqlite'));
  const { store } = await openTestEngine({ dir, passive: true });
  return store;
}

type Store = Awaited<ReturnType<typeof damagedStore>>;

function restoring(store: Store, to: string, at?: number) {
  const place = { store, bucket: BUCKET, prefix: '', to, ...(at !== undefined && { at }) };
  return restoreTree({ ...place, clock: systemClock, logger: silentLogger });
}

/** Returns the number of files in a folder, and expects that each has the right content. */
function countRight(to: string): number {
  const names = readdirSync(to);
  for (const name of names)
    expect(readFileSync(join(to, name)).equals(bytesOf(Number(name.slice(7))))).toBe(true);
  return names.length;
}

test('a restore returns all objects if only index pages of the store are damaged', async () => {
  const store = await damagedStore((path) =>
    overwritePages(path, leavesOf(path, 'current_object').slice(2, 9)),
  );
  const to = temporaryFolder('restored');
  const report = await restoring(store, to);
  expect([report.files, report.problemCount]).toEqual([OBJECTS, 0]);
  expect(countRight(to)).toBe(OBJECTS);
});

test('a listing with damaged pages fails for clients, but returns the missing key ranges to a restore', async () => {
  const store = await damagedStore((path) => {
    overwritePages(path, leavesOf(path, 'current_object').slice(3, 5));
    overwritePages(path, leavesOf(path, 'version'));
  });
  const listing = store.listObjects({ bucket: BUCKET });
  await expect(listing).rejects.toMatchObject({
    code: 'InternalError',
    message: 'list bucket bucket: a page of store.sqlite is damaged',
  });
  const page = await store.listObjects({ bucket: BUCKET, skipsDamage: true });
  const [gap] = page.gaps ?? [];
  expect(page.gaps).toHaveLength(1);
  expect(page.objects.every(({ key }) => key < (gap?.from ?? '') || key >= (gap?.to ?? ''))).toBe(
    true,
  );
});

test.each([1, 2, 3])(
  'a restore returns most objects from a store with a tenth of its pages damaged, and reports the others (seed %i)',
  async (seed) => {
    const store = await damagedStore((path) => {
      const pages = somePages(path, 0.1, { seed, spared: 40 });
      overwritePages(path, pages, seed);
    });
    const to = temporaryFolder('restored');
    const report = await restoring(store, to);
    const files = countRight(to);
    expect(files).toBe(report.files);
    expect(files).toBeGreaterThan(OBJECTS / 5);
    expect(report.problemCount).toBeGreaterThan(0);
    const failed = report.problems.filter(({ message }) => message.startsWith('restore '));
    const gaps = report.problems.length - failed.length;
    if (gaps === 0) expect(files + failed.length).toBe(OBJECTS);
    const earlier = temporaryFolder('earlier');
    const before = await restoring(store, earlier, Date.now() + 1e9);
    expect(countRight(earlier)).toBe(before.files);
    expect(before.problemCount).toBeGreaterThan(0);
  },
);

test('an exact restore fails if the store cannot list all objects', async () => {
  const store = await damagedStore((path) => {
    overwritePages(path, leavesOf(path, 'current_object').slice(3, 5));
    overwritePages(path, leavesOf(path, 'version').slice(1));
  });
  const to = temporaryFolder('restored');
  const place = { store, bucket: BUCKET, prefix: '', to, exact: true };
  const restore = restoreTree({ ...place, clock: systemClock, logger: silentLogger });
  await expect(restore).rejects.toMatchObject({ code: 'NothingToRestore' });
});

test('verify checks all files of a damaged store, and reports each unreadable object', async () => {
  const store = await damagedStore((path) =>
    overwritePages(path, leavesOf(path, 'version').slice(4, 8)),
  );
  const root = join(temporaryFolder('verified'), 'root');
  mkdirSync(root);
  for (let index = 0; index < OBJECTS; index++)
    writeFileSync(join(root, nameOf(index)), bytesOf(index));
  const rows = [];
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [], cacheDirs: 'keep' });
  const clock = { ...systemClock, now: () => Date.now() + 60_000 };
  const destination = { store, bucket: BUCKET, prefix: '' };
  const { signal } = new AbortController();
  const locks = {
    settingsOf: () => undefined,
    lockClock: clock,
    onNotLocked: () => undefined,
    locks: { unlockedAfter: () => [] },
  };
  const nothing = { find: () => undefined, *problems() {} };
  const damage = { damaged: nothing, onDamaged: () => undefined, onSound: () => undefined };
  for await (const row of verifyFolder({
    destination,
    root,
    excluder,
    clock,
    signal,
    totals: { files: OBJECTS, bytes: 0 },
    ...locks,
    ...damage,
  }))
    rows.push(row);
  const damaged = rows.filter((row) => row.is === 'finding' && row.code === 'damaged');
  expect(damaged.length).toBeGreaterThan(10);
  expect(damaged.length).toBeLessThan(OBJECTS / 2);
  expect(rows.at(-1)).toMatchObject({ is: 'done', entries: OBJECTS });
});
