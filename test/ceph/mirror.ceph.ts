/**
 * Tests the mirror against a real radosgw, using the signed client. Runs the complete decision
 * table in versioned buckets and in buckets with Object Lock.
 */

import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, inject, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { DAY_MS } from '../../src/base/durations.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import { ownTimes } from '../../src/restore/own-times.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { listTree } from '../../src/mirror/objects/version-listing.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { AS_RADOSGW, AS_RADOSGW_UNVERSIONED } from '../helpers/answering-store.ts';
import { faultyStore, slipsIn } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { expectedVersions, POLICIES, runMatrix } from '../helpers/mirror-matrix.ts';
import { until } from '../helpers/until.ts';

const LOCK = { mode: 'GOVERNANCE', days: 1, refreshDays: 1 } as const;
const LARGE = 'x'.repeat(17 * 1024 ** 2);
const KINDS = ['versioned', 'object-lock'] as const;
type Kind = (typeof KINDS)[number] | 'unversioned';

async function openBench(kind: Kind) {
  const { endpoint, owner: credentials } = inject('ceph');
  const logger = silentLogger;
  const store = openSignedClient({
    endpoint,
    region: 'us-east-1',
    dialect: amzDialect,
    credentials,
    clock: systemClock,
    logger,
  });
  onTestFinished(() => store.close());
  const bucket = `mirror-${randomUUID().slice(0, 8)}`;
  await store.createBucket({ bucket, objectLockEnabled: kind === 'object-lock' });
  if (kind === 'versioned') await store.putVersioning({ bucket, versioning: 'Enabled' });
  const bench = await openMirrorBench({ service: { store, bucket } });
  const put = (path: string, content: string | Buffer) =>
    writeFileSync(join(bench.root, path), content);
  const job = { isRemote: true, ...(kind === 'object-lock' && { lock: LOCK }) };
  return { bench, put, job };
}

