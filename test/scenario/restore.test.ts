/** Tests of restores from a real store: content, attributes, past times, hostile keys and failures. */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { FilesInFlight } from '../../src/base/files-in-flight.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { encodeAttributes, keyOf } from '../../src/mirror/objects/object-metadata.ts';
import { folderNeedsObject } from '../../src/mirror/local/local-entry.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { readFileStable } from '../../src/mirror/local/read-file.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { scanTree } from '../../src/mirror/local/scan.ts';
import { loadSetMtime } from '../../src/mirror/local/set-mtime.ts';
import type { LocalEntry } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const BUCKET = 'backup';
const MINUTE_MS = 60_000;
const owner: UserPrincipal = {
  kind: 'user',
  project: 'p',
  user: 'u',
  customer: 'c',
  fullAccess: true,
};

interface Fixture {
  readonly store: ObjectStore;
  readonly clock: FakeClock;
  readonly source: string;
  readonly to: string;
}

async function fixture({ versioned = true } = {}): Promise<Fixture> {
  const folder = temporaryFolder();
  // Restored folders may be read-only. They must be made writable before they can be deleted.
  onTestFinished(() => makeWritable(folder));
  const clock = new FakeClock();
  const options = { clock, logger: silentLogger, region: 'us-east-1' };
  const engine = await openEngine({ dir: join(folder, 'store'), ...options });
  onTestFinished(() => engine.close());
  const store = engine.as(internalCaller(owner, clock.now()));
  await store.createBucket({ bucket: BUCKET });
  if (versioned) await store.putVersioning({ bucket: BUCKET, versioning: 'Enabled' });
  const source = join(folder, 'source');
  mkdirSync(source);
  return { store, clock, source, to: join(folder, 'restored') };
}

function restore({ store, clock, to }: Fixture, options: Partial<RestoreOptions> = {}) {
  const fixed = { store, clock, to, bucket: BUCKET, prefix: '', logger: silentLogger };
  return restoreTree({ ...fixed, isProven: () => true, ...options });
}

function put({ store }: Fixture, key: string, text = 'x', metadata: Record<string, string> = {}) {
  return store.putObject({ bucket: BUCKET, key, body: bytesBody(text), attributes: { metadata } });
}

/** Uploads all files and folders that a scan finds, and deletes all other objects, like a minimal job. */
async function mirror({ store, source }: Fixture): Promise<void> {
  const excluder = createExcluder({ root: source, patterns: [], protectedFolders: [] });
  const keys = new Set<string>();
  for await (const { directory, entries } of scanTree(source, '', excluder)) {
    if (directory !== '' && folderNeedsObject(entryAt(source, directory), entries.length))
      keys.add(await putEntry(store, source, entryAt(source, directory)));
    for (const entry of entries)
      if (entry.kind !== 'directory') keys.add(await putEntry(store, source, entry));
  }
  const { objects } = await store.listObjects({ bucket: BUCKET });
  for (const { key } of objects)
    if (!keys.has(key)) await store.deleteObject({ bucket: BUCKET, key });
}

async function putEntry(store: ObjectStore, root: string, entry: LocalEntry): Promise<string> {
  const reading = await readFileStable(root, entry, { clock: systemClock });
  if (reading.status !== 'read') throw new Error(`${entry.path} is ${reading.status}`);
  const metadata = encodeAttributes({ ...reading, journalId: '1', uploadedAt: 1 });
  const key = keyOf(entry, '');
  await store.putObject({ bucket: BUCKET, key, body: reading.body, attributes: { metadata } });
  return key;
}

function entryAt(root: string, path: string): LocalEntry {
  const { mode, mtimeMs, ctimeMs, uid, gid, ino: inode } = lstatSync(join(root, path));
  const numbers = { sizeBytes: 0, mtimeMs, ctimeMs, uid, gid, inode };
  return { path, kind: 'directory', mode: mode & 0o7777, ...numbers };
}

/**
 * Returns the attributes and content of each entry for comparison, without the mtimes of folders that have no object.
 */
function picture(root: string): Record<string, unknown> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(paths.map((path) => [path, pictureOf(join(root, path))]));
}

function pictureOf(path: string): unknown {
  const { mode, mtimeNs, uid, gid } = lstatSync(path, { bigint: true });
  const attributes = { mode: mode.toString(8), uid, gid };
  if (lstatSync(path).isSymbolicLink())
    return { ...attributes, mtimeNs, target: readlinkSync(path) };
  if (!lstatSync(path).isDirectory())
    return {
      ...attributes,
      mtimeNs,
      content: createHash('md5').update(readFileSync(path)).digest('hex'),
    };
  const stored = readdirSync(path).length === 0 || (mode & 0o7777n) !== 0o755n;
  return stored ? { ...attributes, mtimeNs } : attributes;
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}

