/**
 * Tests of a job with a customer key (SSE-C). The job encrypts all stored objects, and reads them with the key.
 */

import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { storeUnder } from '../../daemon/jobs/job-key.ts';
import { systemClock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { DAY_MS } from '../../src/base/durations.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { describeCopy } from '../../src/mirror/transfer/write-control.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { copyForward } from '../../src/restore/undo.ts';
import type { VerifyRow } from '../../src/verification/verify.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { ObjectInfo, ObjectStore } from '../../src/object-store/object-store.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';
import { customerKey } from '../helpers/customer-keys.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { SMALL_PARTS } from '../helpers/shared-engine.ts';
import { blobFiles, blobPath } from '../helpers/store-files.ts';
import { testProvenance } from '../helpers/provenance.ts';
import { patternBytes } from '../helpers/test-engine.ts';
import { until } from '../helpers/until.ts';
import { accessKey, dialects, REGION } from '../helpers/wire-bench.ts';

const { signal } = new AbortController();

/** Returns the keys with versions that are readable without a customer key, and the number of all versions. */
async function inClear({ store, bucket }: Pick<MirrorBench, 'bucket' | 'store'>) {
  const { versions } = await store.listVersions({ bucket });
  const clear: string[] = [];
  let count = 0;
  for (const { kind, key, versionId } of versions) {
    if (kind !== 'version') continue;
    count++;
    await store.headObject({ bucket, key, versionId }).then(
      () => clear.push(key),
      () => undefined,
    );
  }
  return { clear: [...new Set(clear)], count };
}

async function findings(rows: AsyncIterable<VerifyRow>) {
  const found = [];
  for await (const row of rows) if (row.is === 'finding') found.push(row);
  return found;
}

/** Serves the store of the bench over HTTP and returns a client of it, as for a remote service. */
async function serve({ store }: MirrorBench): Promise<ObjectStore> {
  const common = { region: REGION, clock: systemClock, logger: silentLogger };
  const gateway = await openGateway({
    store: () => store,
    identity: { findKey: () => accessKey },
    dialects,
    host: '127.0.0.1',
    port: 0,
    ...common,
  });
  const client = openSignedClient({
    endpoint: gateway.url,
    dialect: dialects.amz,
    credentials: accessKey,
    ...common,
  });
  onTestFinished(async () => {
    await client.close();
    await gateway.close();
  });
  return client;
}

async function restored(bench: MirrorBench, store: MirrorStore, at?: number) {
  const to = join(bench.home, `restored ${at ?? 'now'}`);
  const place = { store, bucket: bench.bucket, prefix: '', to, ...(at !== undefined && { at }) };
  return restoreTree({ ...place, clock: systemClock, logger: silentLogger });
}

/** Size of a file that is uploaded in three parts. */
const LARGE_BYTES = 2.125 * 1024 ** 2;

/**
 * Writes a test tree with a file of `large` bytes. The job uploads it in parts if it exceeds the part size.
 */
function writeTree({ root }: MirrorBench, large: number): void {
  writeFileSync(join(root, 'small'), 'a secret');
  writeFileSync(join(root, 'large'), patternBytes(large));
  writeFileSync(join(root, 'moved'), 'another secret');
  symlinkSync('small', join(root, 'link'));
  mkdirSync(join(root, 'empty'));
}

describe.each([
  ['with versions', { versioned: true, isRemote: false }],
  ['without versions', { versioned: false, isRemote: false }],
  ['with versions, at a remote service', { versioned: true, isRemote: true }],
])('customer key in a bucket %s', (_, { versioned, isRemote }) => {
  async function open() {
    const bench = await openMirrorBench({ versioned });
    const service = isRemote ? await serve(bench) : bench.store;
    const store = storeUnder({ key: customerKey('a') }, service);
    return { bench, store, job: { store, isRemote, keyCheck: 'a', partSizes: SMALL_PARTS } };
  }

  test('no stored object is readable without the customer key, and a restore with the key returns all files', async () => {
    const { bench, store, job } = await open();
    writeTree(bench, versioned ? LARGE_BYTES : 1);
    const mirror = await bench.open({ ...job, verifyUploads: true });
    await mirror.settled();
    renameSync(join(bench.root, 'moved'), join(bench.root, 'renamed'));
    await mirror.settled();
    writeFileSync(join(bench.root, 'small'), 'a newer secret');
    rmSync(join(bench.root, 'renamed'));
    await mirror.settled();
    const status = await until(
      () => mirror.status(),
      ({ inSync }) => inSync,
    );
    expect(status).toMatchObject({ problems: [], warnings: [] });
    const { clear, count } = await inClear(bench);
    expect(clear).toEqual(['.holdfast/claim']);
    expect(count).toBeGreaterThan(4);
    expect(await findings(mirror.verification.verify({ readBackBytes: 1e9 }))).toEqual([]);
    expect(await mirror.verification.drill(signal)).toMatchObject({ failures: [] });
    const report = await restored(bench, store);
    expect(report).toMatchObject({ files: 2, symlinks: 1, problems: [] });
  });

  test("a copy that saves another client's unencrypted object is encrypted with the customer key", async () => {
    const { bench, job } = await open();
    writeFileSync(join(bench.root, 'f'), 'ours');
    await (await bench.open(job)).settled();
    await bench.writeForeign('f', 'theirs');
    await bench.writeForeign('new', 'theirs');
    writeFileSync(join(bench.root, 'f'), 'ours again');
    const mirror = await bench.open(job);
    await mirror.runNow();
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ counts: { conflicts: 1, foreign: 1 }, problems: [] });
    const { clear } = await inClear(bench);
    expect(clear.sort()).toEqual(['.holdfast/claim', ...(versioned ? ['f'] : []), 'new']);
    await mirror.conflicts.resolve({ keep: 'both' });
    await mirror.settled();
    expect(Object.values(bench.tree()).sort()).toEqual(['ours again', 'theirs']);
  });
});

