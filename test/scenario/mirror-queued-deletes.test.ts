/**
 * Tests of deletes that wait in the queue after they were planned. The job checks them again before it sends them.
 */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { TargetTurns } from '../../src/mirror/limits/job-priority.ts';
import { ATTACKS } from '../helpers/attacks.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { textOf } from '../helpers/sample-files.ts';
import { until } from '../helpers/until.ts';

/**
 * Backs up files. `whileQueued` calls a function while all actions that a change causes wait for another job.
 */
async function mirrored(paths: readonly string[]) {
  const bench = await openMirrorBench();
  for (const [index, path] of paths.entries())
    writeFileSync(join(bench.root, path), textOf(index, 5_000));
  const turns = new TargetTurns(systemClock);
  const mirror = await bench.open({ turns });
  await mirror.settled();
  const whileQueued = async (actions: number, work: () => void = () => undefined) => {
    const endOtherJob = turns.of('high').announce();
    const settled = mirror.settled();
    await until(
      () => mirror.status().counts.pending,
      (pending) => pending === actions,
    );
    work();
    endOtherJob();
    await settled;
  };
  return { bench, mirror, whileQueued };
}

test('a job does not delete the object of a file that is created again while its delete waits in the queue', async () => {
  const { bench, mirror, whileQueued } = await mirrored(['f', 'g']);
  const before = await bench.history('f');
  rmSync(join(bench.root, 'f'));
  await whileQueued(1, () => writeFileSync(join(bench.root, 'f'), 'again'));
  await mirror.settled();
  expect(await bench.history('f')).toEqual([...before, 'put again']);
});

test('a job holds deletes for review if encrypted copies of the files were read after the deletes were planned', async () => {
  const paths = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
  const { bench, mirror, whileQueued } = await mirrored(paths);
  for (const path of paths)
    ATTACKS['a new file with a suffix, then deleted'](join(bench.root, path));
  await whileQueued(8);
  const held = mirror.heldChanges.review({ limit: 9 }).changes.map(({ path }) => path);
  const heads = (await bench.keys()).filter((key) => paths.includes(key));
  expect(held.length).toBeGreaterThan(0);
  expect(heads.toSorted()).toEqual(held.toSorted());
});
