/**
 * Tests of jobs that back up the same folder: they share its listings, and no job gets an older
 * listing than it requires.
 */

import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { Digests } from '../../../src/mirror/local/digests.ts';
import { OverflowDetector } from '../../../src/mirror/local/tree/overflow-detector.ts';
import { createExcluder } from '../../../src/mirror/local/exclude.ts';
import { readFileStable } from '../../../src/mirror/local/read-file.ts';
import { FolderTree, type TreeMember } from '../../../src/mirror/local/tree/folder-tree.ts';
import { FolderTrees } from '../../../src/mirror/local/tree/folder-trees.ts';
import { recheckFolder } from '../../../src/mirror/local/tree/folder-difference.ts';
import { KeptListings } from '../../../src/mirror/local/tree/kept-listings.ts';
import { scanFolder } from '../../../src/mirror/local/scan.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const { signal } = new AbortController();
const KEPT_MS = 60_000;

function openTree(files: readonly string[] = []) {
  const root = temporaryFolder('tree');
  const write = (path: string, text = path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of files) write(path);
  const clock = new FakeClock();
  const excluder = createExcluder({ root, patterns: [], protectedFolders: [] });
  const listed: string[] = [];
  const counting = {
    ...excluder,
    enter: (directory: string, names: readonly string[]) => {
      listed.push(directory);
      return excluder.enter(directory, names);
    },
  };
  const overflows = new OverflowDetector();
  const tree = new FolderTree({ root, excluder: counting, clock, logger: silentLogger, overflows });
  const hints: string[] = [];
  const join_ = (name: string) => {
    const member = tree.join({
      onHint: (path) => hints.push(`${name} ${path}`),
      onOverflow: () => hints.push(`${name} overflow`),
      onScan: () => hints.push(`${name} scan`),
    });
    onTestFinished(() => member.leave());
    return member;
  };
  return { root, tree, overflows, clock, listed, hints, write, join: join_ };
}

const FILES = ['a', 'd/b', 'd/e/c', 'f/g'];
const FOLDERS = ['', 'd', 'd/e', 'f'];

async function pathsOf(member: TreeMember, after = 0) {
  const paths: string[] = [];
  for await (const scan of member.listAll('', { after, signal })) {
    paths.push(...scan.entries.map(({ path }) => path));
    member.own(scan);
  }
  return paths.sort();
}

describe('the shared listings of a folder with several jobs', () => {
  test('the folder tree lists a folder once for two jobs, whether they scan one after the other or at the same time', async () => {
    const { listed, join: member } = openTree(FILES);
    const [one, other] = [member('one'), member('other')];
    const paths = await pathsOf(one);
    expect(await pathsOf(other)).toEqual(paths);
    expect(listed.sort()).toEqual(FOLDERS);
    listed.length = 0;
    expect(await Promise.all([pathsOf(one), pathsOf(other)])).toEqual([paths, paths]);
    expect(listed.sort()).toEqual(FOLDERS);
  });

  test('the folder tree lists a folder again if a job scans it a second time, after one minute, or if a job requires a newer listing', async () => {
    const { tree, clock, listed, join: member } = openTree(FILES);
    const [one, other] = [member('one'), member('other')];
    await pathsOf(one);
    await pathsOf(one);
    expect(listed).toHaveLength(2 * FOLDERS.length);
    await pathsOf(other, tree.moment());
    expect(listed).toHaveLength(3 * FOLDERS.length);
    clock.advance(KEPT_MS + 1);
    await pathsOf(one);
    expect(listed).toHaveLength(4 * FOLDERS.length);
  });

  test('the folder tree drops a shared folder listing after every job has used it', async () => {
    const { listed, join: member } = openTree(FILES);
    const [one, other, third] = [member('one'), member('other'), member('third')];
    await pathsOf(one);
    await pathsOf(other);
    await pathsOf(third);
    expect(listed).toHaveLength(FOLDERS.length);
    await pathsOf(member('fourth'));
    expect(listed).toHaveLength(2 * FOLDERS.length);
  });

  test('the folder tree caches at most 50,000 entries of shared folder listings and drops the oldest listings first', async () => {
    const kept = new KeptListings<string>(new FakeClock());
    const { entries } = await scanFolder(openTree(FILES).root, '', openTree().tree.excluder);
    const rest = { complete: true, problems: [], rulesChanged: false };
    const FOLDERS_KEPT = 50_000 / (entries.length + 5);
    for (let folder = 0; folder < 2 * FOLDERS_KEPT; folder++)
      kept.keep({ directory: String(folder), entries, ...rest }, 1, 'one');
    const take = (folder: number) =>
      kept.take(String(folder), { receiver: 'other', receiverCount: 3, after: 0 })?.directory;
    const all = Array.from({ length: Math.ceil(2 * FOLDERS_KEPT) }, (_, folder) => folder);
    const left = all.filter((folder) => take(folder) !== undefined);
    expect(left).toEqual(all.slice(-Math.floor(FOLDERS_KEPT)));
  });

  test('the folder tree caches no folder listing while only one job uses the folder', async () => {
    const { listed, join: member } = openTree(FILES);
    const one = member('one');
    await pathsOf(one);
    await pathsOf(member('other'));
    expect(listed).toHaveLength(2 * FOLDERS.length);
  });
});

