/** Both sides got the same bytes, and another client wrote those in the bucket: no conflict and no further version. */

import { randomBytes } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Mirror } from '../../src/mirror/mirror.ts';
import { COMPARED_BYTES } from '../../src/mirror/transfer/compare-content.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { answers, type Fault, faultyStore, slipsIn } from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { sha256 } from '../helpers/tree.ts';

const LOCK = { mode: 'GOVERNANCE', days: 3, refreshDays: 1 } as const;

interface Case extends Partial<MirrorJob> {
  readonly versioned?: boolean;
  /** What the folder gets; absent: `f` stays as it was agreed on. */
  readonly local?: string | Buffer;
  /** Another client writes it, by its own means. */
  readonly theirs: (bench: MirrorBench, key: string) => Promise<void>;
  /** Of the first read of the object. */
  readonly fault?: Fault;
}

/** `f` is mirrored, then changed on both sides while the job is paused; `g` is new on both. */
async function changedOnBothSides({ versioned = true, local, theirs, fault, ...job }: Case) {
  const bench = await openMirrorBench({ versioned });
  const faulty = faultyStore(bench.store);
  const put = (name: string, content: string | Buffer) =>
    writeFileSync(join(bench.root, name), content);
  put('f', 'agreed');
  const mirror = await bench.open({ store: faulty.store, ...job });
  await mirror.settled();
  mirror.pause();
  for (const key of ['f', 'g']) {
    await theirs(bench, key);
    if (local !== undefined) put(key, local);
  }
  if (fault) void faulty.inject({ on: 'getObject', key: 'f', fault });
  mirror.resume();
  await mirror.runNow();
  const reads = () => faulty.calls.filter((call) => /^getObject [fg]$/.test(call));
  return { bench, mirror, reads };
}

const inOnePart =
  (content: string | Buffer): Case['theirs'] =>
  async ({ store, bucket }, key) => {
    await store.putObject({ bucket, key, body: bytesBody(content) });
  };

/** Its ETag is no MD5 of the content. */
const asMultipartUpload =
  (content: string | Buffer): Case['theirs'] =>
  async ({ store, bucket }, key) => {
    const { uploadId } = await store.createUpload({ bucket, key });
    const upload = { bucket, key, uploadId };
    const { etag } = await store.uploadPart({
      ...upload,
      partNumber: 1,
      body: bytesBody(content),
    });
    await store.completeUpload({ ...upload, parts: [{ partNumber: 1, etag }] });
  };

function conflicts(mirror: Mirror): readonly string[] {
  return mirror.conflicts.list({ limit: 100 }).conflicts.map(({ path }) => path);
}

describe.each(['keep-both', 'local', 'remote', 'ask'] as const)('with conflict: %s', (conflict) => {
  test.each([
    ['in one part', inOnePart('equal'), []],
    ['as a multipart upload', asMultipartUpload('equal'), ['getObject f', 'getObject g']],
  ])('equal bytes sent %s are adopted', async (_how, theirs, expected) => {
    const { bench, mirror, reads } = await changedOnBothSides({ local: 'equal', theirs, conflict });
    expect(conflicts(mirror)).toEqual([]);
    expect(reads().sort()).toEqual(expected);
    expect(await bench.history('f')).toEqual(['put agreed', 'put equal']);
    expect(await bench.history('g')).toEqual(['put equal']);
    expect(bench.tree()).toEqual({ f: 'equal', g: 'equal' });
    writeFileSync(join(bench.root, 'f'), 'changed since');
    await mirror.settled();
    expect(await bench.history('f')).toEqual(['put agreed', 'put equal', 'put changed since']);
    expect(conflicts(mirror)).toEqual([]);
  });
});

test('equal bytes in a bucket without versions are adopted, and nothing is saved aside', async () => {
  const theirs = inOnePart('equal');
  const { bench, mirror } = await changedOnBothSides({ local: 'equal', theirs, versioned: false });
  expect(conflicts(mirror)).toEqual([]);
  expect(await bench.heads('.holdfast/conflict/')).toEqual({});
});

