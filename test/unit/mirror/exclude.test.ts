/** Tests of exclude patterns and protected folders. */

import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createExcluder, explainExclusion } from '../../../src/mirror/local/exclude.ts';
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
  ])(
    'Holdfast decides whether pattern %s excludes %s (folder: %s): %s',
    (pattern, path, isDirectory, excluded) => {
      expect(excluder([pattern]).excludes(path, isDirectory)).toBe(excluded);
    },
  );

  test('Holdfast includes a file that an earlier pattern excludes if a later negated pattern matches it', () => {
    const { excludes } = excluder(['*.log', '!keep.log']);
    expect([excludes('a.log', false), excludes('keep.log', false)]).toEqual([true, false]);
  });

  test('Holdfast applies exclude patterns correctly to 20,000 paths, more than the cache can hold', () => {
    const { excludes } = excluder(['*.log']);
    const wrong = Array.from({ length: 10_000 }, (_, index) => index).filter(
      (index) => excludes(`${index}.log`, false) === excludes(`${index}.txt`, false),
    );
    expect(wrong).toEqual([]);
  });
});

/** Creates a folder with exclude rules. Call it inside a test, because it registers the cleanup. */
function folderWithRules() {
  const root = temporaryFolder();
  const files = {
    '.holdfastignore': '# caches\n*.o\nbuild/\n!keep.o  \n',
    'src/.holdfastignore': '/generated.ts\r\n!main.o\n',
    'src/main.o': '',
    'build/deep/file': '',
    'cache/CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55',
    'cache/file': '',
    'home/store/blob': '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const patterns = ['*.tmp', '!keep.tmp', 'video/'];
  return { root, patterns, protectedFolders: [join(root, 'home')] };
}

describe('the reason why a path is excluded', () => {
  test.each([
    ['a/b.tmp', { path: 'a/b.tmp', by: 'job', pattern: '*.tmp' }],
    ['video/2026/a.mp4', { path: 'video', by: 'job', pattern: 'video/' }],
    ['lib/x.o', { path: 'lib/x.o', by: 'rules', file: '.holdfastignore', line: 2, pattern: '*.o' }],
    [
      'build/deep/file',
      { path: 'build', by: 'rules', file: '.holdfastignore', line: 3, pattern: 'build/' },
    ],
    [
      'src/generated.ts',
      {
        path: 'src/generated.ts',
        by: 'rules',
        file: 'src/.holdfastignore',
        line: 1,
        pattern: '/generated.ts',
      },
    ],
    ['cache/file', { path: 'cache/file', by: 'cache', file: 'cache/CACHEDIR.TAG' }],
    ['home/store/blob', { path: 'home', by: 'own' }],
    ['a/.holdfast-0123456789abcdef', { path: 'a/.holdfast-0123456789abcdef', by: 'own' }],
    ['keep.tmp', undefined],
    ['keep.o', undefined],
    ['src/main.o', undefined],
    ['cache/CACHEDIR.TAG', undefined],
    ['plan.txt', undefined],
  ])('Holdfast explains why %s is excluded: %j', (path, exclusion) => {
    expect(explainExclusion(folderWithRules(), path)).toEqual(exclusion);
  });

  test('Holdfast gives no reason for a file in a cache folder if the job includes cache folders', () => {
    const options = { ...folderWithRules(), cacheDirs: 'keep' } as const;
    expect(explainExclusion(options, 'cache/file')).toBeUndefined();
  });

  test('Holdfast gives a reason exactly for the paths that the exclude rules exclude', () => {
    const options = folderWithRules();
    const excluder = createExcluder(options);
    const names = ['.holdfastignore', 'CACHEDIR.TAG'];
    for (const folder of ['', 'src', 'cache']) excluder.enter(folder, names);
    for (const path of [
      'a.o',
      'keep.o',
      'src/a.o',
      'src/main.o',
      'src/generated.ts',
      'cache/x',
      'x.tmp',
    ])
      expect([path, explainExclusion(options, path) !== undefined]).toEqual([
        path,
        excluder.excludes(path, false),
      ]);
  });
});

describe('protected folders', () => {
  test('Holdfast recognizes a protected folder by device and inode through any path that leads to it', () => {
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

  test('Holdfast refuses to back up a folder inside a protected folder', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'store/blobs'), { recursive: true });
    const inside = { root: join(root, 'store/blobs'), patterns: [], protectedFolders: [root] };
    expect(() => createExcluder(inside)).toThrow(
      expect.objectContaining({ code: 'RootProtected' }),
    );
  });

  test('Holdfast refuses a protected folder that does not exist, because a job could not recognize it later', () => {
    const root = temporaryFolder();
    const missing = { root, patterns: [], protectedFolders: [join(root, 'none')] };
    expect(() => createExcluder(missing)).toThrow(
      expect.objectContaining({ code: 'FolderMissing' }),
    );
  });
});
