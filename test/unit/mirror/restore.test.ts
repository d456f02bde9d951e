import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { StoredObject } from '../../../src/mirror/restore/restore-listing.ts';
import { placeKeys } from '../../../src/mirror/restore/restore-targets.ts';

function objects(...keys: readonly string[]): StoredObject[] {
  return keys.map((key) => ({ key, sizeBytes: 1 }));
}

function placed(...keys: readonly string[]) {
  const { folders, files, problems } = placeKeys(objects(...keys), '');
  return {
    folders: [...folders.keys()],
    files: files.map(({ path }) => path),
    problems: problems.map(({ path, code }) => `${code} ${path}`),
  };
}

test('keys become files in folders, each folder after the one it is in', () => {
  expect(placed('a/b/c.txt', 'd/', 'e')).toEqual({
    folders: ['a', 'a/b', 'd'],
    files: ['a/b/c.txt', 'e'],
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
])('the key %j is refused', (key) => {
  const { files, folders, problems } = placed(key, 'good');
  expect([files, folders, problems.length]).toEqual([['good'], [], 1]);
  expect(problems[0]).toMatch(/^refused /);
});

test.each(['...', '..a', 'a..', ' ', 'a\nb', 'C:\\x', '~', '-rf', 'n'.repeat(255)])(
  'the name %j is a name like any other',
  (key) => {
    expect(placed(key).files).toEqual([key]);
  },
);

test('a key that is a file and a folder is written beside it, and said', () => {
  expect(placed('a', 'a.file', 'a/b', 'a/b/', 'c', 'c/')).toEqual({
    folders: ['a', 'a/b', 'c'],
    files: ['a.file.file', 'a.file', 'a/b.file', 'c.file'],
    problems: ['name-collision a', 'name-collision a/b', 'name-collision c'],
  });
});

test("Holdfast's own objects and the prefix itself are left out", () => {
  const keys = ['job/', 'job/.holdfast/claim', 'job/.holdfast/', 'job/a/.holdfast/x', 'other'];
  const { files, problems } = placeKeys(objects(...keys), 'job/');
  expect([files.map(({ path }) => path), problems]).toEqual([['a/.holdfast/x'], []]);
});

test('whatever the keys, no path leaves the target, and no two are equal', () => {
  const name = fc.constantFrom('a', 'b', '.', '..', '', 'a.file', '\0', 'c');
  const key = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 12 }), (keys) => {
      const { folders, files } = placed(...keys.filter((each) => each !== ''));
      const paths = [...folders, ...files];
      expect(new Set(paths).size).toBe(paths.length);
      for (const path of paths) expect(path).not.toMatch(/(^|\/)(\.{0,2})(\/|$)|\0/);
    }),
  );
});
