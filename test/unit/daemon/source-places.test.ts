/** Tests that stack traces show positions in the source files instead of the built files. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { inSources } from '../../../daemon/log/source-places.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** A source map that maps line 2 of the built file to line 5 of the source. */
const MAP = {
  version: 3,
  sources: ['../../../src/engine/writes/writer.ts'],
  names: [],
  mappings: ';AAIA',
};

test('the daemon maps a position in the built file to its position in the source', () => {
  const folder = temporaryFolder('hf stack');
  const file = join(folder, 'main-B3Wx.js');
  writeFileSync(`${file}.map`, JSON.stringify(MAP));
  const url = pathToFileURL(file).href;
  const stack = `Error: no\n    at run (${url}:2:1)\n    at ${url}:2:1`;
  expect(inSources(stack, folder)).toBe(
    'Error: no\n    at run (src/engine/writes/writer.ts:5:1)\n    at src/engine/writes/writer.ts:5:1',
  );
});

test('the daemon leaves a stack trace position that no source map covers unchanged', () => {
  const folder = temporaryFolder('hf-stack');
  writeFileSync(join(folder, 'torn.js.map'), '{');
  writeFileSync(join(folder, 'known.js.map'), JSON.stringify({ ...MAP, mappings: '' }));
  for (const file of [
    '/app/zod/index.js',
    ...['bare.js', 'torn.js', 'known.js', '%zz.js'].map((name) => join(folder, name)),
  ]) {
    const stack = `Error: no\n    at run (${pathToFileURL(file).href}:2:1)\n    at node:fs:1:2`;
    expect(inSources(stack, folder)).toBe(stack);
  }
});
