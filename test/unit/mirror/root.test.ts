import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { compareRoot, identifyRoot, type RootIdentity } from '../../../src/mirror/local/root.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/**
 * Eleven files in the last synced state, one more than the mass-change guard lets a job delete at
 * once.
 */
const MANY = { files: 11, holdsFiles: () => true };

function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(temporaryFolder(), 'root-'));
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
}

function identify(folder: string): RootIdentity {
  const identity = identifyRoot(folder);
  if (!identity) throw new Error(`${folder} is missing`);
  return identity;
}

test('a job recognizes its root folder after files in the folder were added or removed', () => {
  const folder = folderWith('a', 'b');
  const known = identify(folder);
  rmSync(join(folder, 'a'));
  rmSync(join(folder, 'b'));
  writeFileSync(join(folder, 'c'), '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toBe('same');
});

test('a job accepts a root folder that was empty before, whether it stays empty or receives files', () => {
  const folder = folderWith();
  const known = identify(folder);
  expect(compareRoot(known, identifyRoot(folder), MANY)).toBe('same');
  writeFileSync(join(folder, 'a'), '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toBe('same');
});

test.each([
  [10, 'same'],
  [11, 'empty'],
])(
  'a job reports an emptied root folder with %d backed-up files as %s if its inode is unchanged',
  (files, expected) => {
    const folder = folderWith('a', 'b');
    const known = identify(folder);
    for (const name of ['a', 'b']) rmSync(join(folder, name));
    const comparison = compareRoot(known, identifyRoot(folder), { ...MANY, files });
    expect(comparison === 'same' ? comparison : comparison.kind).toBe(expected);
  },
);

test('a job reports another folder with the same file names on the same disk as different', () => {
  const folder = folderWith('a', 'b');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), 'other');
  const now = identify(folder);
  expect(compareRoot(known, now, MANY)).toBe('same');
  const holdsFiles = () => false;
  expect(compareRoot(known, now, { ...MANY, holdsFiles })).toMatchObject({ kind: 'different' });
});

test('a job reports an empty root folder with a new inode as empty, even if only one file was backed up', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  expect(compareRoot(known, identifyRoot(folder), { ...MANY, files: 1 })).toMatchObject({
    kind: 'empty',
  });
});

test('a job accepts the first root folder of a job unless the folder is missing', () => {
  const folder = folderWith('a');
  expect(compareRoot(undefined, identify(folder), MANY)).toBe('same');
  expect(compareRoot(undefined, undefined, MANY)).toMatchObject({ kind: 'missing' });
});

test('a job reports a root folder as missing if it was removed or replaced by a file', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'missing' });
  writeFileSync(folder, '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'missing' });
});

test('a job reports the empty mount point of an unmounted root folder as empty', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-unmounted`);
  mkdirSync(folder);
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'empty' });
});

test('a job reports another folder at the path of the root folder as different', () => {
  const folder = folderWith('a', 'b', 'c');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'x'), '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'different' });
});

test.each<[string, Partial<RootIdentity>, Partial<RootIdentity>, string]>([
  ['another device number, as after a reboot', { dev: 1 }, { dev: 2 }, 'same'],
  ['another inode, as after a copy to a new disk', { ino: 1 }, { ino: 2 }, 'same'],
  [
    'another device number and other names',
    { dev: 1, sample: ['a', 'b'] },
    { dev: 2, sample: ['x', 'b2'] },
    'different',
  ],
  [
    'another file system UUID with the same names',
    { fileSystemId: 'u' },
    { fileSystemId: 'v' },
    'different',
  ],
  [
    'the same file system UUID and inode under another device number',
    { fileSystemId: 'u', dev: 1, sample: ['a'] },
    { fileSystemId: 'u', dev: 2, sample: ['b'] },
    'same',
  ],
])('a job reports a root folder with %s (%o → %o) as %s', (_what, before, after, expected) => {
  const identity: RootIdentity = { dev: 5, ino: 6, sample: ['a', 'b', 'c'] };
  const comparison = compareRoot({ ...identity, ...before }, { ...identity, ...after }, MANY);
  expect(comparison === 'same' ? comparison : comparison.kind).toBe(expected);
});
