/** Services that do not hold to what a write expects: what others write is not lost, and not lost from sight. */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { HOUR_MS } from '../../src/base/durations.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { HONOURS_ALL } from '../../src/mirror/capabilities/capabilities.ts';
import { probeCapabilities } from '../../src/mirror/capabilities/probe.ts';
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

/** The mirror looks at the head, and what is injected happens after that: in the moment of the write. */
async function openService(
  told: Answers,
  { versioned = true, ...job }: Partial<MirrorJob> & { readonly versioned?: boolean } = {},
) {
  const bench = await openMirrorBench({ versioned });
  await claimBefore(bench);
  const faulty = faultyStore(bench.store);
  const store = answeringStore(faulty.store, told);
  const put = (path: string, content: string | Buffer) =>
    writeFileSync(join(bench.root, path), content);
  const open = () => bench.open({ store, isRemote: true, carry: false, ...job });
  const writes = (key: string, content = 'theirs') =>
    slipsIn(() => bench.writeForeign(key, content));
  const probes = () => faulty.calls.filter((call) => call.includes('/probe/'));
  return { bench, faulty, put, open, writes, probes };
}

describe('a service is asked what it honours', () => {
  const answer = fc.constantFrom('honoured', 'unquoted', 'refused', 'passed over');
  const plain = fc.constantFrom('honoured', 'refused', 'passed over');
  const write = fc.record({ ifMatch: answer, ifNoneMatch: plain });
  const all = { put: write, complete: write, copy: write, delete: fc.record({ ifMatch: plain }) };

  test.each(['versioned', 'unversioned'] as const)(
    'and tells it, in a bucket that is %s; nothing is left of it',
    async (kind) => {
      const { store, bucket } = await openMirrorBench({ versioned: kind === 'versioned' });
      const { signal } = new AbortController();
      await fc.assert(
        fc.asyncProperty(fc.record(all), async (told) => {
          const place = { store: answeringStore(store, told), bucket, prefix: 'job/' };
          const context = { place, bucket: kind, clock: systemClock, logger: silentLogger, signal };
          const dates = kind === 'versioned' ? { versionDates: 'kept' } : {};
          expect(await probeCapabilities(context)).toEqual({ ...told, ...dates });
          expect((await store.listVersions({ bucket })).versions).toEqual([]);
          expect((await store.listUploads({ bucket })).uploads).toEqual([]);
        }),
        { numRuns: 4 },
      );
    },
  );

  test('with object lock also whether locks of uploads and copies are kept, and no hold stays', async () => {
    const { store, bucket } = await openMirrorBench();
    const { signal } = new AbortController();
    const place = { store, bucket, prefix: '' };
    const bucketKind = { bucket: 'object-lock', clock: systemClock } as const;
    const context = { place, ...bucketKind, logger: silentLogger, signal };
    const kept = { locksOfUploads: 'kept', locksOfCopies: 'kept' };
    expect(await probeCapabilities(context)).toMatchObject(kept);
    expect((await store.listVersions({ bucket })).versions).toEqual([]);
  });

  test('a lost answer to the creation of the multipart upload of a probe leaves no upload', async () => {
    const { store, bucket } = await openMirrorBench();
    const { signal } = new AbortController();
    const faulty = faultyStore(store);
    void faulty.inject({ on: 'createUpload', fault: losesTheAnswer });
    const place = { store: faulty.store, bucket, prefix: 'job/' };
    const others = { bucket: 'object-lock', clock: systemClock } as const;
    const context = { place, ...others, logger: silentLogger, signal };
    await expect(probeCapabilities(context)).rejects.toMatchObject({ code: 'ConnectionLost' });
    expect((await store.listUploads({ bucket })).uploads).toEqual([]);
    expect((await store.listVersions({ bucket })).versions).toEqual([]);
  });

  test('a probe aborts uploads of probes older than an hour, and no other upload', async () => {
    const clock = new FakeClock(Date.parse('2026-11-20T12:00:00Z'));
    const { store, bucket } = await openMirrorBench({ clock });
    const { signal } = new AbortController();
    const keys = ['.holdfast/probe/a/6', '.holdfast/probe/b/6', 'data/6', 'job/data/6'];
    const begin = (key: string) => store.createUpload({ bucket, key });
    for (const key of keys) await begin(`job/${key}`);
    await begin('.holdfast/probe/a/6');
    clock.advance(HOUR_MS + 1);
    await begin('job/.holdfast/probe/c/6');
    const place = { store, bucket, prefix: 'job/' };
    await probeCapabilities({ place, bucket: 'unversioned', clock, logger: silentLogger, signal });
    const { uploads } = await store.listUploads({ bucket });
    expect(uploads.map(({ key }) => key)).toEqual([
      '.holdfast/probe/a/6',
      'job/.holdfast/probe/c/6',
      'job/data/6',
      'job/job/data/6',
    ]);
  });

  test('a service that does not list uploads is probed all the same', async () => {
    const { store, bucket } = await openMirrorBench();
    const { signal } = new AbortController();
    const faulty = faultyStore(store);
    void faulty.inject({ on: 'listUploads', fault: says('AccessDenied'), times: 9 });
    const place = { store: faulty.store, bucket, prefix: '' };
    const others = { bucket: 'object-lock', clock: systemClock } as const;
    const context = { place, ...others, logger: silentLogger, signal };
    expect(await probeCapabilities(context)).toMatchObject({ complete: HONOURS_ALL.complete });
    expect((await store.listVersions({ bucket })).versions).toEqual([]);
  });

  test('a job that is removed aborts the upload of an interrupted probe', async () => {
    const { bench, faulty, open } = await openService(HONOURS_ALL);
    const probing = faulty.inject({ on: 'createUpload', fault: hangsAfterWriting });
    const mirror = await open();
    await probing;
    const listed = async () => (await bench.store.listUploads({ bucket: bench.bucket })).uploads;
    expect(await listed()).toHaveLength(1);
    await mirror.close(new AbortController().signal);
    expect(await listed()).toEqual([]);
  });

  test('and where it holds to all, a write is one request', async () => {
    const { bench, faulty, put, open } = await openService(HONOURS_ALL);
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

  test('once, and again when the bucket is of another kind; the embedded store never', async () => {
    const { bench, open, probes } = await openService(HONOURS_ALL, { versioned: false });
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
    const embedded = await openService(HONOURS_ALL);
    await (await embedded.bench.open({ store: embedded.faulty.store })).settled();
    expect([probes().length, embedded.probes()]).toEqual([before, []]);
  });
});

describe.each([
  ['passes over every condition', HONOURS_NONE],
  ['never takes a put under If-Match', AS_RADOSGW],
] as const)('a service that %s', (_what, told) => {
  test('is mirrored to, and the status says how', async () => {
    const { bench, put, open } = await openService(told);
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
      capabilities: { guarding: 'proof', answers: told },
      warnings: [expect.stringContaining('does not hold to conditions')],
    });
  });
});

