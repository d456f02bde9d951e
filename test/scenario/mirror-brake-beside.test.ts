/**
 * The mass-change guard counts deletes once all renames are known, and does not wait for uploads.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

/** More deletes than the mass-change guard accepts at once. */
const FILES = 60;

async function openStalled() {
  const bench = await openMirrorBench();
  const sending = Promise.withResolvers<void>();
  const store = overriding(bench.store, {
    putObject: async (request, options) => {
      if (request.key === 'large') {
        sending.resolve();
        await new Promise((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
        });
      }
      return bench.store.putObject(request, options);
    },
  });
  const { root } = bench;
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'beside'), 'so that the root is never empty');
  for (let file = 0; file < FILES; file++) writeFileSync(join(root, `d/${file}`), `file ${file}`);
  const mirror = await bench.open({ store });
  await mirror.settled();
  writeFileSync(join(root, 'large'), Buffer.alloc(2 * 1024 * 1024));
  await sending.promise;
  return { bench, root, mirror };
}

test('ends the round of many deletes while a large upload is in progress', async () => {
  const { bench, root, mirror } = await openStalled();
  rmSync(join(root, 'd'), { recursive: true });
  await until(
    () => mirror.status().counts.held,
    (held) => held === FILES,
  );
  writeFileSync(join(root, 'next'), 'is mirrored');
  const head = await until(
    async () => (await bench.heads())['next'],
    (text) => text !== undefined,
  );
  expect(head).toBe('is mirrored');
});

test('ends the round of many renames while a large upload is in progress, and holds nothing', async () => {
  const { bench, root, mirror } = await openStalled();
  renameSync(join(root, 'd'), join(root, 'e'));
  await until(
    async () => Object.keys(await bench.heads()),
    (keys) => keys.length === FILES + 1 && keys.includes('e/0'),
  );
  expect(mirror.status().counts.held).toBe(0);
});
