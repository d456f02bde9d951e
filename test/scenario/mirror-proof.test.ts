/**
 * Tests of verification: comparing folder and bucket, rereading all objects over time, and restore tests.
 */

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { defined } from '../../src/base/defined.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { renewalTime } from '../../src/retention/renewal-time.ts';
import { Verification } from '../../src/verification/verification.ts';
import {
  newPass,
  type ProofRecord,
  readProof,
  verifiedShare,
} from '../../src/verification/proof-record.ts';
import {
  costPerDay,
  daysPerPass,
  type RereadContext,
  rereadDue,
} from '../../src/verification/read-all.ts';
import type { VerifyRow } from '../../src/verification/verify.ts';
import { NO_SHA256 } from '../../src/mirror/state/baseline-table.ts';
import { openStateFile, type StateFile } from '../../src/mirror/state/state-file.ts';
import { type Activity, Tracker } from '../../src/mirror/model/tracker.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function write(bench: MirrorBench, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(bench.root, path)), { recursive: true });
    writeFileSync(join(bench.root, path), text);
  }
}

const TREE = { a: 'one', 'd/b': 'two', 'd/e/c': 'three' };
const TREE_BYTES = Object.values(TREE).join('').length;

async function mirrored(files: Record<string, string> = TREE) {
  const bench = await openMirrorBench();
  write(bench, files);
  symlinkSync('a', join(bench.root, 'link'));
  mkdirSync(join(bench.root, 'private'), { mode: 0o700 });
  const mirror = await bench.open();
  await mirror.settled();
  // The test waits, because verification skips objects that were written after it started.
  await laterMillisecond();
  return { bench, mirror };
}

/** Returns a store that returns wrong bytes for the given keys. */
function rotting(store: ObjectStore, keys: ReadonlySet<string>): ObjectStore {
  return overriding(store, {
    getObject: async (request, options) => {
      const content = await store.getObject(request, options);
      if (!keys.has(request.key)) return content;
      const { bytes: _, ...rest } = content;
      return { ...rest, body: flipped(content.body) };
    },
  });
}

async function* flipped(body: AsyncIterable<Uint8Array>) {
  for await (const chunk of body) yield chunk.map((byte) => byte ^ 1);
}

async function found(rows: AsyncIterable<VerifyRow>) {
  const findings: string[] = [];
  for await (const row of rows) {
    if (row.is === 'finding') findings.push(`${row.code} ${row.path}`);
    if (row.is === 'done') return { findings, done: row };
  }
  throw new Error('verify ended without its last row');
}

