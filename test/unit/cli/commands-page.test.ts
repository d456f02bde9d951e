/** Tests that docs/reference/commands.md lists every command. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { commandsTables } from './commands-page.ts';

it('the commands page lists every command with its arguments and purpose, and no other', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../docs/reference/commands.md'),
    'utf8',
  );
  expect(page.slice(page.indexOf('\n## ') + 1)).toBe(`${commandsTables()}\n`);
});
