/**
 * Tests of exclude rules that the tree itself contains: .holdfastignore, CACHEDIR.TAG and mount
 * points.
 */

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

describe('.holdfastignore files', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'applies to the files in its folder and in all folders below',
      { 'a/.holdfastignore': '*.o\n', 'a/x.o': '', 'a/b/y.o': '', 'x.o': '' },
      ['a', 'a/.holdfastignore', 'a/b', 'x.o'],
    ],
    [
      'anchors patterns with a leading slash at its folder',
      { 'a/.holdfastignore': '/x\n', 'a/x': '', 'a/b/x': '' },
      ['a', 'a/.holdfastignore', 'a/b', 'a/b/x'],
    ],
    [
      'has one pattern per line and accepts Windows line endings',
      {
        '.holdfastignore': '# objects\n*.o\r\n\n!keep.o\n*.log',
        'x.o': '',
        'keep.o': '',
        'l.log': '',
        y: '',
      },
      ['.holdfastignore', 'keep.o', 'y'],
    ],
    [
      "can include a file again that a parent folder's .holdfastignore excludes",
      {
        '.holdfastignore': '*.log\n',
        'a/.holdfastignore': '!keep.log\n',
        'a/keep.log': '',
        'l.log': '',
      },
      ['.holdfastignore', 'a', 'a/.holdfastignore', 'a/keep.log'],
    ],
    [
      'cannot include a file again below an excluded folder',
      { '.holdfastignore': 'a/\n', 'a/.holdfastignore': '!x\n', 'a/x': '' },
      ['.holdfastignore'],
    ],
  ])('a .holdfastignore file %s', async (_claim, files, paths) => {
    expect(await seen(makeTree(files))).toEqual(paths);
  });

  test('a .holdfastignore file cannot include a file that the job excludes', async () => {
    const root = makeTree({ '.holdfastignore': '!x.tmp\n', 'x.tmp': '' });
    expect(await seen(root, { patterns: ['*.tmp'] })).toEqual(['.holdfastignore']);
  });

  test.each<[string, (path: string) => void]>([
    ['is a folder', (path) => mkdirSync(path)],
    ['is a symbolic link', (path) => symlinkSync('/etc/passwd', path)],
    ['is too long', (path) => writeFileSync(path, 'x\n'.repeat(40_000))],
  ])('a scan ignores a .holdfastignore that %s and reports a problem', async (_claim, make) => {
    const root = makeTree({ x: '' });
    make(join(root, '.holdfastignore'));
    const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
    const { entries, problems } = await scanFolder(root, '', excluder);
    expect(entries.map(({ path }) => path)).toContain('x');
    expect(problems).toMatchObject([{ path: '.holdfastignore', code: 'unreadable' }]);
  });

  test.each([
    ['x\n'.repeat(1_001), 'line 1001 is beyond the limit of 1000 patterns'],
    [`# comment\n${'x'.repeat(257)}\n`, 'line 2 has 257 characters, more than the limit of 256'],
    [`x\ny\n${'**/'.repeat(17)}x`, 'line 3 has 17 slashes, more than the limit of 16'],
    [`${'# comment\n'.repeat(2_000)}x`, 'it has more than 16384 bytes'],
  ])(
    'a scan ignores a .holdfastignore file that exceeds a limit and names the line and the limit in the problem (%#)',
    async (text, reason) => {
      const root = makeTree({ '.holdfastignore': text, x: '' });
      const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
      const { entries, problems } = await scanFolder(root, '', excluder);
      expect(entries.map(({ path }) => path)).toContain('x');
      expect(problems).toMatchObject([{ path: '.holdfastignore', code: 'unreadable' }]);
      expect(problems[0]?.message).toContain(reason);
    },
  );

  test('a scan includes a path and reports a problem if matching the path with an exclude pattern takes more than 10,000 steps', async () => {
    const hostile = `*${'a'.repeat(120)}c*`;
    const long = 'a'.repeat(250);
    const root = makeTree({
      '.holdfastignore': [hostile, 'x', '*.log'].join('\n'),
      [long]: '',
      x: '',
      'y.log': '',
      z: '',
    });
    const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
    const { entries, problems } = await scanFolder(root, '', excluder);
    expect(entries.map(({ path }) => path)).toEqual(['.holdfastignore', long, 'z']);
    expect(problems).toMatchObject([{ path: long, code: 'pattern-limit' }]);
    expect(problems[0]?.message).toContain('10000 steps');
    expect(excluder.steps()).toBeLessThan(6 * 10_001);
  });

  test('a scan reports a change of a .holdfastignore file once', async () => {
    const root = makeTree({ '.holdfastignore': 'x\n', x: '' });
    const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
    const changed = async () => (await scanFolder(root, '', excluder)).rulesChanged;
    const reported = [await changed(), await changed()];
    writeFileSync(join(root, '.holdfastignore'), 'y\n');
    reported.push(await changed(), await changed());
    rmSync(join(root, '.holdfastignore'));
    reported.push(await changed(), await changed());
    expect(reported).toEqual([true, false, true, false, true, false]);
  });
});

describe('CACHEDIR.TAG files', () => {
  const FILES = { 'cache/CACHEDIR.TAG': SIGNATURE, 'cache/x': '', 'cache/deep/y': '', z: '' };

  test('a scan excludes the files of a folder with a CACHEDIR.TAG, except the CACHEDIR.TAG itself', async () => {
    expect(await seen(makeTree(FILES))).toEqual(['cache', 'cache/CACHEDIR.TAG', 'z']);
  });

  test('a scan includes the files of a folder with a CACHEDIR.TAG if the job sets cacheDirs: keep', async () => {
    expect(await seen(makeTree(FILES), { cacheDirs: 'keep' })).toContain('cache/deep/y');
  });

  test('a scan treats a CACHEDIR.TAG without the standard signature as an ordinary file', async () => {
    const root = makeTree({ ...FILES, 'cache/CACHEDIR.TAG': 'not it' });
    expect(await seen(root)).toContain('cache/deep/y');
  });
});

test('a scan does not treat an unmounted file system below the root folder as a deleted folder', async () => {
  const root = makeTree({ 'mnt/x': '', 'plain/x': '' });
  const mounts = { has: (path: string) => path === 'mnt', note: () => undefined };
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [], mounts });
  const { complete, problems } = await scanFolder(root, 'mnt', excluder);
  expect(complete).toBe(false);
  expect(problems).toMatchObject([{ path: 'mnt', code: 'unlistable' }]);
  expect((await scanFolder(root, 'plain', excluder)).complete).toBe(true);
});
