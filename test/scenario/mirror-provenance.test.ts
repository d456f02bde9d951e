/**
 * Tests of the time, id and proof that each upload records in the object metadata. A job recognizes its own
 * versions by them.
 */

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { copyForward } from '../../src/restore/undo.ts';
import { decodeAttributes } from '../../src/mirror/objects/object-metadata.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { KEY_FILE } from '../../src/mirror/objects/provenance-key.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { laterMillisecond } from '../helpers/later-time.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { sha256 } from '../helpers/tree.ts';

const PART_BYTES = 8 * 1024 * 1024;

async function headOf({ store, bucket }: MirrorBench, key: string) {
  const { info } = await store.headObject({ bucket, key });
  return { ...info, ...decodeAttributes(info.metadata) };
}

function write(bench: MirrorBench, key: string, content: string | Uint8Array): void {
  writeFileSync(join(bench.root, key), content);
}

describe('the upload time in the metadata', () => {
  test.each<[string, (bench: MirrorBench) => void | Promise<void>, string]>([
    ['a single upload', (bench) => write(bench, 'f', 'changed'), 'f'],
    ['a multipart upload', (bench) => write(bench, 'f', Buffer.alloc(3 * PART_BYTES, 'x')), 'f'],
    ['a copy with new attributes', ({ root }) => chmodSync(join(root, 'f'), 0o600), 'f'],
    ['a move', ({ root }) => renameSync(join(root, 'f'), join(root, 'moved')), 'moved'],
  ])(
    'a job records the upload time of %s in the object metadata and in the state database',
    async (_what, change, key) => {
      const bench = await openMirrorBench();
      write(bench, 'f', 'content');
      const mirror = await bench.open();
      await mirror.settled();
      const before = await headOf(bench, 'f');
      await laterMillisecond();
      const since = Date.now();
      await change(bench);
      await mirror.settled();
      const { uploadedAt, journalId } = await headOf(bench, key);
      expect(uploadedAt).toBeGreaterThanOrEqual(since);
      expect(uploadedAt).toBeLessThanOrEqual(Date.now());
      expect(journalId).not.toBe(before.journalId);
      await mirror.close();
      const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
      expect(state.baseline.get(key)?.uploadedAt).toBe(uploadedAt);
      state.close();
    },
  );

  test('a job records a new upload time for an object that it restored by a copy', async () => {
    const bench = await openMirrorBench();
    write(bench, 'f', 'content');
    const mirror = await bench.open();
    await mirror.settled();
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'f' });
    const since = Date.now();
    await mirror.runNow();
    expect((await headOf(bench, 'f')).uploadedAt).toBeGreaterThanOrEqual(since);
  });

  test('an undo records a new upload time for the version that it makes current', async () => {
    const bench = await openMirrorBench();
    write(bench, 'f', 'first');
    const mirror = await bench.open();
    await mirror.settled();
    const first = await headOf(bench, 'f');
    write(bench, 'f', 'second');
    await mirror.settled();
    const since = Date.now();
    const { writes } = mirror;
    const { store, bucket, prefix } = await writes.destination(new AbortController().signal);
    const undo = { store, bucket, prefix, path: 'f', clock: systemClock, logger: silentLogger };
    for await (const _ of copyForward({ ...undo, ...writes }, () => undefined)) continue;
    const head = await headOf(bench, 'f');
    expect(head).toMatchObject({ etag: first.etag, sha256: first.sha256 });
    expect(head.uploadedAt).toBeGreaterThanOrEqual(since);
    expect(head.journalId).not.toBe(first.journalId);
  });

  test('a job keeps the recorded upload time if only the mtime of the file changes', async () => {
    const bench = await openMirrorBench();
    write(bench, 'f', 'content');
    const mirror = await bench.open();
    await mirror.settled();
    const { uploadedAt } = await headOf(bench, 'f');
    utimesSync(join(bench.root, 'f'), 1_000, 1_000);
    await mirror.settled();
    await mirror.close();
    const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
    expect(state.baseline.get('f')?.uploadedAt).toBe(uploadedAt);
    state.close();
  });

  test('a job ignores the upload time of a version whose proof is forged', async () => {
    const bench = await openMirrorBench();
    const { store, bucket } = bench;
    write(bench, 'f', 'content');
    const metadata = {
      'holdfast-sha256': sha256(Buffer.from('content')),
      'holdfast-journal': 'copied',
      'holdfast-uploaded': '1000.000',
      'holdfast-proof': 'forged',
    };
    const body = bytesBody(Buffer.from('content'));
    await store.putObject({ bucket, key: 'f', body, attributes: { metadata } });
    const mirror = await bench.open();
    await mirror.settled();
    await mirror.close();
    expect((await store.listVersions({ bucket, prefix: 'f' })).versions).toHaveLength(1);
    const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
    expect(state.baseline.get('f')).toMatchObject({ sha256: metadata['holdfast-sha256'] });
    expect(state.baseline.get('f')?.uploadedAt).toBeUndefined();
    state.close();
  });

  test('a job reads upload times from the bucket after its state database was lost', async () => {
    const bench = await openMirrorBench();
    write(bench, 'f', 'content');
    await (await bench.open()).settled();
    const { uploadedAt } = await headOf(bench, 'f');
    const path = join(bench.home, 'state', 'state.sqlite');
    const mirror = await bench.open({ rescanMinutes: 61 });
    await mirror.close();
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    const again = await bench.open();
    await again.settled();
    await again.close();
    const state = openStateFile(path);
    expect(state.baseline.get('f')?.uploadedAt).toBe(uploadedAt);
    state.close();
  });

  test('a job records upload times by the clock of the service, not by the local clock', async () => {
    const bench = await openMirrorBench();
    const aheadMs = 600_000;
    const serviceTime = async () => ({ now: Date.now() + aheadMs, isTrusted: false });
    const store = overriding(bench.store, { serviceTime });
    const since = Date.now() + aheadMs;
    write(bench, 'f', 'content');
    await (await bench.open({ store })).settled();
    expect((await headOf(bench, 'f')).uploadedAt).toBeGreaterThanOrEqual(since - 50);
  });
});

