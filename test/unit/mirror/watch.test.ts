import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import { scanTree } from '../../../src/mirror/local/scan.ts';
import { type TreeWatch, watchTree } from '../../../src/mirror/local/tree/watch.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** Records the paths that a watch reports and lets a test wait for one of them. */
class Hints {
  readonly seen: string[] = [];
  #waiting: (() => void)[] = [];

  note(hint: string): void {
    this.seen.push(hint);
    for (const check of this.#waiting) check();
  }

  clear(): void {
    this.seen.length = 0;
  }

  /** Calls `check` now and after each later report. */
  watch(check: () => void): void {
    this.#waiting.push(check);
    check();
  }
}

/**
 * Resolves when the watch has reported the path. If the report is missing, the test fails by its
 * timeout.
 */
function expectHint(hints: Hints, hint: string): Promise<void> {
  return new Promise((resolve) => {
    hints.watch(() => hints.seen.includes(hint) && resolve());
  });
}

interface Watching {
  readonly root: string;
  readonly hints: Hints;
  readonly watch: TreeWatch;
  /**
   * Watches and lists a folder, as a sync round does after a report. Returns the number of entries.
   */
  readonly scan: (directory: string) => Promise<number>;
}

async function watching(
  build: (root: string) => void = () => undefined,
  patterns: readonly string[] = [],
): Promise<Watching> {
  const root = temporaryFolder();
  build(root);
  const excluder = createExcluder({ root, patterns, protectedFolders: [] });
  const hints = new Hints();
  const watch = watchTree({
    root,
    excluder,
    clock: new FakeClock(),
    logger: silentLogger,
    onHint: (path, scope) => hints.note(`${scope} ${path}`),
    onOverflow: () => hints.note('overflow'),
  });
  onTestFinished(() => watch.close());
  const scan = async (directory: string) => {
    let entries = 0;
    const beforeFolders = (directories: readonly string[]) => watch.addFolders(directories);
    for await (const folder of scanTree(root, directory, excluder, { beforeFolders }))
      entries += folder.entries.length;
    return entries;
  };
  await scan('');
  return { root, hints, watch, scan };
}

describe('changed paths that a folder watch reports', () => {
  const names = ['plain', 'with space', 'line\nbreak', 'back\\slash', 'Grüße', '\u{1F600}'];

  test.each(names)(
    'a watch reports a new file named %j, an edit, a mode change and its removal',
    async (name) => {
      const { root, hints } = await watching((folder) => mkdirSync(join(folder, 'sub')));
      const path = join(root, 'sub', name);
      const changes = [
        () => writeFileSync(path, ''),
        () => appendFileSync(path, 'x'),
        () => chmodSync(path, 0o600),
        () => rmSync(path),
      ];
      for (const change of changes) {
        hints.clear();
        change();
        await expectHint(hints, `entry sub/${name}`);
      }
    },
  );

  test('a watch reports both paths of a rename, even between folders', async () => {
    const { root, hints } = await watching((folder) => {
      for (const name of ['a', 'b']) mkdirSync(join(folder, name));
      writeFileSync(join(folder, 'a/file'), 'x');
    });
    renameSync(join(root, 'a/file'), join(root, 'b/other'));
    await Promise.all([expectHint(hints, 'entry a/file'), expectHint(hints, 'entry b/other')]);
  });

  test('a watch reports a new symbolic link and does not follow it', async () => {
    const { root, hints } = await watching((folder) => mkdirSync(join(folder, 'sub')));
    symlinkSync('sub', join(root, 'link'));
    await expectHint(hints, 'entry link');
  });

  test('a watch reports a folder with 1,000 files that is moved into the tree, and later changes in the folder', async () => {
    const outside = temporaryFolder();
    mkdirSync(join(outside, 'photos/inner'), { recursive: true });
    for (let index = 0; index < 1_000; index++)
      writeFileSync(join(outside, 'photos/inner', `${index}`), 'x');
    const { root, hints, watch, scan } = await watching();
    renameSync(join(outside, 'photos'), join(root, 'photos'));
    await expectHint(hints, 'tree photos');
    expect(await scan('photos')).toBe(1_001);
    expect(watch.coverage()).toEqual({ watched: 3, polled: 0 });
    writeFileSync(join(root, 'photos/inner/500'), 'changed');
    await expectHint(hints, 'entry photos/inner/500');
  });

  test('a watch reports changes in a folder that was renamed', async () => {
    const { root, hints, watch, scan } = await watching((folder) =>
      mkdirSync(join(folder, 'old/inner'), { recursive: true }),
    );
    renameSync(join(root, 'old'), join(root, 'new'));
    await Promise.all([expectHint(hints, 'entry old'), expectHint(hints, 'tree new')]);
    await scan('new');
    expect(watch.coverage().watched).toBe(3);
    writeFileSync(join(root, 'new/inner/file'), 'x');
    await expectHint(hints, 'entry new/inner/file');
  });

  test('a watch reports changes in a folder that was removed with its content and created again', async () => {
    const { root, hints, watch, scan } = await watching((folder) =>
      mkdirSync(join(folder, 'work/inner'), { recursive: true }),
    );
    for (let time = 0; time < 3; time++) {
      hints.clear();
      rmSync(join(root, 'work'), { recursive: true });
      mkdirSync(join(root, 'work/inner'), { recursive: true });
      await expectHint(hints, 'tree work');
      await scan('work');
      expect(watch.coverage().watched).toBe(3);
      writeFileSync(join(root, 'work/inner/file'), 'x');
      await expectHint(hints, 'entry work/inner/file');
    }
  });

  test('a watch reports that file events may be lost (an overflow) if the root folder is removed', async () => {
    const { root, hints, watch } = await watching((folder) => mkdirSync(join(folder, 'd')));
    rmSync(root, { recursive: true });
    await expectHint(hints, 'overflow');
    expect(watch.coverage().watched).toBe(0);
  });
});

describe('changed paths that a folder watch does not report', () => {
  test('a watch does not report a change of an excluded path', async () => {
    const build = (root: string) => mkdirSync(join(root, 'cache'));
    const { root, hints, watch } = await watching(build, ['*.tmp', 'cache/']);
    writeFileSync(join(root, 'a.tmp'), 'x');
    writeFileSync(join(root, 'cache/b'), 'x');
    writeFileSync(join(root, 'c.txt'), 'x');
    await expectHint(hints, 'entry c.txt');
    expect(hints.seen.filter((hint) => !hint.endsWith('c.txt'))).toEqual([]);
    expect(watch.coverage().watched).toBe(1);
  });

  test('a watch reports several changes of a path in one event loop turn only once', async () => {
    const { root, hints } = await watching();
    for (let time = 0; time < 50; time++) appendFileSync(join(root, 'log'), 'x');
    await expectHint(hints, 'entry log');
    expect(hints.seen.length).toBeLessThan(10);
  });

  test('a watch does not report changes in a folder that is no longer watched', async () => {
    const { root, hints, watch } = await watching((folder) => {
      for (const name of ['a', 'b']) mkdirSync(join(folder, name));
    });
    watch.removeFolder('a');
    expect(watch.coverage()).toEqual({ watched: 2, polled: 0 });
    writeFileSync(join(root, 'a/file'), 'x');
    writeFileSync(join(root, 'b/file'), 'x');
    await expectHint(hints, 'entry b/file');
    expect(hints.seen).not.toContain('entry a/file');
  });
});

test('a watch covers each folder once and ignores missing folders', async () => {
  const { watch, scan } = await watching((root) =>
    mkdirSync(join(root, 'a/b'), { recursive: true }),
  );
  await scan('');
  await watch.addFolders(['a', 'a/b', 'gone', 'gone/too']);
  expect(watch.coverage()).toEqual({ watched: 3, polled: 0 });
});

/**
 * Time limit of the test. The kernel's queue holds thousands of events, and filling it is slow on a
 * busy machine.
 */
const BURST_MS = 120_000;

test.runIf(process.platform === 'linux')(
  "a watch reports that file events may be lost (an overflow) if changes fill the kernel's event queue",
  async () => {
    const limit = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
    const names = ['a', 'b'];
    const { root, hints } = await watching((folder) => {
      for (const name of names) writeFileSync(join(folder, name), '');
    });
    // The test changes two files alternately because the kernel merges consecutive equal events.
    for (let index = 0; index <= limit / 2; index++)
      for (const name of names) chmodSync(join(root, name), 0o600);
    await expectHint(hints, 'overflow');
  },
  BURST_MS,
);

test('a watch scans a folder that cannot be watched once a minute and reports the reason', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'closed'), { mode: 0o000 });
  const clock = new FakeClock();
  const hints: string[] = [];
  const watch = watchTree({
    root,
    excluder: createExcluder({ root, patterns: [], protectedFolders: [] }),
    clock,
    logger: silentLogger,
    onHint: (path, scope) => hints.push(`${scope} ${path}`),
    onOverflow: () => undefined,
  });
  await watch.addFolders(['', 'closed']);
  watch.removeFolder('closed');
  await watch.addFolders(['closed']);
  const coverage = watch.coverage();
  clock.advance(120_000);
  await watch.close();
  expect({ coverage, hints }).toEqual({
    coverage: {
      watched: 1,
      polled: 1,
      reason: expect.stringMatching(/^cannot watch folder closed: EACCES/),
    },
    hints: ['folder closed', 'folder closed'],
  });
});

test('a watch neither reports changes nor watches a folder after the watch is closed', async () => {
  const { root, hints, watch } = await watching();
  const adding = watch.addFolders(['']);
  await Promise.all([watch.close(), adding]);
  const second = watchTree({
    root,
    excluder: createExcluder({ root, patterns: [], protectedFolders: [] }),
    clock: new FakeClock(),
    logger: silentLogger,
    onHint: (path) => hints.note(`second ${path}`),
    onOverflow: () => undefined,
  });
  onTestFinished(() => second.close());
  await second.addFolders(['']);
  writeFileSync(join(root, 'file'), 'x');
  await expectHint(hints, 'second file');
  expect(hints.seen).toEqual(['second file']);
});
