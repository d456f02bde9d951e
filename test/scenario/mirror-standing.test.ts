/** Tests that the status of a job is correct at any time: it includes every change that the job knows of. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

test('a job is in sync only after all files of a folder moved into the mirrored folder are uploaded', async () => {
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
  expect(Object.keys(await bench.heads())).toHaveLength(60);
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

test('uploads a file again if it changes during its upload', async () => {
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
  'settled() resolves only after %s of a file during its upload is mirrored',
  async (_what, change, heads) => {
    const { bench, mirror, file, finishUpload } = await openSending();
    change(file);
    const settled = mirror.settled();
    // Waits until the sync round has seen the change.
    while (mirror.status().lastRound === undefined) await setImmediate();
    while (mirror.status().state === 'scanning') await setImmediate();
    finishUpload();
    await settled;
    expect(await bench.heads()).toEqual(heads);
  },
);

test('deletes the object of a file that is deleted during its first upload', async () => {
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