test('a job reads objects that were stored before it had a customer key', async () => {
  const bench = await openMirrorBench();
  const store = storeUnder({ key: customerKey('a') }, bench.store);
  writeFileSync(join(bench.root, 'f'), 'in clear');
  await (await bench.open()).settled();
  const before = Date.now();
  await laterMillisecond();
  writeFileSync(join(bench.root, 'f'), 'encrypted');
  const mirror = await bench.open({ store, keyCheck: 'a' });
  await mirror.settled();
  expect(await findings(mirror.verification.verify({ readBackBytes: 1e9 }))).toEqual([]);
  expect((await restored(bench, store, before)).problems).toEqual([]);
  const place = { store, bucket: bench.bucket, prefix: '', path: 'f', at: before };
  const undo = { ...place, clock: systemClock, logger: silentLogger };
  const lockFor = async () => undefined;
  const attributesOfCopy = async (key: string, source: ObjectInfo) =>
    describeCopy({ ...source, key }, Date.now(), testProvenance());
  const writes = { lockFor, attributesOfCopy };
  for await (const _ of copyForward({ ...undo, ...writes }, () => undefined)) continue;
  await expect(
    bench.store.headObject({ bucket: bench.bucket, key: 'f' }),
    'what was in clear is copied under the key',
  ).rejects.toMatchObject({ code: 'InvalidRequest' });
});

