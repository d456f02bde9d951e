/** Tests the number of SQL statements that a new small file costs. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { countStatements } from '../helpers/counted-statements.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const FEW = 64;
const MANY = 576;

const total = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

test('a new small file costs at most three SQL statements of the state database', async () => {
  const { counts } = countStatements('state.sqlite');
  const bench = await openMirrorBench();
  const write = (name: string, files: number) => {
    mkdirSync(join(bench.root, name));
    for (let file = 0; file < files; file += 1)
      writeFileSync(join(bench.root, name, String(file)), `${name} ${file}`);
  };
  write('before', FEW);
  const mirror = await bench.open();
  await mirror.settled();
  const costOf = async (name: string, files: number) => {
    counts.clear();
    write(name, files);
    await mirror.settled();
    return new Map(counts);
  };
  const few = await costOf('few', FEW);
  const many = await costOf('many', MANY);
  const perFile = (total(many) - total(few)) / (MANY - FEW);
  // Transactions and group queries are shared by up to 64 files.
  expect(perFile).toBeLessThanOrEqual(3.3);
});
