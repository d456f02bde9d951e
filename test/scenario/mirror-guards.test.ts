/**
 * Tests of services that ignore or reject conditional writes. Versions of other clients must not be lost, and conflicts
 * must be recorded.
 */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { HOUR_MS } from '../../src/base/durations.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { EVALUATES_ALL } from '../../src/mirror/capabilities/capabilities.ts';
import { beginProbe } from '../../src/mirror/capabilities/probe.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import {
  type Answers,
  answeringStore,
  AS_RADOSGW,
  AS_RADOSGW_UNVERSIONED,
  HONOURS_NONE,
} from '../helpers/answering-store.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import {
  answers as says,
  type Fault,
  faultyStore,
  hangsAfterWriting,
  losesTheAnswer,
  slipsIn,
} from '../helpers/faulty-store.ts';
import { claimBefore, openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

/**
 * Opens a service with the `declared` support of conditions. Faults occur after the job has read the current
 * version.
 */
async function openService(
  declared: Answers,
  { versioned = true, ...job }: Partial<MirrorJob> & { readonly versioned?: boolean } = {},
) {
  const bench = await openMirrorBench({ versioned });
  await claimBefore(bench);
  const faulty = faultyStore(bench.store);
  const store = answeringStore(faulty.store, declared);
  const put = (path: string, content: string | Buffer) =>
    writeFileSync(join(bench.root, path), content);
  const open = () => bench.open({ store, isRemote: true, carry: false, ...job });
  const writes = (key: string, content = 'theirs') =>
    slipsIn(() => bench.writeForeign(key, content));
  const probes = () => faulty.calls.filter((call) => call.includes('/probe/'));
  return { bench, faulty, put, open, writes, probes };
}

/** Runs the capability probe on a service, and waits for all its results. */
async function probed(context: Parameters<typeof beginProbe>[0]) {
  const probe = await beginProbe(context);
  return { ...probe.answers, ...(await probe.finish(context.signal)) };
}

describe('the capability probe', () => {
  const answer = fc.constantFrom('honoured', 'unquoted', 'refused', 'passed over');
  const plain = fc.constantFrom('honoured', 'refused', 'passed over');
  const write = fc.record({ ifMatch: answer, ifNoneMatch: plain });
  const all = { put: write, complete: write, copy: write, delete: fc.record({ ifMatch: plain }) };

  test.each(['versioned', 'unversioned'] as const)(
    'a capability probe detects which conditional writes work in a bucket that is %s, and leaves no objects',
    async (kind) => {
      const { store, bucket } = await openMirrorBench({ versioned: kind === 'versioned' });
      const { signal } = new AbortController();
      await fc.assert(
        fc.asyncProperty(fc.record(all), async (declared) => {
          const destination = { store: answeringStore(store, declared), bucket, prefix: 'job/' };
          const context = {
            destination,
            bucket: kind,
            clock: systemClock,
            logger: silentLogger,
            signal,
          };
          const dates = kind === 'versioned' ? { versionDates: 'kept' } : {};
          expect(await probed(context)).toEqual({ ...declared, ...dates });
          expect((await store.listVersions({ bucket })).versions).toEqual([]);
          expect((await store.listUploads({ bucket })).uploads).toEqual([]);
        }),
        { numRuns: 4 },
      );
    },
  );

  test('a capability probe detects whether uploads and copies preserve their locks, and leaves no versions', async () => {
    const { store, bucket } = await openMirrorBench();
    const { signal } = new AbortController();
    const destination = { store, bucket, prefix: '' };
    const bucketKind = { bucket: 'object-lock', clock: systemClock } as const;
    const context = { destination, ...bucketKind, logger: silentLogger, signal };
    const kept = { locksOfUploads: 'kept', locksOfCopies: 'kept' };
    expect(await probed(context)).toMatchObject(kept);
    expect((await store.listVersions({ bucket })).versions).toEqual([]);
  });

  test('a capability probe leaves no multipart upload if the response to CreateMultipartUpload is lost', async () => {
    const { store, bucket } = await openMirrorBench();
    const { signal } = new AbortController();
    const faulty = faultyStore(store);
    void faulty.inject({ on: 'createUpload', fault: losesTheAnswer });
    const destination = { store: faulty.store, bucket, prefix: 'job/' };
    const others = { bucket: 'object-lock', clock: systemClock } as const;
    const context = { destination, ...others, logger: silentLogger, signal };
    await expect(probed(context)).rejects.toMatchObject({ code: 'ConnectionLost' });
    expect((await store.listUploads({ bucket })).uploads).toEqual([]);
    expect((await store.listVersions({ bucket })).versions).toEqual([]);
  });

  test('a capability probe aborts its own multipart uploads that are older than an hour, and no other uploads', async () => {
    const clock = new FakeClock(Date.parse('2026-11-20T12:00:00Z'));
    const { store, bucket } = await openMirrorBench({ clock });
    const { signal } = new AbortController();
    const keys = ['.holdfast/probe/a/6', '.holdfast/probe/b/6', 'data/6', 'job/data/6'];
    const begin = (key: string) => store.createUpload({ bucket, key });
    for (const key of keys) await begin(`job/${key}`);
    await begin('.holdfast/probe/a/6');
    clock.advance(HOUR_MS + 1);
    await begin('job/.holdfast/probe/c/6');
    const destination = { store, bucket, prefix: 'job/' };
    await probed({
      destination,
      bucket: 'unversioned',
      clock,
      logger: silentLogger,
      signal,
    });
    const { uploads } = await store.listUploads({ bucket });
    expect(uploads.map(({ key }) => key)).toEqual([
      '.holdfast/probe/a/6',
      'job/.holdfast/probe/c/6',
      'job/data/6',
      'job/job/data/6',
    ]);
  });

  test('a capability probe succeeds on a service that rejects the listing of multipart uploads', async () => {
    const { store, bucket } = await openMirrorBench();
    const { signal } = new AbortController();
    const faulty = faultyStore(store);
    void faulty.inject({ on: 'listUploads', fault: says('AccessDenied'), times: 9 });
    const destination = { store: faulty.store, bucket, prefix: '' };
    const others = { bucket: 'object-lock', clock: systemClock } as const;
    const context = { destination, ...others, logger: silentLogger, signal };
    expect(await probed(context)).toMatchObject({ complete: EVALUATES_ALL.complete });
    expect((await store.listVersions({ bucket })).versions).toEqual([]);
  });

  test('removing a job aborts the multipart upload of its interrupted capability probe', async () => {
    const { bench, faulty, open } = await openService(EVALUATES_ALL);
    const probing = faulty.inject({ on: 'createUpload', fault: hangsAfterWriting });
    const mirror = await open();
    await probing;
    const listed = async () => (await bench.store.listUploads({ bucket: bench.bucket })).uploads;
    expect(await listed()).toHaveLength(1);
    await mirror.close(new AbortController().signal);
    expect(await listed()).toEqual([]);
  });

  test('a job writes a file with a single request to a service that supports all conditional writes', async () => {
    const { bench, faulty, put, open } = await openService(EVALUATES_ALL);
    put('f', 'first');
    const mirror = await open();
    await mirror.settled();
    const before = faulty.calls.length;
    put('f', 'second');
    await until(
      () => bench.history('f'),
      ({ length }) => length === 2,
    );
    expect(faulty.calls.slice(before).filter((call) => call.endsWith(' f'))).toEqual([
      'putObject f',
    ]);
  });

  test('a job probes a remote service once and after a change of bucket versioning, and never the embedded store', async () => {
    const { bench, open, probes } = await openService(EVALUATES_ALL, { versioned: false });
    const mirror = await open();
    await mirror.settled();
    expect(mirror.status().capabilities?.guarding).toBe('conditions');
    const asked = probes().length;
    expect(asked).toBeGreaterThan(0);
    await (await open()).settled();
    expect(probes()).toHaveLength(asked);
    await bench.store.putVersioning({ bucket: bench.bucket, versioning: 'Enabled' });
    await (await open()).settled();
    expect(probes().length).toBeGreaterThan(asked);
    const before = probes().length;
    const embedded = await openService(EVALUATES_ALL);
    await (await embedded.bench.open({ store: embedded.faulty.store })).settled();
    expect([probes().length, embedded.probes()]).toEqual([before, []]);
  });
});

describe.each([
  ['ignores every condition', HONOURS_NONE],
  ['rejects every put with If-Match', AS_RADOSGW],
] as const)('a service that %s', (_what, declared) => {
  test('a job backs up to a versioned bucket without conditional writes, and warns in its status', async () => {
    const { bench, put, open } = await openService(declared);
    put('f', 'first');
    const mirror = await open();
    await mirror.settled();
    put('f', 'second');
    await mirror.settled();
    rmSync(join(bench.root, 'f'));
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put second', 'marker']);
    expect(mirror.status()).toMatchObject({
      problems: [],
      counts: { conflicts: 0 },
      capabilities: { guarding: 'proof', answers: declared },
      warnings: [expect.stringContaining('does not support all conditional writes')],
    });
  });
});

describe('another client that writes at the same time to a service that ignores conditions', () => {
  const declared = HONOURS_NONE;

  test('a job records conflicts with versions written just before a changed, a new, a large and a moved file', async () => {
    const { bench, faulty, put, open, writes } = await openService(declared);
    put('changed', 'first');
    put('old name', 'moved');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ on: 'putObject', key: 'changed', fault: writes('changed') });
    void faulty.inject({ on: 'putObject', key: 'new', fault: writes('new') });
    void faulty.inject({ on: 'completeUpload', key: 'large', fault: writes('large') });
    void faulty.inject({ on: 'copyObject', key: 'new name', fault: writes('new name') });
    put('changed', 'second');
    put('new', 'ours');
    put('large', Buffer.alloc(17 * 1024 ** 2, 'x'));
    renameSync(join(bench.root, 'old name'), join(bench.root, 'new name'));
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(await bench.history('changed')).toEqual(['put first', 'put theirs', 'put second']);
    expect(await bench.history('new name')).toEqual(['put theirs', 'put moved']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 4, held: 0, problems: 0 });
  });

  test('a job records no conflict with a version of equal content that was written just before a put', async () => {
    const { bench, faulty, put, open, writes } = await openService(declared);
    put('f', 'first');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ on: 'putObject', key: 'f', fault: writes('f', 'second') });
    put('f', 'second');
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put second', 'put second']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 0, held: 0, problems: 0 });
  });

  test('a job removes its delete marker if another client wrote a version just before the delete', async () => {
    const { bench, faulty, put, open, writes } = await openService(declared);
    for (const name of ['f', 'g']) put(name, 'first');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ on: 'deleteObject', key: 'f', fault: writes('f') });
    rmSync(join(bench.root, 'f'));
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put theirs']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 0 });
    expect(bench.activities.map(({ action }) => action)).toContain('delete skipped');
  });

  test('a job records a conflict if it cannot remove its delete marker above a version written just before the delete', async () => {
    const { bench, faulty, put, open, writes } = await openService(declared);
    for (const name of ['f', 'g']) put(name, 'first');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ on: 'deleteObject', key: 'f', fault: writes('f') });
    void faulty.inject({ on: 'deleteObject', key: 'f', fault: says('AccessDenied') });
    rmSync(join(bench.root, 'f'));
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put theirs', 'marker']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 1 });
  });

  test("a job does not delete another client's version even if the response to a delete names its version id", async () => {
    const { bench, faulty, put, open } = await openService(declared);
    for (const name of ['f', 'g']) put(name, 'first');
    const mirror = await open();
    await mirror.settled();
    const lie: Fault = async ({ run, store }) => {
      await bench.writeForeign('f', 'theirs');
      await run();
      const { versions } = await store.listVersions({ bucket: bench.bucket, prefix: 'f' });
      const theirs = versions.find(({ kind }) => kind === 'version');
      return { versionId: theirs?.versionId, deleteMarker: false };
    };
    void faulty.inject({ on: 'deleteObject', key: 'f', fault: lie });
    rmSync(join(bench.root, 'f'));
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put theirs', 'marker']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 1 });
  });

  test('a job deletes its own upload if it overwrote a version whose conflict the user has to resolve first', async () => {
    const { bench, faulty, put, open, writes } = await openService(declared, { conflict: 'ask' });
    put('f', 'first');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ on: 'putObject', key: 'f', fault: writes('f') });
    put('f', 'second');
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put theirs']);
    expect(mirror.status().counts).toMatchObject({ held: 1 });
  });

  test.each<[string, Fault, boolean]>([
    ['with a lost response', losesTheAnswer, false],
    ['followed by a stop of the mirror', hangsAfterWriting, true],
  ])(
    'a job records a conflict with a version that was written just before a put %s',
    async (_when, ends, restarts) => {
      const { bench, faulty, put, open } = await openService(declared);
      put('f', 'first');
      const mirror = await open();
      await mirror.settled();
      const met = faulty.inject({
        on: 'putObject',
        key: 'f',
        fault: async (call) => {
          await bench.writeForeign('f', 'theirs');
          return ends(call);
        },
      });
      put('f', 'second');
      await met;
      const later = restarts ? await open() : mirror;
      await later.settled();
      expect(await bench.history('f')).toEqual(['put first', 'put theirs', 'put second']);
      expect(later.status().counts).toMatchObject({ conflicts: 1 });
    },
  );

  test('a job retries a failed listing of versions after a put', async () => {
    const { bench, faulty, put, open, writes } = await openService(declared);
    put('f', 'first');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ on: 'putObject', key: 'f', fault: writes('f') });
    void faulty.inject({ on: 'listVersions', fault: says('SlowDown'), times: 2 });
    put('f', 'second');
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put theirs', 'put second']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 1, problems: 0 });
  });
});