describe('a service that honours no condition: someone else writes in the moment of ours', () => {
  const told = HONOURS_NONE;

  test('versions that slip in before a changed, a new, a large and a moved file are in the ledger', async () => {
    const { bench, faulty, put, open, writes } = await openService(told);
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

  test('a version with equal bytes that slips in before a put is no conflict', async () => {
    const { bench, faulty, put, open, writes } = await openService(told);
    put('f', 'first');
    const mirror = await open();
    await mirror.settled();
    void faulty.inject({ on: 'putObject', key: 'f', fault: writes('f', 'second') });
    put('f', 'second');
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put first', 'put second', 'put second']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 0, held: 0, problems: 0 });
  });

  test('a version that slips in before a delete is the current one again', async () => {
    const { bench, faulty, put, open, writes } = await openService(told);
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

  test('a marker that may not be taken back leaves the version in the ledger', async () => {
    const { bench, faulty, put, open, writes } = await openService(told);
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

  test('a version that the answer to a delete names is not removed for a marker', async () => {
    const { bench, faulty, put, open } = await openService(told);
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

  test('what the user decides first is not covered by chance: ours is taken back', async () => {
    const { bench, faulty, put, open, writes } = await openService(told, { conflict: 'ask' });
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
    ['whose answer is lost', losesTheAnswer, false],
    ['after which the mirror was stopped', hangsAfterWriting, true],
  ])('a version is in the ledger that slips in before a put %s', async (_when, ends, restarts) => {
    const { bench, faulty, put, open } = await openService(told);
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
  });

  test('versions that cannot be listed for a moment are asked for again', async () => {
    const { bench, faulty, put, open, writes } = await openService(told);
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

test('a version of ours that is purged before it was proved is put again: the file is no deleted one', async () => {
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

describe('a bucket without versions', () => {
  test('on a service that honours nothing is refused, and nothing is written', async () => {
    const { bench, put, open } = await openService(HONOURS_NONE, { versioned: false });
    put('f', 'content');
    const mirror = await open();
    await mirror.settled();
    const { reason } = await until(
      () => mirror.status(),
      ({ state }) => state === 'failed',
    );
    expect(reason).toMatch(/keeps no versions.*put: If-Match passed over.*unguarded: true/);
    expect(await bench.heads()).toEqual({});
  });

  test('is mirrored to where the job says unguarded, after a look at the head; the status says so', async () => {
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
      warnings: [expect.stringMatching(/^unguarded: .*delete: If-Match passed over/)],
      capabilities: { guarding: 'unguarded' },
    });
  });

  test('where copies alone are not held to is mirrored to, and the bytes of a moved file are sent', async () => {
    const told: Answers = { ...HONOURS_ALL, copy: HONOURS_NONE.copy };
    const { bench, faulty, put, open } = await openService(told, { versioned: false });
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
