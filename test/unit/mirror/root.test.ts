import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { compareRoot, identifyRoot, type RootIdentity } from '../../../src/mirror/local/root.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** Eleven files in the baseline, more than the mass-change guard accepts as deleted at once. */
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

test('recognizes the root folder by its identity after files in it are added or removed', () => {
  const folder = folderWith('a', 'b');
  const known = identify(folder);
  rmSync(join(folder, 'a'));
  rmSync(join(folder, 'b'));
  writeFileSync(join(folder, 'c'), '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toBe('same');
});

test('accepts an empty root folder that stays empty or receives files', () => {
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
  'classifies an empty root folder with %d files in the baseline as %s if its identity is unchanged',
  (files, expected) => {
    const folder = folderWith('a', 'b');
    const known = identify(folder);
    for (const name of ['a', 'b']) rmSync(join(folder, name));
    const comparison = compareRoot(known, identifyRoot(folder), { ...MANY, files });
    expect(comparison === 'same' ? comparison : comparison.kind).toBe(expected);
  },
);

test('a root folder with equal names on the same disk is different if it does not contain the files of the baseline', () => {
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

test('an empty root folder with another inode is reported as empty, even if the baseline has only one file', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  expect(compareRoot(known, identifyRoot(folder), { ...MANY, files: 1 })).toMatchObject({
    kind: 'empty',
  });
});

test('accepts the first root folder of a job unless it is missing', () => {
  const folder = folderWith('a');
  expect(compareRoot(undefined, identify(folder), MANY)).toBe('same');
  expect(compareRoot(undefined, undefined, MANY)).toMatchObject({ kind: 'missing' });
});

test('a root folder is missing if it was removed or replaced by a file', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'missing' });
  writeFileSync(folder, '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'missing' });
});

test('an unmounted root folder whose mount point is empty is reported as empty', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-unmounted`);
  mkdirSync(folder);
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'empty' });
});

test('another folder at the path of the root folder is reported as different', () => {
  const folder = folderWith('a', 'b', 'c');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'x'), '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'different' });
});

test.each<[string, Partial<RootIdentity>, Partial<RootIdentity>, string]>([
  ['another device number after a reboot', { dev: 1 }, { dev: 2 }, 'same'],
  ['another inode after a copy to a new disk', { ino: 1 }, { ino: 2 }, 'same'],
  [
    'another device number and other names',
    { dev: 1, sample: ['a', 'b'] },
    { dev: 2, sample: ['x', 'b2'] },
    'different',
  ],
  ['another UUID with the same names', { fileSystemId: 'u' }, { fileSystemId: 'v' }, 'different'],
  [
    'the same UUID and inode behind another device number',
    { fileSystemId: 'u', dev: 1, sample: ['a'] },
    { fileSystemId: 'u', dev: 2, sample: ['b'] },
    'same',
  ],
])('a root folder with %s: %o → %o is %s', (_what, before, after, expected) => {
  const identity: RootIdentity = { dev: 5, ino: 6, sample: ['a', 'b', 'c'] };
  const comparison = compareRoot({ ...identity, ...before }, { ...identity, ...after }, MANY);
  expect(comparison === 'same' ? comparison : comparison.kind).toBe(expected);
});
