import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { compareRoot, identifyRoot, type RootIdentity } from '../../../src/mirror/local/root.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** More files in the baseline than the guard accepts as deleted at once. */
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

test('identifies a folder by its root, whatever is added, changed or removed in it', () => {
  const folder = folderWith('a', 'b');
  const known = identify(folder);
  rmSync(join(folder, 'a'));
  rmSync(join(folder, 'b'));
  writeFileSync(join(folder, 'c'), '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toBe('same');
});

test('accepts that an empty folder stays empty or receives files', () => {
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
  'classifies an empty folder with the same identity and %d files in the baseline as %s',
  (files, expected) => {
    const folder = folderWith('a', 'b');
    const known = identify(folder);
    for (const name of ['a', 'b']) rmSync(join(folder, name));
    const comparison = compareRoot(known, identifyRoot(folder), { ...MANY, files });
    expect(comparison === 'same' ? comparison : comparison.kind).toBe(expected);
  },
);

test('treats a folder with the same names on the same disk as different if its files are different', () => {
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

test('treats an empty folder with another inode as empty, even if it held few files', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  expect(compareRoot(known, identifyRoot(folder), { ...MANY, files: 1 })).toMatchObject({
    kind: 'empty',
  });
});

test('accepts the first root that it sees, unless the root is missing', () => {
  const folder = folderWith('a');
  expect(compareRoot(undefined, identify(folder), MANY)).toBe('same');
  expect(compareRoot(undefined, undefined, MANY)).toMatchObject({ kind: 'missing' });
});

test('treats a removed folder, or a file at its path, as missing', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'missing' });
  writeFileSync(folder, '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'missing' });
});

test('treats an empty mount point as empty', () => {
  const folder = folderWith('a');
  const known = identify(folder);
  renameSync(folder, `${folder}-unmounted`);
  mkdirSync(folder);
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'empty' });
});

test('treats another folder at the same path as different', () => {
  const folder = folderWith('a', 'b', 'c');
  const known = identify(folder);
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'x'), '');
  expect(compareRoot(known, identifyRoot(folder), MANY)).toMatchObject({ kind: 'different' });
});

test.each<[string, Partial<RootIdentity>, Partial<RootIdentity>, string]>([
  ['another device number after a boot', { dev: 1 }, { dev: 2 }, 'same'],
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
])('compares a root with %s: %o → %o is %s', (_what, before, after, expected) => {
  const identity: RootIdentity = { dev: 5, ino: 6, sample: ['a', 'b', 'c'] };
  const comparison = compareRoot({ ...identity, ...before }, { ...identity, ...after }, MANY);
  expect(comparison === 'same' ? comparison : comparison.kind).toBe(expected);
});
