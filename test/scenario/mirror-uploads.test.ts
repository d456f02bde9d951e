/**
 * Tests of interrupted multipart uploads. The job must resume them after temporary failures, and abort those that it
 * cannot resume.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/durations.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { copyLog } from '../../src/mirror/transfer/resumable-upload.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { copyWhole } from '../../src/object-store/copy-whole.ts';
import type { StorageErrorCode } from '../../src/object-store/storage-error.ts';
import {
  answers,
  breaksWith,
  type Fault,
  faultyStore,
  hangsAfterWriting,
  losesTheAnswer,
} from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { SMALL_PARTS } from '../helpers/shared-engine.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { randomFrom } from '../helpers/tree.ts';
import { until } from '../helpers/until.ts';

/** File content that is uploaded in three parts. */
const LARGE = Buffer.alloc(2.125 * 1024 ** 2, 'x');
const ALWAYS = Number.POSITIVE_INFINITY;

async function openFaulty(clock: Clock = systemClock) {
  const bench = await openMirrorBench({ clock });
  const faulty = faultyStore(bench.store);
  const count = (name: string) => faulty.calls.filter((call) => call === `${name} f`).length;
  const put = (content: Buffer) => writeFileSync(join(bench.root, 'f'), content);
  const open = () => bench.open({ store: faulty.store, partSizes: SMALL_PARTS });
  return { bench, faulty, count, put, open };
}

async function openUploads({ store, bucket }: MirrorBench) {
  return (await store.listUploads({ bucket })).uploads;
}

async function expectStored(bench: MirrorBench, content = LARGE): Promise<void> {
  const { versions } = await bench.store.listVersions({ bucket: bench.bucket, prefix: 'f' });
  expect(versions).toHaveLength(1);
  expect((await bench.heads())['f'] === content.toString('latin1')).toBe(true);
  expect(await openUploads(bench)).toEqual([]);
}

/** Applies the fault to the third part of an upload. */
const inThirdPart = (fault: Fault): Fault => {
  let parts = 0;
  return (call) => (++parts === 3 ? fault(call) : call.run());
};

describe('resumed multipart uploads', () => {
  test.each<[string, Fault]>([
    ['the connection is lost', breaksWith('ConnectionLost')],
    ['the service does not answer in time', breaksWith('Timeout')],
    ['the service is overloaded', answers('SlowDown')],
    ['the service is unavailable', answers('ServiceUnavailable')],
    ['the service fails', answers('InternalError')],
    ['the session token has expired', answers('ExpiredToken')],
  ])(
    'a job resumes a multipart upload without sending stored parts again when %s',
    async (_what, fault) => {
      const { bench, faulty, count, put, open } = await openFaulty();
      void faulty.inject({ on: 'uploadPart', key: 'f', fault: inThirdPart(fault), times: 3 });
      put(LARGE);
      const mirror = await open();
      await mirror.settled();
      await until(
        () => mirror.status(),
        ({ inSync }) => inSync,
      );
      await expectStored(bench);
      expect([count('createUpload'), count('uploadPart'), count('abortUpload')]).toEqual([1, 4, 0]);
    },
  );

  test('a job resumes a multipart upload after an outage of the service during which the job failed', async () => {
    const { bench, faulty, count, put, open } = await openFaulty();
    const cut = inThirdPart(async ({ reached }) => {
      void faulty.inject({ fault: breaksWith('ConnectionRefused'), times: 50 });
      reached();
      return breaksWith('ConnectionLost')({} as never);
    });
    void faulty.inject({ on: 'uploadPart', key: 'f', fault: cut, times: 3 });
    put(LARGE);
    const mirror = await open();
    await until(
      () => mirror.status(),
      ({ state }) => state === 'failed',
    );
    faulty.removeFaults();
    await mirror.settled();
    await expectStored(bench);
    expect([count('createUpload'), count('abortUpload')]).toEqual([1, 0]);
    const parts = faulty.calls.filter((call) => call === 'uploadPart f');
    expect(parts.length).toBeLessThanOrEqual(5);
  });

  test('a job does not send a part again if its response was lost but the service has stored its content', async () => {
    const { bench, faulty, count, put, open } = await openFaulty();
    const fault = inThirdPart(losesTheAnswer);
    void faulty.inject({ on: 'uploadPart', key: 'f', fault, times: 3 });
    put(LARGE);
    await (await open()).settled();
    await expectStored(bench);
    expect([count('createUpload'), count('uploadPart')]).toEqual([1, 3]);
  });
});