describe('holdfast verify', () => {
  test('verify finds no difference in a folder that is completely backed up, and counts the checked entries', async () => {
    const { mirror } = await mirrored();
    const { findings, done } = await found(mirror.verification.verify({}));
    expect(findings).toEqual([]);
    expect(done).toMatchObject({ entries: 5, bytes: 12, changedMeanwhile: 0, readBack: 0 });
  });

  test('verify reports missing and different objects, and objects that another client replaced', async () => {
    const { bench, mirror } = await mirrored();
    mirror.pause();
    const { store, bucket } = bench;
    await store.deleteObject({ bucket, key: 'a' });
    await bench.writeForeign('d/b', 'of another size');
    await bench.writeForeign('d/e/c', 'eerht');
    const { findings } = await found(mirror.verification.verify({}));
    expect(findings.sort()).toEqual(['differs d/b', 'missing a', 'unproven d/e/c']);
    const back = await found(mirror.verification.verify({ readBackBytes: 5 }));
    expect(back.findings).toContain('damaged d/e/c');
  });

  test('verify reads content up to its byte limit and finds damaged bytes', async () => {
    const { bench } = await mirrored();
    const rotten = new Set<string>(['d/b']);
    const mirror = await bench.open({ store: rotting(bench.store, rotten) });
    await mirror.settled();
    expect((await found(mirror.verification.verify({}))).findings).toEqual([]);
    const { findings, done } = await found(mirror.verification.verify({ readBackBytes: 1_000 }));
    expect([findings, done.readBack]).toEqual([['damaged d/b'], 2]);
  });

  test('content that verify read back and found intact counts as read again', async () => {
    const { mirror } = await mirrored();
    const share = () => mirror.status().proof?.verifiedShare;
    await found(mirror.verification.verify({}));
    expect(share()).toBe(0);
    await found(mirror.verification.verify({ readBackBytes: 5 }));
    expect(share()).toBeGreaterThan(0);
    expect(share()).toBeLessThan(1);
    await found(mirror.verification.verify({ readBackBytes: 1_000 }));
    expect(share()).toBe(1);
    await found(mirror.verification.verify({ readBackBytes: 5 }));
    expect(share()).toBe(1);
  });

  test('damaged content that verify read back does not count as read again', async () => {
    const { bench } = await mirrored();
    const mirror = await bench.open({ store: rotting(bench.store, new Set(['d/b'])) });
    await mirror.settled();
    await found(mirror.verification.verify({ readBackBytes: 1_000 }));
    expect(mirror.status().proof?.verifiedShare).toBeCloseTo(8 / TREE_BYTES);
  });

  test('verify reports a lock that is shorter than the lock policy requires', async () => {
    const { bench } = await mirrored();
    const lock = { mode: 'GOVERNANCE', days: 30, refreshDays: 10 } as const;
    const mirror = await bench.open({ lock });
    await mirror.settled();
    expect((await found(mirror.verification.verify({}))).findings).toEqual([]);
    const { store, bucket } = bench;
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + 2 * DAY_MS } as const;
    await store.putRetention({ bucket, key: 'a', retention, bypassGovernance: true });
    expect((await found(mirror.verification.verify({}))).findings).toEqual(['not-locked a']);
  });

  test('verify reports locks whose renewal is overdue, but no lock whose renewal is not due yet', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const { bench } = await mirrored(Object.fromEntries(keys.map((key) => [key, key])));
    const lock = { mode: 'GOVERNANCE', days: 30, refreshDays: 10 } as const;
    const mirror = await bench.open({ lock });
    await mirror.settled();
    const { store, bucket } = bench;
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.now() + 25 * DAY_MS } as const;
    for (const key of keys)
      await store.putRetention({ bucket, key, retention, bypassGovernance: true });
    const isOverdue = (key: string) =>
      renewalTime(key, retention.retainUntil, lock) < Date.now() - DAY_MS;
    const overdue = keys.filter(isOverdue);
    expect(overdue.length).toBeGreaterThan(0);
    expect(overdue.length).toBeLessThan(keys.length);
    const { findings } = await found(mirror.verification.verify({}));
    expect(findings.sort()).toEqual(overdue.map((key) => `not-locked ${key}`).sort());
  });
});

interface ProofSetting {
  readonly files?: Record<string, string>;
  readonly rotten?: ReadonlySet<string>;
  readonly verifyDays?: number;
}

/** Closes a job and opens only its verification, with the same state database. */
async function proofOf({ files, rotten = new Set(), verifyDays = 1 }: ProofSetting = {}) {
  const { bench, mirror } = await mirrored(files);
  await mirror.close();
  const state = openStateFile(join(bench.home, 'state/state.sqlite'));
  onTestFinished(() => state.close());
  const clock = new FakeClock();
  const activities: Activity[] = [];
  const onActivity = (activity: Activity) => void activities.push(activity);
  const tracker = new Tracker({ onChange: () => undefined, onActivity });
  const { bucket, root } = bench;
  const job: MirrorJob = {
    id: 'job',
    name: 'job',
    root,
    bucket,
    prefix: '',
    exclude: [],
    conflict: 'keep-both',
    drift: 'report',
    conflictWindowDays: 30,
    rescanMinutes: 60,
    unguarded: false,
    ...defined({ verifyDays }),
  };
  const proof = new Verification({
    job,
    destination: { store: rotting(bench.store, rotten), bucket, prefix: '' },
    state,
    excluder: createExcluder({ root, patterns: [], protectedFolders: [] }),
    tracker,
    folder: join(bench.home, 'state/drill'),
    isRemote: false,
    isBusy: () => false,
    hint: () => undefined,
    clock,
    lockClock: clock,
    logger: silentLogger,
  });
  onTestFinished(() => proof.close());
  const readAll = () =>
    until(
      async () => {
        clock.advance(6 * 60 * MINUTE_MS);
        return readProof(state, clock.now());
      },
      ({ lastPass }) => lastPass !== undefined,
    );
  return { bench, state, proof, tracker, activities, readAll };
}

