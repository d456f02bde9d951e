/**
 * Tests that a restore writes and deletes nothing through a symbolic link that replaces a folder during the restore.
 */

import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { extraPaths, removeExtra } from '../../src/restore/remove-later.ts';
import { RestoreTable } from '../../src/restore/restore-table.ts';
import { SetAsideFolder } from '../../src/restore/set-aside.ts';
import { loadSetMtime } from '../../src/mirror/local/set-mtime.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { picture } from '../helpers/tree-picture.ts';
import { until } from '../helpers/until.ts';

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Calls `instant` before each request, after its response, between chunks, and at each progress report. */
function withInstants(bench: MirrorBench, instant: () => void): Partial<RestoreOptions> {
  const { store } = bench;
  const body = async function* (bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      instant();
      yield chunk;
    }
    instant();
  };
  const methods: Partial<ObjectStore> = {
    async headObject(request, call) {
      instant();
      const answer = await store.headObject(request, call);
      instant();
      return answer;
    },
    async getObject(request, call) {
      instant();
      const answer = await store.getObject(request, call);
      instant();
      return { ...answer, body: body(answer.body) };
    },
  };
  return { store: overriding(store, methods), onProgress: instant };
}

/**
 * Files outside the target folder. They resemble those in the bucket, and an exact restore would remove some of
 * them.
 */
const OUTSIDE = { kept: 'same', changed: 'theirs', later: 'theirs', 'deep/later': 'theirs' };
const TREE = { 'd/kept': 'same', 'd/changed': 'old', 'd/deep/file': 'deep', 'd/one': 'shared' };

/** Backs up a folder that `fill` has filled. */
async function mirrored(fill: (root: string) => void): Promise<MirrorBench> {
  const bench = await openMirrorBench();
  fill(bench.root);
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  return bench;
}

function options({ bucket, store }: MirrorBench, to: string): RestoreOptions {
  return { store, bucket, prefix: '', to, clock: systemClock, logger: silentLogger };
}

function swapForLink(folder: string, target: string): void {
  renameSync(folder, `${folder} moved`);
  symlinkSync(target, folder);
}

test('a restore writes nothing through a symbolic link that replaces a folder at any time', async () => {
  const bench = await mirrored((root) => {
    write(root, TREE);
    linkSync(join(root, 'd/one'), join(root, 'd/two'));
    symlinkSync('kept', join(root, 'd/link'));
    mkdirSync(join(root, 'd/empty'), { mode: 0o750 });
  });
  const restored = async (name: string, swapAt: number) => {
    const [to, outside] = [join(bench.home, name, 'to'), join(bench.home, name, 'outside')];
    write(outside, OUTSIDE);
    write(to, { 'd/kept': 'same', 'd/changed': 'new', 'd/later': 'x', 'd/deep/later': 'y' });
    const before = picture(outside);
    let instants = 0;
    const swap = () => {
      if (++instants === swapAt) swapForLink(join(to, 'd'), outside);
    };
    const watched = { exact: true, ...withInstants(bench, swap) };
    const report = await restoreTree({ ...options(bench, to), ...watched });
    expect([swapAt, picture(outside), heldBelow(to)]).toEqual([swapAt, before, []]);
    return { report, instants, to };
  };
  const whole = await restored('whole', 0);
  expect(whole.report).toMatchObject({ problems: [], kept: 1 });
  expect(picture(join(whole.to, 'd'))).toEqual(picture(join(bench.root, 'd')));
  for (let instant = 1; instant <= whole.instants; instant++) {
    const { report, to } = await restored(`swap ${instant}`, instant);
    // The replaced file is not lost. It is in the moved folder or in the set-aside folder.
    const aside = report.asideFolder ?? to;
    const folders = [join(to, 'd moved'), join(aside, 'd moved'), join(aside, 'd')];
    expect(folders.map((folder) => read(join(folder, 'changed')))).toContain('new');
  }
});