test('the folder tree does not delay the other jobs of a folder if one job leaves or never scans', async () => {
  const { listed, hints, write, join: member } = openTree(FILES);
  const [one, other] = [member('one'), member('other')];
  await pathsOf(one);
  await other.leave();
  write('new');
  await until(
    () => hints,
    () => hints.includes('one new'),
  );
  expect(hints.filter((hint) => hint.startsWith('other'))).toEqual([]);
  listed.length = 0;
  expect(await pathsOf(one)).toContain('new');
  expect(listed).toHaveLength(FOLDERS.length);
});

test('the folder tree lists a folder again after a file event and notifies every job of the changed path', async () => {
  const { hints, write, join: member } = openTree(FILES);
  const [one, other] = [member('one'), member('other')];
  await pathsOf(one);
  write('d/new');
  await until(
    () => hints,
    () => hints.includes('one d/new') && hints.includes('other d/new'),
  );
  expect(await pathsOf(other)).toContain('d/new');
});

test('the folder tree keeps a folder watched for the remaining jobs after one job stops watching and leaves', async () => {
  const { root, hints, write, join: member } = openTree(FILES);
  const [one, other] = [member('one'), member('other')];
  await pathsOf(one);
  await pathsOf(other);
  one.unwatch('d');
  await one.leave();
  expect(other.coverage(undefined)).toMatchObject({ watched: FOLDERS.length, polled: 0 });
  rmSync(join(root, 'd/b'));
  await until(
    () => hints,
    () => hints.includes('other d/b'),
  );
  await other.leave();
  write('d/b');
  expect(other.coverage(undefined)).toBeUndefined();
});

test('the folder tree notifies the other jobs and watches the folder again after one job closes the watch', async () => {
  const { hints, join: member } = openTree(FILES);
  const [one, other] = [member('one'), member('other')];
  await pathsOf(one);
  const scans = other.listAll('', { after: 0, signal });
  await scans.next();
  await one.closeWatch();
  await one.closeWatch();
  expect(hints).toEqual(['other overflow']);
  expect(one.coverage(undefined)).toBeUndefined();
  // The scan in progress continues, and the next sync round watches every folder again.
  for await (const _ of scans) continue;
  await pathsOf(other);
  expect(other.coverage(undefined)).toMatchObject({ watched: FOLDERS.length });
});

test('the folder tree closes the shared watch only once if one job finds its folder missing', async () => {
  const { hints, join: member } = openTree(FILES);
  const [one, other] = [member('one'), member('other')];
  await pathsOf(one);
  await pathsOf(other);
  await one.closeWatch();
  await pathsOf(other);
  // The other job has already accepted the folder that exists now.
  await one.closeWatch();
  expect(hints).toEqual(['other overflow']);
  expect(other.coverage(undefined)).toMatchObject({ watched: FOLDERS.length });
  await pathsOf(one);
  await one.closeWatch();
  expect(hints).toEqual(['other overflow', 'other overflow']);
});

