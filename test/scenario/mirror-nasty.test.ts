/**
 * Tests of unusual and hostile files in one folder. Each is backed up or reported as a problem, and does not affect
 * the others.
 */

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Problem } from '../../src/mirror/model/types.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const MIB = 1024 * 1024;
/**
 * The factor by which the test clock runs faster, so that retries and delays of seconds end sooner.
 */
const HASTE = 20;
const hasty: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * HASTE,
  after: (ms, callback) => systemClock.after(ms / HASTE, callback),
};

const LONG_NAME = `x${'ä'.repeat(127)}`;
const DEEP = Array.from({ length: 5 }, (_, level) => `${level}`.repeat(250)).join('/');
/** A path of 1,024 bytes, the maximum length of an object key. */
const LONGEST = `${Array.from({ length: 4 }, (_, level) => `${level}`.repeat(250)).join('/')}/${'x'.repeat(1_024 - 1_004)}`;

const ALIKE = ['\u00e9', 'e\u0301', 'case', 'CASE'];

interface Facts {
  readonly heads: Record<string, string>;
  readonly problems: readonly Problem[];
  readonly skipped: number | undefined;
  readonly metadata: (key: string) => Record<string, string>;
  readonly log: string;
}

let facts: Promise<Facts> | undefined;
const seen = () => (facts ??= look());

async function look(): Promise<Facts> {
  const bench = await openMirrorBench({ clock: hasty });
  const at = (path: string) => join(bench.root, path);
  makeNasty(at);
  const server = createServer();
  await new Promise<void>((listening) => server.listen(at('socket'), listening));
  const stop = keepWriting(at);
  onTestFinished(() => {
    stop();
    server.close();
  });
  // With a lock policy, the job verifies the lock of the large file before it reports the problem.
  const mirror = await bench.open({ lock: { mode: 'GOVERNANCE', days: 1, refreshDays: 1 } });
  await mirror.settled();
  await until(
    () => mirror.status().problems.map(({ path }) => path),
    (paths) => paths.includes('rewritten'),
  );
  const heads = await until(
    () => bench.heads(),
    (there) => 'log' in there && 'rewritten' in there && 'rewritten large' in there,
  );
  const { problems, counts } = await until(
    () => mirror.status(),
    (status) => status.problems.filter(({ code }) => code === 'inconsistent').length === 2,
  );
  const metadata = new Map<string, Record<string, string>>();
  for (const key of Object.keys(heads)) {
    const { info } = await bench.store.headObject({ bucket: bench.bucket, key });
    metadata.set(key, { ...info.metadata });
  }
  const log = readFileSync(at('log'), 'utf8');
  return {
    heads,
    problems,
    skipped: counts.skipped,
    metadata: (key) => metadata.get(key) ?? {},
    log,
  };
}

function makeNasty(at: (path: string) => string): void {
  writeFileSync(at('plain'), 'plain');
  writeFileSync(at('rewritten'), Buffer.alloc(4 * MIB, 'r'));
  writeFileSync(at('rewritten large'), Buffer.alloc(17 * MIB, 'R'));
  writeFileSync(at('log'), Buffer.alloc(4 * MIB, 'l'));
  execFileSync('mkfifo', [at('fifo')]);
  symlinkSync('loop b', at('loop a'));
  symlinkSync('loop a', at('loop b'));
  symlinkSync('.', at('itself'));
  writeFileSync(at(LONG_NAME), 'long name');
  writeFileSync(Buffer.concat([Buffer.from(at('invalid ')), Buffer.from([0xff])]), 'invalid');
  mkdirSync(at(DEEP), { recursive: true });
  writeFileSync(at(`${DEEP}/too deep`), 'too deep');
  writeFileSync(at(LONGEST), 'longest');
  for (const [index, name] of ALIKE.entries()) writeFileSync(at(name), `${index}`);
  const sparse = openSync(at('sparse'), 'w');
  ftruncateSync(sparse, 9 * MIB);
  closeSync(sparse);
}

