/** Tests of the tree of a job at a past time, of the differences between two times, and of undo. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { compareTimes, treeAt } from '../../src/restore/compare-times.ts';
import { copyForward, planUndo, type UndoOptions } from '../../src/restore/undo.ts';
import { folderOfFile } from '../../src/restore/in-place.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { describeCopy } from '../../src/mirror/transfer/write-control.ts';
import type { LockRequest, ObjectInfo } from '../../src/object-store/object-store.ts';
import { decodeAttributes } from '../../src/mirror/objects/object-metadata.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { forgetfulStore, overriding } from '../helpers/forgetful-store.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { testProvenance } from '../helpers/provenance.ts';
import { states } from '../helpers/tree-picture.ts';
import { until } from '../helpers/until.ts';

const DAY_MS = 24 * 3_600_000;

function write(bench: MirrorBench, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(bench.root, path)), { recursive: true });
    writeFileSync(join(bench.root, path), text);
  }
}

function undoOptions(bench: MirrorBench, changes: Partial<UndoOptions>): UndoOptions {
  const { store, bucket } = bench;
  const lockFor = async () => undefined;
  const attributesOfCopy = async (key: string, source: ObjectInfo) =>
    describeCopy({ ...source, key }, Date.now(), testProvenance());
  const writes = { lockFor, attributesOfCopy };
  const fixed = { store, bucket, prefix: '', path: '', ...writes, clock: systemClock };
  return { ...fixed, logger: silentLogger, ...changes };
}

/** Undoes a change as the daemon does. */
async function undo(bench: MirrorBench, changes: Partial<UndoOptions>) {
  const options = undoOptions(bench, changes);
  let copied = 0;
  const to = folderOfFile(bench.root, options.path);
  const { at: _, ...place } = options;
  const objects = copyForward(options, () => copied++);
  const report = await restoreTree({ ...place, objects, to, clock: systemClock });
  return { ...report, copied };
}

/** Backs up three successive states of a folder, and returns the time after each. */
async function threeStates() {
  const bench = await openMirrorBench();
  write(bench, { a: 'one', b: 'one', 'd/c': 'one' });
  const mirror = await bench.open();
  const times: number[] = [];
  const settle = async () => {
    await mirror.settled();
    times.push(Date.now());
    await laterMillisecond();
  };
  await settle();
  write(bench, { a: 'two', 'd/new': 'two' });
  rmSync(join(bench.root, 'b'));
  await settle();
  write(bench, { a: 'three', b: 'three' });
  rmSync(join(bench.root, 'd'), { recursive: true });
  await settle();
  const [first = 0, second = 0, third = 0] = times;
  return { bench, mirror, first, second, third };
}

async function rows(source: AsyncIterable<{ readonly path: string; readonly is?: string }>) {
  const found = [];
  for await (const { path, is } of source) found.push(is === undefined ? path : `${is} ${path}`);
  return found;
}

test('a job lists its tree at a past time, and the differences between two times', async () => {
  const { bench, first, second, third } = await threeStates();
  const destination = { store: bench.store, bucket: bench.bucket, prefix: '' };
  expect(await rows(treeAt(destination, first))).toEqual(['a', 'b', 'd/c']);
  expect(await rows(treeAt({ ...destination, path: 'd' }, second))).toEqual(['d/c', 'd/new']);
  expect(await rows(treeAt(destination, first - DAY_MS))).toEqual([]);
  const early = await rows(compareTimes(destination, { from: first, to: second }));
  expect(early).toEqual(['changed a', 'removed b', 'added d/new']);
  const whole = await rows(compareTimes(destination, { from: first }));
  expect(whole).toEqual(['changed a', 'changed b', 'removed d/c']);
  expect(await rows(compareTimes(destination, { from: third }))).toEqual([]);
  expect(await rows(compareTimes({ ...destination, path: 'd/c' }, { from: first }))).toEqual([
    'removed d/c',
  ]);
});