test('a job records a conflict with a version that another client wrote while a multipart upload was interrupted', async () => {
  const clock = new ShiftedClock();
  const { bench, faulty, count, put, open } = await openFaulty(clock);
  put(Buffer.from('small'));
  await (await open()).settled();
  const fault = inThirdPart(hangsAfterWriting);
  void faulty.inject({ on: 'uploadPart', key: 'f', fault, times: 3 });
  put(LARGE);
  const mirror = await open();
  await until(
    () => count('uploadPart'),
    (parts) => parts === 3,
  );
  await mirror.close();
  clock.putForward(2 * HOUR_MS);
  const since = clock.now();
  await bench.writeForeign('f', 'theirs');
  await (await open()).settled();
  const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
  onTestFinished(() => state.close());
  const [conflict] = state.conflicts.of('f');
  expect(conflict?.at).toBeGreaterThanOrEqual(since);
});

test('a job uploads a part again if the stored part differs from the acknowledged part', async () => {
  const { bench, faulty, count, put, open } = await openFaulty();
  const fault = inThirdPart(async ({ store }) => {
    const [upload = { key: 'f', uploadId: 'none' }] = await openUploads(bench);
    const { bucket } = bench;
    const stored = async () => (await store.listParts({ bucket, ...upload })).parts.length;
    await until(stored, (count) => count === 2);
    const body = bytesBody(Buffer.alloc(SMALL_PARTS.partBytes, 'z'));
    await store.uploadPart({ bucket, ...upload, partNumber: 1, body });
    return breaksWith('ConnectionLost')({} as never);
  });
  void faulty.inject({ on: 'uploadPart', key: 'f', fault, times: 3 });
  put(LARGE);
  await (await open()).settled();
  await expectStored(bench);
  // The job uploads the first and the third part again.
  expect(count('uploadPart')).toBe(3 + 2);
});

test.each<StorageErrorCode>(['AccessDenied', 'InsufficientStorage', 'QuotaExceeded'])(
  'a job aborts a multipart upload that fails with %s, to free its space',
  async (code) => {
    const { bench, faulty, put, open } = await openFaulty();
    const fault = inThirdPart(answers(code));
    const met = faulty.inject({ on: 'abortUpload', key: 'f', fault: ({ run }) => run() });
    void faulty.inject({ on: 'uploadPart', key: 'f', fault, times: ALWAYS });
    put(LARGE);
    await open();
    await met;
    expect(await openUploads(bench)).toEqual([]);
  },
);

