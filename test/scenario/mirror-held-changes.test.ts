/** Tests that a change held for review stays held until the user decides, whatever the job does in the meantime. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { ListedObject } from '../../src/object-store/listing.ts';
import { ATTACKS, filesBelow, fillFolder } from '../helpers/attacks.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';

const OTHER = { etag: 'other' };
/**
 * A time in milliseconds that is longer than the window in which the mass-change guard counts deletes.
 */
const WINDOW_OVER_MS = 11 * 60_000;

/**
 * Deletes first 24 and then 36 of 90 files. The job holds the 36 deletes for review, because the total exceeds the
 * limit.
 */
async function heldRemainder() {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ clock });
  const paths = Array.from({ length: 90 }, (_, index) => `d/${index}`);
  mkdirSync(join(bench.root, 'd'));
  for (const path of paths) writeFileSync(join(bench.root, path), `content of ${path}`);
  const mirror = await bench.open();
  await mirror.settled();
  for (const path of paths.slice(0, 24)) rmSync(join(bench.root, path));
  await mirror.settled();
  const held = paths.slice(24, 60);
  for (const path of held) rmSync(join(bench.root, path));
  await mirror.settled();
  expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(36);
  return { bench, clock, mirror, held, kept: paths.slice(24).sort() };
}

test('deletes stay held for review in a full sync round after the counting window of the guard has passed', async () => {
  const { bench, clock, mirror, kept } = await heldRemainder();
  clock.putForward(WINDOW_OVER_MS);
  await mirror.runNow();
  expect(await bench.keys()).toEqual(kept);
  expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(36);
});

test('a job holds deletes of the only remaining copies of files whose deletes are already held for review', async () => {
  const { bench, mirror, held } = await heldRemainder();
  const copies = held.map((path) => path.replace('d/', 'copy of '));
  for (const [index, copy] of copies.entries())
    writeFileSync(join(bench.root, copy), `content of ${held[index]}`);
  await mirror.settled();
  for (const copy of copies) rmSync(join(bench.root, copy));
  await mirror.settled();
  expect(await bench.keys()).toEqual(expect.arrayContaining(copies));
  expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(72);
});

test('a job backs up a file without a conflict if it was created again just before the user rejected its delete', async () => {
  const { bench, mirror, held } = await heldRemainder();
  const [first = ''] = held;
  mirror.pause();
  writeFileSync(join(bench.root, first), 'again');
  expect(mirror.heldChanges.reject().deletes).toBe(35);
  mirror.resume();
  await mirror.settled();
  expect(await bench.history(first)).toEqual([`put content of ${first}`, 'put again']);
  expect(mirror.status().counts).toMatchObject({ conflicts: 0, held: 0 });
});

test('a job cancels the held delete of an empty folder that is created again', async () => {
  const bench = await openMirrorBench();
  const folders = Array.from({ length: 60 }, (_, index) => join(bench.root, `${index}`));
  for (const folder of folders) mkdirSync(folder);
  const mirror = await bench.open();
  await mirror.settled();
  writeFileSync(join(bench.root, 'stays'), 'stays');
  for (const folder of folders) rmSync(folder, { recursive: true });
  await mirror.settled();
  expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(60);
  for (const folder of folders.slice(0, 10)) mkdirSync(folder);
  await mirror.settled();
  expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(50);
});

test('a job refuses to forget an excluded folder with a delete that is held for review, and names the path', async () => {
  const { bench, mirror, held, kept } = await heldRemainder();
  await mirror.close();
  const again = await bench.open({ exclude: ['/d/'] });
  await again.settled();
  expect(() => again.locks.forget('d')).toThrow(
    `a change to ${held.toSorted()[0]} is held for review`,
  );
  await again.settled();
  expect(await bench.keys()).toEqual(kept);
});

test('an approved delete keeps an object that another client has changed in the meantime', async () => {
  const { bench, mirror, held, kept } = await heldRemainder();
  const [first = ''] = held;
  await bench.writeForeign(first, 'theirs');
  expect(mirror.heldChanges.approve(mirror.heldChanges.review({ limit: 1 }).digest).deletes).toBe(
    36,
  );
  await mirror.settled();
  const left = kept.filter((path) => path === first || !held.includes(path));
  expect(await bench.keys()).toEqual(left);
  expect(await bench.history(first)).toEqual([`put content of ${first}`, 'put theirs']);
});

test('the mass-change guard holds deletes even if the listing returns wrong ETags', async () => {
  const { bench, mirror, kept } = await heldRemainder();
  mirror.heldChanges.reject();
  await mirror.close();
  const store = overriding(bench.store, {
    listObjects: async (request, options) => {
      const page = await bench.store.listObjects(request, options);
      const asOther = (object: ListedObject): ListedObject => Object.assign({}, object, OTHER);
      return { ...page, objects: page.objects.map(asOther) };
    },
  });
  rmSync(join(bench.root, 'd'), { recursive: true });
  for (let file = 0; file < 60; file++) writeFileSync(join(bench.root, `${file}`), `new ${file}`);
  const again = await bench.open({ store });
  await again.settled();
  for (let file = 0; file < 60; file++) rmSync(join(bench.root, `${file}`));
  writeFileSync(join(bench.root, 'stays'), 'stays');
  await again.runNow();
  await again.settled();
  const heads = await bench.keys();
  expect(heads.filter((path) => /^\d+$/.test(path))).toHaveLength(60);
  expect(kept.filter((path) => !heads.includes(path))).toEqual([]);
});

test.each([
  ['versioned', true],
  ['unversioned', false],
])(
  "an approval of the current version overwrites another client's object in a bucket that is %s",
  async (_what, versioned) => {
    const bench = await openMirrorBench({ versioned });
    fillFolder(bench.root, 1);
    const mirror = await bench.open();
    await mirror.settled();
    for (const path of filesBelow(bench.root)) ATTACKS['in place'](path);
    await mirror.settled();
    const path = mirror.heldChanges.review({ limit: 1 }).changes[0]?.path ?? '';
    await bench.writeForeign(path, 'theirs');
    const approve = async () => {
      mirror.heldChanges.approve(mirror.heldChanges.review({ limit: 1 }).digest);
      await mirror.settled();
    };
    await approve();
    const again = mirror.heldChanges.review({ limit: 10 });
    expect(again.changes.map((change) => change.path)).toEqual([path]);
    // A sync round without a listing does not detect the other client's version.
    await mirror.settled();
    expect(mirror.heldChanges.review({ limit: 1 }).digest).toBe(again.digest);
    await approve();
    expect(mirror.heldChanges.review({ limit: 1 }).total).toBe(0);
    expect((await bench.heads())[path]).toBe(bench.tree()[path]);
    expect(mirror.status().counts.conflicts).toBe(1);
  },
);