test('a job uploads a file again if its version was deleted before the job could verify it', async () => {
  const { bench, faulty, put, open } = await openService(HONOURS_NONE);
  put('f', 'first');
  const mirror = await open();
  await mirror.settled();
  void faulty.inject({
    on: 'listVersions',
    fault: async ({ store }) => {
      const { info } = await store.headObject({ bucket: bench.bucket, key: 'f' });
      const { versionId = '' } = info;
      await store.deleteObject({ bucket: bench.bucket, key: 'f', versionId });
      return says('SlowDown')({ run: async () => undefined, store, signal: undefined, reached });
    },
  });
  put('f', 'second');
  await mirror.settled();
  expect(await bench.history('f')).toEqual(['put first', 'put second']);
});

const reached = () => undefined;

describe('an unversioned bucket on a service without conditional writes', () => {
  test('a job on a service that ignores conditions fails if the bucket is unversioned, and writes nothing', async () => {
    const { bench, put, open } = await openService(HONOURS_NONE, { versioned: false });
    put('f', 'content');
    const mirror = await open();
    await mirror.settled();
    const { reason } = await until(
      () => mirror.status(),
      ({ state }) => state === 'failed',
    );
    expect(reason).toMatch(/has no versioning.*PutObject: If-Match is ignored.*unguarded: true/);
    expect(await bench.heads()).toEqual({});
  });

  test('with unguarded: true, a job compares the current object before each write and warns in its status', async () => {
    const { bench, put, open } = await openService(AS_RADOSGW_UNVERSIONED, {
      versioned: false,
      unguarded: true,
    });
    put('f', 'first');
    put('g', 'content');
    const mirror = await open();
    await mirror.settled();
    put('f', 'second');
    await bench.writeForeign('g', 'theirs');
    rmSync(join(bench.root, 'g'));
    await mirror.settled();
    expect(await bench.heads()).toEqual({ f: 'second', g: 'theirs' });
    expect(mirror.status()).toMatchObject({
      warnings: [expect.stringMatching(/^unguarded: .*DeleteObject: If-Match is ignored/)],
      capabilities: { guarding: 'unguarded' },
    });
  });

  test('a job uploads a moved file instead of copying it if the service ignores conditions of copies', async () => {
    const declared: Answers = { ...EVALUATES_ALL, copy: HONOURS_NONE.copy };
    const { bench, faulty, put, open } = await openService(declared, { versioned: false });
    put('old', 'content');
    const mirror = await open();
    await mirror.settled();
    renameSync(join(bench.root, 'old'), join(bench.root, 'new'));
    await mirror.settled();
    expect(await bench.heads()).toEqual({ new: 'content' });
    expect(faulty.calls).toContain('putObject new');
    expect(faulty.calls).not.toContain('copyObject new');
  });
});