function buildTree(root: string): void {
  mkdirSync(join(root, 'docs/Grüße 你好'), { recursive: true, mode: 0o755 });
  mkdirSync(join(root, 'empty/inside'), { recursive: true });
  writeFileSync(join(root, 'docs/with space.txt'), 'spaces');
  writeFileSync(join(root, 'docs/line\nbreak'), 'newline');
  writeFileSync(join(root, 'docs/Grüße 你好/\u{1F600}.txt'), 'emoji');
  writeFileSync(join(root, 'docs/script'), '#!/bin/sh', { mode: 0o755 });
  writeFileSync(join(root, 'docs/secret'), 'hush', { mode: 0o600 });
  writeFileSync(join(root, 'docs/empty'), '');
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(20 * 1024 * 1024, 'large file '));
  chmodSync(join(root, 'docs/script'), 0o4751);
  symlinkSync('docs/secret', join(root, 'link'));
  symlinkSync('/nowhere/at all', join(root, 'docs/dangling'));
  symlinkSync('docs', join(root, 'folder-link'));
  mkdirSync(join(root, 'private'), { mode: 0o700 });
  writeFileSync(join(root, 'private/file'), 'in private');
  mkdirSync(join(root, 'read-only'));
  writeFileSync(join(root, 'read-only/file'), 'fixed', { mode: 0o444 });
  chmodSync(join(root, 'read-only'), 0o555);
}

describe('restore of a whole tree', () => {
  test('a restore returns the names, content, symbolic links, modes and mtimes of a tree', async () => {
    const fixed = await fixture();
    buildTree(fixed.source);
    const setMtime = await loadSetMtime();
    setMtime(join(fixed.source, 'docs/empty'), 1n);
    setMtime(join(fixed.source, 'docs/secret'), -1n);
    setMtime(join(fixed.source, 'link'), 1_234_567_890_123_456_789n);
    await mirror(fixed);
    const report = await restore(fixed);
    expect(picture(fixed.to)).toEqual(picture(fixed.source));
    expect(report).toMatchObject({ files: 9, directories: 6, symlinks: 3, problems: [] });
    expect(report.bytes).toBeGreaterThan(20 * 1024 * 1024);
  });

  test('a restore returns a tree from an unversioned bucket', async () => {
    const fixed = await fixture({ versioned: false });
    buildTree(fixed.source);
    await mirror(fixed);
    await restore(fixed);
    expect(picture(fixed.to)).toEqual(picture(fixed.source));
  });

  test('a restore returns a tree as it was at two earlier times and as it is now', async () => {
    const fixed = await fixture();
    const { source, clock } = fixed;
    const at: number[] = [];
    const pictures: Record<string, unknown>[] = [];
    const keep = async () => {
      await mirror(fixed);
      at.push(clock.now());
      pictures.push(picture(source));
      clock.advance(MINUTE_MS);
    };
    writeFileSync(join(source, 'changed'), 'one');
    writeFileSync(join(source, 'deleted'), 'one');
    writeFileSync(join(source, 'becomes a folder'), 'one');
    await keep();
    writeFileSync(join(source, 'changed'), 'two, and longer');
    rmSync(join(source, 'deleted'));
    rmSync(join(source, 'becomes a folder'));
    mkdirSync(join(source, 'becomes a folder'));
    writeFileSync(join(source, 'becomes a folder/new'), 'two');
    await keep();
    writeFileSync(join(source, 'deleted'), 'three');
    await mirror(fixed);

    await restore(fixed, { to: `${fixed.to}1`, at: at[0] ?? 0 });
    await restore(fixed, { to: `${fixed.to}2`, at: at[1] ?? 0 });
    await restore(fixed, { to: `${fixed.to}3` });
    expect(picture(`${fixed.to}1`)).toEqual(pictures[0]);
    expect(picture(`${fixed.to}2`)).toEqual(pictures[1]);
    expect(picture(`${fixed.to}3`)).toEqual(picture(source));
  });

  test('a restore returns the later one of two versions that were written in the same millisecond', async () => {
    const fixed = await fixture();
    await put(fixed, 'a', 'one');
    await put(fixed, 'a', 'two');
    await restore(fixed, { at: fixed.clock.now() });
    expect(readFileSync(join(fixed.to, 'a'), 'utf8')).toBe('two');
  });

  test('a restore returns all keys even if they do not fit on one listing page', async () => {
    const fixed = await fixture();
    const keys = Array.from({ length: 1_100 }, (_, index) => `${index % 7}/${index}`);
    await Promise.all(keys.map((key) => put(fixed, key)));
    expect(await restore(fixed)).toMatchObject({ files: 1_100, directories: 7, problems: [] });
    const at = fixed.clock.now();
    expect(await restore(fixed, { to: `${fixed.to}2`, at })).toMatchObject({ files: 1_100 });
  });

  test('a restore of a prefix returns only the keys below the prefix', async () => {
    const fixed = await fixture();
    for (const key of ['a/x', 'b/x', 'b/sub/y']) await put(fixed, key);
    await restore(fixed, { prefix: 'b/' });
    expect(Object.keys(picture(fixed.to))).toEqual(['sub', 'sub/y', 'x']);
  });
});

