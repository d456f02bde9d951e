/**
 * Tests that a job copies moved and copied files within the bucket, and does not upload them again.
 */

import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  answers,
  breaksWith,
  type FaultyStore,
  faultyStore,
  hangsAfterWriting,
  slipsIn,
} from '../helpers/faulty-store.ts';
import type { CallOptions, CopyObjectRequest } from '../../src/object-store/object-store.ts';
import { isIdentified } from '../../src/mirror/transfer/move.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

const LARGE = Buffer.alloc(100_000, 'x');

async function mirrored(files: Readonly<Record<string, string | Buffer>>, versioned = true) {
  const bench = await openMirrorBench({ versioned });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(bench.root, path, '..'), { recursive: true });
    writeFileSync(join(bench.root, path), content);
  }
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  await mirror.settled();
  const before = faulty.calls.length;
  const sent = () => sends(faulty, before);
  return { bench, faulty, mirror, sent };
}

/** Returns the requests with a body, such as `putObject KEY`, except those for the ownership marker. */
function sends({ calls }: FaultyStore, from: number): readonly string[] {
  const claim = 'putObject .holdfast/claim';
  return calls
    .slice(from)
    .filter((call) => /^(putObject|uploadPart) /.test(call) && call !== claim);
}

const move = ({ root }: MirrorBench, from: string, to: string) =>
  renameSync(join(root, from), join(root, to));

describe.each([
  ['with versions', true],
  ['without versions', false],
])('moved files in a bucket %s', (_kind, versioned) => {
  test('a job copies the files of a moved folder within the bucket, logs one line and deletes the old keys', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`a/b/f${n}`, `${n}`]));
    const { bench, mirror, sent } = await mirrored({ ...files, 'a/large': LARGE }, versioned);
    const logged = bench.activities.length;
    move(bench, 'a', 'z');
    await mirror.settled();
    expect(sent()).toEqual([]);
    expect(await bench.heads()).toEqual(bench.tree());
    expect(bench.activities.slice(logged)).toEqual([
      {
        level: 'info',
        action: 'copy',
        message: expect.stringMatching(/^61 files: [\d.]+ [kM]?B copied within the bucket/),
      },
    ]);
    expect(mirror.status()).toMatchObject({ counts: { held: 0, deleted: 61 }, problems: [] });
  });

  test('a job copies a renamed file within the bucket and logs both names', async () => {
    const { bench, mirror, sent } = await mirrored({ old: 'content', other: 'other' }, versioned);
    move(bench, 'old', 'new');
    await mirror.settled();
    expect(sent()).toEqual([]);
    expect(await bench.heads()).toEqual({ new: 'content', other: 'other' });
    const put = { level: 'info', action: 'put', path: 'old', message: '7 B' } as const;
    expect(bench.activities).toContainEqual(put);
    const message = 'old → new: 7 B copied within the bucket, not uploaded again';
    expect(bench.activities.at(-1)).toMatchObject({ action: 'copy', path: 'new', message });
  });
});

test('a job copies the object of a large duplicated file within the bucket, and logs the delete of the original', async () => {
  const { bench, mirror, sent } = await mirrored({ original: LARGE, small: 'small' });
  for (const name of ['original', 'small'])
    cpSync(join(bench.root, name), join(bench.root, `${name}.copy`));
  await mirror.settled();
  expect(sent()).toEqual(['putObject small.copy']);
  rmSync(join(bench.root, 'original'));
  await mirror.settled();
  expect(await bench.heads()).toEqual(bench.tree());
  expect(bench.activities.at(-1)).toMatchObject({ action: 'delete', path: 'original' });
});

test('a job uploads a file that was moved and edited', async () => {
  const { bench, mirror, sent } = await mirrored({ old: 'content', other: 'other' });
  mirror.pause();
  move(bench, 'old', 'new');
  writeFileSync(join(bench.root, 'new'), 'edited!');
  mirror.resume();
  await mirror.settled();
  expect(sent()).toEqual(['putObject new']);
  expect(await bench.heads()).toEqual(bench.tree());
});

