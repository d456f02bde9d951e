/** Tests that the generated files in docs/reference are up to date. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { exitCodesLine } from '../../src/cli/output/command-error.ts';
import { FOLDER, referencePages } from '../reference/pages.ts';

it.each(Object.entries(await referencePages()))(
  'docs/reference/%s is up to date, so that `npm run reference` would not change it',
  (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  },
);

it.each(['errors.md', 'commands.md'])('%s lists the same exit codes as the help', (name) => {
  expect(readFileSync(join(FOLDER, name), 'utf8')).toContain(exitCodesLine().replace(/\.$/, ''));
});
