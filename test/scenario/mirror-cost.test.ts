/** Tests the number of SQL statements and system calls that a new small file costs. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { countCalls } from '../helpers/counted-calls.ts';
import { countStatements } from '../helpers/counted-statements.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

/** Each round checks the files in progress once more, at most 160. Among so many files this does not count. */
const FEW = 500;
const MANY = 3_000;
/** A file that was written before is read at once. */
const SETTLED_MS = 20;

const total = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

test('a new small file costs at most three SQL statements of the state database, and four calls of node:fs', async () => {
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
    mirror.pause();
    write(name, files);
    await systemClock.sleep(SETTLED_MS);
    counts.clear();
    const calls = countCalls(bench.root);
    mirror.resume();
    await mirror.settled();
    return {
      sql: total(counts.values()),
      calls: total(Object.values(calls.stop())),
    };
  };
  const few = await costOf('few', FEW);
  const many = await costOf('many', MANY);
  const perFile = (what: 'calls' | 'sql') => (many[what] - few[what]) / (MANY - FEW);
  // Transactions, and the calls for a folder, are shared by many files.
  expect(perFile('sql')).toBeGreaterThan(2.9);
  expect(perFile('sql')).toBeLessThanOrEqual(3.3);
  // On Linux, two more calls do not pass through node:fs: openat2 and flistxattr. `npm run bench -- --only calls` counts
  // them too.
  expect(perFile('calls')).toBeGreaterThan(3.9);
  expect(perFile('calls')).toBeLessThanOrEqual(process.platform === 'linux' ? 4.3 : 6.3);
});