test('a job uploads a moved file if another client replaced its object', async () => {
  const { bench, mirror, sent } = await mirrored({ old: 'content', other: 'other' }, false);
  mirror.pause();
  await bench.writeForeign('old', 'theirs');
  move(bench, 'old', 'new');
  mirror.resume();
  await mirror.settled();
  expect(sent()).toEqual(['putObject new']);
  expect(await bench.heads()).toEqual({ new: 'content', old: 'theirs', other: 'other' });
});

test.each([
  ['if its version exists', 'comes back', false, []],
  ['unless its version was removed', 'comes back', true, ['putObject f']],
  ['if its content is the same', 'is another one', false, ['putObject f']],
] as const)(
  'a job copies a file that is created again from its old version %s (the file %s)',
  async (_, how, isPurged, expected) => {
    const { bench, mirror, sent } = await mirrored({ f: LARGE, other: 'other' });
    const { root, store, bucket } = bench;
    const [version] = (await store.listVersions({ bucket, prefix: 'f' })).versions;
    rmSync(join(root, 'f'));
    await mirror.settled();
    if (isPurged)
      await store.deleteObject({ bucket, key: 'f', versionId: version?.versionId ?? '' });
    const content = how === 'comes back' ? LARGE : Buffer.alloc(LARGE.byteLength, 'y');
    writeFileSync(join(root, 'f'), content);
    await mirror.settled();
    expect(sent()).toEqual(expected);
    expect(await bench.heads()).toEqual(bench.tree());
    expect(mirror.status().problems).toEqual([]);
  },
);

test.each(['NotImplemented', 'InvalidRequest'] as const)(
  'a job uploads a moved file if the service rejects the copy with %s',
  async (code) => {
    const { bench, faulty, mirror, sent } = await mirrored({ old: 'content', other: 'other' });
    void faulty.inject({ on: 'copyObject', fault: answers(code) });
    move(bench, 'old', 'new');
    await mirror.settled();
    expect(sent()).toEqual(['putObject new']);
    expect(await bench.heads()).toEqual(bench.tree());
  },
);

test('a copy of a moved file gets the legal hold before the old key is deleted, and the old version keeps it', async () => {
  const { bench, faulty, mirror } = await mirrored({ old: 'content', other: 'other' });
  const { bucket, store } = bench;
  await store.putLegalHold({ bucket, key: 'old', legalHold: true });
  const holds: unknown[] = [];
  const look = slipsIn(async () => {
    holds.push(await store.getLegalHold({ bucket, key: 'new' }));
  });
  void faulty.inject({ on: 'deleteObject', key: 'old', fault: look });
  move(bench, 'old', 'new');
  await mirror.settled();
  const { versions } = await store.listVersions({ bucket, prefix: 'old' });
  const held = versions.find(({ kind }) => kind === 'version');
  const old = { bucket, key: 'old', versionId: held?.versionId ?? '' };
  expect(holds).toEqual([true]);
  expect(await store.getLegalHold(old)).toBe(true);
});

test('a job sets a legal hold that the service dropped from a copy, even after a restart', async () => {
  const { bench, faulty, mirror } = await mirrored({ old: 'content', other: 'other' });
  const { bucket, store } = bench;
  await store.putLegalHold({ bucket, key: 'old', legalHold: true });
  const drops = faultyStore(
    new Proxy(faulty.store, {
      get: (target, name) =>
        name === 'copyObject'
          ? (request: CopyObjectRequest, options?: CallOptions) =>
              target.copyObject({ ...request, lock: {} }, options)
          : Reflect.get(target, name),
    }),
  );
  await mirror.close();
  const met = drops.inject({ on: 'copyObject', key: 'new', fault: hangsAfterWriting });
  move(bench, 'old', 'new');
  await bench.open({ store: drops.store });
  await met;
  expect((await store.headObject({ bucket, key: 'new' })).info.legalHold).toBeUndefined();
  const again = await bench.open({ store: drops.store });
  await again.settled();
  expect(await store.getLegalHold({ bucket, key: 'new' })).toBe(true);
  expect(await bench.heads()).toEqual(bench.tree());
});

