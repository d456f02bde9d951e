/** Tests how many SQL statements and system calls a job needs for a new small file. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { countCalls } from '../helpers/counted-calls.ts';
import { countStatements } from '../helpers/counted-statements.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

/** Enough files to make the repeated checks of the files in progress (at most 160) negligible. */
const FEW = 500;
const MANY = 3_000;
/** The delay after which a job reads a written file at once, without waiting for further writes. */
const SETTLED_MS = 20;

const total = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

test('a job backs up a new small file with at most three SQL statements and four node:fs calls', async () => {
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
  // Many files share a transaction and the calls for their folder.
  expect(perFile('sql')).toBeGreaterThan(2.9);
  expect(perFile('sql')).toBeLessThanOrEqual(3.3);
  // On Linux, two more calls do not pass through node:fs: openat2 and flistxattr. `npm run bench -- --only calls` also
  // counts them.
  expect(perFile('calls')).toBeGreaterThan(3.9);
  expect(perFile('calls')).toBeLessThanOrEqual(process.platform === 'linux' ? 4.3 : 6.3);
});
