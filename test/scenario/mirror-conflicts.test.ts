/**
 * Tests of conflicts in unversioned, versioned and Object Lock buckets: the conflict policy, the saved content and the
 * resolution.
 */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Mirror } from '../../src/mirror/mirror.ts';
import type { ConflictPolicy, LockPolicy } from '../../src/mirror/model/types.ts';
import { bytesBody, collect } from '../../src/object-store/body.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

const DAY_MS = 24 * 3_600_000;
const LOCK: LockPolicy = { mode: 'GOVERNANCE', days: 3, refreshDays: 1 };

const KINDS = {
  unversioned: { versioned: false },
  versioned: { versioned: true },
  'object-lock': { versioned: true, lock: LOCK },
} as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

interface Setting {
  readonly kind: Kind;
  readonly conflict?: ConflictPolicy;
  readonly names?: readonly string[];
}

/**
 * Backs up files. Then writes different content into each file and, as another client, into its object.
 */
async function conflicting({ kind, conflict = 'keep-both', names = ['f'] }: Setting) {
  const { versioned, ...lock } = KINDS[kind];
  const bench = await openMirrorBench({ versioned });
  const job = { conflict, ...lock };
  for (const name of [...names, 'other']) writeFileSync(join(bench.root, name), `ours ${name}`);
  const mirror = await bench.open(job);
  await mirror.settled();
  mirror.pause();
  for (const name of names) {
    await bench.writeForeign(name, `theirs ${name}`);
    writeFileSync(join(bench.root, name), `edited ${name}`);
  }
  mirror.resume();
  await mirror.runNow();
  return { bench, mirror, job };
}

function open(mirror: Mirror) {
  return mirror.conflicts.list({ limit: 100 }).conflicts;
}

/** Returns the superseded content that the conflict log refers to. */
async function bytesOf({ store, bucket }: MirrorBench, mirror: Mirror, path: string) {
  const [conflict] = mirror.conflicts.show(path);
  if (!conflict) return undefined;
  const { savedAs: key = path, versionId } = conflict;
  const which = conflict.savedAs === undefined && versionId !== undefined ? { versionId } : {};
  const { body } = await store.getObject({ bucket, key, ...which });
  return Buffer.from(await collect(body, 1024)).toString();
}

function besides({ root }: MirrorBench, name: string) {
  return readdirSync(root).filter((each) => each.startsWith(`${name} (`));
}

function content({ root }: MirrorBench, name: string) {
  return readFileSync(join(root, name), 'utf8');
}

const KEEPS = ['local', 'remote', 'both'] as const;

/** Resolves the conflict of each file by the choice that is also the name of the file. */
async function resolveEach(bench: MirrorBench, mirror: Mirror) {
  for (const keep of KEEPS) {
    const report = await mirror.conflicts.resolve({ keep, patterns: [keep] });
    expect(report).toMatchObject({ matched: 1, steps: [], resolved: 1, waiting: [] });
  }
  await mirror.settled();
  expect(KEEPS.map((keep) => content(bench, keep))).toEqual([
    'edited local',
    'theirs remote',
    'edited both',
  ]);
  expect(KEEPS.flatMap((keep) => besides(bench, keep)).map((name) => content(bench, name))).toEqual(
    ['theirs both'],
  );
  expect(await bench.heads()).toEqual(bench.tree());
  for (const keep of KEEPS)
    expect(mirror.conflicts.show(keep)[0]).toMatchObject({ state: 'resolved', resolution: keep });
  // The replaced content of the local file is still stored.
  expect(await bytesOf(bench, mirror, 'remote')).toBe('edited remote');
}

