/** What a job says of itself is true at every moment: no change that it knows of is passed over. */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

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
