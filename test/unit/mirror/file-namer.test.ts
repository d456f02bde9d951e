/**
 * Tests that a restore syncs downloaded files to disk in groups before it gives them their final
 * names.
 */

import { expect, test } from 'vitest';

import { FileNamer } from '../../../src/restore/file-namer.ts';

const MIB = 1024 ** 2;

/**
 * Creates a file namer whose disk syncs are pending until the test ends them. `syncs` has the file
 * descriptor of each sync.
 */
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

test('a restore syncs the first restored file at once and later files when a group has 8 MiB', async () => {
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

test('a full group of restored files waits until the disk sync of the previous group ends', async () => {
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

test('a restore reports a failed disk sync only for the file that could not be synced', async () => {
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
