/**
 * Tests of reading the index and the objects of git repositories, compared with the output of git
 * itself.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readGitIndex } from '../../../src/mirror/guard/git-index.ts';
import { gitObjects } from '../../../src/mirror/guard/git-objects.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];

function repository(...options: readonly string[]) {
  const folder = temporaryFolder('git');
  const git = (...command: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...WHO, ...command], { encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', ...options);
  for (const path of ['a', 'deep/er/äöü name', 'deep/er/name', 'other/file']) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  git('add', '.');
  git('commit', '-q', '-m', 'x');
  const listed = () =>
    git('ls-files', '-s', '-z')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[1]]);
  const index = () => readFileSync(join(folder, '.git/index'));
  return { folder, git, listed, index };
}

type Repository = ReturnType<typeof repository>;

test.each<[string, readonly string[], (repository: Repository) => void]>([
  ['of version 2', [], () => undefined],
  [
    'of version 3',
    [],
    ({ folder, git }) => {
      writeFileSync(join(folder, 'later'), '');
      git('add', '--intent-to-add', 'later');
    },
  ],
  ['of version 4', [], ({ git }) => git('update-index', '--index-version', '4')],
  ['with ids of SHA-256', ['--object-format=sha256'], () => undefined],
])(
  'Holdfast reads the same files and object ids as git from an index %s',
  (_what, options, change) => {
    const made = repository(...options);
    change(made);
    const files = [...(readGitIndex(made.index()) ?? [])];
    expect(files.map(([path, { id }]) => [path, id])).toEqual(made.listed());
  },
);

test.each<[string, (repository: Repository) => Buffer]>([
  [
    'is split',
    ({ git, index }) => {
      git('update-index', '--split-index');
      return index();
    },
  ],
  [
    'lists folders in place of files',
    ({ git, index }) => {
      git('sparse-checkout', 'set', '--cone', '--sparse-index', 'deep');
      return index();
    },
  ],
  ['has no checksum', ({ index }) => Buffer.concat([index().subarray(0, -20), Buffer.alloc(20)])],
  ['is cut off', ({ index }) => index().subarray(0, -30)],
  ['is empty', () => Buffer.alloc(0)],
])('Holdfast does not read a git index that %s', (_what, bytesOf) => {
  expect(readGitIndex(bytesOf(repository()))).toBeUndefined();
});

test('Holdfast finds loose and packed git objects and omits ids that do not exist', () => {
  const { folder, git, listed } = repository();
  const ids = listed().flatMap(([, id]) => id ?? []);
  const asked = [...ids, '00'.repeat(20), 'ff'.repeat(20)];
  const found = () => [...gitObjects(join(folder, '.git'), asked)].sort();
  expect(found()).toEqual(ids.toSorted());
  git('gc', '-q');
  expect(found()).toEqual(ids.toSorted());
});
