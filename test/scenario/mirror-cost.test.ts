/** Tests the number of SQL statements that a new small file costs. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { countStatements } from '../helpers/counted-statements.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const FEW = 64;
const MANY = 576;

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
  const more = new Map(
    [...many].map(([source, count]) => [source, (count - (few.get(source) ?? 0)) / (MANY - FEW)]),
  );
  const perFile = [...more.values()].reduce((sum, count) => sum + count, 0);
  expect(
    perFile,
    JSON.stringify([...more].filter(([, count]) => count > 0.01)),
  ).toBeLessThanOrEqual(3.3);
});