/** A rule that retains old versions for 1 ms, so that pruning may delete all of them. */
const NO_VERSIONS = { all: 1 };
const { signal } = new AbortController();

/** Writes other content as another client, with the metadata of the current version. */
async function writeUnderItsMetadata(bench: MirrorBench, key: string, content: string) {
  const { store, bucket } = bench;
  const { metadata = {} } = await headOf(bench, key);
  await store.putObject({ bucket, key, body: bytesBody(content), attributes: { metadata } });
}

/** Resolves all conflicts, so that pruning may delete the versions that they refer to. */
async function resolveAll({ conflicts }: Mirror): Promise<void> {
  await conflicts.resolve({ keep: 'local', dryRun: false, patterns: ['*'] });
}

describe('metadata that another client copied to other content', () => {
  test.each([
    ['of the same size', 'content', 'CONTENT'],
    ['of another size', 'content', 'other content'],
    ['of the same size, too large for an MD5,', 'o'.repeat(300_000), 't'.repeat(300_000)],
  ])(
    'a job does not recognize content %s with copied metadata as its own version',
    async (_what, own, content) => {
      const bench = await openMirrorBench();
      write(bench, 'f', own);
      const mirror = await bench.open();
      await mirror.settled();
      await writeUnderItsMetadata(bench, 'f', content);
      await mirror.runNow();
      expect(mirror.status()).toMatchObject({ inSync: false, counts: { drifted: 1 } });
      write(bench, 'f', 'changed');
      await mirror.settled();
      expect(mirror.conflicts.list({ limit: 2 }).conflicts).toMatchObject([
        { path: 'f', side: 'bucket' },
      ]);
      expect(await bench.history('f')).toEqual([`put ${own}`, `put ${content}`, 'put changed']);
    },
  );

  test("a job prunes its own old versions, but not another client's version with copied metadata", async () => {
    const bench = await openMirrorBench();
    write(bench, 'f', 'content');
    const mirror = await bench.open({ keep: NO_VERSIONS });
    await mirror.settled();
    await writeUnderItsMetadata(bench, 'f', 'CONTENT');
    write(bench, 'f', 'changed');
    await mirror.settled();
    await resolveAll(mirror);
    await laterMillisecond();
    expect(await mirror.pruning.run({ dryRun: false, signal })).toMatchObject({ others: 1 });
    expect(await bench.history('f')).toEqual(['put CONTENT', 'put changed']);
  });
});

test.each([
  ['recognizes its own versions by its provenance key after the loss of its state', true],
  [
    "treats its own versions as another client's after the loss of its state and key, and prunes none",
    false,
  ],
])('a job %s', async (_what, hasKey) => {
  const bench = await openMirrorBench();
  const keep = NO_VERSIONS;
  write(bench, 'f', 'first');
  const mirror = await bench.open({ keep });
  await mirror.settled();
  write(bench, 'f', 'second');
  await mirror.settled();
  await mirror.close();
  await laterMillisecond();
  const state = join(bench.home, 'state');
  copyFileSync(join(state, KEY_FILE), join(bench.home, KEY_FILE));
  rmSync(state, { recursive: true });
  mkdirSync(state, { mode: 0o700 });
  if (hasKey) copyFileSync(join(bench.home, KEY_FILE), join(state, KEY_FILE));
  const again = await bench.open({ keep });
  await again.settled();
  expect(again.status()).toMatchObject({ inSync: true, counts: { conflicts: 0, drifted: 0 } });
  expect(await again.pruning.run({ dryRun: false, signal })).toMatchObject({
    others: hasKey ? 0 : 1,
  });
  const kept = hasKey ? [] : ['put first'];
  expect(await bench.history('f')).toEqual([...kept, 'put second']);
});

test('a job does not recognize a version as its own if another client removed the proof from its metadata', async () => {
  const bench = await openMirrorBench();
  const { store, bucket } = bench;
  write(bench, 'f', 'content');
  const mirror = await bench.open({ keep: NO_VERSIONS });
  await mirror.settled();
  await laterMillisecond();
  const { metadata = {} } = await headOf(bench, 'f');
  const { 'holdfast-proof': _, ...rest } = metadata;
  const request = { bucket, key: 'f', body: bytesBody('theirs'), attributes: { metadata: rest } };
  await store.putObject(request);
  write(bench, 'f', 'changed');
  await mirror.settled();
  await resolveAll(mirror);
  await laterMillisecond();
  expect(await mirror.pruning.run({ dryRun: false, signal })).toMatchObject({ others: 1 });
  expect(await bench.history('f')).toEqual(['put theirs', 'put changed']);
});
