import { expect, test } from 'vitest';

import { controlledByOthers, ownedByOther } from '../../../src/base/controlled-by-others.ts';

const SELF = process.getuid?.() ?? 0;
const OTHER = 4711;

/** Returns a fake file system whose paths belong to root (user 0) and have mode 0700 by default. */
function files(owners: Record<string, number>, modes: Record<string, number> = {}) {
  return {
    statSync: (path: string) => ({ uid: owners[path] ?? 0, mode: modes[path] ?? 0o700 }),
    realpathSync: (path: string) => path.replace('/link/', '/real/'),
  };
}

test.each([
  ['owned by the current user', { '/a/b/key': SELF, '/a/b': SELF }, {}],
  ['owned by root', {}, {}],
  ['in a folder such as /tmp', {}, { '/a': 0o1777 }],
])('a file %s is safe from other users', (_what, owners, modes) => {
  expect(controlledByOthers('/a/b/key', files(owners, modes))).toBeUndefined();
});

test.each([
  [
    'owned by another user',
    { '/a/b/key': OTHER },
    {},
    /belongs to user 4711.*chown \d+ '\/a\/b\/key'/,
  ],
  [
    'in a folder of another user',
    { '/a/b': OTHER },
    {},
    /folder \/a\/b belongs to user 4711.*cp -p/,
  ],
  ['below such a folder', { '/a': OTHER }, {}, /folder \/a belongs to user 4711/],
  ['in a folder that any user may write to', {}, { '/a': 0o777 }, /chmod o-w '\/a'/],
])('a file %s is refused with the command that fixes it', (_what, owners, modes, words) => {
  expect(controlledByOthers('/a/b/key', files(owners, modes))).toMatch(words);
});

test('the folders that a symbolic link leads through are checked too', () => {
  expect(controlledByOthers('/link/key', files({ '/real': OTHER }))).toContain('folder /real');
  expect(controlledByOthers('/link/key', files({ '/link': OTHER }))).toContain('folder /link');
});

test('ownedByOther checks only the owner of the file, not the owner of its folder', () => {
  expect(ownedByOther('/a/key', files({ '/a': OTHER }))).toBeUndefined();
  expect(ownedByOther('/a/key', files({ '/a/key': OTHER }))).toContain('4711');
});
