/** Tests of .holdfastignore files that change while the job runs. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { until } from '../helpers/until.ts';

test('a job keeps objects of newly excluded files, and backs up the files again when they are no longer excluded', async () => {
  const bench = await openMirrorBench();
  const at = (path: string) => join(bench.root, path);
  mkdirSync(at('a/b'), { recursive: true });
  writeFileSync(at('a/b/x.log'), 'one');
  writeFileSync(at('a/b/x.txt'), 'one');
  const mirror = await bench.open();
  await mirror.settled();

  writeFileSync(at('a/.holdfastignore'), '*.log\n');
  await mirror.settled();
  writeFileSync(at('a/b/x.log'), 'two');
  rmSync(at('a/b/x.txt'));
  await mirror.settled();
  const left = { 'a/.holdfastignore': '*.log\n', 'a/b/x.log': 'one' };
  expect(await bench.heads()).toMatchObject(left);
  expect(await bench.heads()).not.toHaveProperty('a/b/x.txt');

  rmSync(at('a/b/x.log'));
  await mirror.settled();
  expect(await bench.heads()).toMatchObject(left);

  writeFileSync(at('a/b/x.log'), 'three');
  rmSync(at('a/.holdfastignore'));
  // The file event alone starts the upload, without a full sync round.
  await until(
    () => bench.history('a/b/x.log'),
    (history) => history.includes('put three'),
  );
  expect(mirror.status().problems).toEqual([]);
});

test.each([
  ['the job excludes', { exclude: ['.*'], rules: 'secret\n' }],
  ['excludes itself', { exclude: [], rules: '.holdfastignore\nsecret\n' }],
])(
  'a job applies the rules of an exclude file that %s at once',
  async (_what, { exclude, rules }) => {
    const bench = await openMirrorBench();
    const at = (path: string) => join(bench.root, path);
    mkdirSync(at('a'));
    writeFileSync(at('a/.holdfastignore'), '.holdfastignore\n');
    writeFileSync(at('a/x'), 'x');
    const mirror = await bench.open({ exclude });
    await mirror.settled();
    writeFileSync(at('a/.holdfastignore'), rules);
    writeFileSync(at('a/secret'), 'not for the bucket');
    writeFileSync(at('a/saved'), 'saved');
    await until(
      () => bench.heads(),
      (heads) => heads['a/saved'] === 'saved',
    );
    await mirror.settled();
    expect(await bench.heads()).toEqual({ 'a/saved': 'saved', 'a/x': 'x' });
  },
);
