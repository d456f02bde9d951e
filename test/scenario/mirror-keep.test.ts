/**
 * Tests of version pruning by the setting `keep`. Every point in time that the rule keeps can still be restored
 * exactly.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { endAlarm } from '../../src/mirror/guard/anomaly-alarm.ts';
import { previewRules, pruningPass, NO_TOTALS } from '../../src/retention/pruning-pass.ts';
import { hasKeptMoment } from '../../src/retention/kept-moments.ts';
import type { KeepRule } from '../../src/mirror/model/types.ts';
import { allVersions, listTree } from '../../src/mirror/objects/version-listing.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore, Retention } from '../../src/object-store/object-store.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';
import { overriding } from '../helpers/forgetful-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RULE: KeepRule = { all: 2 * DAY, daily: 7 * DAY, weekly: 60 * DAY };
const { signal } = new AbortController();

async function openKeep() {
  const clock = new FakeClock();
  const bench = await openMirrorBench({ clock });
  const state = openStateFile(join(bench.home, 'keep.sqlite'));
  onTestFinished(() => state.close());
  const { bucket, store } = bench;
  const put = async (key: string, more: { isForeign?: boolean; retention?: Retention } = {}) => {
    const { isForeign = false, retention } = more;
    const made = await store.putObject({
      bucket,
      key,
      body: bytesBody(`at ${clock.now()}`),
      ...(!isForeign && { attributes: { metadata: { 'holdfast-journal': 'row' } } }),
      ...(retention && { lock: { retention } }),
    });
    return made.versionId ?? '';
  };
  const pass = (isDryRun = false, other: ObjectStore = store) => {
    const destination = { store: other, bucket, prefix: '' };
    return pruningPass({ destination, state, rule: RULE, now: clock.now(), isDryRun, signal });
  };
  const left = async () => {
    const ids: string[] = [];
    for await (const { versionId } of allVersions({ store, bucket, prefix: '' }))
      ids.push(versionId);
    return ids;
  };
  return { clock, bench, store, bucket, state, put, pass, left };
}

async function treeAt({ store, bucket }: Pick<MirrorBench, 'store' | 'bucket'>, at: number) {
  const tree: Record<string, string | undefined> = {};
  for await (const object of listTree({ store, bucket, prefix: '', at }))
    if ('sizeBytes' in object) tree[object.key] = object.versionId;
  return tree;
}

const stepArbitrary = fc.record({
  hours: fc.integer({ min: 0, max: 200 }),
  key: fc.constantFrom('a', 'b', 'd/c'),
  does: fc.constantFrom('put', 'put', 'put', 'delete', 'foreign', 'lock'),
});

test('property: pruning preserves the tree at every kept time, locked versions and versions of other clients', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 20 }), async (steps) => {
      const { clock, store, bucket, put, pass, left } = await openKeep();
      const untouchable: string[] = [];
      const moments: number[] = [];
      for (const { hours, key, does } of steps) {
        clock.advance(hours * HOUR + 1);
        const retention = { mode: 'GOVERNANCE', retainUntil: clock.now() + 1_000 * DAY } as const;
        if (does === 'delete') await store.deleteObject({ bucket, key });
        else if (does === 'put') await put(key);
        else if (does === 'foreign') untouchable.push(await put(key, { isForeign: true }));
        else untouchable.push(await put(key, { retention }));
        moments.push(clock.now(), clock.now() - (clock.now() % DAY));
      }
      clock.advance(HOUR);
      const now = clock.now();
      const kept = moments.filter((from) => hasKeptMoment(RULE, now, { from, to: from + 1 }));
      const before = await Promise.all(kept.map((at) => treeAt({ store, bucket }, at)));
      const promised = await pass(true);
      const destination = { store, bucket, prefix: '' };
      const seen = await previewRules({ destination, now: clock.now(), signal }, [RULE]);
      // A preview does not know which versions are locked, still needed or from other clients.
      expect(seen.rules[0]?.versions).toBe(
        promised.versions + promised.retained + promised.needed + promised.others,
      );
      const report = await pass();
      expect(report).toEqual(promised);
      expect(await Promise.all(kept.map((at) => treeAt({ store, bucket }, at)))).toEqual(before);
      expect(await left()).toEqual(expect.arrayContaining(untouchable));
      const again = await pass();
      expect(again).toMatchObject({ versions: 0, bytes: 0, failed: 0 });
    }),
    { numRuns: 4 },
  );
});

test('pruning deletes old versions of internal objects, but no object that may belong to another client', async () => {
  const { clock, store, bucket, put, pass, left } = await openKeep();
  const attributes = `.holdfast/attributes/${'0a'.repeat(32)}`;
  const saved = '.holdfast/trash/20260101/etag/f';
  const own = { isForeign: true };
  for (const key of ['.holdfast/claim', attributes]) {
    await put(key, own);
    clock.advance(HOUR);
    await put(key, own);
  }
  await put(saved, own);
  for (const key of ['.holdfast/of mine', `.holdfast/attributes/mine`]) {
    await put(key, own);
    await put(key, own);
  }
  const gone = `.holdfast/attributes/${'0b'.repeat(32)}`;
  await put(gone, own);
  clock.advance(HOUR);
  // The object with file attributes is deleted, but older versions of files may still refer to it.
  await store.deleteObject({ bucket, key: gone });
  await store.deleteObject({ bucket, key: saved });
  clock.advance(100 * DAY);
  expect(await pass()).toMatchObject({ versions: 3, markers: 0, others: 0 });
  expect(await pass()).toMatchObject({ versions: 0, markers: 1 });
  expect(await left()).toHaveLength(2 + 4 + 2);
});

describe('versions that pruning may delete', () => {
  test('pruning deletes a version and, in the next pass, the delete marker above it, and reports both', async () => {
    const { clock, store, bucket, put, pass, left } = await openKeep();
    await put('f');
    clock.advance(HOUR);
    await store.deleteObject({ bucket, key: 'f' });
    clock.advance(100 * DAY);
    expect(await pass(true)).toEqual({ ...NO_TOTALS, versions: 1, bytes: 16 });
    expect(await left()).toHaveLength(2);
    expect(await pass()).toEqual({ ...NO_TOTALS, versions: 1, bytes: 16 });
    expect(await pass()).toEqual({ ...NO_TOTALS, markers: 1 });
    expect(await left()).toEqual([]);
  });

  test('pruning counts a locked version as retained, and deletes it after its lock has ended', async () => {
    const { clock, state, put, pass } = await openKeep();
    const retainUntil = clock.now() + 150 * DAY;
    await put('f', { retention: { mode: 'COMPLIANCE', retainUntil } });
    clock.advance(HOUR);
    await put('f');
    clock.advance(100 * DAY);
    expect(await pass(true)).toEqual({ ...NO_TOTALS, retained: 1 });
    expect(state.retained.totals().versions).toBe(0);
    expect(await pass()).toEqual({ ...NO_TOTALS, retained: 1 });
    expect(state.retained.totals()).toEqual({ versions: 1, next: retainUntil });
    clock.advance(51 * DAY);
    expect(state.retained.due(clock.now(), 10)).toEqual([]);
    expect(await pass()).toMatchObject({ versions: 1, retained: 0 });
    expect(state.retained.totals().versions).toBe(0);
  });

  test('pruning does not delete a version that an open conflict, an anomaly or the last synced state refers to', async () => {
    const { clock, state, put, pass } = await openKeep();
    const ids = [await put('a'), await put('b'), await put('c'), await put('d')];
    clock.advance(HOUR);
    for (const key of ['a', 'b', 'c', 'd']) await put(key);
    clock.advance(100 * DAY);
    const [a = '', b = '', c = ''] = ids;
    const entry = { id: 'i', key: 'a', side: 'bucket', at: 0, etag: 'e', versionId: a } as const;
    state.conflicts.record(entry);
    state.anomalies.note({
      key: 'b',
      at: 0,
      kind: 'overwritten',
      why: 'w',
      etag: 'e',
      versionId: b,
    });
    const file = {
      path: 'c',
      kind: 'file',
      sizeBytes: 1,
      mtimeMs: 0,
      ctimeMs: 0,
      inode: 1,
    } as const;
    const known = { ...file, mode: 0o644, uid: 0, gid: 0, sha256: '0'.repeat(64), etag: 'e' };
    state.settle([{ key: 'c', baseline: { ...known, versionId: c } }]);
    expect(await pass()).toMatchObject({ versions: 1, needed: 3 });
    state.conflicts.resolve('i', 'local', 1);
    state.anomalies.forgetAll();
    expect(await pass()).toMatchObject({ versions: 2, needed: 1 });
  });

  test('pruning deletes nothing while an attack is reported, even if it is reported during the pass', async () => {
    const { clock, state, store, put, pass, left } = await openKeep();
    await put('f');
    clock.advance(HOUR);
    await put('f');
    clock.advance(100 * DAY);
    const raise = () => state.setMeta('alarm', JSON.stringify({ since: 1 }));
    const raising = withMethod(store, 'headObject', (request, options) => {
      raise();
      return store.headObject(request, options);
    });
    await expect(pass(false, raising)).rejects.toMatchObject({ code: 'KeepHalted' });
    await expect(pass()).rejects.toMatchObject({ code: 'KeepHalted' });
    expect(await left()).toHaveLength(2);
    endAlarm(state);
    expect(await pass()).toMatchObject({ versions: 1 });
  });

  test('pruning does not repeat the deletion of a version after a lost response', async () => {
    const { clock, store, put, pass, left } = await openKeep();
    await put('f');
    clock.advance(HOUR);
    const head = await put('f');
    clock.advance(100 * DAY);
    const deaf = withMethod(store, 'deleteObjects', async (request, options) => {
      await store.deleteObjects(request, options);
      throw new TransportError('ConnectionLost', 'delete objects: no answer', { sent: true });
    });
    await expect(pass(false, deaf)).rejects.toThrow('no answer');
    expect(await pass()).toEqual(NO_TOTALS);
    expect(await left()).toEqual([head]);
  });

  test('pruning counts a version as retained if its deletion is rejected, and as failed if the response has no result for it', async () => {
    const { clock, state, store, put, pass } = await openKeep();
    for (const key of ['a', 'b', 'c', 'a', 'b', 'c']) {
      clock.advance(HOUR);
      await put(key);
    }
    clock.advance(100 * DAY);
    const partly = withMethod(store, 'deleteObjects', async ({ bucket, objects }) => {
      const [a, b] = objects;
      if (!a || !b) return { deleted: [], failed: [] };
      await store.deleteObject({ bucket, ...a });
      const failed = [{ ...b, code: 'AccessDenied', message: 'no' }];
      return { deleted: [a], failed };
    });
    expect(await pass(false, partly)).toMatchObject({ versions: 1, retained: 1, failed: 1 });
    expect(state.retained.totals().versions).toBe(1);
  });
});

test('a job prunes versions once a day if `keep` is set, and never without it', async () => {
  const clock = new FakeClock();
  const bench = await openMirrorBench({ clock });
  const path = join(bench.root, 'f');
  const metadata = { 'holdfast-journal': 'row' };
  const { store, bucket } = bench;
  await store.putObject({ bucket, key: 'f', body: bytesBody('1'), attributes: { metadata } });
  clock.advance(HOUR);
  await store.putObject({ bucket, key: 'f', body: bytesBody('2'), attributes: { metadata } });
  writeFileSync(path, '2');
  clock.advance(100 * DAY);
  const plain = await bench.open();
  await expect(plain.pruning.run({ dryRun: true, signal })).rejects.toMatchObject({
    code: 'NoKeep',
  });
  const mirror = await bench.open({ keep: RULE });
  expect(await mirror.pruning.run({ dryRun: true, signal })).toMatchObject({
    versions: 1,
    bytes: 1,
  });
  expect(mirror.status().keep).toBeUndefined();
  const kept = await until(
    () => {
      clock.advance(60_000);
      return mirror.status().keep;
    },
    (status) => status !== undefined,
  );
  expect(kept).toMatchObject({ versions: 1, bytes: 1 });
  expect(await bench.history('f')).toEqual(['put 2']);
});

function withMethod<K extends keyof ObjectStore>(
  store: ObjectStore,
  name: K,
  method: ObjectStore[K],
): ObjectStore {
  return overriding(store, { [name]: method });
}
