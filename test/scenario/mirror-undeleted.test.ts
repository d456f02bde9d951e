/**
 * Tests of a service that accepts uploads and rejects deletes. The job must report a problem and not send requests
 * endlessly.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { StorageError } from '../../src/object-store/storage-error.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

/**
 * A number of files whose deletion is below the limit of the mass-change guard, and above it if counted twice.
 */
const FILES = 40;

async function openRefusing() {
  const bench = await openMirrorBench();
  const asked: string[] = [];
  let isAllowed = false;
  const store = overriding(bench.store, {
    deleteObject: async (request, options) => {
      asked.push(request.key);
      if (isAllowed) return bench.store.deleteObject(request, options);
      throw new StorageError('AccessDenied', 'this key may only add');
    },
  });
  const { root } = bench;
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  write('beside', 'so that the root is never empty');
  mkdirSync(join(root, 'd'));
  for (let file = 0; file < FILES; file++) write(`d/${file}`, `${file}`);
  const mirror = await bench.open({ store });
  await mirror.settled();
  const problems = (count: number) =>
    until(
      () => mirror.status().counts.problems,
      (counted) => counted === count,
    );
  const writeAndWait = async (path: string, text: string) => {
    write(path, text);
    await until(
      async () => (await bench.heads())[path],
      (head) => head === text,
    );
  };
  return { bench, root, asked, mirror, problems, writeAndWait, allow: () => (isAllowed = true) };
}

test.each([
  ['as a single file', 'd/0', 1],
  ['with its folder', 'd', FILES],
])(
  'a job retries a rejected delete with growing delays, whatever else changes (deleted %s)',
  async (_what, path, count) => {
    const { bench, root, asked, mirror, problems, writeAndWait, allow } = await openRefusing();
    rmSync(join(root, path), { recursive: true });
    await problems(count);
    for (let write = 0; write < 4; write++) {
      await writeAndWait('beside', `${write}`);
      if (count === 1) await writeAndWait('d/beside', `${write}`);
    }
    expect(asked).toHaveLength(count);
    expect(bench.activities.filter(({ action }) => action === 'refused')).toHaveLength(count);
    // The object is stored shortly before the round that stored it ends.
    const status = await until(
      () => mirror.status(),
      ({ state }) => state === 'watching',
    );
    expect(status.inSync).toBe(false);

    // A run that the user starts retries each delete, and the mass-change guard does not count the
    // delete again.
    await mirror.settled();
    await mirror.settled();
    expect(asked).toHaveLength(3 * count);
    expect(mirror.status().counts.held).toBe(0);
    allow();
    await mirror.settled();
    await problems(0);
    expect(await bench.heads()).toEqual(bench.tree());
  },
);

test('the problem of a rejected delete is cleared when the file is created again', async () => {
  const { bench, root, asked, mirror, problems, writeAndWait } = await openRefusing();
  renameSync(join(root, 'd'), join(bench.home, 'd'));
  await problems(FILES);
  renameSync(join(bench.home, 'd'), join(root, 'd'));
  await problems(0);
  await writeAndWait('d/0', 'changed');
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ state: 'watching', inSync: true });
  expect(asked).toHaveLength(FILES);
});
