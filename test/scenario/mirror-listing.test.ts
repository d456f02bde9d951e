/**
 * Tests that an object which is missing from a listing does not count as deleted if its upload ended after the
 * listing.
 */

import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { TargetTurns } from '../../src/mirror/limits/job-priority.ts';
import { type Fault, faultyStore } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { until } from '../helpers/until.ts';

/** Returns a fault that delays a request until `open` is called, and the function `open`. */
function gate(): { readonly fault: Fault; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const fault: Fault = async ({ run, reached }) => {
    reached();
    await promise;
    return run();
  };
  return { fault, open: resolve };
}

test("a job deletes a deleted file's object even if its upload ended after the job listed the bucket", async () => {
  const bench = await openMirrorBench();
  const { store, bucket } = bench;
  writeFileSync(join(bench.root, 'f'), 'first');
  writeFileSync(join(bench.root, 'other'), 'other');
  const faulty = faultyStore(store);
  const listed = Promise.withResolvers<void>();
  const scans = Promise.withResolvers<void>();
  let isHeld = false;
  // Blocks the listing of saved objects. It follows the listing of current versions and precedes the folder scan.
  const held = overriding(faulty.store, {
    listObjects: async (request, options) => {
      if (isHeld && request.prefix?.startsWith('.holdfast/')) {
        listed.resolve();
        await scans.promise;
      }
      return faulty.store.listObjects(request, options);
    },
  });
  const mirror = await bench.open({ store: held });
  await mirror.settled();
  await store.deleteObject({ bucket, key: 'f' });
  const upload = gate();
  void faulty.inject({ on: 'putObject', key: 'f', fault: ({ run }) => run() });
  const begun = faulty.inject({ on: 'putObject', key: 'f', fault: upload.fault });
  writeFileSync(join(bench.root, 'f'), 'second');
  await begun;
  isHeld = true;
  const round = mirror.runNow();
  await listed.promise;
  upload.open();
  await until(
    () => bench.activities.filter(({ action, path }) => action === 'put' && path === 'f').length,
    (puts) => puts === 2,
  );
  rmSync(join(bench.root, 'f'));
  scans.resolve();
  await round;
  await mirror.settled();
  expect(await bench.heads()).toEqual(bench.tree());
  expect(await bench.history('f')).toEqual(['put first', 'marker', 'put second', 'marker']);
});

test('a job restores an object that another client deletes while the job is scanning its file', async () => {
  const bench = await openMirrorBench();
  const { store, bucket } = bench;
  for (const name of ['f', 'g']) writeFileSync(join(bench.root, name), 'kept');
  const turns = new TargetTurns(systemClock);
  const mirror = await bench.open({ turns });
  await mirror.settled();
  const begin = turns.of('high').announce();
  const untilUnderWay = (sizeBytes: number) =>
    until(
      () => mirror.status().counts.pendingBytes,
      (pending) => pending === sizeBytes,
    );
  utimesSync(join(bench.root, 'f'), 1, 1);
  await untilUnderWay(4);
  for (const key of ['f', 'g']) await store.deleteObject({ bucket, key });
  const round = mirror.runNow();
  await untilUnderWay(8);
  // A sync round for a single file event must not discard the result of the listing.
  utimesSync(join(bench.root, 'f'), 2, 2);
  writeFileSync(join(bench.root, 'new'), 'text');
  await untilUnderWay(12);
  begin();
  await round;
  expect(await bench.heads()).toEqual({ f: 'kept', g: 'kept', new: 'text' });
  for (const key of ['f', 'g'])
    expect(await bench.history(key)).toEqual(['put kept', 'marker', 'put kept']);
});