test('an adopted version gets the lock that the job asks for', async () => {
  const theirs = inOnePart('equal');
  const { bench, mirror } = await changedOnBothSides({ local: 'equal', theirs, lock: LOCK });
  const { store, bucket } = bench;
  await mirror.settled();
  for (const key of ['f', 'g']) {
    const { info } = await store.headObject({ bucket, key });
    expect(info.retention?.mode).toBe('GOVERNANCE');
  }
  expect(mirror.status()).toMatchObject({ locks: { locked: 2, unlocked: 0 }, problems: [] });
  expect(await bench.history('g')).toEqual(['put equal']);
});

test('equal bytes over a file that did not change are not covered by drift: enforce', async () => {
  const { bench, mirror } = await changedOnBothSides({
    theirs: asMultipartUpload('agreed'),
    drift: 'enforce',
  });
  expect(conflicts(mirror)).toEqual([]);
  expect(await bench.history('f')).toEqual(['put agreed', 'put agreed']);
});

describe('a conflict is recorded', () => {
  test.each([
    ['for other bytes of the same size, by the ETag alone', inOnePart('other'), []],
    ['for another size, without reading it', asMultipartUpload('longer'), []],
    [
      'for other bytes of a multipart upload',
      asMultipartUpload('other'),
      ['getObject f', 'getObject g'],
    ],
  ])('%s', async (_what, theirs, expected) => {
    const { mirror, reads } = await changedOnBothSides({ local: 'equal', theirs });
    expect(conflicts(mirror)).toEqual(['f', 'g']);
    expect(reads().sort()).toEqual(expected);
  });

  test('for a multipart upload above the size limit, without reading it', async () => {
    const large = randomBytes(COMPARED_BYTES + 1);
    const theirs = asMultipartUpload(large);
    const { mirror, reads } = await changedOnBothSides({ local: large, theirs, conflict: 'ask' });
    expect([conflicts(mirror), reads()]).toEqual([['f', 'g'], []]);
  });

  test('where the object may not be read, and the file is backed up', async () => {
    const { bench, mirror } = await changedOnBothSides({
      local: 'equal',
      theirs: asMultipartUpload('equal'),
      fault: answers('AccessDenied'),
    });
    expect(conflicts(mirror)).toEqual(['f']);
    expect(await bench.history('f')).toEqual(['put agreed', 'put equal', 'put equal']);
  });

  test('where the object is replaced before it is read', async () => {
    const { bench, mirror } = await changedOnBothSides({
      local: 'equal',
      theirs: asMultipartUpload('equal'),
      fault: slipsIn((store) =>
        store.putObject({ bucket: 'mirrored', key: 'f', body: bytesBody('other') }),
      ),
    });
    expect(conflicts(mirror)).toEqual(['f']);
    expect((await bench.history('f')).slice(-2)).toEqual(['put other', 'put equal']);
  });

  test('once: a round later neither side is compared again', async () => {
    const { mirror, reads } = await changedOnBothSides({
      local: 'equal',
      theirs: asMultipartUpload('other'),
      conflict: 'ask',
    });
    await mirror.runNow();
    expect([conflicts(mirror), reads().length]).toEqual([['f', 'g'], 2]);
  });
});

test.each([
  ['that says nothing of its type', {}],
  ['of a file, by its metadata', { 'holdfast-sha256': sha256(Buffer.from('target')) }],
])('a symbolic link is not taken for an object %s', async (_what, metadata) => {
  const bench = await openMirrorBench();
  const { store, bucket } = bench;
  const attributes = { metadata };
  await store.putObject({ bucket, key: 'link', body: bytesBody('target'), attributes });
  symlinkSync('target', join(bench.root, 'link'));
  const mirror = await bench.open({ conflict: 'ask' });
  await mirror.settled();
  expect(conflicts(mirror)).toEqual(['link']);
});
