/** Tests of backups and restores of hard links, extended attributes and sparse files. */

import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { loadXattrs, parseXattrs, writeXattrText } from '../../src/mirror/local/xattrs.ts';
import { previewRestore } from '../../src/restore/restore-preview.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { faultyStore } from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const { read, write } = await loadXattrs();

async function opened() {
  const bench = await openMirrorBench();
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  const bodies = () =>
    faulty.calls.filter((call) =>
      /^(putObject|uploadPart) (?!\.holdfast\/(claim|probe))/.test(call),
    );
  return { bench, mirror, bodies, at: (path: string) => join(bench.root, path) };
}

async function restored({ store, bucket, home }: MirrorBench) {
  const to = join(home, 'restored');
  const options = { store, bucket, prefix: '', clock: systemClock, logger: silentLogger };
  const report = await restoreTree({ ...options, isProven: () => true, to });
  return { report, at: (path: string) => join(to, path) };
}

function withDescriptor<T>(path: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r+');
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function setXattrs(path: string, values: Record<string, string>): void {
  const bytes = Object.entries(values).map(([name, text]) => [name, Buffer.from(text)] as const);
  const { text = '[]' } = writeXattrText(new Map(bytes)) ?? {};
  withDescriptor(path, (descriptor) => write(descriptor, text));
}

function xattrsOf(path: string): Record<string, string> {
  const found = withDescriptor(path, read);
  const values = [...parseXattrs(found?.text ?? '[]')];
  return Object.fromEntries(values.map(([name, value]) => [name, value.toString()]));
}

const inodeOf = (path: string) => statSync(path).ino;
const modeOf = (path: string) => `0${(statSync(path).mode & 0o777).toString(8)}`;

/** Overwrites an object with changed metadata, as between the uploads of two hard links, and returns the metadata. */
async function changeMetadata(
  { store, bucket }: MirrorBench,
  key: string,
  change: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { info } = await store.headObject({ bucket, key });
  const metadata: Record<string, string> = { ...info.metadata, ...change };
  const body = bytesBody('shared');
  await store.putObject({ bucket, key, body, attributes: { metadata } });
  return metadata;
}

test('a job uploads a file with hard links once and stores an object for each link, and a restore links them again', async () => {
  const { bench, mirror, bodies, at } = await opened();
  mirror.pause();
  writeFileSync(at('one'), 'shared');
  writeFileSync(at('equal'), 'shared');
  linkSync(at('one'), at('three'));
  linkSync(at('one'), at('two'));
  mirror.resume();
  await mirror.settled();
  // The job uploads both files at the same time.
  expect(bodies().toSorted()).toEqual(['putObject equal', 'putObject one']);
  expect(await bench.heads()).toEqual(bench.tree());
  const { report, at: back } = await restored(bench);
  expect(report.problems).toEqual([]);
  expect(new Set(['one', 'two', 'three'].map((name) => inodeOf(back(name)))).size).toBe(1);
  expect(inodeOf(back('equal'))).not.toBe(inodeOf(back('one')));
});

test('a job keeps the content of a file when one of its two hard links is deleted', async () => {
  const { bench, mirror, at } = await opened();
  writeFileSync(at('one'), 'shared');
  linkSync(at('one'), at('two'));
  await mirror.settled();
  rmSync(at('one'));
  await mirror.settled();
  expect(await bench.heads()).toEqual({ two: 'shared' });
  const { at: back } = await restored(bench);
  expect(readFileSync(back('two'), 'utf8')).toBe('shared');
  expect(statSync(back('two')).nlink).toBe(1);
});

test.each([
  ['sorts first', 'y'],
  ['sorts last', 'b'],
])(
  'a restore sets the newest recorded mtime of hard links, although the link that %s has an older mtime',
  async (_what, renamed) => {
    const { bench, mirror, at } = await opened();
    writeFileSync(at('m'), 'shared');
    linkSync(at('m'), at(renamed));
    await mirror.settled();
    // A changed mtime alone creates no version. The rename creates a version, and the version records
    // the mtime.
    utimesSync(at('m'), 1_400_000_000, 1_400_000_000);
    await mirror.settled();
    const now = renamed === 'y' ? 'z' : 'a';
    renameSync(at(renamed), at(now));
    await mirror.settled();
    const recorded = async (key: string) =>
      (await bench.store.headObject({ bucket: bench.bucket, key })).info.metadata?.[
        'holdfast-mtime'
      ];
    expect(await recorded(now)).toMatch(/^1400000000\./);
    expect(await recorded('m')).not.toMatch(/^1400000000\./);
    for (const _again of ['into an empty folder', 'over what is there']) {
      const { report, at: back } = await restored(bench);
      expect(report.problems).toEqual([]);
      const stats = ['m', now].map((name) => statSync(back(name)));
      expect(stats.map(({ mtimeMs }) => mtimeMs)).toEqual([1_400_000_000_000, 1_400_000_000_000]);
      expect(new Set(stats.map(({ ino }) => ino)).size).toBe(1);
    }
  },
);

test('a restore links hard links again that were added or renamed later', async () => {
  const { bench, mirror, bodies, at } = await opened();
  writeFileSync(at('one'), 'shared');
  await mirror.settled();
  linkSync(at('one'), at('two'));
  await mirror.settled();
  renameSync(at('one'), at('moved'));
  await mirror.settled();
  expect(bodies()).toEqual(['putObject one']);
  const { at: back } = await restored(bench);
  expect(inodeOf(back('moved'))).toBe(inodeOf(back('two')));
});

test.each([
  ['mode', { 'holdfast-mode': '0600' }],
  ['owner', { 'holdfast-uid': '4711' }],
  ['attributes', { 'holdfast-xattrs': Buffer.from('[["user.note","b25l"]]').toString('base64') }],
])(
  'a restore creates hard links as separate files if their versions have a different %s',
  async (_, change) => {
    const { bench, mirror, at } = await opened();
    writeFileSync(at('one'), 'shared');
    linkSync(at('one'), at('three'));
    linkSync(at('one'), at('two'));
    await mirror.settled();
    await mirror.close();
    const written = await changeMetadata(bench, 'two', change);
    const { report, at: back } = await restored(bench);
    expect(report.problems).toEqual([]);
    expect(inodeOf(back('one'))).toBe(inodeOf(back('three')));
    expect(inodeOf(back('two'))).not.toBe(inodeOf(back('one')));
    expect([modeOf(back('one')), modeOf(back('two'))]).toEqual(['0644', written['holdfast-mode']]);
  },
);

test('a restore creates hard links with different modes over existing files as separate files', async () => {
  const { bench, mirror, at } = await opened();
  writeFileSync(at('one'), 'shared');
  linkSync(at('one'), at('two'));
  await mirror.settled();
  await mirror.close();
  await changeMetadata(bench, 'two', { 'holdfast-mode': '0600' });
  const place = { store: bench.store, bucket: bench.bucket, prefix: '', to: bench.root };
  const options = { ...place, clock: systemClock, logger: silentLogger };
  const rows = [];
  for await (const { path, is } of previewRestore(options)) rows.push(`${is} ${path}`);
  expect(rows).toEqual(['keep one', 'replace two']);
  expect(await restoreTree(options)).toMatchObject({ kept: 1, aside: 1, problems: [] });
  expect([modeOf(at('one')), modeOf(at('two'))]).toEqual(['0644', '0600']);
  expect(await restoreTree(options)).toMatchObject({ kept: 2, aside: 0, problems: [] });
});

test('a restore keeps existing hard links and restores the mode of their file', async () => {
  const { bench, mirror, at } = await opened();
  const names = ['one', 'three', 'two'];
  writeFileSync(at('one'), 'shared');
  for (const name of names.slice(1)) linkSync(at('one'), at(name));
  await mirror.settled();
  await mirror.close();
  chmodSync(at('one'), 0o600);
  const place = { store: bench.store, bucket: bench.bucket, prefix: '', to: bench.root };
  const report = await restoreTree({ ...place, clock: systemClock, logger: silentLogger });
  expect(report).toMatchObject({ kept: 3, bytes: 0, aside: 0, problems: [] });
  expect(names.map((name) => modeOf(at(name)))).toEqual(['0644', '0644', '0644']);
});

test('a restore creates a file that replaced a hard link as a separate file', async () => {
  const { bench, mirror, at } = await opened();
  writeFileSync(at('one'), 'shared');
  linkSync(at('one'), at('two'));
  await mirror.settled();
  writeFileSync(at('new'), 'shared');
  renameSync(at('new'), at('two'));
  await mirror.settled();
  const { at: back } = await restored(bench);
  expect(inodeOf(back('one'))).not.toBe(inodeOf(back('two')));
});

test.each([
  ['few', { 'user.note': 'kept', 'user.ü': 'also' }],
  ['many', { 'user.large': 'x'.repeat(2_000), 'user.small': '' }],
])('a restore sets the extended attributes of a file that has %s of them', async (_how, values) => {
  const { bench, mirror, at } = await opened();
  writeFileSync(at('f'), 'content');
  setXattrs(at('f'), values);
  await mirror.settled();
  const { report, at: back } = await restored(bench);
  expect(report.problems).toEqual([]);
  expect(xattrsOf(back('f'))).toEqual(values);
});

test('a job stores changed or removed extended attributes by a server-side copy without an upload', async () => {
  const { bench, mirror, bodies, at } = await opened();
  writeFileSync(at('f'), 'content');
  await mirror.settled();
  for (const values of [{ 'user.note': 'one' }, { 'user.note': 'two' }, {}]) {
    setXattrs(at('f'), values);
    await mirror.settled();
  }
  expect(bodies()).toEqual(['putObject f']);
  expect(await bench.history('f')).toHaveLength(4);
  const { at: back } = await restored(bench);
  expect(xattrsOf(back('f'))).toEqual({});
});

test('a job keeps the extended attributes of a moved file', async () => {
  const { bench, mirror, bodies, at } = await opened();
  writeFileSync(at('f'), 'content');
  setXattrs(at('f'), { 'user.note': 'kept' });
  await mirror.settled();
  renameSync(at('f'), at('g'));
  await mirror.settled();
  expect(bodies()).toEqual(['putObject f']);
  const { at: back } = await restored(bench);
  expect(xattrsOf(back('g'))).toEqual({ 'user.note': 'kept' });
});

test('a restore creates a file without its extended attributes if their object is missing, and reports a problem', async () => {
  const { bench, mirror, at } = await opened();
  writeFileSync(at('f'), 'content');
  setXattrs(at('f'), { 'user.large': 'x'.repeat(2_000) });
  await mirror.settled();
  const { bucket, store } = bench;
  const { objects } = await store.listObjects({ bucket, prefix: '.holdfast/attributes/' });
  for (const { key } of objects) await store.deleteObject({ bucket, key });
  const { report, at: back } = await restored(bench);
  expect(readFileSync(back('f'), 'utf8')).toBe('content');
  expect(report.problems).toMatchObject([
    { path: 'f', message: expect.stringContaining('cannot restore the extended attributes of f') },
  ]);
});

test('the object with extended attributes gets the lock of its file, and a lock that cannot be set is reported', async () => {
  const { bench, mirror, at } = await opened();
  writeFileSync(at('f'), 'content');
  setXattrs(at('f'), { 'user.large': 'x'.repeat(2_000) });
  await mirror.settled();
  const { bucket, store } = bench;
  const { objects } = await store.listObjects({ bucket, prefix: '.holdfast/attributes/' });
  const key = objects[0]?.key ?? '';
  const ends = (of: string) => async () =>
    (await store.headObject({ bucket, key: of })).info.retention?.retainUntil ?? 0;
  for (const days of [10, 20]) {
    const inDays = Date.now() + days * 24 * 3_600_000;
    await bench.open({ lock: { mode: 'GOVERNANCE', days, refreshDays: 1 } });
    await until(ends('f'), (end) => end > inDays);
    expect(await ends(key)()).toBeGreaterThanOrEqual(await ends('f')());
  }
  await store.deleteObject({ bucket, key });
  const again = await bench.open({ lock: { mode: 'GOVERNANCE', days: 30, refreshDays: 1 } });
  const problems = await until(
    () => again.status().problems,
    ([problem]) => problem !== undefined,
  );
  expect(problems).toMatchObject([{ path: 'f', code: 'not-locked' }]);
});

test('a restore creates the holes of a sparse file', async () => {
  const { bench, mirror, at } = await opened();
  const MIB = 1024 * 1024;
  withDescriptor((writeFileSync(at('sparse'), ''), at('sparse')), (descriptor) => {
    writeSync(descriptor, 'start');
    writeSync(descriptor, 'middle', 10 * MIB);
    ftruncateSync(descriptor, 20 * MIB);
  });
  writeFileSync(at('zeros'), Buffer.alloc(MIB));
  await mirror.settled();
  const { at: back } = await restored(bench);
  expect(readFileSync(back('sparse')).equals(readFileSync(at('sparse')))).toBe(true);
  expect(statSync(back('sparse')).blocks * 512).toBeLessThan(MIB);
  expect(statSync(back('zeros')).blocks * 512).toBeGreaterThanOrEqual(MIB);
});