test('the folder tree reports changed ignore rules once to each job, no matter which scan read them', async () => {
  const { tree, write, join: member } = openTree(['d/a']);
  const [one, other] = [member('one'), member('other')];
  await pathsOf(one);
  await pathsOf(other);
  write('d/.holdfastignore', 'a');
  // A verification or an initial scan also reads the folder in this way, outside sync rounds.
  await scanFolder(tree.root, 'd', tree.excluder);
  const changed: boolean[] = [];
  for (const each of [one, other, one, other])
    changed.push((await each.list('d', tree.moment())).rulesChanged);
  expect(changed).toEqual([true, true, false, false]);
});

test('the folder tree lists the folders below a changed .holdfastignore file again with the new rules', async () => {
  const { listed, write, join: member } = openTree(['d/e/x', 'd/e/y', 'f/g']);
  const [one, other] = [member('one'), member('other')];
  expect(await pathsOf(one)).toContain('d/e/x');
  write('d/.holdfastignore', 'x');
  listed.length = 0;
  const scanned = await one.list('d', Number.MAX_SAFE_INTEGER);
  expect(scanned.rulesChanged).toBe(true);
  const paths = await pathsOf(other);
  expect(paths).toContain('d/e/y');
  expect(paths).not.toContain('d/e/x');
  // The listings of other folders and their ignore rules are unchanged.
  expect(listed.sort()).toEqual(['d', 'd/e']);
});

test('the folder tree notifies the other jobs if one job scans the folder without a request', () => {
  const { hints, join: member } = openTree();
  const [one] = [member('one'), member('other'), member('third')];
  one?.reportScan();
  expect(hints).toEqual(['other scan', 'third scan']);
});

test('property: no job gets an older listing than it requires, whatever order several jobs scan in', async () => {
  const step = fc.record({
    kind: fc.constantFrom('write', 'list', 'listAll'),
    member: fc.nat(2),
    folder: fc.constantFrom('', 'd', 'd/e'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { root, tree, write } = openTree(FILES);
      const members = [0, 1, 2].map(() =>
        tree.join({ onHint: () => {}, onOverflow: () => {}, onScan: () => {} }),
      );
      let moment = 0;
      for (const [index, { kind, member, folder }] of steps.entries()) {
        const one = members[member];
        if (!one) throw new Error('there are three');
        const truth = (each: string) =>
          scanFolder(root, each, createExcluder({ root, patterns: [], protectedFolders: [] }));
        if (kind === 'write') {
          write(`${folder === '' ? '' : `${folder}/`}n${index}`);
          // No file event has arrived yet. A notified job requires a listing newer than this time.
          moment = tree.moment();
        } else if (kind === 'list') {
          const scan = await one.list(folder, moment);
          expect(scan.entries).toEqual((await truth(folder)).entries);
          expect(one.own(scan)).toEqual(recheckFolder(root, folder));
        } else {
          for await (const scan of one.listAll('', { after: moment, signal }))
            expect(scan.entries).toEqual((await truth(scan.directory)).entries);
        }
      }
      for (const member of members) await member.leave();
    }),
    { numRuns: 30 },
  );
});

test('jobs with the same exclude rules share one folder tree as long as a job uses it', async () => {
  const root = temporaryFolder('tree');
  const trees = new FolderTrees();
  const job = { root, exclude: ['*.tmp'], cacheDirs: 'exclude' } as const;
  const of = (changes: object) =>
    trees.of({
      job: { ...job, ...changes },
      protectedFolders: [],
      clock: new FakeClock(),
      logger: silentLogger,
    });
  const tree = of({});
  const member = tree.join({ onHint: () => {}, onOverflow: () => {}, onScan: () => {} });
  expect(of({})).toBe(tree);
  expect(of({ exclude: [] })).not.toBe(tree);
  expect(of({ cacheDirs: 'keep' })).not.toBe(tree);
  await member.leave();
  expect(of({})).not.toBe(tree);
});