describe.each(NAMES)('conflicts in a bucket of the kind %s', (kind) => {
  test('with conflict policy keep-both, a job uploads the local file and lists the other version until the user decides', async () => {
    const names = ['f', ...KEEPS];
    const { bench, mirror } = await conflicting({ kind, names });
    expect(await bench.heads()).toEqual(bench.tree());
    expect(content(bench, 'f')).toBe('edited f');
    expect(open(mirror)).toMatchObject(
      names.toSorted().map((path) => ({ path, state: 'open', side: 'bucket' })),
    );
    expect(mirror.status().counts).toMatchObject({ conflicts: 4, held: 0 });
    for (const name of names) expect(await bytesOf(bench, mirror, name)).toBe(`theirs ${name}`);
    await mirror.runNow();
    expect(open(mirror)).toHaveLength(4);
    await resolveEach(bench, mirror);
    expect(mirror.status().counts).toMatchObject({ conflicts: 1, held: 0, problems: 0 });
  });

  test('with conflict policy ask, a job changes neither the file nor the object until the user decides', async () => {
    const names = ['f', ...KEEPS];
    const { bench, mirror } = await conflicting({ kind, names, conflict: 'ask' });
    expect(await bench.heads()).toMatchObject({ f: 'theirs f', local: 'theirs local' });
    expect(content(bench, 'f')).toBe('edited f');
    expect(open(mirror)).toMatchObject(
      names.toSorted().map((path) => ({ path, state: 'held', side: 'bucket', id: '' })),
    );
    expect(mirror.status().counts).toMatchObject({ conflicts: 4, held: 4 });
    await mirror.conflicts.resolve({ keep: 'local', patterns: ['f'] });
    expect(await bytesOf(bench, mirror, 'f')).toBe('theirs f');
    await resolveEach(bench, mirror);
    expect(open(mirror)).toEqual([]);
    expect(mirror.status().counts).toMatchObject({ conflicts: 0, held: 0, problems: 0 });
  });

  test('with conflict policy remote, a job saves the local file before the object replaces it, and can restore it', async () => {
    const names = ['f', 'back'];
    const { bench, mirror } = await conflicting({ kind, names, conflict: 'remote' });
    expect(bench.tree()).toEqual({ f: 'theirs f', back: 'theirs back', other: 'ours other' });
    expect(await bench.heads()).toEqual(bench.tree());
    expect(open(mirror)).toMatchObject([
      { path: 'back', state: 'open', side: 'folder' },
      { path: 'f', state: 'open', side: 'folder' },
    ]);
    expect(await bytesOf(bench, mirror, 'f')).toBe('edited f');
    expect(mirror.status().counts).toMatchObject({ conflicts: 2, held: 0, problems: 0 });
    await mirror.conflicts.resolve({ keep: 'local', patterns: ['back'] });
    await mirror.settled();
    expect(content(bench, 'back')).toBe('edited back');
    expect(await bench.heads()).toEqual(bench.tree());
    expect(open(mirror)).toHaveLength(1);
  });
});

describe('locks of versions that other clients wrote', () => {
  test('a job locks an overwritten version for the conflict window, and does not shorten an existing lock', async () => {
    const { bench, mirror } = await conflicting({ kind: 'object-lock' });
    const { store, bucket } = bench;
    const [{ versionId = '', retainUntil = 0 } = {}] = open(mirror);
    const until = async (id: string) =>
      (await store.getRetention({ bucket, key: 'f', versionId: id }))?.retainUntil;
    expect(retainUntil).toBeGreaterThan(Date.now() + 29 * DAY_MS);
    expect(await until(versionId)).toBe(retainUntil);
    mirror.pause();
    const retention = { mode: 'COMPLIANCE', retainUntil: Date.now() + 60 * DAY_MS } as const;
    await bench.writeForeign('f', 'theirs again');
    await store.putRetention({ bucket, key: 'f', retention });
    writeFileSync(join(bench.root, 'f'), 'edited again');
    mirror.resume();
    await mirror.runNow();
    const entries = open(mirror);
    expect(entries).toHaveLength(2);
    const other = entries.find(({ versionId: id }) => id !== versionId);
    expect(await until(other?.versionId ?? '')).toBe(retention.retainUntil);
  });

  test('a job without a lock policy does not lock versions that it overwrites', async () => {
    const { bench, mirror } = await conflicting({ kind: 'versioned' });
    const [{ versionId = '', retainUntil } = {}] = open(mirror);
    const { store, bucket } = bench;
    expect(retainUntil).toBeUndefined();
    const { info } = await store.headObject({ bucket, key: 'f', versionId });
    expect(info.retention).toBeUndefined();
  });
});