describe.each(KINDS)('the mirror on radosgw with buckets of the kind %s', (kind) => {
  test.each(POLICIES)(
    'the mirror on radosgw has the expected result in each case of the decision table, with the policy %s',
    async (policy) => {
      const { bench, job } = await openBench(kind);
      const outcome = await runMatrix(bench, policy, job);
      expect(outcome.versions).toEqual(expectedVersions(policy));
      expect(outcome.ledger).toEqual(outcome.covered);
      expect(outcome.unlocked).toEqual([]);
    },
  );

  test('the mirror tests which write conditions radosgw evaluates, and reports how writes are protected', async () => {
    const { bench, job } = await openBench(kind);
    const mirror = await bench.open(job);
    await mirror.settled();
    const { capabilities } = mirror.status();
    expect(capabilities).toMatchObject({ bucket: kind, guarding: 'proof', answers: AS_RADOSGW });
    if (kind === 'object-lock')
      expect(capabilities?.answers).toMatchObject({
        locksOfUploads: 'dropped',
        locksOfCopies: 'dropped',
      });
    const { versions } = await bench.store.listVersions({ bucket: bench.bucket });
    expect(versions.map(({ key }) => key)).toEqual(['.holdfast/claim']);
  });

  test('the mirror detects writes of other clients just before its puts, completions and copies, and logs them as conflicts', async () => {
    const { bench, put, job } = await openBench(kind);
    const faulty = faultyStore(bench.store);
    const writes = (key: string) => slipsIn(() => bench.writeForeign(key, 'theirs'));
    put('small', 'first');
    put('old name', 'moved');
    put('deleted', 'first');
    const mirror = await bench.open({ ...job, store: faulty.store });
    await mirror.settled();
    void faulty.inject({ on: 'putObject', key: 'small', fault: writes('small') });
    void faulty.inject({ on: 'completeUpload', key: 'large', fault: writes('large') });
    void faulty.inject({ on: 'copyObject', key: 'new name', fault: writes('new name') });
    put('small', 'second');
    put('large', Buffer.alloc(17 * 1024 ** 2, 'x'));
    renameSync(join(bench.root, 'old name'), join(bench.root, 'new name'));
    await mirror.settled();
    expect(await bench.heads()).toEqual(bench.tree());
    expect(mirror.status().counts).toMatchObject({ conflicts: 3, problems: 0 });
    if (kind === 'object-lock')
      for (const key of ['small', 'large', 'new name']) {
        const { info } = await bench.store.headObject({ bucket: bench.bucket, key });
        expect([key, info.retention?.mode]).toEqual([key, 'GOVERNANCE']);
      }
  });

  test('the mirror does not replace objects of other clients at the keys of new files until the user resolves the conflict', async () => {
    const { bench, put, job } = await openBench(kind);
    for (const key of ['local', 'remote']) await bench.writeForeign(key, 'theirs');
    put('local', 'ours');
    put('remote', 'ours');
    const mirror = await bench.open(job);
    await mirror.settled();
    expect(mirror.status().counts).toMatchObject({ conflicts: 2, problems: 0 });
    expect(await bench.heads()).toEqual({ local: 'theirs', remote: 'theirs' });
    for (const keep of ['local', 'remote'] as const)
      expect(await mirror.conflicts.resolve({ keep, patterns: [keep] })).toMatchObject({
        resolved: 1,
        waiting: [],
      });
    await mirror.settled();
    expect(await bench.heads()).toEqual({ local: 'ours', remote: 'theirs' });
    expect(bench.tree()).toEqual(await bench.heads());
    expect(await bench.history('local')).toEqual(['put theirs', 'put ours']);
    expect(mirror.status().counts).toMatchObject({ conflicts: 0, problems: 0 });
  });

  test('a change of file attributes copies the version without an upload, and locks the copy in a bucket with Object Lock', async () => {
    const { bench, put, job } = await openBench(kind);
    put('small', 'content');
    put('large', Buffer.alloc(17 * 1024 ** 2, 'x'));
    const mirror = await bench.open(job);
    await mirror.settled();
    const { uploadedBytes } = mirror.status().counts;
    for (const path of ['small', 'large']) chmodSync(join(bench.root, path), 0o600);
    await mirror.settled();
    const { counts, problems } = mirror.status();
    expect([counts.uploadedBytes - uploadedBytes, problems]).toEqual([0, []]);
    for (const key of ['small', 'large']) {
      const { info } = await bench.store.headObject({ bucket: bench.bucket, key });
      expect(info.metadata).toMatchObject({ 'holdfast-mode': '0600' });
      if (kind === 'object-lock') expect([key, info.retention?.mode]).toEqual([key, 'GOVERNANCE']);
    }
    expect(await bench.history('small')).toEqual(['put content', 'put content']);
  });

  test('a mirror owns its prefix until another host takes the prefix over', async () => {
    const { bench, job } = await openBench(kind);
    await (await bench.open({ ...job, hostId: 'attic' })).settled();
    const second = await bench.open({ ...job, hostId: 'cellar' });
    await second.settled();
    expect(second.status().reason).toMatch(/of another installation/);
    await second.ownership.takeOver(new AbortController().signal);
    await second.settled();
    expect(second.status()).toMatchObject({ state: 'watching' });
  });
});

test('a mirror on radosgw renews the locks of small, multipart and moved files, and of files with changed attributes', async () => {
  const { bench, put, job } = await openBench('object-lock');
  put('put', 'content');
  put('in parts', Buffer.alloc(17 * 1024 ** 2, 'x'));
  put('old name', 'moved');
  put('attributes', 'content');
  const mirror = await bench.open(job);
  await mirror.settled();
  renameSync(join(bench.root, 'old name'), join(bench.root, 'new name'));
  chmodSync(join(bench.root, 'attributes'), 0o600);
  await mirror.settled();
  const keys = ['put', 'in parts', 'new name', 'attributes'];
  const ends = () =>
    Promise.all(
      keys.map(async (key) => {
        const { info } = await bench.store.headObject({ bucket: bench.bucket, key });
        return info.retention?.retainUntil ?? 0;
      }),
    );
  const before = await ends();
  for (const end of before) expect(end).toBeGreaterThan(Date.now() + DAY_MS);
  const longer = await bench.open({ ...job, lock: { ...LOCK, days: 5 } });
  await until(ends, (all) => all.every((end) => end > Date.now() + 5 * DAY_MS));
  // The renewal extended the locks of existing versions, and created no new versions.
  for (const key of keys) {
    const versions = await bench.history(key);
    expect([key, versions.length]).toEqual([key, key === 'attributes' ? 2 : 1]);
  }
  await longer.settled();
  expect(longer.status()).toMatchObject({ problems: [], locks: { renewalsDue: 0 } });
});

