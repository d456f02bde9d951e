/** Tests of how a job reacts when other clients change its bucket, and when its root folder changes. */

import {
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { Mirror, MirrorStatus } from '../../src/mirror/mirror.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { treeAt } from '../../src/restore/compare-times.ts';
import { collect } from '../../src/object-store/body.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { until } from '../helpers/until.ts';

const DAY_MS = 24 * 3_600_000;

async function mirrored(
  files: Readonly<Record<string, string>>,
  options: { readonly versioned?: boolean; readonly clock?: Clock } = {},
) {
  const bench = await openMirrorBench(options);
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(bench.root, path)), { recursive: true });
    writeFileSync(join(bench.root, path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  const mirror = await bench.open();
  await mirror.settled();
  const remove = (path: string) => rmSync(join(bench.root, path), { recursive: true });
  const takeAway = (key: string) => bench.store.deleteObject({ bucket: bench.bucket, key });
  return { bench, mirror, put, remove, takeAway };
}

/** Waits until no change is pending. The events of files that are already backed up may arrive late. */
function quiet(mirror: Mirror): Promise<MirrorStatus> {
  return until(
    () => mirror.status(),
    ({ counts }) => counts.pending === 0,
  );
}

function many(count: number, folder = ''): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${folder}f${index}`, `content ${index}`]),
  );
}

describe('objects of other clients', () => {
  test("a job does not upload a new file over another client's object until that object is deleted", async () => {
    const bench = await openMirrorBench();
    await bench.writeForeign('f', 'theirs');
    await bench.writeForeign('g', 'theirs');
    await bench.writeForeign('same', 'same');
    for (const name of ['f', 'g', 'same']) writeFileSync(join(bench.root, name), name);
    let mirror = await bench.open();
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put theirs']);
    expect(mirror.status().counts).toMatchObject({ held: 2, conflicts: 2 });
    mirror = await bench.open();
    await mirror.settled();
    expect(mirror.status().counts).toMatchObject({ held: 2, conflicts: 2 });
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'f' });
    await mirror.runNow();
    expect(await bench.history('f')).toEqual(['put theirs', 'marker', 'put f']);
    expect(mirror.status().counts).toMatchObject({ held: 1 });
    rmSync(join(bench.root, 'g'));
    await mirror.settled();
    expect(await bench.history('g')).toEqual(['put theirs']);
    expect(await bench.history('same')).toEqual(['put same']);
    expect(mirror.status().counts).toMatchObject({ files: 2, held: 0, conflicts: 0 });
  });

  test('a job drops the conflict of a file when a folder replaces the file, and uploads the content of the folder', async () => {
    const bench = await openMirrorBench();
    await bench.writeForeign('f', 'theirs');
    writeFileSync(join(bench.root, 'f'), 'ours');
    const mirror = await bench.open();
    await mirror.settled();
    expect(mirror.status().counts).toMatchObject({ held: 1 });
    rmSync(join(bench.root, 'f'));
    mkdirSync(join(bench.root, 'f'));
    writeFileSync(join(bench.root, 'f/inside'), 'ours');
    await mirror.settled();
    expect(mirror.status().counts).toMatchObject({ held: 0, conflicts: 0 });
    expect(await bench.heads()).toEqual({ f: 'theirs', 'f/inside': 'ours' });
  });

  test('a job reports an object that another client changed as drifted until it equals the file again', async () => {
    const { bench, mirror } = await mirrored({ f: 'ours', g: 'ours' });
    await bench.writeForeign('f', 'theirs');
    await mirror.runNow();
    expect(await bench.history('f')).toEqual(['put ours', 'put theirs']);
    expect(mirror.status().counts).toMatchObject({ drifted: 1, conflicts: 0 });
    await bench.writeForeign('f', 'ours');
    await mirror.runNow();
    expect(mirror.status().counts).toMatchObject({ drifted: 0 });
  });

  test('a job keeps both versions if another client changed the object and the file changed too', async () => {
    const { bench, mirror, put } = await mirrored({ f: 'ours' });
    await bench.writeForeign('f', 'theirs');
    mirror.pause();
    put('f', 'edited');
    mirror.resume();
    await mirror.runNow();
    expect(await bench.history('f')).toEqual(['put ours', 'put theirs', 'put edited']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 1, held: 0 });
  });

  test('a job restores an object that another client deleted, but only once', async () => {
    const { bench, mirror, takeAway } = await mirrored({ f: 'ours', g: 'ours' });
    await takeAway('f');
    await mirror.runNow();
    expect(await bench.history('f')).toEqual(['put ours', 'marker', 'put ours']);
    expect(bench.activities.map(({ action }) => action)).toContain('copy');
    expect(mirror.status().counts).toMatchObject({ uploadedBytes: 8, uploadedVersions: 3 });
    await takeAway('f');
    await mirror.runNow();
    expect((await bench.history('f')).at(-1)).toBe('marker');
    expect(bench.activities.map(({ action }) => action)).toContain('contested');
  });

  test('a job keeps the object of a deleted file if another client changed the object', async () => {
    const { bench, mirror, remove } = await mirrored({ f: 'ours', g: 'ours' });
    await bench.writeForeign('f', 'theirs');
    remove('f');
    await mirror.runNow();
    expect(await bench.history('f')).toEqual(['put ours', 'put theirs']);
    expect(bench.activities.map(({ action }) => action)).toContain('delete skipped');
  });

  test('a job adds no second delete marker if another client has already deleted the object', async () => {
    const { bench, mirror, remove, takeAway } = await mirrored({ f: 'ours', g: 'ours' });
    mirror.pause();
    await takeAway('f');
    remove('f');
    mirror.resume();
    await mirror.runNow();
    expect(await bench.history('f')).toEqual(['put ours', 'marker']);
  });

  test('a job counts objects of other clients and never changes them', async () => {
    const { bench, mirror } = await mirrored({ f: 'ours' });
    await bench.writeForeign('theirs', 'theirs');
    await mirror.runNow();
    expect(await bench.history('theirs')).toEqual(['put theirs']);
    expect(mirror.status().counts).toMatchObject({ foreign: 1 });
  });
});

describe('a job with an unversioned bucket', () => {
  test('in an unversioned bucket, a job saves a copy of an object before it overwrites or deletes the object', async () => {
    const { bench, mirror, put, remove } = await mirrored(
      { mine: 'old', gone: 'old', drift: 'old', both: 'old' },
      { versioned: false },
    );
    await bench.writeForeign('drift', 'theirs');
    await bench.writeForeign('both', 'theirs');
    mirror.pause();
    put('mine', 'newer');
    put('both', 'edited');
    remove('gone');
    mirror.resume();
    await mirror.runNow();
    expect(await bench.heads()).toEqual({
      mine: 'newer',
      drift: 'theirs',
      both: 'edited',
    });
    expect(await saved(bench)).toEqual({ 'conflict/both': 'theirs', 'trash/gone': 'old' });
    expect(mirror.status().problems).toEqual([]);
    expect(mirror.status().counts).toMatchObject({ drifted: 1, conflicts: 1, held: 0 });
  });

  test('in an unversioned bucket, a job deletes saved objects after a month', async () => {
    const clock = new ShiftedClock();
    const { bench, mirror, put } = await mirrored({ 'd/f': 'ours' }, { versioned: false, clock });
    for (const round of ['one', 'two']) {
      await bench.writeForeign('d/f', `theirs ${round}`);
      mirror.pause();
      put('d/f', `edited ${round}`);
      mirror.resume();
      await mirror.runNow();
    }
    const kept = ['theirs one', 'theirs two'];
    expect((await savedObjects(bench)).map(({ content }) => content).sort()).toEqual(kept);
    await bench.writeForeign('.holdfast/trash/20200101/etag/old', 'old');
    await bench.writeForeign('.holdfast/trash/of mine', 'mine');
    const left = async () => (await savedObjects(bench)).map(({ content }) => content).sort();
    await mirror.runNow();
    // Both objects were saved just now, although the key of one contains an old date.
    expect(await left()).toEqual(['mine', 'old', ...kept]);
    clock.putForward(31 * DAY_MS);
    await mirror.runNow();
    expect(await left()).toEqual(['mine', ...kept]);
  });

  test('a job keeps saved objects if the local clock jumps a year ahead of the service', async () => {
    const { bench, mirror, remove } = await mirrored({ f: 'only copy' }, { versioned: false });
    remove('f');
    await mirror.settled();
    expect(await saved(bench)).toEqual({ 'trash/f': 'only copy' });
    const clock = new ShiftedClock();
    clock.putForward(365 * DAY_MS);
    const again = await bench.open({ clock });
    await again.settled();
    await again.runNow();
    expect(await saved(bench)).toEqual({ 'trash/f': 'only copy' });
  });

  test('in an unversioned bucket, a job keeps an object if the key of its saved copy would be too long', async () => {
    const long = 'long/'.repeat(199) + 'name';
    const { bench, mirror, remove } = await mirrored(
      { [long]: 'ours', f: 'f' },
      { versioned: false },
    );
    remove(long);
    await mirror.settled();
    expect(await bench.heads()).toMatchObject({ [long]: 'ours' });
    expect(mirror.status().problems).toMatchObject([{ code: 'unsupported-action' }]);
    expect(mirror.status().counts).toMatchObject({ held: 1 });
  });
});

async function savedObjects({ store, bucket }: MirrorBench) {
  const { objects } = await store.listObjects({ bucket, prefix: '.holdfast/' });
  const keys = objects.map(({ key }) => key).filter((key) => key !== '.holdfast/claim');
  return Promise.all(
    keys.map(async (key) => {
      const { body } = await store.getObject({ bucket, key });
      return { key, content: Buffer.from(await collect(body, 1024)).toString() };
    }),
  );
}

/** Returns the content of the saved objects by name, without the date and ETag in their keys. */
async function saved(bench: MirrorBench): Promise<Record<string, string>> {
  const found = await savedObjects(bench);
  const named = found.map(({ key, content }) => {
    const [, into, , , ...rest] = key.split('/');
    return [`${into}/${rest.join('/')}`, content] as const;
  });
  return Object.fromEntries(named);
}

describe('the mass-change guard', () => {
  test('a job deletes the objects of a deleted folder with a few files', async () => {
    const bench = await openMirrorBench();
    mkdirSync(join(bench.root, 'a'));
    for (const [path, content] of Object.entries({ ...many(30, 'a/'), ...many(20) }))
      writeFileSync(join(bench.root, path), content);
    const mirror = await bench.open();
    await mirror.settled();
    rmSync(join(bench.root, 'a'), { recursive: true });
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(mirror.status()).toMatchObject({ counts: { held: 0, deleted: 30 } });
  });

  test('a job holds all deletes of a mass delete for review, even if other files in the same folders change', async () => {
    const bench = await openMirrorBench();
    for (const folder of ['a', 'b']) {
      mkdirSync(join(bench.root, folder));
      for (const [path, content] of Object.entries(many(40, `${folder}/`)))
        writeFileSync(join(bench.root, path), content);
    }
    const mirror = await bench.open();
    await mirror.settled();
    const before = await bench.heads();
    mirror.pause();
    for (const path of Object.keys(before)) rmSync(join(bench.root, path));
    for (const path of ['a/new', 'b/new']) writeFileSync(join(bench.root, path), 'new');
    mirror.resume();
    await mirror.settled();
    const held = { ...before, 'a/new': 'new', 'b/new': 'new' };
    expect(await bench.heads()).toEqual(held);
    expect(await quiet(mirror)).toMatchObject({ state: 'held', counts: { held: 80 } });
    writeFileSync(join(bench.root, 'a/newer'), 'newer');
    await until(
      () => bench.heads(),
      (heads) => 'a/newer' in heads,
    );
    const status = await quiet(mirror);
    expect(await bench.heads()).toEqual({ ...held, 'a/newer': 'newer' });
    expect(status).toMatchObject({ state: 'held', counts: { held: 80, deleted: 0 } });
    expect(status.reason).toContain('80 deletes are held');
  });

  test('the status always reports the current number of deletes that are held for review', async () => {
    const { bench, mirror } = await heldDeletes();
    const expectHeld = async (count: number) => {
      const { reason, counts } = await until(
        async () => mirror.status(),
        (status) => status.counts.held === count,
      );
      expect([reason, counts.held, mirror.heldChanges.review({ limit: 1 })]).toMatchObject([
        expect.stringContaining(
          `${count} deletes are held: the limit of the job is 50 in 10 minutes;`,
        ),
        count,
        { total: count, reason },
      ]);
    };
    await expectHeld(80);
    for (const path of Object.keys(many(5, 'later/'))) rmSync(join(bench.root, path));
    await expectHeld(85);
    for (const path of Object.keys(many(5, 'later/'))) writeFileSync(join(bench.root, path), path);
    await expectHeld(80);
    mirror.heldChanges.approve();
    expect(mirror.status()).not.toHaveProperty('reason');
  });

  test('the status reports how many deletes were mirrored before further deletes were held, and a time before the first', async () => {
    const clock = new ShiftedClock();
    const bench = await openMirrorBench({ clock });
    const files = { ...many(30, 'first '), ...many(60, 'then '), stays: 'here' };
    for (const [path, content] of Object.entries(files))
      writeFileSync(join(bench.root, path), content);
    const mirror = await bench.open();
    await mirror.settled();
    clock.putForward(5_000);
    for (const path of Object.keys(many(30, 'first '))) rmSync(join(bench.root, path));
    await mirror.settled();
    expect(mirror.heldChanges.review({ limit: 1 })).not.toHaveProperty('passed');
    clock.putForward(5_000);
    for (const path of Object.keys(many(60, 'then '))) rmSync(join(bench.root, path));
    await mirror.settled();
    expect((await quiet(mirror)).reason).toContain(
      '60 deletes are held: the limit of the job is 50 in 10 minutes, and 30 were mirrored before;',
    );
    clock.putForward(11 * 60_000);
    await mirror.runNow();
    const { passed, total } = mirror.heldChanges.review({ limit: 1 });
    expect([total, passed?.deletes]).toEqual([60, 30]);
    const to = join(bench.home, 'whole');
    const { store, bucket } = bench;
    const at = passed?.before ?? 0;
    const logger = silentLogger;
    await restoreTree({ store, bucket, prefix: '', to, at, clock, logger });
    expect(readdirSync(to).sort()).toEqual(Object.keys(files).sort());
  });

  test('a job deletes exactly the objects whose deletes the user approved', async () => {
    const { bench, mirror } = await heldDeletes();
    expect(mirror.heldChanges.review({ limit: 2 })).toMatchObject({
      total: 80,
      next: expect.any(String),
    });
    const paths = mirror.heldChanges.review({ limit: 100 }).changes.map(({ path }) => path);
    expect(mirror.heldChanges.review({ after: paths[1] ?? '', limit: 1 })).toMatchObject({
      changes: [{ path: paths[2], change: 'delete' }],
    });
    mirror.pause();
    const { digest } = mirror.heldChanges.review({ limit: 1 });
    expect(() => mirror.heldChanges.approve('another')).toThrow('the digest does not match');
    expect(mirror.heldChanges.approve(digest)).toEqual({ deletes: 80, overwrites: 0, renames: 0 });
    for (const path of Object.keys(many(60, 'later/'))) rmSync(join(bench.root, path));
    mirror.resume();
    await mirror.settled();
    const heads = await bench.heads();
    expect(Object.keys(heads).filter((key) => key.startsWith('a/f'))).toEqual([]);
    expect(Object.keys(heads).filter((key) => key.startsWith('later/f'))).toHaveLength(60);
    expect(await quiet(mirror)).toMatchObject({ state: 'held', counts: { held: 60, deleted: 80 } });
    expect(mirror.heldChanges.approve()).toEqual({ deletes: 60, overwrites: 0, renames: 0 });
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(await quiet(mirror)).toMatchObject({ state: 'watching', counts: { held: 0 } });
  });

  test('a job keeps the objects of rejected deletes, and no longer backs up those paths', async () => {
    const { bench, mirror, before } = await heldDeletes();
    expect(mirror.heldChanges.reject()).toEqual({ deletes: 80, overwrites: 0, renames: 0 });
    await mirror.settled();
    expect(await bench.heads()).toEqual({ ...before, 'a/': '' });
    expect(await quiet(mirror)).toMatchObject({
      state: 'watching',
      counts: { held: 0, files: 60 },
    });
    expect(mirror.heldChanges.review({ limit: 1 })).toMatchObject({ changes: [], total: 0 });
  });

  test('a job counts the files of rejected deletes until they exist again or their objects are deleted', async () => {
    const { bench, mirror, before } = await heldDeletes();
    mirror.heldChanges.reject();
    await mirror.settled();
    const rejected = { rejectedOverwrites: 0, rejectedDeletes: 80 };
    expect(mirror.status()).toMatchObject({ brake: rejected, counts: { foreign: 0 } });
    await mirror.close();
    const again = await bench.open();
    await again.runNow();
    expect(again.status()).toMatchObject({ brake: rejected, counts: { foreign: 0 } });
    writeFileSync(join(bench.root, 'a/f0'), before['a/f0'] ?? '');
    writeFileSync(join(bench.root, 'a/f1'), 'other content');
    await again.settled();
    expect(again.status()).toMatchObject({ brake: { rejectedDeletes: 78 } });
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'a/f2' });
    await again.runNow();
    expect(again.status()).toMatchObject({ brake: { rejectedDeletes: 77 } });
    for (const [path, content] of Object.entries(before))
      writeFileSync(join(bench.root, path), content);
    await again.settled();
    expect(again.status()).not.toHaveProperty('brake');
  });

  test('a job sends no content for a file that returns unchanged after its delete was rejected', async () => {
    const { bench, mirror, before } = await heldDeletes();
    mirror.heldChanges.reject();
    await mirror.settled();
    const sent: string[] = [];
    const { store } = bench;
    const { bulkWriter } = store;
    const putObject = store.putObject.bind(store);
    vi.spyOn(store, 'putObject').mockImplementation((request, options) => {
      sent.push(request.key);
      return putObject(request, options);
    });
    const putObjects = bulkWriter?.putObjects.bind(bulkWriter);
    if (bulkWriter && putObjects)
      vi.spyOn(bulkWriter, 'putObjects').mockImplementation((request, options) => {
        sent.push(...request.objects.map(({ key }) => key));
        return putObjects(request, options);
      });
    for (const [path, content] of Object.entries(before))
      writeFileSync(join(bench.root, path), content);
    await mirror.settled();
    expect(await quiet(mirror)).toMatchObject({ counts: { files: 140 } });
    expect(sent.filter((key) => key.startsWith('a/'))).toEqual([]);
  });

  test('a job keeps the object of a rejected delete if a folder now has the name of the file', async () => {
    const { bench, mirror, before } = await heldDeletes();
    mkdirSync(join(bench.root, 'a/f0'));
    writeFileSync(join(bench.root, 'a/f0/new'), 'new');
    await mirror.settled();
    mirror.heldChanges.reject();
    await mirror.settled();
    expect(await bench.heads()).toEqual({ ...before, 'a/f0/new': 'new' });
    // The job deleted only the marker object of the folder, because the folder is no longer empty.
    expect(await quiet(mirror)).toMatchObject({ state: 'watching', counts: { deleted: 1 } });
  });

  test('a held delete is dropped when its file is created again, and other deletes stay held', async () => {
    const { bench, mirror, before } = await heldDeletes();
    const held = mirror.heldChanges.review({ limit: 100 }).changes.map(({ path }) => path);
    const bringBack = (path: string) => writeFileSync(join(bench.root, path), before[path] ?? '');
    held.slice(0, 40).forEach(bringBack);
    await mirror.settled();
    expect(await quiet(mirror)).toMatchObject({ state: 'held' });
    const { changes } = mirror.heldChanges.review({ limit: 100 });
    expect(changes.map(({ path }) => path)).toEqual(held.slice(40));
    held.slice(40).forEach(bringBack);
    await mirror.settled();
    expect(await quiet(mirror)).toMatchObject({ state: 'watching' });
    expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(0);
    expect(mirror.heldChanges.approve()).toEqual({ deletes: 0, overwrites: 0, renames: 0 });
  });

  test('the mass-change guard does not count the files of a renamed folder as deletes', async () => {
    const bench = await openMirrorBench();
    mkdirSync(join(bench.root, 'a'));
    for (const [path, content] of Object.entries(many(80, 'a/')))
      writeFileSync(join(bench.root, path), content);
    const mirror = await bench.open();
    await mirror.settled();
    renameSync(join(bench.root, 'a'), join(bench.root, 'b'));
    await mirror.settled();
    rmSync(join(bench.root, 'b/f0'));
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(mirror.status()).toMatchObject({ counts: { held: 0 } });
  });
});

/** Returns a job that holds 80 deletes below `a` for review, with 60 more files below `later`. */
async function heldDeletes() {
  const bench = await openMirrorBench();
  for (const folder of ['a', 'later']) mkdirSync(join(bench.root, folder));
  // Each file has different content. A file whose content also exists elsewhere would count as renamed.
  for (const path of Object.keys({ ...many(80, 'a/'), ...many(60, 'later/') }))
    writeFileSync(join(bench.root, path), path);
  const mirror = await bench.open();
  await mirror.settled();
  const before = await bench.heads();
  mirror.pause();
  rmSync(join(bench.root, 'a'), { recursive: true });
  mkdirSync(join(bench.root, 'a'));
  mirror.resume();
  await mirror.settled();
  await quiet(mirror);
  return { bench, mirror, before };
}

describe('the root folder of a job', () => {
  test('a job deletes the object of the last file in its root folder', async () => {
    const { bench, mirror, remove } = await mirrored({ f: 'ours' });
    remove('f');
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put ours', 'marker']);
    expect(mirror.status().reason).toBeUndefined();
  });

  test('a job reports a root folder that loses more than ten files at once as missing, and deletes no object', async () => {
    const { bench, mirror, remove, put } = await mirrored(many(11));
    for (const path of Object.keys(many(11))) remove(path);
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ state: 'root missing' });
    expect(await bench.heads()).toEqual(many(11));
    put('f0', 'content 0');
    await mirror.settled();
    expect(await bench.heads()).toEqual({ f0: 'content 0' });
  });

  test('a job reports the time before the first delete if its root folder is emptied gradually and then counts as missing', async () => {
    const clock = new ShiftedClock();
    const { bench, mirror, remove } = await mirrored(many(20), { clock });
    clock.putForward(2_000);
    for (const path of ['f0', 'f1']) remove(path);
    await mirror.settled();
    for (const path of await bench.keys()) remove(path);
    await mirror.settled();
    const { state, passed } = mirror.status();
    expect({ state, deletes: passed?.deletes }).toEqual({ state: 'root missing', deletes: 2 });
    const destination = { store: bench.store, bucket: bench.bucket, prefix: '' };
    const before: string[] = [];
    for await (const { path } of treeAt(destination, passed?.before ?? 0)) before.push(path);
    expect(before).toHaveLength(20);
    mirror.acceptRoot();
    expect(mirror.status().passed).toBeUndefined();
  });

  test('a job deletes the objects of an emptied root folder after the user accepts it', async () => {
    const { bench, mirror, remove } = await mirrored(many(11));
    for (const path of Object.keys(many(11))) remove(path);
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ state: 'root missing' });
    mirror.acceptRoot();
    await mirror.settled();
    expect(await bench.heads()).toEqual({});
    expect(await quiet(mirror)).toMatchObject({ state: 'watching', counts: { deleted: 11 } });
  });

  test('a job backs up a different root folder after the user accepts it, and still applies the mass-change guard', async () => {
    const { bench, mirror } = await mirrored(many(60));
    renameSync(bench.root, join(bench.home, 'away'));
    await mirror.settled();
    expect(() => mirror.acceptRoot()).toThrow('the folder does not exist');
    mkdirSync(bench.root);
    writeFileSync(join(bench.root, 'x'), 'x');
    mirror.acceptRoot();
    await mirror.settled();
    expect(await bench.heads()).toEqual({ ...many(60), x: 'x' });
    expect(await quiet(mirror)).toMatchObject({ state: 'held', counts: { held: 60 } });
  });

  test('a job accepts a copy of its root folder, but not a folder with the same file names and other content', async () => {
    const { bench, mirror } = await mirrored({ 'd/f': 'ours', 'd/g': 'ours too', h: 'h' });
    mirror.pause();
    renameSync(bench.root, join(bench.home, 'before'));
    cpSync(join(bench.home, 'before'), bench.root, { recursive: true, preserveTimestamps: true });
    mirror.resume();
    await mirror.settled();
    expect(await quiet(mirror)).toMatchObject({ state: 'watching' });
    mirror.pause();
    renameSync(bench.root, join(bench.home, 'copy'));
    mkdirSync(join(bench.root, 'd'), { recursive: true });
    for (const path of ['d/x', 'h']) writeFileSync(join(bench.root, path), 'of another folder');
    mirror.resume();
    await until(
      () => mirror.status().state,
      (state) => state === 'root missing',
    );
    expect(await bench.heads()).toEqual({ 'd/f': 'ours', 'd/g': 'ours too', h: 'h' });
  });

  test('a job reports its root as missing if the root is a symbolic link with a new target, until the user accepts it', async () => {
    const bench = await openMirrorBench();
    const at = (name: string) => join(bench.home, name);
    for (const name of ['old', 'new']) {
      mkdirSync(at(name));
      writeFileSync(join(at(name), 'f'), `of the ${name === 'old' ? 'old' : 'other'} one`);
    }
    symlinkSync(at('old'), at('link'));
    const mirror = await bench.open({ root: at('link') });
    await mirror.settled();
    rmSync(at('link'));
    symlinkSync(at('new'), at('link'));
    await mirror.settled();
    await until(
      () => mirror.status().state,
      (state) => state === 'root missing',
    );
    expect(await bench.heads()).toEqual({ f: 'of the old one' });
    mirror.acceptRoot();
    await mirror.settled();
    expect(await bench.heads()).toEqual({ f: 'of the other one' });
  });

  test('a job rebuilds its lost state from the bucket without uploads or deletes', async () => {
    const { bench, mirror, remove } = await mirrored({ f: 'ours', g: 'ours too' });
    await mirror.close();
    rmSync(join(bench.home, 'state'), { recursive: true });
    remove('g');
    const again = await bench.open();
    await again.settled();
    expect(await bench.heads()).toEqual({ f: 'ours', g: 'ours too' });
    expect(await quiet(again)).toMatchObject({
      counts: { files: 1, foreign: 1, uploadedVersions: 0, deleted: 0 },
    });
  });

  test.each<[string, (root: string) => void]>([
    ['gone', () => undefined],
    ['replaced by an empty folder', (root) => mkdirSync(root)],
    [
      'replaced by another folder',
      (root) => {
        mkdirSync(root);
        writeFileSync(join(root, 'x'), 'x');
      },
    ],
    ['replaced by a file', (root) => writeFileSync(root, 'x')],
  ])('a job whose root folder is %s stops until the folder is back', async (_what, replace) => {
    const { bench, mirror } = await mirrored({ f: 'ours', g: 'ours' });
    const away = join(bench.home, 'away');
    renameSync(bench.root, away);
    replace(bench.root);
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ state: 'root missing', inSync: false });
    expect(await bench.heads()).toEqual({ f: 'ours', g: 'ours' });
    rmSync(bench.root, { recursive: true, force: true });
    renameSync(away, bench.root);
    writeFileSync(join(bench.root, 'f'), 'later');
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put ours', 'put later']);
    expect(await bench.heads()).toEqual(bench.tree());
  });
});

test('a job stores names that differ only in case or Unicode normalization as separate objects', async () => {
  const names = ['Read.me', 'read.me', 'caf\u00e9', 'cafe\u0301'];
  const { bench, mirror } = await mirrored(Object.fromEntries(names.map((name) => [name, name])));
  expect(Object.keys(bench.tree())).toHaveLength(4);
  expect((await bench.store.listObjects({ bucket: bench.bucket })).objects).toHaveLength(5);
  expect(mirror.status().problems).toEqual([]);
});

test('a job saves objects before deleting them once a listing shows that versioning was suspended', async () => {
  const bench = await openMirrorBench({ versioned: false });
  const { bucket } = bench;
  await bench.store.putVersioning({ bucket, versioning: 'Enabled' });
  const mirror = await bench.open();
  await mirror.settled();
  await bench.store.putVersioning({ bucket, versioning: 'Suspended' });
  await mirror.runNow();
  writeFileSync(join(bench.root, 'f'), 'content');
  await mirror.settled();
  rmSync(join(bench.root, 'f'));
  await mirror.settled();
  expect(Object.values(await bench.heads('.holdfast/trash/'))).toEqual(['content']);
});