describe('a file that an object replaces', () => {
  test('a job restores the stored mode and mtime when an object replaces a file', async () => {
    const bench = await openMirrorBench();
    const path = join(bench.root, 'f');
    writeFileSync(path, 'first');
    chmodSync(path, 0o640);
    const mirror = await bench.open({ conflict: 'remote' });
    await mirror.settled();
    const before = statSync(path, { bigint: true });
    const copy = { bucket: bench.bucket, key: 'f' };
    writeFileSync(path, 'second');
    await mirror.settled();
    mirror.pause();
    const { versions } = await bench.store.listVersions({ bucket: bench.bucket, prefix: 'f' });
    const source = { ...copy, versionId: versions.at(-1)?.versionId ?? '' };
    await bench.store.copyObject({ ...copy, source });
    chmodSync(path, 0o600);
    writeFileSync(path, 'third');
    mirror.resume();
    await mirror.runNow();
    const after = statSync(path, { bigint: true });
    expect(content(bench, 'f')).toBe('first');
    expect([after.mode, after.mtimeNs]).toEqual([before.mode, before.mtimeNs]);
    expect(await bench.heads()).toEqual(bench.tree());
  });

  test('a job replaces a symbolic link itself and not its target, and restores a symbolic link from an object', async () => {
    const bench = await openMirrorBench();
    const { root, store, bucket } = bench;
    writeFileSync(join(root, 'target'), 'target');
    for (const name of ['f', 'g']) symlinkSync('target', join(root, name));
    const mirror = await bench.open({ conflict: 'remote' });
    await mirror.settled();
    mirror.pause();
    await bench.writeForeign('f', 'theirs');
    for (const name of ['f', 'g']) rmSync(join(root, name));
    symlinkSync('/nowhere', join(root, 'f'));
    const attributes = { metadata: { 'holdfast-type': 'symlink' } };
    await store.putObject({ bucket, key: 'g', body: bytesBody('elsewhere'), attributes });
    writeFileSync(join(root, 'g'), 'a file now');
    mirror.resume();
    await mirror.runNow();
    expect(bench.tree()).toEqual({ f: 'theirs', g: 'elsewhere', target: 'target' });
    expect(lstatSync(join(root, 'f')).isFile()).toBe(true);
    expect(await bytesOf(bench, mirror, 'f')).toBe('/nowhere');
  });
});