describe.each([
  ['with versions', { versioned: true, isRemote: false }],
  ['without versions', { versioned: false, isRemote: false }],
  ['with versions, at a remote service', { versioned: true, isRemote: true }],
])('a replaced customer key in a bucket %s', (_, { versioned, isRemote }) => {
  const [A, B] = [{ key: customerKey('a') }, { key: customerKey('b') }];

  async function opened() {
    const bench = await openMirrorBench({ versioned });
    const service = isRemote ? await serve(bench) : bench.store;
    const lock = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 } as const;
    const common = { isRemote, partSizes: SMALL_PARTS, ...(versioned && { lock }) };
    const old = { ...common, store: storeUnder(A, service), keyCheck: 'a' };
    const onlyNew = { ...common, store: storeUnder(B, service), keyCheck: 'b' };
    const ring = storeUnder({ ...B, earlier: [A.key] }, service);
    const both = { ...common, store: ring, keyCheck: 'b', earlierChecks: ['a'] };
    writeFileSync(join(bench.root, 'stays'), 'stays under the old key');
    writeFileSync(join(bench.root, 'changes'), 'first');
    writeFileSync(join(bench.root, 'moves'), 'moves');
    await (await bench.open(old)).settled();
    return { bench, old, both, onlyNew, ring };
  }

  test('a job writes with its new customer key, and reads, moves and restores objects of the earlier key', async () => {
    const { bench, both, ring } = await opened();
    const before = Date.now();
    await laterMillisecond();
    writeFileSync(join(bench.root, 'changes'), 'second');
    renameSync(join(bench.root, 'moves'), join(bench.root, 'moved'));
    const mirror = await bench.open(both);
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
    expect(await findings(mirror.verification.verify({ readBackBytes: 1e9 }))).toEqual([]);
    expect(await mirror.verification.drill(signal)).toMatchObject({ failures: [] });
    expect((await restored(bench, ring)).problems).toEqual([]);
    if (versioned) expect((await restored(bench, ring, before)).problems).toEqual([]);
    const opens = async ({ key }: typeof A, name: string) =>
      bench.store.headObject({ bucket: bench.bucket, key: name, customerKey: key }).then(
        () => true,
        () => false,
      );
    for (const name of ['changes', 'moved'])
      expect([name, await opens(A, name), await opens(B, name)]).toEqual([name, false, true]);
    expect(await opens(A, 'stays')).toBe(true);
    expect((await inClear(bench)).clear).toEqual(['.holdfast/claim']);
  });

  test('a job uploads a file whose multipart upload was started with the earlier customer key', async () => {
    const { bench, old, both } = await opened();
    writeFileSync(join(bench.root, 'large'), patternBytes(LARGE_BYTES));
    let asked = 0;
    // The first part is sent. The other parts block until the job is closed, so the multipart upload
    // stays open.
    const broken: Partial<ObjectStore> = {
      async uploadPart(part, options = {}) {
        asked += 1;
        if (asked > 1) await systemClock.sleep(60_000, options.signal);
        return old.store.uploadPart(part, options);
      },
    };
    const first = await bench.open({ ...old, store: overriding(old.store, broken) });
    await until(
      () => asked,
      (parts) => parts > 1,
    );
    await first.close();
    const mirror = await bench.open(both);
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ inSync: true, problems: [] });
    expect(await findings(mirror.verification.verify({ readBackBytes: 1e9 }))).toEqual([]);
  });

  test('a job requires the earlier customer key until the user confirms that no version needs it', async () => {
    const { bench, both, onlyNew, old } = await opened();
    writeFileSync(join(bench.root, 'changes'), 'second');
    await (await bench.open(both)).settled();
    writeFileSync(join(bench.root, 'changes'), 'third');
    const versions = await bench.store.listVersions({ bucket: bench.bucket });
    const alone = await bench.open(onlyNew);
    await alone.settled();
    expect(alone.status()).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(
        /older versions .*customerKey\.earlier.*job take-over \w+`/,
      ) as string,
    });
    const behind = await bench.open(old);
    await behind.settled();
    expect(behind.status()).toMatchObject({ state: 'failed' });
    expect(await bench.store.listVersions({ bucket: bench.bucket })).toEqual(versions);
    const mirror = await bench.open(onlyNew);
    expect(await mirror.ownership.takeOver(signal)).toBeUndefined();
    await mirror.settled();
    expect(mirror.status()).toMatchObject({ inSync: true });
    const again = await bench.open(onlyNew);
    await again.settled();
    expect(again.status()).toMatchObject({ inSync: true });
  });
});

describe('a wrong customer key', () => {
  test.each([
    [
      'another',
      storeUnder({ key: customerKey('b') }, {} as ObjectStore),
      'b',
      /a different key than the job's/,
    ],
    ['none', undefined, undefined, /the job has none/],
  ])(
    'a job with a wrong customer key (%s) stops before any read or write',
    async (_, other, keyCheck, why) => {
      const bench = await openMirrorBench();
      writeFileSync(join(bench.root, 'f'), 'first');
      const first = await bench.open({
        store: storeUnder({ key: customerKey('a') }, bench.store),
        keyCheck: 'a',
      });
      await first.settled();
      await first.close();
      writeFileSync(join(bench.root, 'f'), 'second');
      const before = await bench.store.listVersions({ bucket: bench.bucket });
      const store = other ? storeUnder({ key: customerKey('b') }, bench.store) : bench.store;
      const mirror = await bench.open({ store, ...(keyCheck !== undefined && { keyCheck }) });
      await mirror.settled();
      expect(mirror.status()).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(why),
      });
      await expect(mirror.ownership.takeOver(signal)).rejects.toMatchObject({ code: 'OtherKey' });
      expect(await bench.store.listVersions({ bucket: bench.bucket })).toEqual(before);
    },
  );
});

test.each([
  ['another', 'b'],
  ['no', undefined],
])('a job that is configured with %s customer key extends its locks', async (_, name) => {
  const bench = await openMirrorBench();
  const { bucket } = bench;
  const lock = { mode: 'GOVERNANCE', days: 30, refreshDays: 7 } as const;
  writeFileSync(join(bench.root, 'f'), 'a secret');
  const store = storeUnder({ key: customerKey('a') }, bench.store);
  await (await bench.open({ store, keyCheck: 'a', lock })).settled();
  const wrong =
    name === undefined ? bench.store : storeUnder({ key: customerKey(name) }, bench.store);
  const job = { store: wrong, ...defined({ keyCheck: name }) };
  const mirror = await bench.open({ ...job, lock: { ...lock, days: 60 } });
  const { retainUntil } = await until(
    () => bench.store.getRetention({ bucket, key: 'f' }),
    (retention) => retention.retainUntil > Date.now() + 60 * DAY_MS,
  );
  expect(retainUntil).toBeLessThan(Date.now() + 68 * DAY_MS);
  expect(mirror.status()).toMatchObject({ state: 'failed', problems: [] });
});

test('a job with a customer key rejects a service that may store copies unencrypted, before any upload', async () => {
  const bench = await openMirrorBench();
  const inTheOpen: Partial<ObjectStore> = {
    async copyObject(keyed, options) {
      const { customerKey: _, ...request } = keyed;
      await bench.store.copyObject(request, options);
      throw new TransportError('BadResponse', 'CopyObject: it may lie there in plain', {
        sent: true,
      });
    },
  };
  const store = storeUnder({ key: customerKey('a') }, overriding(bench.store, inTheOpen));
  writeFileSync(join(bench.root, 'f'), 'a secret');
  const mirror = await bench.open({ store, keyCheck: 'a', isRemote: true });
  await mirror.settled();
  const reason = expect.stringContaining('it may lie there in plain');
  expect(mirror.status()).toMatchObject({ state: 'failed', reason });
  expect((await bench.store.listVersions({ bucket: bench.bucket })).versions).toEqual([]);
});

test('a job keeps an object that another client encrypted with its own key, and reports a problem', async () => {
  const bench = await openMirrorBench();
  const store = storeUnder({ key: customerKey('a') }, bench.store);
  const { bucket } = bench;
  const theirs = { bucket, key: 'f', body: bytesBody('theirs'), customerKey: customerKey('b') };
  await bench.store.putObject(theirs);
  writeFileSync(join(bench.root, 'f'), 'ours');
  writeFileSync(join(bench.root, 'g'), 'ours');
  const mirror = await bench.open({ store, keyCheck: 'a' });
  await mirror.settled();
  expect(mirror.status().problems).toMatchObject([{ path: 'f', code: 'refused' }]);
  const { versions } = await bench.store.listVersions({ bucket, prefix: 'f' });
  expect(versions).toHaveLength(1);
  await store.headObject({ bucket, key: 'g' });
});

test('a job uploads a damaged encrypted object once more, and counts the damaged earlier version', async () => {
  const bench = await openMirrorBench({ ownStore: true });
  const store = storeUnder({ key: customerKey('k'), earlier: [] }, bench.store);
  writeFileSync(join(bench.root, 'big'), patternBytes(200_000));
  const mirror = await bench.open({ store });
  await mirror.settled();
  const before = (await inClear(bench)).count - 1;
  const dir = join(bench.home, 'store');
  for (const file of blobFiles(dir)) unlinkSync(blobPath(dir, file));
  await bench.engine?.upkeep.scrub();
  await mirror.settled();
  await mirror.runNow();
  await mirror.settled();
  expect(mirror.status()).toMatchObject({
    inSync: true,
    problems: [],
    proof: { damaged: 0, damagedEarlier: 1 },
  });
  expect((await inClear(bench)).count).toBe(2 + before);
});