describe('multipart uploads that cannot be resumed', () => {
  /** Closes a job during the upload of the third part of a file. */
  async function interrupted(clock: Clock = systemClock) {
    const opened = await openFaulty(clock);
    const { bench, faulty, put, open } = opened;
    const fault = inThirdPart(hangsAfterWriting);
    const met = faulty.inject({ on: 'uploadPart', key: 'f', fault, times: 3 });
    put(LARGE);
    const mirror = await open();
    await until(
      () => opened.count('uploadPart'),
      (parts) => parts === 3,
    );
    void met;
    await mirror.close();
    expect(await openUploads(bench)).toHaveLength(1);
    return { ...opened, again: () => bench.open({ store: faulty.store, partSizes: SMALL_PARTS }) };
  }

  test('a job aborts the multipart upload of a deleted file', async () => {
    const { bench, again } = await interrupted();
    rmSync(join(bench.root, 'f'));
    await (await again()).settled();
    expect(await openUploads(bench)).toEqual([]);
  });

  test('a job aborts the multipart upload of a file that has become small', async () => {
    const { bench, put, again } = await interrupted();
    put(Buffer.from('small'));
    await (await again()).settled();
    expect(await openUploads(bench)).toEqual([]);
    expect(await bench.heads()).toEqual({ f: 'small' });
  });

  test('a job uploads a file that has become small, even if the service refuses to abort its multipart upload', async () => {
    const { bench, faulty, put, again } = await interrupted();
    put(Buffer.from('small'));
    const fault = answers('AccessDenied');
    void faulty.inject({ on: 'abortUpload', key: 'f', fault, times: ALWAYS });
    const mirror = await again();
    await mirror.settled();
    expect(await bench.heads()).toEqual({ f: 'small' });
    faulty.removeFaults();
    await mirror.settled();
    expect(await openUploads(bench)).toEqual([]);
  });

  test('a job logs a warning if the abort of a multipart upload fails, and retries the abort', async () => {
    const { bench, faulty, again } = await interrupted();
    rmSync(join(bench.root, 'f'));
    void faulty.inject({ on: 'abortUpload', key: 'f', fault: answers('AccessDenied') });
    const mirror = await again();
    await mirror.settled();
    expect(await openUploads(bench)).toHaveLength(1);
    expect(bench.activities).toContainEqual(
      expect.objectContaining({ level: 'warn', action: 'abort', path: 'f' }),
    );
    await mirror.settled();
    expect(await openUploads(bench)).toEqual([]);
  });

  test('a job aborts a multipart upload that had no progress for a day', async () => {
    const clock = new ShiftedClock();
    const { bench, count, again } = await interrupted(clock);
    clock.putForward(DAY_MS + HOUR_MS);
    await (await again()).settled();
    await expectStored(bench);
    expect(count('createUpload')).toBe(2);
  });

  test('a job aborts a multipart upload that began more than a week ago, even with recent progress', async () => {
    const clock = new ShiftedClock();
    const { bench, count, again } = await interrupted(clock);
    clock.putForward(7 * DAY_MS + HOUR_MS);
    const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
    for (const { journalId } of state.uploads.all())
      for (const [partNumber, etag] of state.uploads.etagsOf(journalId))
        state.uploads.acknowledged(journalId, { partNumber, etag, at: clock.now() });
    state.close();
    await (await again()).settled();
    await expectStored(bench);
    expect(count('createUpload')).toBe(2);
  });

  test('removing a job aborts its multipart uploads and returns the keys whose abort failed', async () => {
    const { bench, faulty, again } = await interrupted();
    const { signal } = new AbortController();
    const retired = async (mirror: Mirror) => {
      mirror.pause();
      return mirror.close(signal);
    };
    void faulty.inject({ on: 'abortUpload', key: 'f', fault: answers('AccessDenied') });
    void faulty.inject({ on: 'listParts', key: 'f', fault: hangsAfterWriting, times: ALWAYS });
    expect(await retired(await again())).toEqual(['f']);
    expect(await retired(await again())).toEqual([]);
    expect(await openUploads(bench)).toEqual([]);
  });
});

describe('multipart uploads of other clients', () => {
  test('a job never aborts a multipart upload of another client, not even for its own keys', async () => {
    const clock = new ShiftedClock();
    const { bench, put, open } = await openFaulty(clock);
    const { store, bucket } = bench;
    put(LARGE);
    await (await open()).settled();
    for (const key of ['f', 'elsewhere']) await store.createUpload({ bucket, key });
    clock.putForward(3 * DAY_MS);
    const mirror = await open();
    await mirror.settled();
    await mirror.close(new AbortController().signal);
    expect((await openUploads(bench)).map(({ key }) => key)).toEqual(['elsewhere', 'f']);
  });
});

