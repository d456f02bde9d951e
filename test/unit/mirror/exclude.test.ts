/** Tests of exclude patterns and protected folders. */

import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function excluder(patterns: readonly string[]) {
  return createExcluder({ root: temporaryFolder(), patterns, protectedFolders: [] });
}

describe('exclude patterns', () => {
  test.each([
    ['*.log', 'a/b.log', false, true],
    ['*.log', 'a/b.LOG', false, false],
    ['/build', 'build', true, true],
    ['/build', 'src/build', true, false],
    ['node_modules/', 'web/node_modules', true, true],
    ['node_modules/', 'web/node_modules', false, false],
    ['**/cache/*.bin', 'a/b/cache/x.bin', false, true],
    ['# comment', '# comment', false, false],
    ['sp ace?.txt', 'sp ace1.txt', false, true],
  ])('pattern %s on %s (folder: %s) excludes: %s', (pattern, path, isDirectory, excluded) => {
    expect(excluder([pattern]).excludes(path, isDirectory)).toBe(excluded);
  });

  test('a later negated pattern includes a file that an earlier pattern excludes', () => {
    const { excludes } = excluder(['*.log', '!keep.log']);
    expect([excludes('a.log', false), excludes('keep.log', false)]).toEqual([true, false]);
  });

  test('applies exclude patterns correctly to 20,000 paths, more than the cache can contain', () => {
    const { excludes } = excluder(['*.log']);
    const wrong = Array.from({ length: 10_000 }, (_, index) => index).filter(
      (index) => excludes(`${index}.log`, false) === excludes(`${index}.txt`, false),
    );
    expect(wrong).toEqual([]);
  });
});

describe('protected folders', () => {
  test('recognizes a protected folder by device and inode, whichever path leads to it', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'home/store'), { recursive: true });
    symlinkSync(join(root, 'home'), join(root, 'link'));
    const { protects } = createExcluder({
      root,
      patterns: ['!home'],
      protectedFolders: [join(root, 'link')],
    });
    expect(protects(lstatSync(join(root, 'home')))).toBe(true);
    expect(protects(lstatSync(join(root, 'home/store')))).toBe(false);
  });

  test('refuses to back up a folder inside a protected folder', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'store/blobs'), { recursive: true });
    const inside = { root: join(root, 'store/blobs'), patterns: [], protectedFolders: [root] };
    expect(() => createExcluder(inside)).toThrow(
      expect.objectContaining({ code: 'RootProtected' }),
    );
  });

  test('refuses a protected folder that does not exist, because it could not be recognized later', () => {
    const root = temporaryFolder();
    const missing = { root, patterns: [], protectedFolders: [join(root, 'none')] };
    expect(() => createExcluder(missing)).toThrow(
      expect.objectContaining({ code: 'FolderMissing' }),
    );
  });
});
