/** Tests of a full sync round while programs save files all the time. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { faultyStore } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

/** The number of running and queued actions at which the round pauses. */
const FULL = 160 + 512;
const FOLDERS = 900;
const SAVES = 700;
/** The number of uploads that end between two checks of the test. */
const RELEASED = 20;

test('while programs save many files, every second upload still belongs to the full sync round', async () => {
  const bench = await openMirrorBench();
  // With one file per folder, the round can continue as soon as the queue accepts a single file.
  for (let index = 0; index < FOLDERS; index += 1) {
    mkdirSync(join(bench.root, `f${index}`));
    writeFileSync(join(bench.root, `f${index}/x`), `content ${index}`);
  }
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const faulty = faultyStore(bench.store);
  void faulty.inject({
    on: 'putObject',
    times: FOLDERS + SAVES + 1,
    fault: async ({ run }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (isOpen || waiting.length === 1) resolve();
      await promise;
      return run();
    },
  });
  const releaseAll = () => {
    isOpen = true;
    for (const resolve of waiting) resolve();
  };
  onTestFinished(releaseAll);
  const started = (start: string) =>
    faulty.calls.filter((call) => call.startsWith(`putObject ${start}`)).length;
  const mirror = await bench.open({ store: faulty.store });
  const isPending = (count: number) =>
    until(
      () => mirror.status().counts.pending,
      (pending) => pending >= count,
    );
  await isPending(FULL);
  for (let index = 0; index < SAVES; index += 1)
    writeFileSync(join(bench.root, `saved${index}`), 'saved');
  await isPending(FULL + SAVES);
  await until(
    () => {
      for (const resolve of waiting.splice(0, RELEASED)) resolve();
      return started('saved');
    },
    (count) => count >= 500,
  );
  expect(started('f')).toBeGreaterThan(600);
  releaseAll();
  await mirror.settled();
  expect(mirror.status()).toMatchObject({ problems: [], counts: { files: FOLDERS + SAVES } });
});