test('the verification of a job reads all content over time, runs restore tests, and stores the results', async () => {
  const { bench, state, proof, activities, readAll } = await proofOf();
  expect(proof.status()).toMatchObject({ verifiedShare: 0, drillFailures: 0, damaged: 0 });
  proof.start();
  const { lastPass } = await readAll();
  const status = proof.status();
  expect(lastPass?.soundShare).toBe(1);
  expect(status.verifiedShare).toBeGreaterThan(0);
  expect(status).toMatchObject({ drillFailures: 0, damaged: 0 });
  expect(status.lastProvenRestorableAt).toBeGreaterThan(0);
  expect(activities.map(({ action }) => action)).toContain('drill');
  expect(readdirSync(join(bench.home, 'state'))).not.toContain('drill');
  await proof.close();
  expect(state.meta('proof')).toContain('provenAt');
});

test('a verification reports damaged content, and the next run uploads it again from the unchanged file', async () => {
  const rotten = new Set(['d/b', 'gone']);
  const files = { ...TREE, gone: 'lost here too' };
  const { bench, state, proof, tracker, readAll } = await proofOf({ files, rotten });
  rmSync(join(bench.root, 'gone'));
  proof.start();
  const pass = await readAll();
  await proof.close();
  // An object counts as damaged until its new version has been read.
  expect(proof.status()).toMatchObject({ damaged: 2, drillFailures: 2 });
  const readBytes = TREE_BYTES + files.gone.length;
  const soundBytes = TREE_BYTES - TREE['d/b'].length;
  expect(pass.lastPass?.soundShare).toBeCloseTo(soundBytes / readBytes);
  const problems = proof.damage.problems().map(({ code, path }) => `${code} ${path}`);
  expect(problems).toEqual(['damaged d/b', 'damaged gone']);
  expect([...tracker.allProblems()]).toEqual([]);
  state.close();
  await (await bench.open()).settled();
  expect(await bench.history('d/b')).toEqual(['put two', 'put two']);
  expect(await bench.history('a')).toEqual(['put one']);
});

test('damage that a restore test finds is reported until the object is read and found intact', async () => {
  const rotten = new Set(['d/b']);
  const { bench, proof, readAll } = await proofOf({ rotten });
  rmSync(join(bench.root, 'd/b'));
  await proof.drill(new AbortController().signal);
  expect(proof.damage.problems()).toMatchObject([{ code: 'damaged', path: 'd/b' }]);
  rotten.clear();
  proof.start();
  await readAll();
  await proof.close();
  expect(proof.damage.problems()).toEqual([]);
});

test('a verification does not count missing objects as verified', async () => {
  const { bench, proof, readAll } = await proofOf();
  const { store, bucket } = bench;
  const { versions } = await store.listVersions({ bucket, prefix: 'd/e/c' });
  for (const { key, versionId } of versions) await store.deleteObject({ bucket, key, versionId });
  proof.start();
  const { lastPass } = await readAll();
  const soundBytes = TREE_BYTES - TREE['d/e/c'].length;
  expect(lastPass?.soundShare).toBeCloseTo(soundBytes / TREE_BYTES);
  expect(proof.status().damaged).toBe(0);
});

test('a restore test skips a file whose SHA-256 is not known', async () => {
  const { state, proof } = await proofOf({ files: { a: 'one' } });
  const entry = state.baseline.get('a');
  if (!entry) throw new Error('it was mirrored');
  state.settle([{ key: 'a', baseline: { ...entry, sha256: NO_SHA256, mtimeMs: -1 } }]);
  const report = await proof.drill(new AbortController().signal);
  // The restore test tested only the symbolic link.
  expect(report).toMatchObject({ files: 1, failures: [] });
});

