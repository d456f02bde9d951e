import { onTestFinished, expect, test } from 'vitest';

import {
  BucketCounts,
  type CountedStore,
  type WhenToCount,
} from '../../../daemon/usage/bucket-counts.ts';
import { FolderSizes } from '../../../daemon/usage/folder-sizes.ts';
import { LockCounts } from '../../../daemon/usage/lock-counts.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { LockRequest } from '../../../src/object-store/object-store.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { openTestEngine, TEST_USER } from '../../helpers/test-engine.ts';
import { until } from '../../helpers/until.ts';

const BUCKET = 'photos';

async function countedEngine() {
  const { engine, store, clock } = await openTestEngine();
  await store.createBucket({ bucket: BUCKET });
  const put = (key: string, text: string) =>
    store.putObject({ bucket: BUCKET, key, body: bytesBody(text) });
  await put('2026/a', 'four');
  const { changes } = engine.watched(internalCaller(TEST_USER, clock.now()));
  const counts = new BucketCounts({ clock, begin: (now) => new FolderSizes(now), maxBuckets: 20 });
  onTestFinished(() => counts.close());
  const read = (when: WhenToCount = 'never', place: CountedStore = { store, changes }) =>
    counts.read(place, BUCKET, when);
  const counted = async (when: WhenToCount, place?: CountedStore) => {
    read(when, place);
    return until(
      async () => read('never', place),
      ({ isCounting }) => !isCounting,
    );
  };
  return { store, clock, put, read, counted };
}

test('the daemon counts the objects of a bucket only on request, in the background', async () => {
  const { read, counted, clock } = await countedEngine();
  expect(read()).toEqual({ isCounting: false, listed: 0 });
  expect(read('missing')).toEqual({ isCounting: true, listed: 0 });
  const { last } = await counted('missing');
  expect(last).toMatchObject({ listed: 1, countedAt: clock.now(), hasChanged: false });
  expect(last?.tally.at('2026/')?.bytes).toBe(4);
});

test('the daemon counts a changed bucket again after 30 seconds and shows the previous count until then', async () => {
  const { read, counted, put, clock } = await countedEngine();
  await counted('missing');
  await put('2026/b', 'and more');
  expect(read('missing')).toMatchObject({ isCounting: false, last: { hasChanged: true } });
  clock.advance(30_000);
  expect(read('missing')).toMatchObject({ isCounting: true, last: { listed: 1 } });
  const { last } = await counted('never');
  expect([last?.listed, last?.hasChanged]).toEqual([2, false]);
});

test('the daemon counts an unchanged bucket again only on request', async () => {
  const { read, counted, clock } = await countedEngine();
  await counted('missing');
  clock.advance(3_600_000);
  expect(read('missing').isCounting).toBe(false);
  expect((await counted('again')).last?.countedAt).toBe(clock.now());
});

test('the daemon counts a bucket of a remote service again only on request, because the service reports no changes', async () => {
  const { store, counted, put, read, clock } = await countedEngine();
  const place = { store };
  const { last } = await counted('missing', place);
  expect(last && 'hasChanged' in last).toBe(false);
  await put('c', 'new');
  clock.advance(3_600_000);
  expect(read('missing', place).isCounting).toBe(false);
});

test('the daemon reports why a count failed, keeps the previous count, and does not retry until the next request', async () => {
  const { store, counted, read } = await countedEngine();
  let fails = false;
  const listVersions: typeof store.listVersions = async (request) => {
    if (fails) throw new Error('the disk is gone');
    return store.listVersions(request);
  };
  const place = { store: { listVersions } };
  await counted('missing', place);
  fails = true;
  expect(await counted('again', place)).toMatchObject({
    error: 'the disk is gone',
    last: { listed: 1 },
  });
  expect(read('missing', place).isCounting).toBe(false);
  fails = false;
  expect(await counted('again', place)).not.toHaveProperty('error');
});

test('the daemon counts the locks of a bucket in the embedded store by mode, legal hold and day', async () => {
  const { engine, store, clock } = await openTestEngine();
  const bucket = 'archive';
  await store.createBucket({ bucket, objectLockEnabled: true });
  const retainUntil = clock.now() + 86_400_000;
  const retention = { mode: 'GOVERNANCE', retainUntil } as const;
  const put = (key: string, lock?: LockRequest) =>
    store.putObject({ bucket, key, body: bytesBody('four'), ...(lock && { lock }) });
  await put('a', { retention });
  await put('a', { legalHold: true });
  await put('b');
  const counts = new BucketCounts({
    clock,
    begin: (now) => new LockCounts(now),
    maxBuckets: 1,
    withLocks: true,
  });
  onTestFinished(() => counts.close());
  const { changes } = engine.watched(internalCaller(TEST_USER, clock.now()));
  const place = { store, changes };
  counts.read(place, bucket, 'missing');
  const { last } = await until(
    () => counts.read(place, bucket, 'never'),
    ({ isCounting }) => !isCounting,
  );
  expect(last?.tally).toMatchObject({
    modes: { GOVERNANCE: { versions: 1, bytes: 4 }, COMPLIANCE: { versions: 0, bytes: 0 } },
    held: { versions: 1, bytes: 4 },
    days: new Map([[Math.floor(retainUntil / 86_400_000) * 86_400_000, { versions: 1, bytes: 4 }]]),
  });
});
