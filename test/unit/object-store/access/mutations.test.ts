/** Runs a sample of `npm run test:mutations`, which breaks one rule of the code at a time. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../mutations/main.ts');

test.each([
  ['the access rules', ['--every', '40', '--only', 'object-store/']],
  ['the engine', ['--every', '60', '--only', 'engine/']],
])(
  '[authz-3] the tests detect each rule of a sample that is broken on purpose in %s',
  { timeout: 60_000 },
  async (_where, options) => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...options]);
    expect(stdout).not.toContain('UNNOTICED');
    expect(stdout).toMatch(/\n(\d+) of \1 wrong rules were noticed\n$/);
  },
);
