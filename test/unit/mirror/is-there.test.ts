import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { isThereAgain } from '../../../src/mirror/local/is-there.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a second look tells what is there after all from what is gone or another thing', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/file'), '');
  symlinkSync('nowhere', join(root, 'd/link'));
  const keys = ['d/file', 'd/link', 'd/', 'd', 'd/gone', 'd/file/below', 'gone/file'];
  expect(keys.filter((key) => isThereAgain(root, key))).toEqual(['d/file', 'd/link']);
});
