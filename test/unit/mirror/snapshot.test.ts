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

/** Has `change` happen while the file is copied: between its two readings, or in the first. */
async function taken(path: string, folder: string, change: () => void) {
  const taking = takeSnapshot({ root: dirname(path), path: basename(path) }, folder);
  change();
  const snapshot = await taking;
  if (!snapshot) throw new Error('nothing was taken');
  const content = Buffer.from(await collect(snapshot.body.open(), 64 * MIB));
  return { ...snapshot, content };
}

test('a file that only grew is its first bytes', async () => {
  const { path, folder } = file(Buffer.alloc(3 * MIB, 'a'));
  const { content, isConsistent } = await taken(path, folder, () => appendFileSync(path, 'more'));
  expect(isConsistent).toBe(true);
  expect(content.equals(Buffer.alloc(3 * MIB, 'a'))).toBe(true);
});

test('a file that is written over all the while is as it was read, and says so', async () => {
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

test('a file that shrank is what was left of it', async () => {
  const { path, folder } = file(Buffer.alloc(3 * MIB, 'a'));
  const { content, isConsistent } = await taken(path, folder, () => writeFileSync(path, 'short'));
  expect(content.byteLength).toBeLessThanOrEqual(3 * MIB);
  expect(isConsistent).toBe(false);
});

test('a large one is held beside until it is let go', async () => {
  const { path, folder } = file(Buffer.alloc(9 * MIB, 'a'));
  const { content, release } = await taken(path, folder, () => undefined);
  expect([content.byteLength, readdirSync(folder).length]).toEqual([9 * MIB, 1]);
  release();
  expect(readdirSync(folder)).toEqual([]);
});

test('what is no file is nothing', async () => {
  const { path, folder } = file(Buffer.from(''));
  mkdirSync(`${path}.d`);
  expect(
    await takeSnapshot({ root: dirname(path), path: `${basename(path)}.d` }, folder),
  ).toBeUndefined();
});