describe('the resolution of a conflict', () => {
  test('a dry run of a conflict resolution lists its steps and changes nothing', async () => {
    const { bench, mirror } = await conflicting({ kind: 'versioned', conflict: 'ask' });
    for (const [keep, does] of [
      ['local', 'cover'],
      ['remote', 'replace'],
      ['both', 'beside'],
    ] as const)
      expect(await mirror.conflicts.resolve({ keep, dryRun: true })).toMatchObject({
        matched: 1,
        steps: [{ path: 'f', does }],
        resolved: 0,
        waiting: [],
      });
    expect(open(mirror)).toMatchObject([{ state: 'held' }]);
    expect(content(bench, 'f')).toBe('edited f');
    expect(await bench.heads()).toMatchObject({ f: 'theirs f' });
  });

  test('the patterns of a conflict resolution select conflicts by path or by .gitignore rules', async () => {
    const { mirror } = await conflicting({ kind: 'versioned' });
    const about = async (pattern: string) =>
      (await mirror.conflicts.resolve({ keep: 'local', patterns: [pattern], dryRun: true }))
        .matched;
    expect(await Promise.all(['f', '/f', '[f]'].map(about))).toEqual([1, 1, 1]);
    expect(await Promise.all(['*.txt', 'd/', 'F'].map(about))).toEqual([0, 0, 0]);
  });

  test('a job does not apply a conflict resolution if the object changed after the user saw the conflict', async () => {
    const { bench, mirror } = await conflicting({ kind: 'versioned', conflict: 'ask' });
    await bench.writeForeign('f', 'theirs again');
    const report = await mirror.conflicts.resolve({ keep: 'local' });
    expect(report).toMatchObject({ matched: 1, resolved: 0, waiting: [{ path: 'f' }] });
    expect(await bench.heads()).toMatchObject({ f: 'theirs again' });
    expect(open(mirror)).toMatchObject([{ state: 'held', path: 'f' }]);
    expect(open(mirror)[0]?.wish).toBeUndefined();
    expect(await mirror.conflicts.resolve({ keep: 'local' })).toMatchObject({ resolved: 1 });
    expect(await bench.heads()).toMatchObject({ f: 'edited f' });
  });

  test('a job does not apply a conflict resolution if the file changed after the user requested it', async () => {
    const { bench, mirror } = await conflicting({ kind: 'versioned', conflict: 'ask' });
    mirror.pause();
    const resolving = mirror.conflicts.resolve({ keep: 'remote' });
    writeFileSync(join(bench.root, 'f'), 'edited again');
    mirror.resume();
    await resolving;
    await mirror.settled();
    expect(content(bench, 'f')).toBe('edited again');
    expect(open(mirror)).toMatchObject([{ state: 'held', path: 'f' }]);
  });

  test('a paused job stores a conflict resolution, and applies it after a restart', async () => {
    const { bench, mirror, job } = await conflicting({ kind: 'versioned' });
    mirror.pause();
    const report = await mirror.conflicts.resolve({ keep: 'remote' });
    expect(report).toMatchObject({ matched: 1, resolved: 0, waiting: [{ path: 'f' }] });
    expect(open(mirror)).toMatchObject([{ wish: 'remote' }]);
    const again = await bench.open(job);
    await again.settled();
    await again.settled();
    expect(open(again)).toEqual([]);
    expect(content(bench, 'f')).toBe('theirs f');
    expect(await bench.heads()).toEqual(bench.tree());
  });

  test('a conflict resolution whose chosen version no longer exists is reported and dropped', async () => {
    const { bench, mirror } = await conflicting({ kind: 'versioned' });
    const [{ versionId = '' } = {}] = open(mirror);
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'f', versionId });
    const report = await mirror.conflicts.resolve({ keep: 'remote' });
    expect(report.waiting).toMatchObject([
      { path: 'f', why: expect.stringContaining('cannot download f') },
    ]);
    expect(content(bench, 'f')).toBe('edited f');
    expect(open(mirror)[0]?.wish).toBeUndefined();
    expect(await mirror.conflicts.resolve({ keep: 'local' })).toMatchObject({ resolved: 1 });
  });

  test('a conflict resolution restores a deleted file and its folder', async () => {
    const bench = await openMirrorBench();
    mkdirSync(join(bench.root, 'd'));
    writeFileSync(join(bench.root, 'd/f'), 'ours');
    const mirror = await bench.open();
    await mirror.settled();
    mirror.pause();
    await bench.writeForeign('d/f', 'theirs');
    writeFileSync(join(bench.root, 'd/f'), 'edited');
    mirror.resume();
    await mirror.runNow();
    rmSync(join(bench.root, 'd'), { recursive: true });
    await mirror.settled();
    expect(await mirror.conflicts.resolve({ keep: 'remote' })).toMatchObject({ resolved: 1 });
    await mirror.settled();
    expect(content(bench, 'd/f')).toBe('theirs');
    expect(await bench.heads()).toEqual(bench.tree());
  });
});

test('a job lists conflicts page by page in the order of their paths', async () => {
  const bench = await openMirrorBench();
  const paths = ['a', 'b', 'c/d', 'é'];
  mkdirSync(join(bench.root, 'c'));
  for (const path of paths) writeFileSync(join(bench.root, path), 'ours');
  for (const path of ['a', 'é']) await bench.writeForeign(path, 'theirs');
  const mirror = await bench.open();
  await mirror.settled();
  mirror.pause();
  for (const path of ['b', 'c/d']) {
    await bench.writeForeign(path, 'theirs');
    writeFileSync(join(bench.root, path), 'edited');
  }
  mirror.resume();
  await mirror.runNow();
  const listed: string[] = [];
  let after: string | undefined;
  do {
    const page = mirror.conflicts.list({ limit: 1, ...(after !== undefined && { after }) });
    listed.push(...page.conflicts.map(({ path, state }) => `${path} ${state}`));
    after = page.next;
  } while (after !== undefined);
  expect(listed).toEqual(['a held', 'b open', 'c/d open', 'é held']);
});
