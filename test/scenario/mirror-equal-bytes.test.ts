/**
 * Tests of files whose content another client also stored in the bucket. The job must record no conflict and add no
 * version.
 */

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
  /** The local content of both files. If absent, `f` keeps its original content. */
  readonly local?: string | Buffer;
  /** Writes an object as another client. */
  readonly theirs: (bench: MirrorBench, key: string) => Promise<void>;
  /** The fault of the first GET of the object. */
  readonly fault?: (bench: MirrorBench) => Fault;
}

/**
 * Backs up `f`. Then changes `f` and creates `g`, in the folder and in the bucket, while the job is
 * paused.
 */
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
  if (fault) void faulty.inject({ on: 'getObject', key: 'f', fault: fault(bench) });
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

/** Stores content as a multipart upload, so that the ETag is not the MD5 of the content. */
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

describe.each(['keep-both', 'local', 'remote', 'ask'] as const)(
  'equal content in folder and bucket with conflict policy %s',
  (conflict) => {
    test.each([
      ['in one part', inOnePart('equal'), []],
      ['as a multipart upload', asMultipartUpload('equal'), ['getObject f', 'getObject g']],
    ])(
      'a job records no conflict if another client stored the content of the local file %s',
      async (_how, theirs, expected) => {
        const { bench, mirror, reads } = await changedOnBothSides({
          local: 'equal',
          theirs,
          conflict,
        });
        expect(conflicts(mirror)).toEqual([]);
        expect(reads().sort()).toEqual(expected);
        expect(await bench.history('f')).toEqual(['put agreed', 'put equal']);
        expect(await bench.history('g')).toEqual(['put equal']);
        expect(bench.tree()).toEqual({ f: 'equal', g: 'equal' });
        writeFileSync(join(bench.root, 'f'), 'changed since');
        await mirror.settled();
        expect(await bench.history('f')).toEqual(['put agreed', 'put equal', 'put changed since']);
        expect(conflicts(mirror)).toEqual([]);
      },
    );
  },
);

test('in an unversioned bucket, a job saves no copy of an object that has the content of the local file', async () => {
  const theirs = inOnePart('equal');
  const { bench, mirror } = await changedOnBothSides({ local: 'equal', theirs, versioned: false });
  expect(conflicts(mirror)).toEqual([]);
  expect(await bench.heads('.holdfast/conflict/')).toEqual({});
});

test("a job locks another client's version that has the same content as the local file", async () => {
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

test('with drift: enforce, a job does not overwrite an object that already has the content of the file', async () => {
  const { bench, mirror } = await changedOnBothSides({
    theirs: asMultipartUpload('agreed'),
    drift: 'enforce',
  });
  expect(conflicts(mirror)).toEqual([]);
  expect(await bench.history('f')).toEqual(['put agreed', 'put agreed']);
});

describe('different content in folder and bucket', () => {
  test.each([
    ['with other content of the same size, by its ETag alone', inOnePart('other'), []],
    ['of another size, without reading it', asMultipartUpload('longer'), []],
    [
      'with other content from a multipart upload',
      asMultipartUpload('other'),
      ['getObject f', 'getObject g'],
    ],
  ])('a job records a conflict for an object %s', async (_what, theirs, expected) => {
    const { mirror, reads } = await changedOnBothSides({ local: 'equal', theirs });
    expect(conflicts(mirror)).toEqual(['f', 'g']);
    expect(reads().sort()).toEqual(expected);
  });

  test('a job records a conflict for an object above the size limit of comparisons, without reading it', async () => {
    const large = randomBytes(COMPARED_BYTES + 1);
    const theirs = asMultipartUpload(large);
    const { mirror, reads } = await changedOnBothSides({ local: large, theirs, conflict: 'ask' });
    expect([conflicts(mirror), reads()]).toEqual([['f', 'g'], []]);
  });

  test('a job records a conflict and uploads the file if it cannot read the object for the comparison', async () => {
    const { bench, mirror } = await changedOnBothSides({
      local: 'equal',
      theirs: asMultipartUpload('equal'),
      fault: () => answers('AccessDenied'),
    });
    expect(conflicts(mirror)).toEqual(['f']);
    expect(await bench.history('f')).toEqual(['put agreed', 'put equal', 'put equal']);
  });

  test('a job records a conflict if the object is replaced before the job reads it for the comparison', async () => {
    const { bench, mirror } = await changedOnBothSides({
      local: 'equal',
      theirs: asMultipartUpload('equal'),
      fault: ({ bucket }) =>
        slipsIn((store) => store.putObject({ bucket, key: 'f', body: bytesBody('other') })),
    });
    expect(conflicts(mirror)).toEqual(['f']);
    expect((await bench.history('f')).slice(-2)).toEqual(['put other', 'put equal']);
  });

  test('a job compares the content of an unresolved conflict only once', async () => {
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
  ['without a type in its metadata', {}],
  ['with the metadata of a file', { 'holdfast-sha256': sha256(Buffer.from('target')) }],
])('a job records a conflict between a symbolic link and an object %s', async (_what, metadata) => {
  const bench = await openMirrorBench();
  const { store, bucket } = bench;
  const attributes = { metadata };
  await store.putObject({ bucket, key: 'link', body: bytesBody('target'), attributes });
  symlinkSync('target', join(bench.root, 'link'));
  const mirror = await bench.open({ conflict: 'ask' });
  await mirror.settled();
  expect(conflicts(mirror)).toEqual(['link']);
});