describe('multipart uploads whose id was lost with the response to CreateMultipartUpload', () => {
  async function lost(clock: ShiftedClock) {
    const opened = await openFaulty(clock);
    const { faulty, put, open } = opened;
    void faulty.inject({ on: 'createUpload', key: 'f', fault: losesTheAnswer });
    put(LARGE);
    await (await open()).settled();
    return opened;
  }

  test('after a day, a job aborts a multipart upload whose id it lost', async () => {
    const clock = new ShiftedClock();
    const { bench, open } = await lost(clock);
    expect(await openUploads(bench)).toHaveLength(1);
    clock.putForward(DAY_MS + HOUR_MS);
    await (await open()).settled();
    await expectStored(bench);
  });

  test("a job aborts its own multipart upload whose id it lost, but not another client's upload with different parts", async () => {
    const clock = new ShiftedClock();
    const { bench, open } = await lost(clock);
    const { store, bucket } = bench;
    const { uploadId } = await store.createUpload({ bucket, key: 'f' });
    const body = bytesBody(Buffer.from('theirs'));
    await store.uploadPart({ bucket, key: 'f', uploadId, partNumber: 1, body });
    clock.putForward(DAY_MS + HOUR_MS);
    await (await open()).settled();
    expect(await openUploads(bench)).toMatchObject([{ uploadId }]);
  });

  test('a job keeps a multipart upload whose id it lost if another client started one for the same key at that time', async () => {
    const clock = new ShiftedClock();
    const { bench, open } = await lost(clock);
    await bench.store.createUpload({ bucket: bench.bucket, key: 'f' });
    clock.putForward(DAY_MS + HOUR_MS);
    await (await open()).settled();
    expect(await openUploads(bench)).toHaveLength(2);
  });
});

test('a job records a multipart upload in its state database before the service creates it', async () => {
  const { bench, faulty, put, open } = await openFaulty();
  const met = faulty.inject({ on: 'createUpload', key: 'f', fault: hangsAfterWriting });
  put(LARGE);
  await open();
  await met;
  const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
  onTestFinished(() => state.close());
  expect(state.uploads.all()).toMatchObject([{ key: 'f', isResumable: false }]);
});

test('the next full sync round aborts the multipart upload of a failed copy', async () => {
  const { bench, faulty } = await openFaulty();
  const { bucket, store } = bench;
  const source = { bucket, key: 'source' };
  await store.putObject({ ...source, body: bytesBody(Buffer.alloc(100, 's')) });
  const { info } = await store.headObject(source);
  mkdirSync(join(bench.home, 'state'));
  const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
  const uploadLog = copyLog({ id: 'j', key: 'f', startedAt: 1 }, { state });
  for (const on of ['completeUpload', 'abortUpload'] as const)
    void faulty.inject({ on, key: 'f', fault: breaksWith('ConnectionLost') });
  const options = { logger: silentLogger, maxOneCopyBytes: 1, uploadLog };
  const copied = copyWhole(faulty.store, { bucket, key: 'f', source }, info, options);
  await expect(copied).rejects.toMatchObject({ code: 'ConnectionLost' });
  expect(state.uploads.all()).toMatchObject([{ journalId: 'j', key: 'f', isResumable: false }]);
  state.close();
  expect(await openUploads(bench)).toHaveLength(1);
  await (await bench.open()).settled();
  expect(await openUploads(bench)).toEqual([]);
});

const STEPS = ['createUpload', 'listParts', 'uploadPart', 'completeUpload', 'abortUpload'] as const;
const FAULTS = [
  breaksWith('ConnectionLost'),
  breaksWith('Timeout'),
  losesTheAnswer,
  answers('SlowDown'),
  answers('InternalError'),
  hangsAfterWriting,
];

test.each([1, 2])(
  'random faults and restarts leave exactly one version and no unfinished multipart upload (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const clock = new ShiftedClock();
    const { bench, faulty, put, open } = await openFaulty(clock);
    put(LARGE);
    for (let restarts = 0; restarts < 3; restarts += 1) {
      const met = Array.from({ length: 4 }, () =>
        faulty.inject({ on: pick(STEPS), key: 'f', fault: pick(FAULTS) }),
      );
      const mirror = await open();
      await Promise.race([mirror.settled(), ...met.slice(1)]);
    }
    faulty.removeFaults();
    await (await open()).settled();
    clock.putForward(DAY_MS + HOUR_MS);
    await (await open()).settled();
    await expectStored(bench);
  },
);
