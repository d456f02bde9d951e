/** Tests of the groups in which restored files get their names. */

import { expect, test } from 'vitest';

import { FileNamer } from '../../../src/restore/file-namer.ts';

const MIB = 1024 ** 2;

/** A namer whose syncs end when the test ends them, and the descriptors of each sync. */
function slowNamer() {
  const syncs: {
    readonly descriptor: number;
    readonly end: () => void;
    readonly fail: () => void;
  }[] = [];
  const named: number[] = [];
  const failed: number[] = [];
  const namer = new FileNamer((descriptor) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    syncs.push({ descriptor, end: resolve, fail: () => reject(new Error('the disk failed')) });
    return promise;
  });
  const add = (descriptor: number, sizeBytes = 1) =>
    namer.add({
      descriptor,
      sizeBytes,
      settle: (failure) => (failure === undefined ? named : failed).push(descriptor),
    });
  return { namer, add, syncs, named, failed };
}

test('the first file is synced at once, and later ones when their bytes make a group', async () => {
  const { namer, add, syncs, named } = slowNamer();
  add(1);
  expect(syncs.map(({ descriptor }) => descriptor)).toEqual([1]);
  syncs[0]?.end();
  await expect.poll(() => named).toEqual([1]);
  add(2, 8 * MIB - 1);
  expect(syncs).toHaveLength(1);
  add(3);
  expect(syncs.map(({ descriptor }) => descriptor)).toEqual([1, 2, 3]);
  for (const { end } of syncs) end();
  await namer.finish();
  expect(named).toEqual([1, 2, 3]);
});

test('a full group waits for the group that is synced', async () => {
  const { namer, add, syncs, named } = slowNamer();
  add(1);
  add(2, 8 * MIB);
  expect(namer.hasRoom).toBe(false);
  const room = namer.waitForRoom();
  syncs[0]?.end();
  await room;
  expect(namer.hasRoom).toBe(true);
  expect(named).toEqual([1]);
  syncs[1]?.end();
  await namer.finish();
  expect(named).toEqual([1, 2]);
});

test('a failed sync fails its own file only', async () => {
  const { namer, add, syncs, named, failed } = slowNamer();
  add(1);
  syncs[0]?.end();
  await expect.poll(() => named).toEqual([1]);
  add(2);
  add(3);
  const finished = namer.finish();
  syncs[1]?.fail();
  syncs[2]?.end();
  await finished;
  expect({ named, failed }).toEqual({ named: [1, 3], failed: [2] });
});
