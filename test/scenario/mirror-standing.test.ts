/** What a job says of itself is true at every moment: no change that it knows of is passed over. */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
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

test('what changes while it is sent is looked at once that is over, and not all the time before', async () => {
  const bench = await openMirrorBench();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: sending, resolve: begin } = Promise.withResolvers<void>();
  const store = overriding(bench.store, {
    putObject: async (request, options) => {
      if (request.key === 'f') begin();
      if (request.key === 'f') await gate;
      return bench.store.putObject(request, options);
    },
  });
  const mirror = await bench.open({ store });
  await mirror.settled();
  const file = join(bench.root, 'f');
  writeFileSync(file, 'one');
  const counted = async (pending: number) => {
    while (mirror.status().counts.pending !== pending) await setImmediate();
  };
  await sending;
  await counted(1);
  writeFileSync(file, 'two');
  await counted(2);
  await counted(1);
  open();
  const history = await until(
    () => bench.history('f'),
    ({ length }) => length === 2,
  );
  expect(history).toEqual(['put one', 'put two']);
});
