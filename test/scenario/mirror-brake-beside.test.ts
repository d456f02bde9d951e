/** Tests that the mass-change guard checks deletes and renames without waiting for uploads in progress. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

/** A number of deletes that exceeds the limit of the mass-change guard. */
const FILES = 60;
/** More files than the job deletes in one batch. */
const MANY_FILES = 5_000;

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

test('a job holds many deletes for review and backs up other files while a large upload is in progress', async () => {
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

test('a job completes many renames without holding them for review while a large upload is in progress', async () => {
  const { bench, root, mirror } = await openStalled();
  renameSync(join(root, 'd'), join(root, 'e'));
  await until(
    () => bench.keys(),
    (keys) => keys.length === FILES + 1 && keys.includes('e/0'),
  );
  expect(mirror.status().counts.held).toBe(0);
});

test('a job removes 5,000 files from its state after their folder and objects are deleted', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'beside'), 'so that the root is never empty');
  const first = await bench.open();
  await first.settled();
  await first.close();
  const state = openStateFile(join(bench.home, 'state/state.sqlite'));
  const row = state.baseline.get('beside');
  if (!row) throw new Error('the baseline has no row of the mirrored file');
  const paths = Array.from({ length: MANY_FILES }, (_, index) => `d/${index}`);
  state.settle(paths.map((path) => ({ key: path, baseline: { ...row, path } })));
  state.close();
  const mirror = await bench.open();
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ state: 'watching', counts: { files: 1 } });
});