test('a job copies a large moved file within the bucket before it deletes the old key', async () => {
  const large = Buffer.alloc(3 * 1024 * 1024, 'l');
  const small = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`a/small ${n}`, `${n}`]));
  const { bench, faulty, mirror, sent } = await mirrored({ ...small, 'a/large': large });
  const before = faulty.calls.length;
  move(bench, 'a', 'b');
  await mirror.settled();
  expect(sent()).toEqual([]);
  const calls = faulty.calls.slice(before);
  expect(calls.indexOf('copyObject b/large')).toBeLessThan(calls.indexOf('deleteObject a/large'));
});

test('a job backs up two files that swapped their names', async () => {
  const { bench, mirror } = await mirrored({ a: 'content of a', b: 'content of b' });
  mirror.pause();
  move(bench, 'a', 'c');
  move(bench, 'b', 'a');
  move(bench, 'c', 'b');
  mirror.resume();
  await mirror.settled();
  expect(await bench.heads()).toEqual({ a: 'content of b', b: 'content of a' });
});

test('a job copies a moved folder within the bucket even if its old name is now a file', async () => {
  const { bench, mirror, sent } = await mirrored({ 'a/f': 'content', other: 'other' });
  mirror.pause();
  move(bench, 'a', 'z');
  writeFileSync(join(bench.root, 'a'), 'a file');
  mirror.resume();
  await mirror.settled();
  expect(sent()).toEqual(['putObject a']);
  expect(await bench.heads()).toEqual(bench.tree());
});

test.each(['AccessDenied', 'EntityTooLarge', 'MethodNotAllowed'] as const)(
  'a job uploads a moved file if its server-side copy is rejected with %s',
  async (code) => {
    const { bench, faulty, mirror, sent } = await mirrored({ old: 'content', other: 'other' });
    void faulty.inject({ on: 'copyObject', fault: answers(code) });
    move(bench, 'old', 'new');
    await mirror.settled();
    expect(sent()).toEqual(['putObject new']);
    expect(await bench.heads()).toEqual(bench.tree());
  },
);

test('a job uploads a copied file if server-side copies always time out', async () => {
  const { bench, faulty, mirror, sent } = await mirrored({ original: LARGE });
  void faulty.inject({ on: 'copyObject', fault: breaksWith('Timeout'), times: 1_000 });
  cpSync(join(bench.root, 'original'), join(bench.root, 'copy'));
  await mirror.settled();
  expect(sent()).toEqual(['putObject copy']);
  expect(await bench.heads()).toEqual(bench.tree());
});

test.each(['AccessDenied', 'InvalidRequest'] as const)(
  'a job uploads a file whose object was deleted if its old version cannot be copied: %s',
  async (code) => {
    const { bench, faulty, mirror, sent } = await mirrored({ file: 'content' });
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'file' });
    void faulty.inject({ on: 'copyObject', fault: answers(code) });
    await mirror.runNow();
    expect(sent()).toEqual(['putObject file']);
    expect(await bench.heads()).toEqual(bench.tree());
  },
);

test.each([
  { is: 'with fine times', ctimeMs: 1_700_000_000_123.456, expected: true },
  { is: 'with times in whole milliseconds', ctimeMs: 1_700_000_000_120, expected: false },
  { is: 'with times in whole seconds', ctimeMs: 1_700_000_000_000, expected: false },
  { is: 'with a rounded inode number', ctimeMs: 0.5, inode: 2 ** 60, expected: false },
])(
  'a job identifies a moved file by its inode and ctime only if both are precise: $is',
  ({ ctimeMs, inode = 7, expected }) => {
    const entry = {
      path: 'f',
      kind: 'file',
      sizeBytes: 1,
      mtimeMs: 1,
      mode: 0,
      uid: 0,
      gid: 0,
    } as const;
    expect(isIdentified({ ...entry, ctimeMs, inode })).toBe(expected);
  },
);