/**
 * Continuously overwrites two files and appends to a third file. Returns a function that stops the
 * writes.
 */
function keepWriting(at: (path: string) => string): () => void {
  const [descriptor, large] = ['rewritten', 'rewritten large'].map((name) =>
    openSync(at(name), 'r+'),
  ) as [number, number];
  let count = 0;
  let next: NodeJS.Immediate;
  const spin = () => {
    writeSync(descriptor, `${count++}`, 0);
    writeSync(large, `${count}`, 0);
    appendFileSync(at('log'), `line ${count}\n`);
    next = setImmediate(spin);
  };
  spin();
  return () => {
    clearImmediate(next);
    closeSync(descriptor);
    closeSync(large);
  };
}

async function problemOf(path: string): Promise<Problem | undefined> {
  const { problems } = await seen();
  return problems.find((problem) => problem.path === path);
}

test('a job stores a file that is constantly rewritten, marks the object as inconsistent and reports a problem', async () => {
  const { heads, metadata } = await seen();
  expect(heads['rewritten']).toHaveLength(4 * MIB);
  expect(metadata('rewritten')).toMatchObject({ 'holdfast-consistent': 'false' });
  expect(await problemOf('rewritten')).toMatchObject({ code: 'inconsistent' });
  expect(metadata('rewritten large')).toMatchObject({ 'holdfast-consistent': 'false' });
  expect(await problemOf('rewritten large')).toMatchObject({ code: 'inconsistent' });
});

test('a job stores a constantly growing log file up to a consistent end, without a problem', async () => {
  const { heads, metadata, log } = await seen();
  expect(log.startsWith(heads['log'] ?? 'nothing')).toBe(true);
  expect(heads['log']?.length).toBeGreaterThanOrEqual(4 * MIB);
  expect(metadata('log')).not.toHaveProperty('holdfast-consistent');
});

test('a job stores a sparse file without data blocks and marks its object as sparse', async () => {
  const { heads, metadata } = await seen();
  expect(heads['sparse']).toHaveLength(9 * MIB);
  expect(metadata('sparse')).toMatchObject({ 'holdfast-sparse': 'true' });
});

test('a job counts a socket and a FIFO as skipped and does not store them', async () => {
  const { heads, skipped } = await seen();
  expect(skipped).toBe(2);
  for (const name of ['socket', 'fifo']) {
    expect(heads).not.toHaveProperty(name);
    expect(await problemOf(name)).toBeUndefined();
  }
});

test('a job stores symbolic links that form a loop as symbolic links', async () => {
  const { heads } = await seen();
  expect(heads).toMatchObject({ 'loop a': 'loop b', 'loop b': 'loop a', itself: '.' });
});

test('a job stores a file whose name has 255 bytes', async () => {
  const { heads } = await seen();
  expect(Buffer.byteLength(LONG_NAME)).toBe(255);
  expect(heads[LONG_NAME]).toBe('long name');
});

test('a job reports a file name that is not valid UTF-8 as a problem', async () => {
  expect(await problemOf('invalid \uFFFD')).toMatchObject({ code: 'invalid-name' });
});

test('a job stores a key of 1,024 bytes and reports a longer one as a problem', async () => {
  const { heads } = await seen();
  expect(heads[LONGEST]).toBe('longest');
  expect(await problemOf(`${DEEP}/too deep`)).toMatchObject({ code: 'key-too-long' });
});

test('a job stores file names that differ only in case or Unicode normalization as separate objects', async () => {
  const { heads } = await seen();
  for (const [index, name] of ALIKE.entries()) expect(heads[name]).toBe(`${index}`);
});

test('a job backs up ordinary files next to hostile files, and reports no other problems', async () => {
  const { heads, problems } = await seen();
  expect(heads).toMatchObject({ plain: 'plain' });
  const known = new Set([
    'rewritten',
    'rewritten large',
    'log',
    'invalid \uFFFD',
    `${DEEP}/too deep`,
  ]);
  expect(problems.map(({ path }) => path).filter((path) => !known.has(path))).toEqual([]);
});