describe('restore of objects that other tools wrote', () => {
  test('a restore creates objects of other tools as regular files with the upload time as mtime', async () => {
    const fixed = await fixture();
    await put(fixed, 'folder/plain', 'text', { mtime: '1' });
    await restore(fixed);
    const stats = lstatSync(join(fixed.to, 'folder/plain'));
    expect(stats.mtimeMs).toBe(fixed.clock.now());
    expect(stats.mode & 0o777).toBe(0o644 & ~process.umask());
  });

  test('a restore writes no file for a key that leads outside the target folder, and reports such keys', async () => {
    const fixed = await fixture();
    const keys = ['../up', 'a/../../up', '/absolute', 'a//b', 'good'];
    for (const key of keys) await put(fixed, key);
    const { problems, files } = await restore(fixed);
    expect([files, problems.length]).toEqual([1, 4]);
    expect(Object.keys(picture(fixed.to))).toEqual(['good']);
    expect(readdirSync(join(fixed.to, '..')).sort()).toEqual(['restored', 'source', 'store']);
  });

  test('a restore writes no file through a symbolic link that another object creates', async () => {
    const fixed = await fixture();
    await put(fixed, 'trap', fixed.source, { 'holdfast-type': 'symlink' });
    await put(fixed, 'trap/file', 'caught');
    await put(fixed, 'deep/trap', '..', { 'holdfast-type': 'symlink' });
    await put(fixed, 'deep/trap/up', 'caught');
    const { problems } = await restore(fixed);
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'name-collision deep/trap',
      'name-collision trap',
    ]);
    expect(readdirSync(fixed.source)).toEqual([]);
    expect(readFileSync(join(fixed.to, 'trap/file'), 'utf8')).toBe('caught');
    expect(readlinkSync(join(fixed.to, 'trap.file'))).toBe(fixed.source);
  });
});

describe('restores that fail', () => {
  test('a restore reports the failure of a single object, and leaves no partial file', async () => {
    const fixed = await fixture();
    await put(fixed, 'folder/bad', 'not what was stored', { 'holdfast-sha256': '0'.repeat(64) });
    await put(fixed, 'folder/good');
    await put(fixed, 'link', 'l'.repeat(5_000), { 'holdfast-type': 'symlink' });
    const { problems, files } = await restore(fixed);
    expect(files).toBe(1);
    expect(problems.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      'failed folder/bad',
      'failed link',
    ]);
    expect(Object.keys(picture(fixed.to))).toEqual(['folder', 'folder/good']);
  });

  test('a restore into an existing empty folder succeeds', async () => {
    const fixed = await fixture();
    await put(fixed, 'a');
    mkdirSync(fixed.to);
    expect(await restore(fixed)).toMatchObject({ files: 1 });
  });

  test('a restore from a missing bucket fails', async () => {
    const fixed = await fixture();
    await expect(restore(fixed, { bucket: 'none' })).rejects.toMatchObject({
      code: 'NoSuchBucket',
    });
  });

  test('an aborted restore rejects with the reason of the abort signal and leaves no partial files', async () => {
    const fixed = await fixture();
    for (let index = 0; index < 200; index++) await put(fixed, `f/${index}`, 'whole');
    const control = new AbortController();
    const reason = new Error('enough');
    const onProgress = ({ files }: { readonly files: number }) => {
      if (files === 20) control.abort(reason);
    };
    const restoring = restore(fixed, { onProgress, signal: control.signal });
    await expect(restoring).rejects.toBe(reason);
    const names = readdirSync(join(fixed.to, 'f'));
    expect(names.filter((name) => name.startsWith('.holdfast'))).toEqual([]);
    for (const name of names) expect(readFileSync(join(fixed.to, 'f', name), 'utf8')).toBe('whole');
  });
});

test('a restore reports its progress until it reaches the totals', async () => {
  const fixed = await fixture();
  for (const key of ['a', 'b', 'c']) await put(fixed, key, 'four');
  const seen: unknown[] = [];
  await restore(fixed, { onProgress: (progress) => seen.push(progress) });
  expect(seen.at(-1)).toEqual({ files: 3, bytes: 12, totalFiles: 3, totalBytes: 12 });
});

test('a restore reports the largest file in flight with its bytes so far', async () => {
  const fixed = await fixture();
  await put(fixed, 'small', 'four');
  await put(fixed, 'large', 'x'.repeat(3 * 1024 * 1024));
  const inFlight = new FilesInFlight();
  const seen = new Set<string>();
  const onProgress = () => {
    const largest = inFlight.largest();
    if (largest?.path === 'large' && largest.bytes > 0) seen.add(`${largest.sizeBytes}`);
  };
  await restore(fixed, { onProgress, inFlight });
  expect([...seen]).toEqual([`${3 * 1024 * 1024}`]);
  expect(inFlight.largest()).toBe(undefined);
});
