/**
 * Tests of restore tests of large files. Each restore test reads different ranges, and the progress survives restarts.
 */

import { appendFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { silentLogger } from '../../src/base/logger.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { Verification } from '../../src/verification/verification.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { Tracker } from '../../src/mirror/model/tracker.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * The limits of one restore test. A file of more than 1,000 bytes is tested by ranges of 400 bytes, 1,200 bytes in
 * total.
 */
const LIMITS = { files: 24, wholeBytes: 1_000, rangeBytes: 400, bytes: 1_200 };
const signal = new AbortController().signal;

/** How the simulated service behaves for one key. */
interface Service {
  /** The position of a byte that differs from the stored byte. */
  damagedAt?: number;
  ignoresRanges?: true;
  readonly ranges: [number, number][];
  /** The number of reads of the whole object. */
  reads: number;
}

function unreliable(store: ObjectStore, key: string, service: Service): ObjectStore {
  return overriding(store, {
    getObject: async (asked, options) => {
      const { range: _, ...whole } = asked;
      const request = service.ignoresRanges && asked.key === key ? whole : asked;
      const { bytes: __, ...content } = await store.getObject(request, options);
      if (asked.key !== key) return content;
      if (asked.range && 'first' in asked.range)
        service.ranges.push([asked.range.first, asked.range.last ?? Number.NaN]);
      else service.reads += 1;
      const at = (service.damagedAt ?? Number.NaN) - (content.range?.first ?? 0);
      return { ...content, body: damaged(content.body, at) };
    },
  });
}

async function* damaged(body: AsyncIterable<Uint8Array>, at: number) {
  let first = 0;
  for await (const chunk of body) {
    yield chunk.map((byte, index) => (first + index === at ? byte ^ 1 : byte));
    first += chunk.byteLength;
  }
}

interface Setting {
  readonly versioned?: boolean;
  readonly sizes?: Readonly<Record<string, number>>;
  readonly provenDays?: number;
}

/** Closes a job and prepares to open only its verification, with the same state database. */
async function jobOf({ sizes = { big: 3_000 }, provenDays = 0, versioned = true }: Setting = {}) {
  const bench = await openMirrorBench({ versioned });
  const { bucket, root } = bench;
  for (const [name, size] of Object.entries(sizes))
    writeFileSync(join(root, name), Buffer.alloc(size, name));
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  // Starts the clock a minute after the mtime of the files, because the job ignores damage of files that have just
  // changed.
  const clock = new FakeClock(Date.now() + 60_000);
  const service: Service = { ranges: [], reads: 0 };
  const job = { id: 'job', name: 'job', root, bucket, prefix: '', exclude: [] } as const;
  const policies = { conflict: 'keep-both', drift: 'report', conflictWindowDays: 30 } as const;
  const ofJob: MirrorJob = { ...job, ...policies, rescanMinutes: 60, unguarded: false };
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const openProof = () => {
    const state = openStateFile(join(bench.home, 'state/state.sqlite'));
    const proof = new Verification({
      job: ofJob,
      destination: { store: unreliable(bench.store, 'big', service), bucket, prefix: '' },
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
      restoreTestLimits: LIMITS,
      provenDays: () => provenDays,
    });
    const close = async () => {
      await proof.close();
      state.close();
    };
    onTestFinished(close);
    return { proof, state, close };
  };
  return { bench, root, service, clock, tracker, openProof };
}

test('a restore test reads ranges of a large file up to its byte limit', async () => {
  const { service, openProof } = await jobOf();
  const { proof } = openProof();
  const report = await proof.drill(signal);
  expect(report).toMatchObject({ files: 0, bytes: 0, failures: [] });
  expect(report.ranges).toEqual({ count: 3, files: 1, bytes: 1_200 });
  expect([service.ranges, service.reads]).toEqual([
    [
      [0, 399],
      [400, 799],
      [800, 1_199],
    ],
    0,
  ]);
  const { lastProvenRestorableAt, proven } = proof.status();
  expect(lastProvenRestorableAt).toBe(report.at);
  expect(proven).toEqual({ files: 0, bytes: 0.4, days: 30 });
});

test('restore tests continue after the last range, even after a restart, until they have read the whole file', async () => {
  const { service, clock, openProof } = await jobOf();
  const first = openProof();
  await first.proof.drill(signal);
  await first.close();
  const { proof } = openProof();
  expect(proof.status().proven).toEqual({ files: 0, bytes: 0.4, days: 30 });
  await proof.drill(signal);
  expect(service.ranges[3]).toEqual([1_200, 1_599]);
  await proof.drill(signal);
  expect(service.ranges.at(-1)).toEqual([2_800, 2_999]);
  expect(proof.status().proven).toEqual({ files: 1, bytes: 1, days: 30 });
  clock.advance(31 * DAY_MS);
  expect(proof.status().proven).toEqual({ files: 0, bytes: 0, days: 30 });
});

test('a restore test reports damage in its ranges, and counts the file as damaged', async () => {
  const { service, openProof } = await jobOf();
  const { proof } = openProof();
  service.damagedAt = 1_000;
  const report = await proof.drill(signal);
  expect(report.failures.map(({ path }) => path)).toEqual(['big']);
  expect(report.provenAt).toBeUndefined();
  expect(proof.status()).toMatchObject({ drillFailures: 1, proven: { files: 0, bytes: 0 } });
  expect(service.reads).toBeGreaterThan(0);
});

test('a later restore test finds damage outside the ranges of the first restore test', async () => {
  const { service, root, openProof } = await jobOf();
  const { proof } = openProof();
  service.damagedAt = 1_500;
  expect((await proof.drill(signal)).failures).toEqual([]);
  expect(service.reads).toBe(0);
  expect((await proof.drill(signal)).failures).toHaveLength(1);
  rmSync(join(root, 'big'));
  await proof.damage.check();
  expect(proof.damage.problems()).toMatchObject([{ code: 'damaged', path: 'big' }]);
});

test('a failed restore test is reported until the file passes or no longer exists', async () => {
  const { service, root, openProof } = await jobOf({ sizes: { big: 3_000, huge: 4_000 } });
  const first = openProof();
  service.ignoresRanges = true;
  expect((await first.proof.drill(signal)).failures).toHaveLength(1);
  await first.close();
  rmSync(join(root, 'big'));
  const { proof } = openProof();
  // The first two restore tests read the other file, and the third one reads it to its end.
  for (let count = 0; count < 2; count++)
    expect((await proof.drill(signal)).failures).toMatchObject([{ path: 'big' }]);
  expect((await proof.drill(signal)).failures).toEqual([]);
});

test('a restore test fails if the local file changed unnoticed, but does not report the object as damaged', async () => {
  const { root, state, openProof, tracker } = await withRot();
  const { proof } = openProof();
  const { failures } = await proof.drill(signal);
  expect(failures).toEqual([
    {
      path: 'big',
      reason:
        'its content differs from the file in the folder; its version in the bucket is intact',
    },
  ]);
  expect(proof.status().damaged).toBe(0);
  expect([...tracker.allProblems()].map(({ path }) => path)).toEqual(['big']);
  expect(statSync(join(root, 'big')).size).toBe(state.sizeBytes);
});

/** Changes the content of the file, and stores its new timestamps as the last synced state. */
async function withRot() {
  const job = await jobOf();
  const { root, openProof } = job;
  const path = join(root, 'big');
  writeFileSync(path, Buffer.alloc(3_000, 'rot'));
  utimesSync(path, 1, 1);
  const { mtimeMs, ctimeMs, ino: inode, size: sizeBytes } = statSync(path);
  const { state, close } = openProof();
  const entry = state.baseline.get('big');
  if (!entry) throw new Error('it was mirrored');
  state.settle([{ key: 'big', baseline: { ...entry, mtimeMs, ctimeMs, inode } }]);
  await close();
  return { ...job, state: { sizeBytes } };
}

test('in a bucket without versions, a restore test does not report objects that another client replaced or deleted', async () => {
  const bench = await openMirrorBench({ versioned: false });
  for (const name of ['deleted', 'replaced', 'same'])
    writeFileSync(join(bench.root, name), `content of ${name}`);
  const mirror = await bench.open({ drift: 'report' });
  await mirror.settled();
  await bench.writeForeign('replaced', 'theirs');
  await bench.store.deleteObject({ bucket: bench.bucket, key: 'deleted' });
  expect((await mirror.verification.drill(signal)).failures).toEqual([]);
  expect(mirror.status().problems).toEqual([]);
});

test('in a bucket without versions, a restore test skips a large object that another client replaced', async () => {
  const { bench, openProof } = await jobOf({ versioned: false });
  await bench.writeForeign('big', 'theirs');
  const { proof, state } = openProof();
  expect((await proof.drill(signal)).failures).toEqual([]);
  expect(state.damaged.all()).toEqual([]);
});

test('a restore test skips a large file that changed after its backup, and reads the next one', async () => {
  const { root, openProof } = await jobOf({ sizes: { big: 3_000, huge: 1_100 } });
  appendFileSync(join(root, 'big'), 'more');
  const { proof } = openProof();
  const report = await proof.drill(signal);
  expect(report.ranges).toEqual({ count: 3, files: 1, bytes: 1_100 });
  expect(proof.status().proven?.files).toBe(0.5);
  rmSync(join(root, 'huge'));
  expect(await proof.drill(signal)).not.toHaveProperty('ranges');
});

test('a restore test fails if the service ignores range requests', async () => {
  const { service, openProof } = await jobOf();
  service.ignoresRanges = true;
  const { failures } = await openProof().proof.drill(signal);
  expect(failures).toMatchObject([{ path: 'big' }]);
});

test('a restore test reads small files completely, and large files up to its byte limit', async () => {
  const { openProof } = await jobOf({ sizes: { big: 3_000, small: 500 } });
  const { proof } = openProof();
  const report = await proof.drill(signal);
  expect(report).toMatchObject({ files: 1, bytes: 500, failures: [] });
  expect(report.ranges).toEqual({ count: 2, files: 1, bytes: 700 });
  expect(proof.status().proven).toEqual({ files: 0.5, bytes: 1_200 / 3_500, days: 30 });
});

test('restore tests run often enough to read large files completely within provenDays', async () => {
  const { clock, openProof } = await jobOf({ sizes: { big: 9_000, more: 9_000 }, provenDays: 10 });
  const { proof } = openProof();
  const startedAt = clock.now();
  await proof.drill(signal);
  proof.start();
  await until(
    async () => {
      clock.advance(60 * 60_000);
      return proof.status().proven?.files;
    },
    (files) => files === 1,
  );
  expect(clock.now() - startedAt).toBeLessThanOrEqual(10 * DAY_MS);
});
