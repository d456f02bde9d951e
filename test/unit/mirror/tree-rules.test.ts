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
      'has one pattern a line, also with the line ends of Windows',
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
  ])('that %s leaves out nothing, and is a problem', async (_claim, make) => {
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
    'beyond a limit excludes nothing, and its problem names the line and the limit (%#)',
    async (text, reason) => {
      const root = makeTree({ '.holdfastignore': text, x: '' });
      const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
      const { entries, problems } = await scanFolder(root, '', excluder);
      expect(entries.map(({ path }) => path)).toContain('x');
      expect(problems).toMatchObject([{ path: '.holdfastignore', code: 'unreadable' }]);
      expect(problems[0]?.message).toContain(reason);
    },
  );

  test('whose comparison with a path takes too many steps does not exclude it, and the path has a problem', async () => {
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

  test('tells when it changed, and not when it did not', async () => {
    const root = makeTree({ '.holdfastignore': 'x\n', x: '' });
    const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
    const changed = async () => (await scanFolder(root, '', excluder)).rulesChanged;
    const told = [await changed(), await changed()];
    writeFileSync(join(root, '.holdfastignore'), 'y\n');
    told.push(await changed(), await changed());
    rmSync(join(root, '.holdfastignore'));
    told.push(await changed(), await changed());
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

test('a file system that was mounted below the root, and is gone, is no deleted folder', async () => {
  const root = makeTree({ 'mnt/x': '', 'plain/x': '' });
  const mounts = { has: (path: string) => path === 'mnt', note: () => undefined };
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [], mounts });
  const { complete, problems } = await scanFolder(root, 'mnt', excluder);
  expect(complete).toBe(false);
  expect(problems).toMatchObject([{ path: 'mnt', code: 'unlistable' }]);
  expect((await scanFolder(root, 'plain', excluder)).complete).toBe(true);
});
