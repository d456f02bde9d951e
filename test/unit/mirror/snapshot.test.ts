/** Tests of snapshots (local copies) of files that change continuously. */

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
  writeSync,
  openSync,
  closeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { takeSnapshot } from '../../../src/mirror/local/snapshot.ts';
import { collect } from '../../../src/object-store/body.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const MIB = 1024 * 1024;

function file(content: Buffer) {
  const home = temporaryFolder();
  const path = join(home, 'f');
  const folder = join(home, 'snapshots');
  writeFileSync(path, content);
  return { path, folder };
}

/** Takes a snapshot of the file and calls `change` while the file is copied. */
async function taken(path: string, folder: string, change: () => void) {
  const taking = takeSnapshot({ root: dirname(path), path: basename(path) }, folder);
  change();
  const snapshot = await taking;
  if (!snapshot) throw new Error('nothing was taken');
  const content = Buffer.from(await collect(snapshot.body.open(), 64 * MIB));
  return { ...snapshot, content };
}

test('a job takes a consistent snapshot of the first bytes of a file that only grows', async () => {
  const { path, folder } = file(Buffer.alloc(3 * MIB, 'a'));
  const { content, isConsistent } = await taken(path, folder, () => appendFileSync(path, 'more'));
  expect(isConsistent).toBe(true);
  expect(content.equals(Buffer.alloc(3 * MIB, 'a'))).toBe(true);
});

test('a job marks a snapshot as inconsistent if the file is overwritten while it is read', async () => {
  const { path, folder } = file(Buffer.alloc(3 * MIB, 'a'));
  const descriptor = openSync(path, 'r+');
  let writes = 0;
  let spin: NodeJS.Immediate | undefined;
  const writeOver = () => {
    writeSync(descriptor, `${writes++}`, 0);
    spin = setImmediate(writeOver);
  };
  const { content, isConsistent } = await taken(path, folder, writeOver);
  clearImmediate(spin);
  closeSync(descriptor);
  expect([content.byteLength, isConsistent]).toEqual([3 * MIB, false]);
});

test('a job marks the snapshot of a file that shrinks as inconsistent and copies at most its previous size', async () => {
  const { path, folder } = file(Buffer.alloc(3 * MIB, 'a'));
  const { content, isConsistent } = await taken(path, folder, () => writeFileSync(path, 'short'));
  expect(content.byteLength).toBeLessThanOrEqual(3 * MIB);
  expect(isConsistent).toBe(false);
});

test('a job keeps a large snapshot in a file until it is released', async () => {
  const { path, folder } = file(Buffer.alloc(9 * MIB, 'a'));
  const { content, release } = await taken(path, folder, () => undefined);
  expect([content.byteLength, readdirSync(folder).length]).toEqual([9 * MIB, 1]);
  release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a job does not take a snapshot of a folder', async () => {
  const { path, folder } = file(Buffer.from(''));
  mkdirSync(`${path}.d`);
  expect(
    await takeSnapshot({ root: dirname(path), path: `${basename(path)}.d` }, folder),
  ).toBeUndefined();
});