describe('undo of changes', () => {
  test('undo restores the previous version in the bucket and the folder, and deletes no version', async () => {
    const { bench, mirror } = await threeStates();
    const report = await undo(bench, { path: 'a' });
    expect(report).toMatchObject({ copied: 1, files: 1, aside: 1, problemCount: 0 });
    expect(readFileSync(join(bench.root, 'a'), 'utf8')).toBe('two');
    expect(readFileSync(join(report.asideFolder ?? '', 'a'), 'utf8')).toBe('three');
    await mirror.settled();
    // The job finds the restored file equal to its object and adds no version.
    expect(await bench.history('a')).toEqual(['put one', 'put two', 'put three', 'put two']);
    expect(mirror.status()).toMatchObject({ inSync: true, counts: { conflicts: 0, drifted: 0 } });
  });

  test('undo restores all files of a deleted folder from their versions', async () => {
    const { bench, mirror, second } = await threeStates();
    const options = { path: 'd', at: second };
    const forward = async () => {
      let copied = 0;
      const to = join(bench.root, 'd');
      const objects = copyForward(undoOptions(bench, options), () => copied++);
      const { store, bucket } = bench;
      const place = { store, bucket, prefix: '', path: 'd', to, objects };
      const report = await restoreTree({ ...place, clock: systemClock, logger: silentLogger });
      return { copied, files: report.files, kept: report.kept };
    };
    expect(await forward()).toEqual({ copied: 2, files: 2, kept: 0 });
    await mirror.settled();
    expect(await bench.heads('d/')).toEqual({ c: 'one', new: 'two' });
    expect(await bench.history('d/c')).toEqual(['put one', 'marker', 'put one']);
  });

  test('undo of a folder copies no version and writes no file that is unchanged since then', async () => {
    const bench = await openMirrorBench();
    write(bench, { 'd/same': 'one', 'd/deep/same': 'one', 'd/other': 'one' });
    const mirror = await bench.open();
    await mirror.settled();
    const at = Date.now();
    await laterMillisecond();
    write(bench, { 'd/other': 'two' });
    await mirror.settled();
    await mirror.close();
    const { 'd/other': _, ...before } = states(bench.root);
    let copied = 0;
    const { store, bucket, root } = bench;
    const objects = copyForward(undoOptions(bench, { path: 'd', at }), () => copied++);
    const place = { store, bucket, prefix: '', path: 'd', to: join(root, 'd'), root, objects };
    const fixed = { clock: systemClock, logger: silentLogger };
    const saveLocal = async () => ({ etag: 'e', versionId: 'v', isNew: false });
    const report = await restoreTree({ ...place, ...fixed, saveLocal });
    expect({ copied, ...report }).toMatchObject({ copied: 1, files: 1, kept: 2 });
    const { 'd/other': _restored, ...after } = states(bench.root);
    expect(readFileSync(join(root, 'd/other'), 'utf8')).toBe('one');
    // The folder of the restored file has a new entry.
    expect({ ...after, d: before['d'] }).toEqual(before);
  });

  test('undo changes no lock of an older version, and locks the versions that it creates', async () => {
    const bench = await openMirrorBench();
    const { store, bucket } = bench;
    const lock: LockRequest = {
      retention: { mode: 'COMPLIANCE', retainUntil: Date.now() + DAY_MS },
    };
    write(bench, { a: 'one' });
    await (await bench.open({ lock: { mode: 'COMPLIANCE', days: 1, refreshDays: 1 } })).settled();
    write(bench, { a: 'encrypted' });
    await (await bench.open({ lock: { mode: 'COMPLIANCE', days: 1, refreshDays: 1 } })).settled();
    expect(await undo(bench, { path: 'a', lockFor: async () => lock })).toMatchObject({
      copied: 1,
    });
    const { info } = await store.headObject({ bucket, key: 'a' });
    expect(info.retention).toEqual(lock.retention);
    expect((await bench.history('a')).slice(0, 3)).toEqual(['put one', 'put encrypted', 'put one']);
  });

  test('a job counts the version that an undo created as locked at once, not at its next check', async () => {
    const bench = await openMirrorBench();
    write(bench, { a: 'one', b: 'one' });
    const mirror = await bench.open({ lock: { mode: 'GOVERNANCE', days: 30, refreshDays: 7 } });
    await mirror.settled();
    rmSync(join(bench.root, 'a'));
    await mirror.settled();
    const isLocked = () => mirror.status().locks;
    await until(isLocked, (locks) => locks?.locked === 1);
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + 37 * DAY_MS } as const;
    await undo(bench, { path: 'a', lockFor: async () => ({ retention }) });
    await until(isLocked, (locks) => locks?.locked === 2 && locks.unlocked === 0);
    expect(await bench.history('a')).toEqual(['put one', 'marker', 'put one']);
  });

  test('undo sets the lock that the service dropped from its copy', async () => {
    const bench = await openMirrorBench();
    const { store, bucket } = bench;
    for (const content of ['one', 'two']) await bench.writeForeign('a', content);
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + DAY_MS } as const;
    const lockFor = async () => ({ retention });
    await undo(bench, { path: 'a', store: forgetfulStore(store), lockFor });
    const { info } = await store.headObject({ bucket, key: 'a' });
    expect(info.retention).toEqual(retention);
  });

  test('undo sends no conditions to a service that ignores them and checks the current version itself', async () => {
    const { bench } = await threeStates();
    const { store, bucket } = bench;
    const sent: unknown[] = [];
    const careless = overriding(store, {
      copyObject: ({ conditions, ...request }, options) => {
        sent.push(conditions);
        return store.copyObject(request, options);
      },
    });
    const mirror = await bench.open({ store: careless, isRemote: true });
    const { store: guarded } = await mirror.writes.destination(new AbortController().signal);
    sent.length = 0;
    const conditions = { ifMatch: 'another' };
    const versionId = (await store.headObject({ bucket, key: 'a' })).info.versionId ?? '';
    const copy = { bucket, key: 'a', source: { bucket, key: 'a', versionId }, conditions };
    await expect(guarded.copyObject(copy)).rejects.toMatchObject({ code: 'PreconditionFailed' });
    expect(sent).toEqual([]);
    await undo(bench, { path: 'a', store: guarded });
    expect(sent).toEqual([undefined]);
    expect((await bench.history('a')).slice(0, 4)).toEqual([
      'put one',
      'put two',
      'put three',
      'put two',
    ]);
  });

  test.each([
    ['a file that has only one version', { path: 'd/new', versionId: 'none' }, 'NoSuchVersion'],
    ['a path without versions', { path: 'nowhere' }, 'NoSuchVersion'],
    ['a time before the first version', { path: 'a', at: 1 }, 'NoSuchVersion'],
  ])('undo of %s fails with the expected error code', async (_, what, code) => {
    const bench = await openMirrorBench();
    await bench.writeForeign('a', 'one');
    await expect(rows(stepsOf(undoOptions(bench, what)))).rejects.toMatchObject({ code });
  });

  test.each([
    ['a file that has only one version', { path: 'd/new' }, 'it has no older version'],
    ['a version that does not exist', { path: 'a', versionId: 'none' }, 'it has no version none'],
    ['a folder without a time', { path: 'd' }, 'it is a folder, which needs a time'],
    ['a mistyped path', { path: 'nowhere' }, 'the bucket has no version of it'],
    [
      'a time before the first version',
      { path: 'a', at: 1 },
      'did not exist at that time; its first',
    ],
  ])('undo of %s fails with an error that says why', async (_, what, reason) => {
    const bench = await openMirrorBench();
    await bench.writeForeign('a', 'one');
    await bench.writeForeign('d/new', 'one');
    const planning = rows(stepsOf(undoOptions(bench, what)));
    await expect(planning).rejects.toThrow(reason);
  });

  test('undo fails in an unversioned bucket', async () => {
    const bench = await openMirrorBench({ versioned: false });
    await bench.writeForeign('a', 'one');
    const planning = rows(stepsOf(undoOptions(bench, { path: 'a' })));
    await expect(planning).rejects.toMatchObject({ code: 'NoVersions' });
  });

  test('undo copies a version above the size limit of a single copy by a multipart upload, and keeps its attributes', async () => {
    const { bench, mirror } = await threeStates();
    const { store, bucket } = bench;
    const limited = overriding(store, {
      copyObject: async () => {
        throw new StorageError('EntityTooLarge', 'the limit of one copy is 1 byte');
      },
    });
    const report = await undo(bench, { path: 'a', store: limited, maxOneCopyBytes: 1 });
    expect(report).toMatchObject({ copied: 1, files: 1, problemCount: 0 });
    expect(readFileSync(join(bench.root, 'a'), 'utf8')).toBe('two');
    expect(await store.listUploads({ bucket })).toMatchObject({ uploads: [] });
    const { info } = await store.headObject({ bucket, key: 'a' });
    expect(decodeAttributes(info.metadata)).toMatchObject({ kind: 'file', mode: 0o644 });
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ inSync: true, counts: { conflicts: 0 } });
  });

  test('a full sync round aborts the upload of a large copy after the undo has failed, and not before', async () => {
    const { bench, mirror } = await threeStates();
    const { store, bucket } = bench;
    const uploads = async () => (await store.listUploads({ bucket })).uploads.length;
    const copying = Promise.withResolvers<void>();
    const crash = Promise.withResolvers<never>();
    const crashing = overriding(store, {
      copyPart: async () => {
        copying.resolve();
        return crash.promise;
      },
      abortUpload: async () => {
        throw new Error('unreachable');
      },
    });
    const { recordCopy } = mirror.writes;
    const undone = undo(bench, { path: 'a', store: crashing, maxOneCopyBytes: 1, recordCopy });
    await copying.promise;
    await mirror.runNow();
    expect(await uploads()).toBe(1);
    crash.reject(new Error('unreachable'));
    await expect(undone).rejects.toThrow('unreachable');
    expect(await uploads()).toBe(1);
    await mirror.runNow();
    expect(await uploads()).toBe(0);
  });

  test('undo succeeds even if another client writes the object at the same time', async () => {
    const { bench } = await threeStates();
    const { store } = bench;
    let raced = false;
    const racing = overriding(store, {
      copyObject: async (request, options) => {
        if (!raced) await bench.writeForeign('a', 'in between');
        raced = true;
        return store.copyObject(request, options);
      },
    });
    await undo(bench, { path: 'a', store: racing });
    const history = await bench.history('a');
    expect(history.slice(-2)).toEqual(['put in between', 'put two']);
  });
});

async function* stepsOf(options: UndoOptions) {
  for await (const { key } of planUndo(options)) yield { path: key };
}
