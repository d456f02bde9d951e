/** What a job says of itself is true at every moment: no change that it knows of is passed over. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

test('a job is in sync again when all of a new folder is in the bucket, and not while it looks at it', async () => {
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

/** A job whose file is being sent, until it is let go on. */
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
  return { bench, mirror, file, goOn: gate.resolve };
}

test('what changes while it is sent is looked at once that is over, and not all the time before', async () => {
  const { bench, mirror, file, goOn } = await openSending();
  const counted = async (pending: number) => {
    while (mirror.status().counts.pending !== pending) await setImmediate();
  };
  await counted(1);
  writeFileSync(file, 'two');
  await counted(2);
  await counted(1);
  goOn();
  const history = await until(
    () => bench.history('f'),
    ({ length }) => length === 2,
  );
  expect(history).toEqual(['put one', 'put two']);
});

test.each<readonly [string, (file: string) => void, Record<string, string>]>([
  ['what changed', (file) => writeFileSync(file, 'two'), { f: 'two' }],
  ['what was deleted', (file) => rmSync(file), {}],
])('who waits has %s while it was being sent', async (_what, change, heads) => {
  const { bench, mirror, file, goOn } = await openSending();
  change(file);
  const settled = mirror.settled();
  // The round has seen it.
  while (mirror.status().lastRound === undefined) await setImmediate();
  while (mirror.status().state === 'scanning') await setImmediate();
  goOn();
  await settled;
  expect(await bench.heads()).toEqual(heads);
});

test('what is deleted while it is sent for the first time is deleted in the bucket, too', async () => {
  const { bench, mirror, file, goOn } = await openSending();
  const counted = async (pending: number) => {
    while (mirror.status().counts.pending !== pending) await setImmediate();
  };
  await counted(1);
  rmSync(file);
  await counted(2);
  await counted(1);
  goOn();
  const history = await until(
    () => bench.history('f'),
    ({ length }) => length === 2,
  );
  expect(history).toEqual(['put one', 'marker']);
});
