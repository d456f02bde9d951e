import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createExcluder, type ExcluderOptions } from '../../../src/mirror/local/exclude.ts';
import { scanFolder, scanTree } from '../../../src/mirror/local/scan.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55\n# made by a test';

function makeTree(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

async function seen(root: string, options: Partial<ExcluderOptions> = {}): Promise<string[]> {
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [], ...options });
  const paths: string[] = [];
  for await (const { entries } of scanTree(root, '', excluder))
    paths.push(...entries.map(({ path }) => path));
  return paths.sort();
}

describe('.holdfastignore', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'is for its folder and below',
      { 'a/.holdfastignore': '*.o\n', 'a/x.o': '', 'a/b/y.o': '', 'x.o': '' },
      ['a', 'a/.holdfastignore', 'a/b', 'x.o'],
    ],
    [
      'is anchored at its folder',
      { 'a/.holdfastignore': '/x\n', 'a/x': '', 'a/b/x': '' },
      ['a', 'a/.holdfastignore', 'a/b', 'a/b/x'],
    ],
    [
      'in a folder below takes back what one above leaves out',
      {
        '.holdfastignore': '*.log\n',
        'a/.holdfastignore': '!keep.log\n',
        'a/keep.log': '',
        'l.log': '',
      },
      ['.holdfastignore', 'a', 'a/.holdfastignore', 'a/keep.log'],
    ],
    [
      'takes nothing back below a folder that is left out',
      { '.holdfastignore': 'a/\n', 'a/.holdfastignore': '!x\n', 'a/x': '' },
      ['.holdfastignore'],
    ],
  ])('%s', async (_claim, files, paths) => {
    expect(await seen(makeTree(files))).toEqual(paths);
  });

  test('takes back nothing that the job leaves out', async () => {
    const root = makeTree({ '.holdfastignore': '!x.tmp\n', 'x.tmp': '' });
    expect(await seen(root, { patterns: ['*.tmp'] })).toEqual(['.holdfastignore']);
  });

  test.each<[string, (path: string) => void]>([
    ['is a folder', (path) => mkdirSync(path)],
    ['is a link', (path) => symlinkSync('/etc/passwd', path)],
    ['is too long', (path) => writeFileSync(path, 'x\n'.repeat(40_000))],
  ])('that %s leaves out nothing, and is a problem', (_claim, make) => {
    const root = makeTree({ x: '' });
    make(join(root, '.holdfastignore'));
    const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
    const { entries, problems } = scanFolder(root, '', excluder);
    expect(entries.map(({ path }) => path)).toContain('x');
    expect(problems).toMatchObject([{ path: '.holdfastignore', code: 'unreadable' }]);
  });

  test('tells when it changed, and not when it did not', () => {
    const root = makeTree({ '.holdfastignore': 'x\n', x: '' });
    const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
    const changed = () => scanFolder(root, '', excluder).rulesChanged;
    const told = [changed(), changed()];
    writeFileSync(join(root, '.holdfastignore'), 'y\n');
    told.push(changed(), changed());
    rmSync(join(root, '.holdfastignore'));
    told.push(changed(), changed());
    expect(told).toEqual([true, false, true, false, true, false]);
  });
});

describe('CACHEDIR.TAG', () => {
  const FILES = { 'cache/CACHEDIR.TAG': SIGNATURE, 'cache/x': '', 'cache/deep/y': '', z: '' };

  test('leaves out what lies beside it', async () => {
    expect(await seen(makeTree(FILES))).toEqual(['cache', 'cache/CACHEDIR.TAG', 'z']);
  });

  test('leaves out nothing where caches are kept', async () => {
    expect(await seen(makeTree(FILES), { cacheDirs: 'keep' })).toContain('cache/deep/y');
  });

  test('without its signature is a file as any other', async () => {
    const root = makeTree({ ...FILES, 'cache/CACHEDIR.TAG': 'not it' });
    expect(await seen(root)).toContain('cache/deep/y');
  });
});

test('a file system that was mounted below the root, and is gone, is no deleted folder', () => {
  const root = makeTree({ 'mnt/x': '', 'plain/x': '' });
  const mounts = { has: (path: string) => path === 'mnt', note: () => undefined };
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [], mounts });
  const { complete, problems } = scanFolder(root, 'mnt', excluder);
  expect(complete).toBe(false);
  expect(problems).toMatchObject([{ path: 'mnt', code: 'unlistable' }]);
  expect(scanFolder(root, 'plain', excluder).complete).toBe(true);
});
