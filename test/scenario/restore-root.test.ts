/** Tests of the mode of the folder that a restore creates for the root folder of a job. */

import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { readMarker } from '../../src/mirror/objects/ownership-marker.ts';
import { releaseDestination } from '../../src/mirror/ownership/hold-marker.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { bytesBody, collect } from '../../src/object-store/body.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

async function rooted(mode: number) {
  const bench = await openMirrorBench();
  const { home, root, store, bucket } = bench;
  const before = process.umask(0o002);
  onTestFinished(() => void process.umask(before));
  mkdirSync(join(root, 'letters'), { mode: 0o755 });
  mkdirSync(join(root, 'secret'));
  for (const name of ['plan', 'letters/ann', 'secret/key']) writeFileSync(join(root, name), name);
  chmodSync(join(root, 'secret'), 0o700);
  chmodSync(root, mode);
  const mirror = await bench.open();
  await mirror.settled();
  let count = 0;
  const fixed = { store, bucket, prefix: '', clock: systemClock, logger: silentLogger };
  const restore = async (options: Partial<RestoreOptions> = {}) => {
    const to = join(home, `restored-${++count}`);
    const { isProven } = bench;
    const report = await restoreTree({ ...fixed, isProven, to, ...options });
    return { report, mode: modeOf(options.to ?? to) };
  };
  return { ...bench, mirror, restore };
}

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

test.each(['700', '750', '755', '2770'])(
  'a restore into a new folder gives the folder the mode 0%s of the root folder',
  async (mode) => {
    const { restore } = await rooted(Number.parseInt(mode, 8));
    expect(await restore()).toMatchObject({ mode, report: { problemCount: 0 } });
  },
);

test('a restore ignores mode bits 07000 that another client wrote into the ownership marker', async () => {
  const { restore, store, bucket } = await rooted(0o2770);
  const { body, info } = await store.getObject({ bucket, key: '.holdfast/claim' });
  const claim = JSON.parse(new TextDecoder().decode(await collect(body, info.sizeBytes)));
  for (const change of [
    { 'holdfast-mode': '6770' },
    { 'holdfast-uid': '4711' },
    { 'holdfast-proof': undefined },
    { 'holdfast-proof': 7, 'holdfast-xattrs': 7 },
  ]) {
    const rootAttributes = { ...claim.rootAttributes, ...change };
    const text = JSON.stringify({ ...claim, rootAttributes });
    await store.putObject({ bucket, key: '.holdfast/claim', body: bytesBody(text) });
    const restored = await restore();
    expect(restored).toMatchObject({ mode: '770', report: { problems: [] } });
    expect(restored.report.unproven).toEqual({ count: 1, paths: ['.'] });
  }
});

test('a takeover without the root folder does not prove attributes from the ownership marker', async () => {
  const { root, home, mirror, restore, store, bucket, open } = await rooted(0o750);
  const { body, info } = await store.getObject({ bucket, key: '.holdfast/claim' });
  const claim = JSON.parse(new TextDecoder().decode(await collect(body, info.sizeBytes)));
  await mirror.close();
  const rootAttributes = { 'holdfast-mode': '6777', 'holdfast-uid': '0', 'holdfast-gid': '0' };
  const text = JSON.stringify({ ...claim, rootAttributes });
  await store.putObject({ bucket, key: '.holdfast/claim', body: bytesBody(text) });
  renameSync(root, join(home, 'moved'));
  const again = await open();
  await again.ownership.takeOver(new AbortController().signal);
  expect((await restore()).mode).toBe('777');
});

test('a restore of a past time uses the mode that the root folder had at that time', async () => {
  const { root, mirror, restore, store, bucket } = await rooted(0o700);
  const { info } = await store.headObject({ bucket, key: '.holdfast/claim' });
  chmodSync(root, 0o751);
  await mirror.settled();
  expect((await restore()).mode).toBe('751');
  expect((await restore({ at: info.lastModifiedAt })).mode).toBe('700');
});

test('a restored subfolder has its own mode, and a restore of a single file creates a private folder', async () => {
  const { restore } = await rooted(0o711);
  expect((await restore({ path: 'secret' })).mode).toBe('700');
  expect((await restore({ path: 'letters' })).mode).toBe('755');
  expect((await restore({ path: 'plan' })).mode).toBe('700');
});

test('a restore creates a private folder (mode 0700) if the mode of the root folder is not recorded', async () => {
  const { restore, store, bucket } = await rooted(0o755);
  for (const text of [
    '{"job":"old"}',
    'no JSON',
    '{"rootAttributes":null}',
    '{"rootAttributes":7}',
  ]) {
    await store.putObject({ bucket, key: '.holdfast/claim', body: bytesBody(text) });
    expect((await restore()).mode).toBe('700');
  }
  await store.deleteObject({ bucket, key: '.holdfast/claim' });
  expect((await restore()).mode).toBe('700');
});

test('a restore keeps the mode of an existing folder, and reports a mode with more permissions than the original', async () => {
  const { home, restore } = await rooted(0o700);
  const [open, closed] = [join(home, 'open'), join(home, 'closed')];
  mkdirSync(open, { mode: 0o755 });
  mkdirSync(closed, { mode: 0o700 });
  const { report, mode } = await restore({ to: open });
  expect([mode, report.problems]).toEqual([
    '755',
    [
      expect.objectContaining({
        message: expect.stringContaining('mode 0755, but the original had 0700'),
      }),
    ],
  ]);
  expect(await restore({ to: closed })).toMatchObject({ mode: '700', report: { problemCount: 0 } });
});

test('removing a job with a missing root folder keeps the mode of the root in the ownership marker', async () => {
  const { mirror, root, home, store, bucket, restore } = await rooted(0o710);
  renameSync(root, join(home, 'moved'));
  const destination = { store, bucket, prefix: '' };
  await releaseDestination(destination, mirror.ownership.owner(), new AbortController().signal);
  const { marker } = (await readMarker(destination, new AbortController().signal)) ?? {};
  expect(marker).toMatchObject({ released: true, rootAttributes: { 'holdfast-mode': '0710' } });
  expect((await restore()).mode).toBe('710');
});
