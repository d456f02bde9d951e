/**
 * Tests that the status of a job is correct at any time and includes every change that the job has noticed.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

test('a job is in sync only after it has uploaded all files of a folder that was moved into its root folder', async () => {
  const bench = await openMirrorBench();
  for (let folder = 0; folder < 60; folder++) {
    mkdirSync(join(bench.home, `new/${folder}/deep`), { recursive: true });
    writeFileSync(join(bench.home, `new/${folder}/deep/f`), `${folder}`);
  }
  const mirror = await bench.open();
  await mirror.settled();
  await until(
    () => mirror.status().inSync,
    (inSync) => inSync,
  );
  renameSync(join(bench.home, 'new'), join(bench.root, 'new'));
  while (mirror.status().inSync) await setImmediate();
  while (!mirror.status().inSync) await setImmediate();
  expect(await bench.keys()).toHaveLength(60);
});

/** Opens a job whose upload of a file blocks until `finishUpload` is called. */
async function openSending() {
  const bench = await openMirrorBench();
  const gate = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();
  const store = overriding(bench.store, {
    putObject: async (request, options) => {
      if (request.key === 'f') sending.resolve();
      if (request.key === 'f') await gate.promise;
      return bench.store.putObject(request, options);
    },
  });
  const mirror = await bench.open({ store });
  await mirror.settled();
  const file = join(bench.root, 'f');
  writeFileSync(file, 'one');
  await sending.promise;
  return { bench, mirror, file, finishUpload: gate.resolve };
}

test('a job uploads a file again if the file changes during its upload', async () => {
  const { bench, mirror, file, finishUpload } = await openSending();
  const counted = async (pending: number) => {
    while (mirror.status().counts.pending !== pending) await setImmediate();
  };
  await counted(1);
  writeFileSync(file, 'two');
  await counted(2);
  await counted(1);
  finishUpload();
  const history = await until(
    () => bench.history('f'),
    ({ length }) => length === 2,
  );
  expect(history).toEqual(['put one', 'put two']);
});

test.each<readonly [string, (file: string) => void, Record<string, string>]>([
  ['a change', (file) => writeFileSync(file, 'two'), { f: 'two' }],
  ['a delete', (file) => rmSync(file), {}],
])(
  'settled() waits until %s of a file during its upload has reached the bucket',
  async (_what, change, heads) => {
    const { bench, mirror, file, finishUpload } = await openSending();
    change(file);
    const settled = mirror.settled();
    // Waits until the sync round has noticed the change.
    while (mirror.status().lastRound === undefined) await setImmediate();
    while (mirror.status().state === 'scanning') await setImmediate();
    finishUpload();
    await settled;
    expect(await bench.heads()).toEqual(heads);
  },
);

test('a job deletes the object of a file that is deleted during its first upload', async () => {
  const { bench, mirror, file, finishUpload } = await openSending();
  const counted = async (pending: number) => {
    while (mirror.status().counts.pending !== pending) await setImmediate();
  };
  await counted(1);
  rmSync(file);
  await counted(2);
  await counted(1);
  finishUpload();
  const history = await until(
    () => bench.history('f'),
    ({ length }) => length === 2,
  );
  expect(history).toEqual(['put one', 'marker']);
});
