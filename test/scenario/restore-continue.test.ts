/** Tests of restores that continue a large file of an interrupted restore. */

import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const MIB = 1024 ** 2;
const SIZE_BYTES = 20 * MIB;

/** Returns a restore of a folder with a large file that was interrupted after at least 8 MiB. */
async function interrupted(end: (control: AbortController) => void) {
  const bench = await openMirrorBench();
  const bytes = randomBytes(SIZE_BYTES);
  writeFileSync(join(bench.root, 'large'), bytes);
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  const to = join(bench.home, 'back');
  const { store, bucket } = bench;
  const options: RestoreOptions = {
    store,
    bucket,
    prefix: '',
    to,
    clock: systemClock,
    logger: silentLogger,
  };
  const control = new AbortController();
  const ending = overriding(store, {
    async getObject(request, call) {
      // Up to four ranges of 2 MiB are read at a time, so at least the first 8 MiB are then written.
      const { range } = request;
      if (range && 'first' in range && range.first >= 16 * MIB) end(control);
      return store.getObject(request, call);
    },
  });
  const broken = restoreTree({ ...options, store: ending, signal: control.signal });
  await expect(broken).rejects.toThrow('enough');
  const partials = () => readdirSync(to).filter((name) => name.startsWith('.holdfast-'));
  return { bench, bytes, to, options, partials };
}

const losesConnection = () => {
  throw new TransportError('ConnectionLost', 'enough', { sent: true });
};

test.each([
  ['lost its connection', losesConnection],
  ['was aborted', (control: AbortController) => control.abort(new Error('enough'))],
])('a restore downloads only the rest of a large file after a restore that %s', async (_, end) => {
  const { to, bytes, options, partials } = await interrupted(end);
  expect(partials()).toHaveLength(1);
  const progress: number[] = [];
  const report = await restoreTree({
    ...options,
    onProgress: ({ bytes: done }) => progress.push(done),
  });
  expect(report).toMatchObject({ files: 1, problems: [] });
  expect(report.bytes).toBeLessThanOrEqual(12 * MIB);
  expect(progress.at(-1)).toBe(SIZE_BYTES);
  expect(readFileSync(join(to, 'large')).equals(bytes)).toBe(true);
  expect(partials()).toEqual([]);
});

test('a restore downloads a large file again if its partial file has other bytes', async () => {
  const { to, bytes, options, partials } = await interrupted(losesConnection);
  writeFileSync(join(to, partials()[0] ?? ''), randomBytes(12 * MIB));
  const report = await restoreTree(options);
  expect(report).toMatchObject({ files: 1, problems: [] });
  expect(readFileSync(join(to, 'large')).equals(bytes)).toBe(true);
  expect(partials()).toEqual([]);
});

test('a restore does not continue a partial file that is larger than the object', async () => {
  const { to, bytes, options, partials } = await interrupted(losesConnection);
  writeFileSync(join(to, partials()[0] ?? ''), Buffer.concat([bytes, randomBytes(10)]));
  const report = await restoreTree(options);
  expect(report).toMatchObject({ files: 1, bytes: SIZE_BYTES, problems: [] });
  expect(readFileSync(join(to, 'large')).equals(bytes)).toBe(true);
});

test('a restore does not continue a partial file that other users can read', async () => {
  const { to, bytes, options, partials } = await interrupted(losesConnection);
  chmodSync(join(to, partials()[0] ?? ''), 0o666);
  const report = await restoreTree(options);
  expect(report).toMatchObject({ files: 1, bytes: SIZE_BYTES, problems: [] });
  expect(readFileSync(join(to, 'large')).equals(bytes)).toBe(true);
  expect(partials()).toEqual([]);
});

test('a restore finishes a partial file that already has all bytes', async () => {
  const { to, bytes, options, partials } = await interrupted(losesConnection);
  writeFileSync(join(to, partials()[0] ?? ''), bytes);
  const report = await restoreTree(options);
  expect(report).toMatchObject({ files: 1, bytes: 1, problems: [] });
  expect(readFileSync(join(to, 'large')).equals(bytes)).toBe(true);
});

test('a restore removes the partial file of an object that it no longer restores', async () => {
  const { bench, to, options, partials } = await interrupted(losesConnection);
  await bench.store.deleteObject({ bucket: bench.bucket, key: 'large' });
  await bench.writeForeign('other', 'content');
  await restoreTree(options);
  expect(readdirSync(to)).toEqual(['other']);
  expect(partials()).toEqual([]);
});
