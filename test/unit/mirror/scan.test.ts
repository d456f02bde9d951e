/** Tests of scanning folders and whole trees on a real file system. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import { type FolderScan, scanFolder, scanTree } from '../../../src/mirror/local/scan.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function excluderOf(root: string, patterns: readonly string[] = []) {
  return createExcluder({ root, patterns, protectedFolders: [] });
}

function scan(root: string, directory = '', patterns: readonly string[] = []): Promise<FolderScan> {
  return scanFolder(root, directory, excluderOf(root, patterns));
}

function paths({ entries }: FolderScan): string[] {
  return entries.map(({ path }) => path);
}

describe('scanning one folder', () => {
  test('a scan lists files, folders and symbolic links with their lstat attributes', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'file'), 'four', { mode: 0o640 });
    mkdirSync(join(root, 'folder'));
    symlinkSync('nowhere', join(root, 'link'));
    const { entries, complete, problems } = await scan(root);
    expect(entries).toMatchObject([
      { path: 'file', kind: 'file', sizeBytes: 4, mode: 0o640 },
      { path: 'folder', kind: 'directory', sizeBytes: 0 },
      { path: 'link', kind: 'symlink', sizeBytes: 7 },
    ]);
    expect([complete, problems]).toEqual([true, []]);
  });

  test('a scan lists entries in the order of their UTF-8 bytes, not of their UTF-16 code units', async () => {
    const root = temporaryFolder();
    const names = ['Z', 'a b', 'a\nb', 'é', '\uFFEE', '\u{1F600}'];
    for (const name of names.toReversed()) writeFileSync(join(root, name), '');
    const expected = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(paths(await scan(root))).toEqual(expected);
  });

  test('a scan lists all entries of a folder with 2,500 files, which is read in batches', async () => {
    const root = temporaryFolder();
    for (let index = 0; index < 2_500; index++) writeFileSync(join(root, `f${index}`), '');
    expect(new Set(paths(await scan(root))).size).toBe(2_500);
  });

  test('a scan reports a file name that is not valid UTF-8 as a problem and lists the other entries', async () => {
    const root = temporaryFolder();
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]), '');
    writeFileSync(join(root, 'replacement-\uFFFD'), '');
    const result = await scan(root);
    expect(paths(result)).toEqual(['replacement-\uFFFD']);
    expect(result).toMatchObject({ complete: true, problems: [{ code: 'invalid-name' }] });
  });

  test('a scan reports sockets and pipes as problems because their file type is not supported', async () => {
    const root = temporaryFolder();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    expect(await scan(root)).toMatchObject({
      complete: true,
      entries: [],
      problems: [
        { path: 'pipe', code: 'unsupported-type' },
        { path: 'socket', code: 'unsupported-type' },
      ],
    });
  });

  test('a scan reports a folder named .holdfast at the top of the tree as a problem, but not deeper', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'sub/.holdfast'), { recursive: true });
    mkdirSync(join(root, '.holdfast'));
    expect((await scan(root)).problems).toMatchObject([
      { path: '.holdfast', code: 'reserved-name' },
    ]);
    expect(paths(await scan(root, 'sub'))).toEqual(['sub/.holdfast']);
  });

  test('a scan omits excluded entries and reports no problem for them', async () => {
    const root = temporaryFolder();
    for (const name of ['a.log', 'a.txt']) writeFileSync(join(root, name), '');
    mkdirSync(join(root, 'cache'));
    const result = await scan(root, '', ['*.log', 'cache/']);
    expect([paths(result), result.problems]).toEqual([['a.txt'], []]);
  });

  test('a scan omits a protected folder even if a pattern includes it again', async () => {
    const root = temporaryFolder();
    for (const name of ['home', 'mine']) mkdirSync(join(root, name));
    const excluder = createExcluder({
      root,
      patterns: ['!home'],
      protectedFolders: [join(root, 'home')],
    });
    expect(paths(await scanFolder(root, '', excluder))).toEqual(['mine']);
  });
});

describe('folders that cannot be listed completely', () => {
  test('a scan of a folder without read permission is incomplete and reports a problem', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'closed'), { mode: 0o300 });
    writeFileSync(join(root, 'closed/file'), '');
    expect(await scan(root, 'closed')).toMatchObject({
      complete: false,
      entries: [],
      problems: [{ path: 'closed', code: 'unlistable' }],
    });
  });

  test('a scan of a folder without search permission is incomplete and reports a problem for each entry', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'opaque'));
    writeFileSync(join(root, 'opaque/file'), '');
    chmodSync(join(root, 'opaque'), 0o444);
    expect(await scan(root, 'opaque')).toMatchObject({
      complete: false,
      entries: [],
      problems: [{ path: 'opaque/file', code: 'unreadable' }],
    });
  });

  test('a scan of a missing root folder is incomplete and reports a problem', async () => {
    const root = join(temporaryFolder(), 'gone');
    const excluder = excluderOf('/');
    expect(await scanFolder(root, '', excluder)).toMatchObject({
      complete: false,
      problems: [{ path: '', code: 'unlistable' }],
    });
  });

  test.runIf(process.platform === 'linux')(
    'a scan of a mount point of another file system is incomplete and reports a problem',
    async () => {
      // On Linux, /proc is always a separate file system.
      expect(await scanFolder('/', 'proc', excluderOf('/'))).toMatchObject({
        complete: false,
        entries: [],
        problems: [{ path: 'proc', code: 'unlistable' }],
      });
    },
  );

  test('a scan lists a folder that was removed or replaced by a symbolic link as empty and is complete', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'elsewhere/sub'), { recursive: true });
    symlinkSync('elsewhere', join(root, 'link'));
    for (const directory of ['gone', 'link'])
      expect(await scan(root, directory)).toMatchObject({
        complete: true,
        entries: [],
        problems: [],
      });
  });
});

describe('scanning a whole tree', () => {
  async function collectTree(root: string, signal?: AbortSignal): Promise<FolderScan[]> {
    const scans: FolderScan[] = [];
    for await (const folder of scanTree(root, '', excluderOf(root), signal ? { signal } : {}))
      scans.push(folder);
    return scans;
  }

  test('a scan lists each folder before its subfolders and does not follow symbolic links', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'a/b'), { recursive: true });
    mkdirSync(join(root, 'c'));
    symlinkSync('a', join(root, 'link'));
    const scans = await collectTree(root);
    expect(scans.map(({ directory }) => directory)).toEqual(['', 'a', 'a/b', 'c']);
  });

  test('a scan announces each folder before it lists the folder, so that a watch misses no change', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'a/b'), { recursive: true });
    const order: string[] = [];
    const beforeFolders = (directories: readonly string[]) => {
      order.push(...directories.map((directory) => `watch ${directory}`));
    };
    for await (const { directory } of scanTree(root, '', excluderOf(root), { beforeFolders }))
      order.push(`scan ${directory}`);
    expect(order).toEqual(['watch ', 'scan ', 'watch a', 'scan a', 'watch a/b', 'scan a/b']);
  });

  test('a scan lists a folder that is renamed during the scan as empty at its previous path', async () => {
    const root = temporaryFolder();
    for (const name of ['a', 'b']) mkdirSync(join(root, name));
    const scans: FolderScan[] = [];
    for await (const folder of scanTree(root, '', excluderOf(root))) {
      if (folder.directory === 'a') renameSync(join(root, 'b'), join(root, 'z'));
      scans.push(folder);
    }
    expect(scans.at(-1)).toMatchObject({ directory: 'b', complete: true, entries: [] });
  });

  test('an aborted scan rejects with the reason of the abort signal', async () => {
    const reason = new Error('enough');
    const scanning = collectTree(temporaryFolder(), AbortSignal.abort(reason));
    await expect(scanning).rejects.toBe(reason);
  });
});
