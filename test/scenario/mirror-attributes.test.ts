/** Tests that a change of file attributes creates a new version by a server-side copy, without an upload. */

import { chmodSync, chownSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { faultyStore, hangsAfterWriting, losesTheAnswer } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

async function mirrored(versioned = true) {
  const bench = await openMirrorBench({ versioned });
  writeFileSync(join(bench.root, 'f'), 'content', { mode: 0o644 });
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  await mirror.settled();
  const sent = faulty.calls.length;
  const bodies = () =>
    faulty.calls.slice(sent).filter((call) => /^(putObject|uploadPart) (?!\.holdfast)/.test(call));
  const metadata = async () => {
    const { info } = await bench.store.headObject({ bucket: bench.bucket, key: 'f' });
    return info.metadata ?? {};
  };
  return { bench, faulty, mirror, bodies, metadata, path: join(bench.root, 'f') };
}

type Way = readonly [string, (path: string) => void, Readonly<Record<string, string>>];

const WAYS: readonly Way[] = [
  ['mode', (path) => chmodSync(path, 0o600), { 'holdfast-mode': '0600' }],
  ...(process.getuid?.() === 0
    ? ([['owner', (path: string) => chownSync(path, 7, 8), { 'holdfast-uid': '7' }]] as const)
    : []),
];

describe.each([
  ['with versions', true],
  ['without versions', false],
])('changed file attributes in a bucket %s', (_kind, versioned) => {
  test.each(WAYS)(
    'a job stores a changed %s of a file by a server-side copy, without uploading the content',
    async (_what, change, expected) => {
      const { bench, mirror, bodies, metadata, path } = await mirrored(versioned);
      change(path);
      await mirror.settled();
      expect(bodies()).toEqual([]);
      expect(await metadata()).toMatchObject(expected);
      const puts = ['put content', ...(versioned ? ['put content'] : [])];
      expect(await bench.history('f')).toEqual(puts);
      expect(bench.activities.at(-1)).toMatchObject({ action: 'attributes', path: 'f' });
      expect(mirror.status().problems).toEqual([]);
    },
  );
});

test('a changed mtime alone creates no version, and the object keeps its original mtime', async () => {
  const { bench, faulty, mirror, metadata, path } = await mirrored();
  const before = await metadata();
  const calls = faulty.calls.length;
  utimesSync(path, 1_000_000, 1_000_000);
  await mirror.settled();
  expect(faulty.calls.slice(calls).filter((call) => call.endsWith(' f'))).toEqual([]);
  expect(await metadata()).toEqual(before);
  expect(await bench.history('f')).toEqual(['put content']);
});

test('a job uploads a file with changed content and a changed mode in one PUT', async () => {
  const { bench, mirror, bodies, metadata, path } = await mirrored();
  mirror.pause();
  writeFileSync(path, 'changed');
  chmodSync(path, 0o600);
  mirror.resume();
  await mirror.settled();
  expect(bodies()).toEqual(['putObject f']);
  expect(await metadata()).toMatchObject({ 'holdfast-mode': '0600' });
  expect(await bench.history('f')).toEqual(['put content', 'put changed']);
});

test('a job does not apply changed file attributes to content that another client wrote', async () => {
  const { bench, mirror, metadata, path } = await mirrored();
  mirror.pause();
  await bench.writeForeign('f', 'theirs');
  chmodSync(path, 0o600);
  mirror.resume();
  await mirror.settled();
  expect(await bench.history('f')).toEqual(['put content', 'put theirs', 'put content']);
  expect(await metadata()).toMatchObject({ 'holdfast-mode': '0600' });
});

test('a job recognizes its own attribute copy after the response was lost', async () => {
  const { bench, faulty, mirror, metadata, path } = await mirrored();
  void faulty.inject({ on: 'copyObject', key: 'f', fault: losesTheAnswer });
  chmodSync(path, 0o600);
  await mirror.settled();
  expect(await bench.history('f')).toEqual(['put content', 'put content']);
  expect(await metadata()).toMatchObject({ 'holdfast-mode': '0600' });
});

test('a job does not repeat an attribute copy after a crash that followed the copy', async () => {
  const { bench, faulty, path, metadata } = await mirrored();
  const met = faulty.inject({ on: 'copyObject', key: 'f', fault: hangsAfterWriting });
  chmodSync(path, 0o600);
  await met;
  const again = await bench.open();
  await again.settled();
  expect(await bench.history('f')).toEqual(['put content', 'put content']);
  expect(await metadata()).toMatchObject({ 'holdfast-mode': '0600' });
});

test('a job stores a changed mode of an empty folder', async () => {
  const { bench, mirror } = await mirrored();
  const folder = join(bench.root, 'd');
  mkdirSync(folder);
  await mirror.settled();
  chmodSync(folder, 0o700);
  await mirror.settled();
  const { info } = await bench.store.headObject({ bucket: bench.bucket, key: 'd/' });
  expect(info.metadata).toMatchObject({ 'holdfast-mode': '0700' });
});
