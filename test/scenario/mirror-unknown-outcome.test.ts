/**
 * Tests of an upload with a lost response that the service refuses to return. The version must still count as the
 * job's own.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { answers, type Fault, faultyStore, losesTheAnswer } from '../helpers/faulty-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

async function afterALostAnswer() {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'f'), 'first');
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  await mirror.settled();
  const refusal = Promise.withResolvers<void>();
  const losesMore: Fault = (call) => {
    const refused = faulty.inject({ on: 'headObject', key: 'f', fault: answers('AccessDenied') });
    void refused.then(refusal.resolve);
    return losesTheAnswer(call);
  };
  void faulty.inject({ on: 'putObject', key: 'f', fault: losesMore });
  writeFileSync(join(bench.root, 'f'), 'second');
  await refusal.promise;
  return { bench, mirror };
}

const puts = (...contents: readonly string[]) => contents.map((content) => `put ${content}`);

test('a job records no conflict with its own upload if the service refused the HEAD request after a lost response', async () => {
  const { bench, mirror } = await afterALostAnswer();
  writeFileSync(join(bench.root, 'f'), 'third');
  await mirror.runNow();
  expect(mirror.conflicts.list({ limit: 9 }).conflicts).toEqual([]);
  expect(await bench.history('f')).toEqual(puts('first', 'second', 'third'));
});

test('a job recognizes its newest version after a restart, even if the response of an upload was lost', async () => {
  const { bench, mirror } = await afterALostAnswer();
  await mirror.settled();
  writeFileSync(join(bench.root, 'f'), 'third');
  await mirror.settled();
  await mirror.close();
  writeFileSync(join(bench.root, 'f'), 'fourth');
  const again = await bench.open();
  await again.settled();
  expect(again.conflicts.list({ limit: 9 }).conflicts).toEqual([]);
  expect(await bench.history('f')).toEqual(puts('first', 'second', 'third', 'fourth'));
});

test('a job records no conflict with its own upload that it could not read back', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'f'), 'first');
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store, verifyUploads: true });
  await mirror.settled();
  const refused = faulty.inject({ on: 'getObject', key: 'f', fault: answers('AccessDenied') });
  writeFileSync(join(bench.root, 'f'), 'second');
  await refused;
  writeFileSync(join(bench.root, 'f'), 'third');
  await mirror.settled();
  expect(mirror.conflicts.list({ limit: 9 }).conflicts).toEqual([]);
  expect(await bench.history('f')).toEqual(puts('first', 'second', 'third'));
  expect(mirror.status().problems).toEqual([]);
});