const contentOf = (path: string) => (path === 'large' ? LARGE : 'first');

test('a restore of the state before lock renewals and file changes is complete on radosgw', async () => {
  const { bench, put, job } = await openBench('object-lock');
  const { store, bucket } = bench;
  const first = ['changed', 'deleted', 'large', 'moved', 'same'];
  for (const path of first) put(path, contentOf(path));
  const mirror = await bench.open(job);
  await mirror.settled();
  const at = Date.now();
  const ends = async () => {
    const heads = first.map((key) => store.headObject({ bucket, key }));
    return (await Promise.all(heads)).map(({ info }) => info.retention?.retainUntil ?? 0);
  };
  const longer = await bench.open({ ...job, lock: { ...LOCK, days: 5 } });
  await until(ends, (all) => all.every((end) => end > Date.now() + 5 * DAY_MS));
  for (const path of ['changed', 'large']) put(path, 'second');
  rmSync(join(bench.root, 'deleted'));
  renameSync(join(bench.root, 'moved'), join(bench.root, 'moved away'));
  await longer.settled();
  // By the dates that radosgw returns, no file that was later changed, moved or deleted existed at the time `at`.
  const place = { store, bucket, prefix: '' };
  const listed: string[] = [];
  for await (const { key } of listTree({ ...place, at })) listed.push(key);
  expect(listed.filter((key) => first.includes(key))).toEqual(['same']);
  expect(longer.status().capabilities?.answers.versionDates).toBe('changed');
  for (const times of [longer.versionTimes(), ownTimes(place)]) {
    const to = mkdtempSync(join(bench.home, 'restored-'));
    const options = { ...place, ...defined({ times }), at, to, clock: systemClock };
    const report = await restoreTree({ ...options, logger: silentLogger });
    expect(report).toMatchObject({ files: first.length, undated: 0, problems: [] });
    for (const path of first)
      expect(readFileSync(join(to, path), 'latin1') === contentOf(path)).toBe(true);
  }
  // If the tags of another tool's object change, radosgw also changes the date. The date then does
  // not show whether the object existed at that time.
  await bench.writeForeign('foreign', 'theirs');
  const before = Date.now();
  const tags = [{ key: 'k', value: 'v' }];
  await store.putObjectTags({ bucket, key: 'foreign', tags });
  await bench.writeForeign('foreign', 'theirs later');
  const to = mkdtempSync(join(bench.home, 'restored-'));
  const options = { ...place, ...defined({ times: longer.versionTimes() }), at: before, to };
  const report = await restoreTree({ ...options, clock: systemClock, logger: silentLogger });
  expect(report).toMatchObject({ undated: 1, problems: [{ path: 'foreign', code: 'undated' }] });
});

describe('the mirror on radosgw with an unversioned bucket', () => {
  test('the mirror refuses an unversioned bucket, because radosgw ignores conditions of deletes and completions', async () => {
    const { bench, job } = await openBench('unversioned');
    const mirror = await bench.open(job);
    await mirror.settled();
    expect(mirror.status().reason).toMatch(/has no versioning.*DeleteObject: If-Match is ignored/);
  });

  test('the mirror uses an unversioned bucket with unguarded: true', async () => {
    const { bench, put, job } = await openBench('unversioned');
    put('f', 'first');
    const mirror = await bench.open({ ...job, unguarded: true });
    await mirror.settled();
    put('f', 'second');
    await mirror.settled();
    expect(await bench.heads()).toEqual({ f: 'second' });
    expect(mirror.status().capabilities).toMatchObject({
      guarding: 'unguarded',
      answers: AS_RADOSGW_UNVERSIONED,
    });
  });
});
