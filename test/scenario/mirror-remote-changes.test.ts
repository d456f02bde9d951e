/**
 * Tests that the embedded store notifies a job of changes by other clients, and that the job is not in sync until it
 * has checked them.
 */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { MirrorJob } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { faultyStore } from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const FILES = ['a', 'b', 'c'];

/** Opens a job that receives change notifications, and waits until its files are in sync. */
async function openHearing(job: Partial<MirrorJob> = {}, bench?: MirrorBench) {
  const own = bench ?? (await openMirrorBench());
  for (const name of FILES) writeFileSync(join(own.root, name), `content of ${name}`);
  const mirror = await own.open({ ...job, hears: {} });
  await mirror.settled();
  const inSync = () =>
    until(
      () => mirror.status(),
      (status) => status.inSync,
    );
  await inSync();
  return { bench: own, mirror, inSync };
}

const contents = Object.fromEntries(FILES.map((name) => [name, `content of ${name}`]));

test('a job whose objects another client deletes is not in sync, and uploads them again', async () => {
  const { bench, mirror, inSync } = await openHearing();
  const { store, bucket } = bench;
  await store.deleteObjects({ bucket, objects: FILES.map((key) => ({ key })) });
  expect(mirror.status()).toMatchObject({ inSync: false, counts: { pending: 3 } });
  await inSync();
  expect(await bench.heads()).toEqual(contents);
});

test('a job uploads all files and its ownership marker again after another client deleted all versions', async () => {
  const { bench, mirror, inSync } = await openHearing();
  const { store, bucket } = bench;
  const { versions } = await store.listVersions({ bucket });
  const objects = versions.map(({ key, versionId }) => ({ key, versionId }));
  await store.deleteObjects({ bucket, objects, bypassGovernance: true });
  expect(mirror.status().inSync).toBe(false);
  await inSync();
  expect(await bench.heads()).toEqual(contents);
  const claim = await until(
    () => store.listObjects({ bucket, prefix: '.holdfast/claim' }),
    ({ objects: [found] }) => found !== undefined,
  );
  expect(claim.objects).toHaveLength(1);
});

test('a job reports an object that another client overwrote as drifted until that version is deleted', async () => {
  const { bench, mirror, inSync } = await openHearing({ drift: 'report' });
  await bench.writeForeign('a', 'foreign');
  expect(mirror.status().inSync).toBe(false);
  await until(
    () => mirror.status(),
    ({ state, counts }) => state === 'watching' && counts.drifted === 1,
  );
  expect(mirror.status().inSync).toBe(false);
  const { store, bucket } = bench;
  const { versions } = await store.listVersions({ bucket, prefix: 'a' });
  const newest = versions.find(({ isLatest }) => isLatest);
  await store.deleteObject({ bucket, key: 'a', versionId: String(newest?.versionId) });
  expect(mirror.status().inSync).toBe(false);
  expect((await inSync()).counts.drifted).toBe(0);
});

test('with drift: enforce, a job immediately overwrites an object that another client wrote', async () => {
  const { bench, inSync } = await openHearing({ drift: 'enforce' });
  await bench.writeForeign('a', 'foreign');
  await inSync();
  expect(await bench.history('a')).toEqual(['put content of a', 'put foreign', 'put content of a']);
});

test("a job updates its count of other clients' objects when they are written or deleted", async () => {
  const { bench, mirror, inSync } = await openHearing();
  const foreign = async (count: number) =>
    until(
      () => mirror.status(),
      ({ counts, inSync: isInSync }) => isInSync && counts.foreign === count,
    );
  await bench.writeForeign('x/y', 'foreign');
  expect(mirror.status().inSync).toBe(false);
  await foreign(1);
  await bench.store.deleteObject({ bucket: bench.bucket, key: 'x/y' });
  await foreign(0);
  await bench.writeForeign('x/y', 'foreign');
  await mirror.runNow();
  await foreign(1);
  // The key does not correspond to a path in the folder.
  await bench.writeForeign('../state/state.sqlite', 'foreign');
  await foreign(2);
  await inSync();
});

test('a job detects immediately that versioning of its bucket was suspended', async () => {
  const bench = await openMirrorBench();
  const { store } = bench;
  const bucket = 'versioned';
  await store.createBucket({ bucket });
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  const { mirror, inSync } = await openHearing({ bucket }, bench);
  expect(mirror.status().capabilities?.bucket).toBe('versioned');
  await store.putVersioning({ bucket, versioning: 'Suspended' });
  expect(mirror.status().inSync).toBe(false);
  expect((await inSync()).capabilities?.bucket).toBe('unversioned');
});

test('a job warns immediately of a lifecycle rule that deletes its objects', async () => {
  const { bench, mirror } = await openHearing();
  const { store, bucket } = bench;
  expect(mirror.status().warnings).toEqual([]);
  const rule = { id: 'gone', enabled: true, filter: {}, expiration: { days: 1 } };
  await store.putLifecycle({ bucket, rules: [rule] });
  const { warnings } = await until(
    () => mirror.status(),
    (status) => status.warnings.length > 0,
  );
  expect(warnings).toEqual([expect.stringContaining('deletes objects of this job after 1 days')]);
});

