/**
 * Tests of locks on a service that silently drops them. The job verifies its locks, sets dropped locks again and
 * reports missing ones.
 */

import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { LockPolicy } from '../../src/mirror/model/types.ts';
import type { ObjectStore, Retention } from '../../src/object-store/object-store.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { answers, faultyStore, hangsAfterWriting } from '../helpers/faulty-store.ts';
import { forgetfulStore } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

const LOCK: LockPolicy = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 };
const DAY_MS = 24 * 3_600_000;
/** File content that is large enough for a multipart upload. */
const LARGE = Buffer.alloc(17 * 1024 * 1024, 'x');
/** File content that is large enough for the job to find an existing object with the same content. */
const MEDIUM = Buffer.alloc(100_000, 'x');
const ALWAYS = Number.POSITIVE_INFINITY;

async function openLocked(wrap: (store: ObjectStore) => ObjectStore = forgetfulStore) {
  const bench = await openMirrorBench();
  const faulty = faultyStore(wrap(bench.store));
  const open = () => bench.open({ store: faulty.store, lock: LOCK, carry: false });
  const put = (path: string, content: string | Buffer) =>
    writeFileSync(join(bench.root, path), content);
  return { bench, faulty, open, put };
}

async function retentionOf({ store, bucket }: MirrorBench, key: string) {
  return (await store.headObject({ bucket, key })).info.retention;
}

/** Returns the last synced state of a key from the state database of a closed job. */
async function baselineOf({ home }: MirrorBench, key: string) {
  const state = openStateFile(join(home, 'state', 'state.sqlite'));
  try {
    return state.baseline.get(key);
  } finally {
    state.close();
  }
}

function expectAsAsked(retention: Retention | undefined): void {
  const until = retention?.retainUntil ?? 0;
  expect(retention?.mode).toBe('GOVERNANCE');
  expect(until - Date.now()).toBeGreaterThan(36 * DAY_MS);
  expect(until - Date.now()).toBeLessThanOrEqual(37 * DAY_MS);
}

describe('a service that drops locks', () => {
  test.each<[string, string, (root: string) => void]>([
    ['a multipart upload', 'large', (root) => writeFileSync(join(root, 'large'), LARGE)],
    ['a moved file', 'new', (root) => renameSync(join(root, 'old'), join(root, 'new'))],
    ['a copied file', 'copy', (root) => cpSync(join(root, 'medium'), join(root, 'copy'))],
  ])(
    'a job sets the lock that the service dropped from %s, and records the version id',
    async (_what, key, change) => {
      const { bench, open, put } = await openLocked();
      put('old', 'content');
      put('medium', MEDIUM);
      const mirror = await open();
      await mirror.settled();
      change(bench.root);
      await mirror.settled();
      const retention = await retentionOf(bench, key);
      expectAsAsked(retention);
      expect(mirror.status().problems).toEqual([]);
      await mirror.close();
      const { versions } = await bench.store.listVersions({ bucket: bench.bucket, prefix: key });
      expect(await baselineOf(bench, key)).toMatchObject({
        retainUntil: retention?.retainUntil,
        versionId: versions[0]?.versionId,
      });
    },
  );

  test('a job sets the lock that the service dropped from a restored object', async () => {
    const { bench, open, put } = await openLocked();
    put('f', 'content');
    const mirror = await open();
    await mirror.settled();
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'f' });
    await mirror.runNow();
    expectAsAsked(await retentionOf(bench, 'f'));
    expect(mirror.status().problems).toEqual([]);
  });
});

test('a job verifies the lock of a large or a moved file with one HEAD request, and sends none for a small file', async () => {
  const { bench, faulty, open, put } = await openLocked((store) => store);
  put('small', 'content');
  put('large', LARGE);
  const mirror = await open();
  await mirror.settled();
  renameSync(join(bench.root, 'small'), join(bench.root, 'moved'));
  await mirror.settled();
  const looks = faulty.calls.filter((call) => /^(headObject|putRetention) /.test(call));
  // The job reads the copy source once, because the copy must also get the legal hold of its
  // source.
  expect(looks.sort()).toEqual(['headObject large', 'headObject moved', 'headObject small']);
});