test('an exact restore does not enter a folder that becomes a symbolic link during its search for extra files', async () => {
  const to = join(temporaryFolder('later'), 'to');
  const [outside, table] = [join(dirname(to), 'outside'), new RestoreTable()];
  write(to, { 'a/1': '', 'b/1': '', 'b/2': '' });
  write(outside, { 1: 'theirs', 2: 'theirs', 'empty/x': '' });
  rmSync(join(outside, 'empty/x'));
  const before = picture(outside);
  const aside = new SetAsideFolder(to, 0);
  const failed: string[] = [];
  for await (const later of extraPaths({ to, table, excluder: undefined, base: '' })) {
    if (later.path === 'a') swapForLink(join(to, 'b'), outside);
    try {
      await removeExtra(later, to, aside);
    } catch {
      failed.push(later.path);
    }
  }
  await expect(removeExtra({ path: 'b/1', isFolder: false }, to, aside)).rejects.toThrow('ENOTDIR');
  await expect(removeExtra({ path: 'b/empty', isFolder: true }, to, aside)).rejects.toThrow(
    'ENOTDIR',
  );
  table.close();
  expect([picture(outside), failed]).toEqual([before, ['b']]);
});

test('an in-place restore fails if a parent folder is a symbolic link', async () => {
  const bench = await mirrored((root) => write(root, { 'd/deep/file': 'mirrored' }));
  const outside = join(bench.home, 'outside');
  write(outside, { 'deep/file': 'theirs' });
  const to = join(bench.root, 'd/deep');
  swapForLink(join(bench.root, 'd'), outside);
  const what = { ...options(bench, to), path: 'd/deep', root: bench.root };
  await expect(restoreTree(what)).rejects.toMatchObject({ code: 'TargetFailed' });
  expect(read(join(outside, 'deep/file'))).toBe('theirs');
});

test.skipIf(!existsSync('/proc/self'))(
  'a restore fails immediately if its target folder cannot be created',
  async () => {
    const bench = await mirrored((root) => write(root, { f: 'mirrored' }));
    await expect(restoreTree(options(bench, '/proc/none/below'))).rejects.toMatchObject({
      code: 'TargetFailed',
    });
  },
);

test.each([
  ['was written to', (first: string) => writeFileSync(first, 'theirs')],
  ['was replaced', (first: string) => replaceBy(first, 'theirs')],
  ['was replaced by one of the same size and time', (first: string) => replaceBy(first, 'SHARED')],
  ['was deleted', (first: string) => rmSync(first)],
])(
  'a restore creates a second hard link as a separate file if the first one %s',
  async (_what, change) => {
    const bench = await mirrored((root) => {
      write(root, { one: 'shared' });
      linkSync(join(root, 'one'), join(root, 'two'));
    });
    const to = join(bench.home, 'to');
    const first = join(to, 'one');
    const store = overriding(bench.store, {
      async getObject(request, call) {
        if (request.key !== 'two') return bench.store.getObject(request, call);
        await until(
          () => existsSync(first),
          (isThere) => isThere,
        );
        // By then the restore has recorded the first name, because it does so in the same turn of the event
        // loop.
        const { mtimeNs } = lstatSync(first, { bigint: true });
        change(first);
        if (existsSync(first)) (await loadSetMtime())(first, mtimeNs);
        return bench.store.getObject(request, call);
      },
    });
    const report = await restoreTree({ ...options(bench, to), store });
    expect([read(join(to, 'two')), report.problems]).toEqual(['shared', []]);
  },
);

function replaceBy(path: string, text: string): void {
  rmSync(path);
  writeFileSync(path, text);
}

/** Returns the folders below `folder` that the current process still has open. */
function heldBelow(folder: string): readonly string[] {
  const descriptors = '/proc/self/fd';
  if (!existsSync(descriptors)) return [];
  const open = readdirSync(descriptors).map((each) => linkOf(join(descriptors, each)));
  return open.filter((path) => path?.startsWith(folder)).map(String);
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
