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
import { runAsOrdinaryUser } from '../../helpers/ordinary-user.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** What a watch says, kept, with a promise for what is yet to be said. */
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

  /** Calls `check` now and with each hint to come. */
  watch(check: () => void): void {
    this.#waiting.push(check);
    check();
  }
}

/** Resolves when the hint is or was given; a hint that never comes fails the test by its timeout. */
function expectHint(hints: Hints, hint: string): Promise<void> {
  return new Promise((resolve) => {
    hints.watch(() => hints.seen.includes(hint) && resolve());
  });
}

interface Watching {
  readonly root: string;
  readonly hints: Hints;
  readonly watch: TreeWatch;
  /** What a round does on a hint for a folder: watches and lists it. */
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

describe('a hint is given', () => {
  const names = ['plain', 'with space', 'line\nbreak', 'back\\slash', 'Grüße', '\u{1F600}'];

  test.each(names)('for a new file %j, an edit, a new mode, and its removal', async (name) => {
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
  });

  test('for a rename at both names, also from folder to folder', async () => {
    const { root, hints } = await watching((folder) => {
      for (const name of ['a', 'b']) mkdirSync(join(folder, name));
      writeFileSync(join(folder, 'a/file'), 'x');
    });
    renameSync(join(root, 'a/file'), join(root, 'b/other'));
    await Promise.all([expectHint(hints, 'entry a/file'), expectHint(hints, 'entry b/other')]);
  });

  test('for a link, which is not followed', async () => {
    const { root, hints } = await watching((folder) => mkdirSync(join(folder, 'sub')));
    symlinkSync('sub', join(root, 'link'));
    await expectHint(hints, 'entry link');
  });

  test('for a folder with 1,000 files that is moved in, and then for what happens in it', async () => {
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

  test('for what happens in a folder after it was renamed', async () => {
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

  test('for what happens in a folder that was removed with all in it, and made again', async () => {
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

  test('for everything when the root is removed', async () => {
    const { root, hints, watch } = await watching((folder) => mkdirSync(join(folder, 'd')));
    rmSync(root, { recursive: true });
    await expectHint(hints, 'overflow');
    expect(watch.coverage().watched).toBe(0);
  });
});

describe('no hint is given', () => {
  test('for what is excluded', async () => {
    const build = (root: string) => mkdirSync(join(root, 'cache'));
    const { root, hints, watch } = await watching(build, ['*.tmp', 'cache/']);
    writeFileSync(join(root, 'a.tmp'), 'x');
    writeFileSync(join(root, 'cache/b'), 'x');
    writeFileSync(join(root, 'c.txt'), 'x');
    await expectHint(hints, 'entry c.txt');
    expect(hints.seen.filter((hint) => !hint.endsWith('c.txt'))).toEqual([]);
    expect(watch.coverage().watched).toBe(1);
  });

  test('twice for the same path in one turn of the event loop', async () => {
    const { root, hints } = await watching();
    for (let time = 0; time < 50; time++) appendFileSync(join(root, 'log'), 'x');
    await expectHint(hints, 'entry log');
    expect(hints.seen.length).toBeLessThan(10);
  });

  test('for a folder that is no longer to be watched', async () => {
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

test('folders that are watched already are watched once, and those that are gone not at all', async () => {
  const { watch, scan } = await watching((root) =>
    mkdirSync(join(root, 'a/b'), { recursive: true }),
  );
  await scan('');
  await watch.addFolders(['a', 'a/b', 'gone', 'gone/too']);
  expect(watch.coverage()).toEqual({ watched: 3, polled: 0 });
});

/** The kernel's queue takes thousands of files, on a machine that may be busy with much else. */
const BURST_MS = 120_000;

test.runIf(process.platform === 'linux')(
  'a burst that fills the queue of the kernel is told as an overflow',
  async () => {
    const limit = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
    const names = ['a', 'b'];
    const { root, hints } = await watching((folder) => {
      for (const name of names) writeFileSync(join(folder, name), '');
    });
    // In turn: of equal events in a row the kernel keeps one.
    for (let index = 0; index <= limit / 2; index++)
      for (const name of names) chmodSync(join(root, name), 0o600);
    await expectHint(hints, 'overflow');
  },
  BURST_MS,
);

test('a folder that cannot be watched is polled every minute, once however often it is tried, and the reason is told', () => {
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'closed'), { mode: 0o000 });
  const modules = new URL('../../..', import.meta.url).href;
  const result = runAsOrdinaryUser(`
    import { watchTree } from '${modules}src/mirror/local/tree/watch.ts';
    import { FakeClock } from '${modules}test/helpers/fake-clock.ts';
    const clock = new FakeClock();
    const hints = [];
    const watch = watchTree({
      root: ${JSON.stringify(root)},
      excluder: { excludes: () => false, protects: () => false },
      clock,
      logger: { warn: () => undefined },
      onHint: (path, scope) => hints.push(scope + ' ' + path),
      onOverflow: () => undefined,
    });
    await watch.addFolders(['', 'closed']);
    watch.removeFolder('closed');
    await watch.addFolders(['closed']);
    const coverage = watch.coverage();
    clock.advance(120_000);
    await watch.close();
    console.log(JSON.stringify({ coverage, hints }));
  `);
  expect(result).toEqual({
    coverage: { watched: 1, polled: 1, reason: expect.stringMatching(/^watch closed: EACCES/) },
    hints: ['folder closed', 'folder closed'],
  });
});

test('after the close nothing is hinted at and nothing more is watched', async () => {
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
