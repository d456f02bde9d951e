/**
 * Tests of restores onto full or read-only disks. The error must name the folder and the next step, and repeating the
 * command must continue the restore.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { fillDisk, smallDisk } from '../helpers/full-disk.ts';
import { openTestEngine, patternBytes } from '../helpers/test-engine.ts';

const BUCKET = 'bucket';

/**
 * Stores `files` in a bucket on a large disk. Returns a function that restores the bucket onto a small
 * disk.
 */
async function bucketOf(files: Readonly<Record<string, Buffer>>) {
  const { store } = await openTestEngine();
  await store.createBucket({ bucket: BUCKET });
  for (const [key, bytes] of Object.entries(files))
    await store.putObject({ bucket: BUCKET, key, body: bytesBody(bytes) });
  const place = smallDisk();
  const to = join(place.disk, 'restored');
  const restore = () =>
    restoreTree({
      store,
      bucket: BUCKET,
      prefix: '',
      to,
      clock: systemClock,
      logger: silentLogger,
    });
  return { ...place, to, restore };
}

const megabytes = (count: number) => patternBytes(count * 2 ** 20);

test('a restore that needs more than the free space fails before it writes a byte', async () => {
  const { restore, disk, to } = await bucketOf({ a: megabytes(30), b: megabytes(30) });
  await expect(restore()).rejects.toMatchObject({
    code: 'NoRoom',
    message: expect.stringMatching(
      new RegExp(`^cannot restore into ${to}: .*: it needs 62.9 MB more, but only .* are free`),
    ) as string,
  });
  expect(readdirSync(disk)).toEqual([]);
});

test('a restore that fills the disk reports the lack of space, and continues once space is free', async () => {
  // Each 64-byte file needs a whole disk page. The sum of the sizes fits, but the files fill the disk.
  const names = Array.from({ length: 1_500 }, (_, index) => `file-${index}`);
  const files = Object.fromEntries(names.map((name, index) => [name, patternBytes(64, index)]));
  const { restore, disk, to, ballast } = await bucketOf(files);
  fillDisk(disk, ballast, 3 * 2 ** 20);
  await expect(restore()).rejects.toMatchObject({
    code: 'NoRoom',
    hint: expect.stringContaining('free up disk space, then repeat the command') as string,
  });
  const before = readdirSync(to).length;
  expect(before).toBeGreaterThan(0);
  rmSync(ballast);
  const report = await restore();
  expect([report.files + report.kept, report.problemCount]).toEqual([names.length, 0]);
  expect(report.kept).toBe(before);
  for (const name of names)
    expect(readFileSync(join(to, name)).equals(files[name] ?? Buffer.alloc(0))).toBe(true);
});

test('a restore needs no free space for files that already exist unchanged', async () => {
  const { restore, disk, to, ballast } = await bucketOf({ a: megabytes(8), b: megabytes(8) });
  await restore();
  rmSync(join(to, 'b'));
  fillDisk(disk, ballast, 9 * 2 ** 20);
  expect(await restore()).toMatchObject({ files: 1, kept: 1, problemCount: 0 });
});

test('the error of a restore onto a read-only mount names the folder', async () => {
  const { restore, disk, to } = await bucketOf({ a: megabytes(1) });
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  await expect(restore()).rejects.toMatchObject({
    code: 'TargetFailed',
    message: `cannot restore into ${to}: the disk is mounted read-only`,
    hint: 'mount it writable, or restore into another folder (--to DIR)',
  });
});
