/** Runs a sample of `npm run test:mutations`, which breaks one rule at a time. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../mutations/main.ts');

test(
  '[authz-3] the tests detect each rule of a sample that is broken deliberately',
  { timeout: 60_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--every', '60']);
    expect(stdout).not.toContain('UNNOTICED');
    expect(stdout).toMatch(/\n(\d+) of \1 wrong rules were noticed\n$/);
  },
);
