/**
 * Tests of checking whether a path still exists in the folder, without following symbolic links.
 */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import {
  isFolderInside,
  isThere,
  hasReappeared,
  statsAt,
} from '../../../src/mirror/local/path-exists.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('the path check finds existing files and symbolic links, but no folders, missing entries or paths below a file', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/file'), '');
  symlinkSync('nowhere', join(root, 'd/link'));
  const keys = ['d/file', 'd/link', 'd/', 'd', 'd/gone', 'd/file/below', 'gone/file'];
  expect(keys.filter((key) => hasReappeared(root, key))).toEqual(['d/file', 'd/link']);
});

test('the path check finds no entry below a file that replaced a folder', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'd'), '');
  expect(statsAt(join(root, 'd'))?.isFile()).toBe(true);
  expect(statsAt(join(root, 'd/f'))).toBeUndefined();
  expect(isThere(root, 'd/f')).toBe(false);
  expect(isFolderInside(root, 'd/e')).toBe(false);
});

test('the path check does not find an entry whose path leads through a symbolic link', () => {
  const [root, elsewhere] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(elsewhere, 'e'));
  writeFileSync(join(elsewhere, 'e/f'), '');
  symlinkSync(elsewhere, join(root, 'd'));
  for (const key of ['d/e', 'd/e/f']) {
    expect(isThere(root, key)).toBe(false);
    expect(hasReappeared(root, key)).toBe(false);
    expect(isFolderInside(root, key)).toBe(false);
  }
  expect(isThere(root, 'd')).toBe(true);
});
