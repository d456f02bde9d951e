/** A few of the wrong rules of `npm run test:mutations`, which says each of them wrongly once. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../mutations/main.ts');

test(
  '[authz-3] the access tests detect each wrong version of a rule',
  { timeout: 60_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--every', '60']);
    expect(stdout).not.toContain('UNNOTICED');
    expect(stdout).toMatch(/\n(\d+) of \1 wrong rules were noticed\n$/);
  },
);