describe('locks that have no effect', () => {
  test.each<[string, Parameters<typeof openLocked>[0], RegExp]>([
    [
      'the service does not store the lock',
      (store) => forgetfulStore(store, { forgetsRetention: true }),
      /accepted the retention, but does not report it/,
    ],
    ['the lock is refused', undefined, /rejected the retention: .*no permission to extend locks/],
  ])('a job reports a missing lock as a problem: %s', async (why, wrap, said) => {
    const { bench, faulty, open, put } = await openLocked(wrap);
    if (why.endsWith('refused'))
      void faulty.inject({ on: 'putRetention', fault: answers('AccessDenied'), times: ALWAYS });
    put('large', LARGE);
    put('small', 'content');
    const mirror = await open();
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    const problem = { path: 'large', code: 'not-locked', message: expect.stringMatching(said) };
    expect(mirror.status()).toMatchObject({ problems: [problem], counts: { pending: 0 } });
    await mirror.close();
    expect(await baselineOf(bench, 'large')).toMatchObject({
      retainUntil: 0,
      versionId: expect.any(String),
    });
  });

  test('a job retries a rejected lock after a restart without a new upload, and clears the problem', async () => {
    const { bench, faulty, open, put } = await openLocked();
    void faulty.inject({ on: 'putRetention', fault: answers('AccessDenied'), times: ALWAYS });
    put('large', LARGE);
    await (await open()).settled();
    const again = await open();
    await again.settled();
    expect(again.status().problems).toMatchObject([{ path: 'large', code: 'not-locked' }]);
    faulty.removeFaults();
    const before = faulty.calls.length;
    const third = await open();
    await third.settled();
    expect(third.status().problems).toEqual([]);
    expectAsAsked(await retentionOf(bench, 'large'));
    expect(faulty.calls.slice(before)).not.toContain('uploadPart large');
  });

  test('a job that retries a lock does not lock longer than the pattern for the key specifies', async () => {
    const { bench, faulty, put } = await openLocked();
    const lock = { ...LOCK, patterns: [{ match: 'large', days: 1 }] };
    const open = () => bench.open({ store: faulty.store, lock });
    void faulty.inject({ on: 'putRetention', fault: answers('AccessDenied'), times: ALWAYS });
    put('large', LARGE);
    await (await open()).settled();
    faulty.removeFaults();
    const again = await open();
    await again.settled();
    expect(again.status().problems).toEqual([]);
    const { retainUntil = 0 } = (await retentionOf(bench, 'large')) ?? {};
    expect(retainUntil - Date.now()).toBeGreaterThan(7 * DAY_MS);
    expect(retainUntil - Date.now()).toBeLessThanOrEqual(8 * DAY_MS);
  });

  test('a job clears the problem of a missing lock if it no longer locks objects', async () => {
    const { bench, faulty, open, put } = await openLocked();
    void faulty.inject({ on: 'putRetention', fault: answers('AccessDenied'), times: ALWAYS });
    put('large', LARGE);
    await (await open()).settled();
    const mirror = await bench.open({ store: faulty.store });
    await mirror.settled();
    expect(mirror.status().problems).toEqual([]);
  });
});

test.each(['completeUpload', 'putRetention'] as const)(
  'a job verifies the lock of an upload at the next start if it was stopped after %s',
  async (on) => {
    const { bench, faulty, open, put } = await openLocked();
    const met = faulty.inject({ on, key: 'large', fault: hangsAfterWriting });
    put('large', LARGE);
    await open();
    await met;
    const mirror = await open();
    await mirror.settled();
    expectAsAsked(await retentionOf(bench, 'large'));
    expect(mirror.status().problems).toEqual([]);
    expect(await bench.history('large')).toHaveLength(1);
  },
);

test('a job finds and locks its own version even if another client has overwritten it', async () => {
  const { bench, faulty, open, put } = await openLocked();
  void faulty.inject({
    on: 'completeUpload',
    fault: async ({ run }) => {
      const made = await run();
      await bench.writeForeign('large', 'theirs');
      return made;
    },
  });
  put('large', LARGE);
  const mirror = await open();
  await mirror.settled();
  const { store, bucket } = bench;
  const { versions } = await store.listVersions({ bucket, prefix: 'large' });
  const [theirs, ours] = await Promise.all(
    versions.map(({ versionId }) => store.headObject({ bucket, key: 'large', versionId })),
  );
  expect(theirs?.info.retention).toBeUndefined();
  expectAsAsked(ours?.info.retention);
});