test('the folder tree reports to each job that another folder replaced a folder at the same path', async () => {
  const { root, join: member } = openTree(FILES);
  const members = [member('one'), member('other')] as const;
  await pathsOf(members[0]);
  renameSync(join(root, 'd'), join(root, 'gone'));
  renameSync(join(root, 'f'), join(root, 'd'));
  for (const each of members) {
    const reported = new Set<string>();
    await until(
      () => {
        for (const path of each.takeReplacedFolders()) reported.add(path);
        return [...reported].sort();
      },
      (paths) => paths.join() === 'd,gone',
    );
    expect(each.takeReplacedFolders()).toEqual(new Set());
  }
});

describe('a file that several jobs read', () => {
  const SIZES = [1_000, 300_000, 9_000_000];

  async function read(root: string, digests: Digests) {
    const path = 'f';
    const entry = { path, kind: 'file', sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 } as const;
    const options = { clock: systemClock, digests };
    const ids = { mode: 0, uid: 0, gid: 0 };
    const reading = await readFileStable(root, { ...entry, ...ids }, options);
    if (reading.status !== 'read') throw new Error(reading.status);
    const { sha256, content, body } = reading;
    return { sha256, content, first: (await body.open()[Symbol.asyncIterator]().next()).value };
  }

  test.each(SIZES)(
    'the folder tree hashes a file of %i bytes once for several jobs, even if they read it at the same time',
    async (sizeBytes) => {
      const root = temporaryFolder('digests');
      writeFileSync(join(root, 'f'), Buffer.alloc(sizeBytes, 'holdfast'));
      const notes: string[] = [];
      const digests = new (class extends Digests {
        override note(...line: Parameters<Digests['note']>): void {
          notes.push(line[1].sha256);
          super.note(...line);
        }
      })();
      const [one, other] = await Promise.all([read(root, digests), read(root, digests)]);
      expect(await read(root, digests)).toEqual(one);
      expect(other).toEqual(one);
      expect(notes).toEqual([one.sha256]);
      writeFileSync(join(root, 'f'), Buffer.alloc(sizeBytes, 'other'));
      expect((await read(root, digests)).sha256).not.toBe(one.sha256);
    },
  );

  const torn = { sha256: 'torn', facts: '' };
  const look = (path: string) => lstatSync(path, { bigint: true });

  test('the folder tree drops the shared digest of a file after a file event, even if the timestamps of the file are unchanged', async () => {
    const { root, write, join: member } = openTree(['f']);
    const [one] = [member('one'), member('other')];
    await pathsOf(one);
    write('f', 'whole');
    const stats = look(join(root, 'f'));
    const digests = one.digests();
    digests?.note(stats, torn);
    expect(digests?.find(stats)).toBe(torn);
    await until(
      () => digests?.find(stats),
      (known) => known === undefined,
    );
  });

  test('the folder tree drops all shared digests if file events were lost', async () => {
    const { root, hints, overflows, join: member } = openTree(['f']);
    const [one] = [member('one'), member('other')];
    await pathsOf(one);
    const stats = look(join(root, 'f'));
    one.digests()?.note(stats, torn);
    // These are more events than the event queue of any system can hold.
    for (let event = 0; event < 2_000_000; event++) overflows.note();
    await until(
      () => one.digests()?.find(stats),
      (known) => known === undefined,
    );
    expect(hints).toContain('one overflow');
  });

  test('the folder tree lets each job hash a file itself if the file changes while another job reads it', async () => {
    const root = temporaryFolder('digests');
    const path = join(root, 'f');
    writeFileSync(path, 'whole');
    const digests = new Digests();
    const done = digests.announce(look(path));
    const other = read(root, digests);
    digests.forget(path);
    done(torn);
    expect((await other).sha256).toBe(hash('sha256', 'whole'));
  });
});