test('a job extends a lock again that another client shortened', async () => {
  const lock = { mode: 'GOVERNANCE', days: 30, refreshDays: 10 } as const;
  const { bench, mirror, inSync } = await openHearing({ lock });
  const { store, bucket } = bench;
  const before = await store.getRetention({ bucket, key: 'a' });
  const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + 60_000 } as const;
  await store.putRetention({ bucket, key: 'a', retention, bypassGovernance: true });
  expect(mirror.status().inSync).toBe(false);
  await inSync();
  const after = await store.getRetention({ bucket, key: 'a' });
  expect(after.retainUntil).toBeGreaterThanOrEqual(before.retainUntil);
});

test('a job that the store notifies of changes sends no additional requests for its own writes', async () => {
  const requests = async (isHearing: boolean) => {
    const bench = await openMirrorBench();
    const names = Array.from({ length: 100 }, (_, index) => `file${index}`);
    for (const name of names) writeFileSync(join(bench.root, name), name);
    let faulty = faultyStore(bench.store);
    const wrap = (store: ObjectStore) => (faulty = faultyStore(store)).store;
    const mirror = await bench.open(isHearing ? { hears: { wrap } } : { store: faulty.store });
    await mirror.settled();
    writeFileSync(join(bench.root, 'file0'), 'changed');
    rmSync(join(bench.root, 'file1'));
    renameSync(join(bench.root, 'file2'), join(bench.root, 'moved'));
    await mirror.settled();
    return faulty.calls.filter((call) => / (file|moved)/.test(call)).toSorted();
  };
  expect(await requests(true)).toEqual(await requests(false));
});

test('changes by other clients stay pending while the job is paused', async () => {
  const { bench, mirror, inSync } = await openHearing();
  mirror.pause();
  await bench.store.deleteObject({ bucket: bench.bucket, key: 'a' });
  expect(mirror.status()).toMatchObject({ state: 'paused', counts: { pending: 1 } });
  mirror.resume();
  await inSync();
  expect(await bench.heads()).toEqual(contents);
});

test('the status reports when the bucket of a remote service was last compared with the folder', async () => {
  const bench = await openMirrorBench();
  const before = Date.now();
  const mirror = await bench.open({ isRemote: true });
  await mirror.settled();
  const first = mirror.status().comparedAt;
  expect(first).toBeGreaterThanOrEqual(before);
  await mirror.settled();
  expect(mirror.status().comparedAt).toBe(first);
  const changedAt = Date.now();
  await bench.writeForeign('a', 'foreign');
  expect(mirror.status().comparedAt).toBeLessThanOrEqual(changedAt);
  await mirror.runNow();
  expect(mirror.status().comparedAt).toBeGreaterThanOrEqual(changedAt);
});

test('a job compares given keys with its folder on request, after writes outside a sync round', async () => {
  const { bench, mirror } = await openHearing();
  const { store, bucket } = await mirror.writes.destination(new AbortController().signal);
  await store.putObject({ bucket, key: 'a', body: bytesBody('undone') });
  expect(mirror.status().inSync).toBe(true);
  mirror.writes.compare(['a']);
  expect(mirror.status().inSync).toBe(false);
  await until(
    () => mirror.status(),
    ({ counts }) => counts.drifted === 1 && counts.pending === 0,
  );
  expect(bench.tree()).toEqual(contents);
});

const step = fc.record({
  key: fc.constantFrom(...FILES),
  change: fc.constantFrom('put', 'put again', 'delete', 'remove newest', 'edit the file'),
});

async function changeForeign(
  { store, bucket }: MirrorBench,
  { key, change }: typeof step extends fc.Arbitrary<infer T> ? T : never,
) {
  if (change === 'put') return store.putObject({ bucket, key, body: bytesBody('foreign') });
  if (change === 'put again')
    return store.putObject({ bucket, key, body: bytesBody(`content of ${key}`) });
  if (change === 'delete') return store.deleteObject({ bucket, key });
  const { versions } = await store.listVersions({ bucket, prefix: key });
  const versionId = versions.find(({ isLatest }) => isLatest)?.versionId;
  return versionId === undefined ? undefined : store.deleteObject({ bucket, key, versionId });
}

test('property: if a job is in sync, folder and bucket have equal content, whatever other clients have changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('report' as const, 'enforce' as const),
      fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 12 }),
      async (drift, steps) => {
        const { bench, mirror } = await openHearing({ drift });
        const isEqual = async () => isDeepStrictEqual(await bench.heads(), bench.tree());
        let isWatching = true;
        for (const [index, [each, isPausing]] of steps.entries()) {
          if (each.change === 'edit the file') {
            writeFileSync(join(bench.root, each.key), `edit ${index}`);
            isWatching = false;
          } else await changeForeign(bench, each);
          // The file event of an edit may arrive later.
          if (isWatching && mirror.status().inSync) expect(await isEqual()).toBe(true);
          if (!isPausing) continue;
          await mirror.settled();
          isWatching = true;
        }
        await mirror.settled();
        const { inSync } = await until(
          () => mirror.status(),
          ({ state, counts }) => state === 'watching' && counts.pending === 0,
        );
        expect(inSync).toBe(await isEqual());
      },
    ),
    { numRuns: 10 },
  );
}, 60_000);