test.each([
  [30, undefined, 30],
  [7, undefined, 7],
  [30, 4, 30],
  [1, 1, 12],
])(
  'the length of a verification pass follows from %s configured days and at most %s bytes a day',
  (days, bytesPerDay, expectedDays) => {
    expect(daysPerPass({ files: 0, bytes: 12 }, { days, bytesPerDay })).toBe(expectedDays);
  },
);

const DAY_TEN = { since: 0, now: 10 };

test.each([
  ['when nothing was read', { startedAt: 5, read: 0 }, undefined, 0],
  ['when the first pass is half complete', { startedAt: 5, read: 50 }, undefined, 0.5],
  ['when a part of it was found damaged', { startedAt: 5, read: 50, sound: 40 }, undefined, 0.4],
  ['when half of it was read too long ago', { startedAt: -10, read: 50 }, undefined, 0.25],
  ['when a pass has just ended', { startedAt: 10, read: 0 }, [1, 10, 1], 1],
  ['when a pass that took longer has just ended', { startedAt: 10, read: 0 }, [-10, 10, 1], 0.5],
  ['when the next pass has read the first half again', { startedAt: 6, read: 50 }, [-3, 6, 1], 1],
  ['when the last pass is too old', { startedAt: 6, read: 50 }, [-9, -1, 1], 0.5],
  ['when the last pass found damage', { startedAt: 6, read: 50 }, [1, 6, 0.5], 0.75],
] as const)(
  'a job reports the correct verified share of its content %s',
  (_what, pass, last, share) => {
    const { startedAt, read } = pass;
    const soundBytes = 'sound' in pass ? pass.sound : read;
    const record = {
      pass: { ...newPass(startedAt), after: read === 0 ? '' : 'k', bytes: read, soundBytes },
      ...(last && { lastPass: { startedAt: last[0], endedAt: last[1], soundShare: last[2] } }),
    };
    expect(verifiedShare(record, 100, DAY_TEN)).toBeCloseTo(share);
  },
);

test('a verification reads all content within the configured days, but at most the daily limit of bytes', async () => {
  const { bench, state } = await proofOf();
  const totals = { files: 1_000, bytes: 30e9 };
  expect(costPerDay(totals, { days: 30, bytesPerDay: undefined })).toBeGreaterThan(1e9);
  expect(costPerDay(totals, { days: 30, bytesPerDay: 1e6 })).toBe(1e6);
  expect(costPerDay(totals, { days: 0, bytesPerDay: undefined })).toBe(0);
  const read = await keysReadIn(bench, state, { days: 1, bytesPerDay: 20_000, elapsedMs: DAY_MS });
  expect(read).toEqual(['a', 'd/b']);
  // While uploads are in progress, verification reads at most one object at a time.
  const busy = { days: 1, bytesPerDay: undefined, elapsedMs: DAY_MS, isBusy: true };
  expect(await keysReadIn(bench, state, busy)).toEqual(['a']);
});

interface Step {
  readonly days: number;
  readonly bytesPerDay: number | undefined;
  readonly elapsedMs: number;
  readonly isBusy?: boolean;
}

async function keysReadIn(bench: MirrorBench, state: StateFile, step: Step) {
  const { days, bytesPerDay, elapsedMs, isBusy = false } = step;
  const keys: string[] = [];
  const context: RereadContext = {
    destination: { store: bench.store, bucket: bench.bucket, prefix: '' },
    state,
    pace: { days, bytesPerDay },
    now: () => elapsedMs,
    isBusy: () => isBusy,
    onRead: ({ path }) => void keys.push(path),
    signal: new AbortController().signal,
  };
  const record: ProofRecord = { pass: newPass(0), creditAt: 0, creditBytes: 0 };
  let last = record;
  await rereadDue(record, context, (kept) => (last = kept));
  expect(last.pass.after).toBe(keys.at(-1));
  return keys;
}
