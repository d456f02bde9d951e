/** Tests that a restore maps object keys to paths that never leave the target folder. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { StoredObject } from '../../../src/mirror/objects/version-listing.ts';
import { placeKeys } from '../../../src/restore/restore-targets.ts';
import type { Problem } from '../../../src/mirror/model/types.ts';

function objects(...keys: readonly string[]): StoredObject[] {
  return keys.map((key) => ({ key, sizeBytes: 1 }));
}

async function placed(keys: readonly string[], selection: { prefix: string; path?: string }) {
  const problems: string[] = [];
  const onProblem = ({ path, code }: Problem) => void problems.push(`${code} ${path}`);
  const table = await placeKeys(objects(...keys), selection, onProblem);
  try {
    const folders = [...table.folders()].map(({ path }) => path);
    const files = Object.fromEntries([...table.files()].map(({ key, path }) => [key, path]));
    return { folders, files, problems };
  } finally {
    table.close();
  }
}

const ALL = { prefix: '' };

test('a restore creates the files and folders of the keys, each folder after its parent', async () => {
  expect(await placed(['a/b/c.txt', 'd/', 'e'], ALL)).toEqual({
    folders: ['a', 'a/b', 'd'],
    files: { 'a/b/c.txt': 'a/b/c.txt', e: 'e' },
    problems: [],
  });
});

test.each([
  '/etc/passwd',
  '../up',
  'a/../../up',
  'a/..',
  '..',
  './a',
  'a//b',
  'a//',
  '/',
  'a\0b',
  `long/${'n'.repeat(256)}`,
  'é'.repeat(128),
])('a restore refuses the key %j', async (key) => {
  const { files, folders, problems } = await placed([key, 'good'], ALL);
  expect([files, folders, problems.length]).toEqual([{ good: 'good' }, [], 1]);
  expect(problems[0]).toMatch(/^refused /);
});

test.each(['...', '..a', 'a..', ' ', 'a\nb', 'C:\\x', '~', '-rf', 'n'.repeat(255)])(
  'a restore keeps the unusual name %j unchanged',
  async (key) => {
    expect((await placed([key], ALL)).files).toEqual({ [key]: key });
  },
);

test('a restore renames a file whose key is also a folder and reports a problem', async () => {
  expect(await placed(['a', 'a.file', 'a/b', 'a/b/', 'c', 'c/'], ALL)).toEqual({
    folders: ['a', 'a/b', 'c'],
    files: { a: 'a.file.file', 'a.file': 'a.file', 'a/b': 'a/b.file', c: 'c.file' },
    problems: ['name-collision a', 'name-collision a/b', 'name-collision c'],
  });
});

test("a restore omits Holdfast's internal objects and an object whose key is the prefix itself", async () => {
  const keys = ['job/', 'job/.holdfast/claim', 'job/.holdfast/', 'job/a/.holdfast/x', 'other'];
  const { files, problems } = await placed(keys, { prefix: 'job/' });
  expect([Object.values(files), problems]).toEqual([['a/.holdfast/x'], []]);
});

test.each([
  ['a folder without its own name', 'd/sub', { 'p/d/sub/x': 'x', 'p/d/sub/y/z': 'y/z' }],
  ['a file under its own name', 'd/sub/y/z', { 'p/d/sub/y/z': 'z' }],
  ['no path that only starts with the same characters', 'd/su', {}],
])('a restore of one path restores %s', async (_, path, files) => {
  const keys = ['p/d/sub/x', 'p/d/sub/y/z', 'p/d/sub-way', 'p/d/other'];
  expect(await placed(keys, { prefix: 'p/', path })).toMatchObject({ files, problems: [] });
});

test('a restore writes all of 2,500 keys, more than a page of its table contains', async () => {
  const keys = Array.from({ length: 2_500 }, (_, index) => `${index % 1_300}/${index}`);
  const { files, folders } = await placed(keys, ALL);
  expect([Object.keys(files).length, folders.length]).toEqual([2_500, 1_300]);
});

test('property: a restore keeps every restored path inside the target folder and different from all others', async () => {
  const name = fc.constantFrom('a', 'b', '.', '..', '', 'a.file', '\0', 'c');
  const key = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(key, { maxLength: 12 }), async (keys) => {
      const { folders, files } = await placed(
        keys.filter((each) => each !== ''),
        ALL,
      );
      const paths = [...folders, ...Object.values(files)];
      expect(new Set(paths).size).toBe(paths.length);
      for (const path of paths) expect(path).not.toMatch(/(^|\/)(\.{0,2})(\/|$)|\0/);
    }),
  );
});
